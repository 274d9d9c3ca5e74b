#compdef unstuck

autoload -U is-at-least

_unstuck() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_unstuck_commands" \
"*::: :->unstuck" \
&& ret=0
    case $state in
    (unstuck)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-command-$line[1]:"
        case $line[1] in
            (scan)
_arguments "${_arguments_options[@]}" : \
'--since=[Only runs that went on after this\: 90m, 12h, 7d, 2w, a day or a time]:TIME:_default' \
'--until=[Only runs that began before this, in the same forms. A day is its first moment\: \`--since 2026-11-01 --until 2026-11-08\` is one week]:TIME:_default' \
'*--project=[Only runs in this project\: part of the directory that the agent worked in, such as \`shop\` or \`/home/ada\`. With \`*\` or \`?\`, the whole directory, or its end from a slash on\: \`--project '\''shop-*'\''\`. Transcripts that do not name the directory are known by their own path. May be repeated]:PATTERN:_default' \
'*--exclude=[Leave out files with this in their path. With \`*\` or \`?\`, the whole path, or its end from a slash on\: \`--exclude '\''*.bak'\'' --exclude '\''archive/*'\''\`. May be repeated]:GLOB:_default' \
'*--rule=[Only loops that this rule saw, such as \`exact-repeat\`; \`unstuck rules\` lists them. Runs without such loops count as not stuck, for \`--fail-on\` too. May be repeated]:NAME:_default' \
'*--agent=[Only transcripts of this agent or format, such as \`claude-code\` or \`codex\`. May be repeated]:NAME:_default' \
'--fail-on=[Exit with 1 if any run would have been answered so, or more strictly]:VERDICT:((nudge\:"Any loop"
deny\:"A call would have been refused"
halt\:"A run would have been ended"))' \
'--output=[What to write]:FORMAT:((terminal\:"For people, here"
json\:"One JSON document"
jsonl\:"JSON, one line for each run"
sarif\:"For code scanning services"
markdown\:"For issues and comments"
junit\:"For build servers"
html\:"One page that shows all of it, the calls of every loop included"))' \
'-o+[The file to write it to, in place of standard output]:FILE:_files' \
'--out=[The file to write it to, in place of standard output]:FILE:_files' \
'--jobs=[Files that are read at the same time; as many as there are processors unless given]:COUNT:_default' \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'(--watch)--open[Write the HTML page and open it in the browser\: to the file of \`-o\`, or to a temporary one that only you can read]' \
'--no-redact[Keep secrets in the report. Without this, what looks like a password, key or token is taken out]' \
'--watch[Read on in the files as they grow, and report every loop when it is found]' \
'-L[Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed]' \
'--follow[Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::paths -- Files, or directories to look through; `-` for standard input. The places of known agents if there are none:_files' \
&& ret=0
;;
(check)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::files -- Files of events; standard input if none, or for `-`:_files' \
&& ret=0
;;
(install)
_arguments "${_arguments_options[@]}" : \
'--scope=[For whom\: yourself everywhere, or everyone in this project]:SCOPE:((user\:"the user'\''s own files"
project\:"files in the project, for everyone who works on it"))' \
'--binary=[The program that the host is to run, if not this one. A bare name is looked for on PATH]:PATH:_absolute_command_paths' \
'-y[Do not ask]' \
'--yes[Do not ask]' \
'--dry-run[Show what would be changed, and change nothing]' \
'(--dry-run)--print[Print what belongs into the files, and change nothing]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':hosts -- The agents to guard:((claude-code\:"Claude Code"
codex\:"Codex CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
copilot-cli\:"GitHub Copilot CLI"
opencode\:"OpenCode"
cursor\:"Cursor"
cline\:"Cline"
crush\:"Crush"
goose\:"Goose"
openhands\:"OpenHands"))' \
":: :_unstuck__subcmd__install_commands" \
"*::: :->install" \
&& ret=0

    case $state in
    (install)
        words=($line[2] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-install-command-$line[2]:"
        case $line[2] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
'--scope=[Only in the user'\''s own files, or only in those of this project; both are looked at unless given]:SCOPE:((user\:"the user'\''s own files"
project\:"files in the project, for everyone who works on it"))' \
'--binary=[The program that the client is to run, if not this one. A bare name is looked for on PATH]:PATH:_absolute_command_paths' \
'-y[Do not ask]' \
'--yes[Do not ask]' \
'--dry-run[Show what would be changed, and change nothing]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':client -- The client:((claude-code\:"Claude Code"
claude-desktop\:"Claude Desktop"
codex\:"Codex CLI"
cursor\:"Cursor"
vs-code\:"Visual Studio Code"
copilot-cli\:"GitHub Copilot CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
opencode\:"OpenCode"
windsurf\:"Windsurf"
cline\:"Cline"
crush\:"Crush"))' \
':server -- The server, as the client'\''s configuration names it:_default' \
'*::options -- Options for `unstuck mcp`:_default' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__install__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-install-help-command-$line[1]:"
        case $line[1] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(uninstall)
_arguments "${_arguments_options[@]}" : \
'--scope=[For whom it was installed]:SCOPE:((user\:"the user'\''s own files"
project\:"files in the project, for everyone who works on it"))' \
'-y[Do not ask]' \
'--yes[Do not ask]' \
'--dry-run[Show what would be changed, and change nothing]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':hosts -- The agents to guard no longer:((claude-code\:"Claude Code"
codex\:"Codex CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
copilot-cli\:"GitHub Copilot CLI"
opencode\:"OpenCode"
cursor\:"Cursor"
cline\:"Cline"
crush\:"Crush"
goose\:"Goose"
openhands\:"OpenHands"))' \
":: :_unstuck__subcmd__uninstall_commands" \
"*::: :->uninstall" \
&& ret=0

    case $state in
    (uninstall)
        words=($line[2] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-uninstall-command-$line[2]:"
        case $line[2] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
'--scope=[Only in the user'\''s own files, or only in those of this project; both are looked at unless given]:SCOPE:((user\:"the user'\''s own files"
project\:"files in the project, for everyone who works on it"))' \
'-y[Do not ask]' \
'--yes[Do not ask]' \
'--dry-run[Show what would be changed, and change nothing]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':client -- The client:((claude-code\:"Claude Code"
claude-desktop\:"Claude Desktop"
codex\:"Codex CLI"
cursor\:"Cursor"
vs-code\:"Visual Studio Code"
copilot-cli\:"GitHub Copilot CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
opencode\:"OpenCode"
windsurf\:"Windsurf"
cline\:"Cline"
crush\:"Crush"))' \
':server -- The server, as the client'\''s configuration names it:_default' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__uninstall__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-uninstall-help-command-$line[1]:"
        case $line[1] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(doctor)
_arguments "${_arguments_options[@]}" : \
'--json[Write JSON]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::hosts -- The agents to look at; every one that is found here if none is named:((claude-code\:"Claude Code"
codex\:"Codex CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
copilot-cli\:"GitHub Copilot CLI"
opencode\:"OpenCode"
cursor\:"Cursor"
cline\:"Cline"
crush\:"Crush"
goose\:"Goose"
openhands\:"OpenHands"))' \
&& ret=0
;;
(tune)
_arguments "${_arguments_options[@]}" : \
'*--healthy=[Runs that were fine\: a file, a directory or a session; \`*\` and \`?\` stand for any characters. May be repeated]:PATTERN:_default' \
'--output=[What to write]:FORMAT:((text\:"A report for people"
json\:"The same as one JSON document"
toml\:"Only the proposed settings"))' \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'-L[Follow links that lead out of the directories named. Without it they are counted on standard error]' \
'--follow[Follow links that lead out of the directories named. Without it they are counted on standard error]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::paths -- Recordings, or directories to look for them in; `-` for standard input. By default, the places where agents keep their transcripts:_files' \
&& ret=0
;;
(rules)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--json[Write JSON, with all options of every rule]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(explain)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':rule -- The rule'\''s name; `unstuck rules` lists them:_default' \
&& ret=0
;;
(config)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_unstuck__subcmd__config_commands" \
"*::: :->config" \
&& ret=0

    case $state in
    (config)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-config-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::files -- Files to check in place of those that count here:_files' \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(trust)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'::file -- The file; the project'\''s if none is given:_files' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__config__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-config-help-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(trust)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(hook)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':host -- Whose hook it is:((claude-code\:"Claude Code"
codex\:"Codex CLI"
gemini-cli\:"Gemini CLI"
qwen-code\:"Qwen Code"
copilot-cli\:"GitHub Copilot CLI"
opencode\:"OpenCode"
cursor\:"Cursor"
cline\:"Cline"
crush\:"Crush"
goose\:"Goose"
openhands\:"OpenHands"))' \
'::event -- The event, for agents whose input does not name it:_default' \
&& ret=0
;;
(status)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(sessions)
_arguments "${_arguments_options[@]}" : \
'--all[Show all, not only the newest 20]' \
'--json[Write JSON, with everything that is known]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(top)
_arguments "${_arguments_options[@]}" : \
'--since=[Only agents that did something after this\: 90m, 12h, 7d, a day or a time]:TIME:_default' \
'--interval=[Seconds between two looks, from 0.1 to 3600]:SECONDS:_default' \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--once[Print what there is to see as plain text, once]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(reset)
_arguments "${_arguments_options[@]}" : \
'--all[Every agent of every session, and every running MCP proxy]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'::session -- The session or the running MCP proxy, or how its name begins:_default' \
&& ret=0
;;
(allow)
_arguments "${_arguments_options[@]}" : \
'--session=[Only in this session; how its name begins is enough]:SESSION:_default' \
'--here[Only for agents that work in this directory or below]' \
'(--session --here)--remove[Take back what was allowed for the tool]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'::tool -- The tool'\''s name; `*` stands for any run of characters:_default' \
&& ret=0
;;
(mode)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'::mode -- What hooks do from the next call on, and running MCP proxies within a second:((enforce\:"Nudge, deny and halt"
observe\:"Decide and record, but let everything pass"
off\:"Do nothing"
default\:"What the configuration says"))' \
&& ret=0
;;
(mcp)
_arguments "${_arguments_options[@]}" : \
'--name=[The server'\''s name; that of its program if none is given]:NAME:_default' \
'--policy=[Policies in Cedar]:FILE:_files' \
'--max-policy-arguments=[The most bytes of a call'\''s arguments that policies read; a call with more is denied. One value is read for each 64 bytes. Arguments that no policy mentions are not limited]:BYTES:_default' \
'--audit=[Where calls are recorded; a file of the server'\''s name under \`UNSTUCK_HOME\` if none is given]:FILE:_files' \
'--audit-arguments=[How much of the arguments is recorded]:WHAT:((redacted\:"What does not look like a secret"
none\:"Size and fingerprint only"
raw\:"Everything, secrets included"))' \
'*--audit-hide=[A field of tools'\'' arguments that is never recorded; may be given several times]:TOOL:FIELD:_default' \
'--audit-sync=[When lines are forced to the disk]:WHEN:((never\:"When the system does it; only the end of the machine loses lines"
second\:"Once a second"
line\:"Before every call"))' \
'--audit-failure=[What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with]:WHAT:((deny\:"They do not run"
allow\:"They run"))' \
'--audit-rotate=[Size in bytes at which the audit continues in a new file; full files are kept]:BYTES:_default' \
'--audit-budget=[Most bytes of the audit and its full files together; without it there is no limit. Near the limit refused messages are only counted; at the limit \`--audit-failure\` applies. No file is ever removed]:BYTES:_default' \
'(--no-audit)*--head-to=[Send heads of the audit to \`file\:PATH\`, \`syslog\` or \`command\:PROGRAM ARGUMENTS\`, so that a rewritten log is found; may be given several times]:TARGET:_default' \
'--head-interval=[Send a head at most this many seconds after a line was written]:SECONDS:_default' \
'--head-lines=[Send a head after this many lines, without waiting for the interval]:LINES:_default' \
'--max-message=[The most bytes a message may have]:BYTES:_default' \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--listen=[Serve clients by HTTP, at this port or address; others than this machine'\''s need a token]:ADDRESS:_default' \
'(--servers)--upstream=[The server'\''s URL, in place of a command]:URL:_default' \
'*--upstream-header=[A header for the server at that URL; \`\${NAME}\` is taken from the environment]:NAME: VALUE:_default' \
'()--servers=[A JSON file with \`mcpServers\`; each is served at \`/NAME/mcp\`. \`--config FILE.json\` is the same]:FILE:_files' \
'--token=[What clients must show (\`Authorization\: Bearer TOKEN\`); better set \`UNSTUCK_MCP_TOKEN\`, which other users of this machine cannot see]:TOKEN:_default' \
'*--allow-host=[A name of this machine that clients may use; may be given several times]:NAME:_default' \
'*--pass-header=[Pass this header of clients on to the server; may be given several times. Without it only \`Accept\`, \`Content-Type\`, \`User-Agent\`, \`Last-Event-ID\`, \`traceparent\`, \`tracestate\` and \`Mcp-*\` are passed on]:NAME:_default' \
'--max-connections=[The most connections at once; half of them may be without a request that had the right token]:NUMBER:_default' \
'--max-memory=[The most bytes that all messages being read, judged and written may take together; beyond it requests are answered with 503. At least 16/7 of \`--max-message\`]:BYTES:_default' \
'--max-sessions=[The most sessions of one server that is started here; each has a process of its own. Requests for more are refused]:NUMBER:_default' \
'--sessions-per-peer=[The most sessions of one client address; a quarter of all unless given, and no limit for this machine, where all clients have the same address]:NUMBER:_default' \
'--session-idle=[How long a session may be without a request or an open stream before it ends]:SECONDS:_default' \
'--read-timeout=[How long a request may take to arrive]:SECONDS:_default' \
'--answer-timeout=[How long a server may take until it begins to answer]:SECONDS:_default' \
'(--audit)--no-audit[Record nothing]' \
'--audit-count-denials[Count equal denials that follow each other, with one line a second]' \
'--trust-names[Count calls by the sessions and threads that the client names in \`_meta\`, and let policies see a thread as the principal. A client can choose these names freely, another one for every call\: only for a client that you trust to name them, such as Codex with several threads on one connection]' \
'--say-unchanged[Replace the result of a read-only tool by a short text where it is the same as before]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'(--token)--forward-authorization[Pass the clients'\'' \`Authorization\` on to the server]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'*::command -- The server'\''s command and its arguments:_cmdambivalent' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_unstuck__subcmd__policy_commands" \
"*::: :->policy" \
&& ret=0

    case $state in
    (policy)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-policy-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
'--call=[A call as JSON; \`-\` reads it from standard input]:JSON:_default' \
'--server=[The server'\''s name, where neither the call nor \`--tool SERVER/TOOL\` names it]:NAME:_default' \
'(--call)--tool=[The tool that is called]:NAME:_default' \
'--arguments=[The arguments of \`--tool\`, as JSON; \`-\` reads them from standard input]:JSON:_default' \
'--agent=[The agent that calls]:NAME:_default' \
'--session=[The session of that agent]:NAME:_default' \
'--at=[The time of the call in milliseconds since 1970; now if there is none]:MILLISECONDS:_default' \
'--max-policy-arguments=[The most bytes of arguments that policies read, as for \`unstuck mcp\`]:BYTES:_default' \
'--json[Write JSON]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':file -- The policy file:_files' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__policy__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-policy-help-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(mcp-control)
_arguments "${_arguments_options[@]}" : \
'--preset=[The settings to start from, whatever the configuration files name]:NAME:((standard\:"all rules, judged by what came back; what an agent should run with"
ironcurtain\:"steps by approach and outcome; 20 identical calls in 60 s"
attractor\:"cycles of one, two and three calls; the third repetition stops"
attocode\:"equal and similar calls in a row, failing tests and commands, idle turns, swarms"
tool-loop-detector\:"any call three times in the last twenty stops the run"))' \
'--config=[A configuration file, on top of the user'\''s and the project'\''s]:FILE:_files' \
'--allow-reset[Offer the tool \`reset\`, too. A client that can call it can lift its own denials, so it is refused, as \`unstuck reset\` is, without a terminal and where an agent starts it]' \
'--no-config[Ignore the user'\''s and the project'\''s configuration files]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(audit)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_unstuck__subcmd__audit_commands" \
"*::: :->audit" \
&& ret=0

    case $state in
    (audit)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-audit-command-$line[1]:"
        case $line[1] in
            (verify)
_arguments "${_arguments_options[@]}" : \
'--head=[The head that was noted earlier, in place of the one in \`FILE.head\`]:HEAD:_default' \
'--heads=[File with heads that \`unstuck mcp --head-to\` sent; every head of this log in it must be on the chain. Lines of other programs, such as those of a system log, are skipped]:HEADS:_files' \
'--partial[The oldest full files may be missing. A file that is missing between two others is still an error]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':file -- The log:_files' \
&& ret=0
;;
(close)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':file -- The log:_files' \
&& ret=0
;;
(tail)
_arguments "${_arguments_options[@]}" : \
'-n+[How many calls]:COUNT:_default' \
'--lines=[How many calls]:COUNT:_default' \
'-f[Go on with what is recorded from now on]' \
'--follow[Go on with what is recorded from now on]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':file -- The log:_files' \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
'--format=[As what]:FORMAT:((csv\:"A table"
jsonl\:"One JSON object a line"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':file -- The log:_files' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__audit__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-audit-help-command-$line[1]:"
        case $line[1] in
            (verify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(close)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(tail)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
':shell -- The shell:(bash elvish fish powershell zsh)' \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
'::name -- The schema; without a name they are listed:((config\:"The configuration file, \`unstuck.toml\`"
scan\:"What \`unstuck scan --output json\` writes"
scan-lines\:"Each line that \`unstuck scan --output jsonl\` writes"))' \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(generate)
_arguments "${_arguments_options[@]}" : \
'--out=[The directory that the files are written under]:DIR:_files' \
'-h[Print help]' \
'--help[Print help]' \
'-V[Print version]' \
'--version[Print version]' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-command-$line[1]:"
        case $line[1] in
            (scan)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(install)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help__subcmd__install_commands" \
"*::: :->install" \
&& ret=0

    case $state in
    (install)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-install-command-$line[1]:"
        case $line[1] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(uninstall)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help__subcmd__uninstall_commands" \
"*::: :->uninstall" \
&& ret=0

    case $state in
    (uninstall)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-uninstall-command-$line[1]:"
        case $line[1] in
            (mcp)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(doctor)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(tune)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(rules)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(explain)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(config)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help__subcmd__config_commands" \
"*::: :->config" \
&& ret=0

    case $state in
    (config)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-config-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(trust)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(hook)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(status)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(sessions)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(top)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(reset)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(allow)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(mode)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(mcp)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help__subcmd__policy_commands" \
"*::: :->policy" \
&& ret=0

    case $state in
    (policy)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-policy-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(mcp-control)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(audit)
_arguments "${_arguments_options[@]}" : \
":: :_unstuck__subcmd__help__subcmd__audit_commands" \
"*::: :->audit" \
&& ret=0

    case $state in
    (audit)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:unstuck-help-audit-command-$line[1]:"
        case $line[1] in
            (verify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(close)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(tail)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(completions)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(generate)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
}

(( $+functions[_unstuck_commands] )) ||
_unstuck_commands() {
    local commands; commands=(
'scan:Find the runs that went in circles, and what that cost' \
'check:Read events, write one decision a line' \
'install:Guard a coding agent\: put the hooks into its configuration' \
'uninstall:Take the hooks out of an agent'\''s configuration' \
'doctor:Check that the agents here are guarded' \
'tune:Replay your own recordings and propose settings' \
'rules:List the rules, and which of them are on' \
'explain:Tell all about a rule' \
'config:Check, show and describe the configuration' \
'hook:Answer one hook of a coding agent' \
'status:Show whether the guard is on, and what it has seen' \
'sessions:List the agents that are being watched' \
'top:Watch the agents of this machine, live' \
'reset:Let a halted or denied agent go on' \
'allow:Stop watching a tool' \
'mode:Switch the guard off, on, or to observing' \
'mcp:Run an MCP server behind a guard' \
'policy:Check policies, and try them on a call' \
'mcp-control:Tell an agent about the agents that are watched' \
'audit:Check and read what \`unstuck mcp\` recorded' \
'completions:Print a completion script for a shell' \
'schema:Print a JSON schema' \
'man:Print the manual page' \
'generate:Write everything that is generated\: schema, rule pages, completions, manual pages' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__allow_commands] )) ||
_unstuck__subcmd__allow_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck allow commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit_commands] )) ||
_unstuck__subcmd__audit_commands() {
    local commands; commands=(
'verify:Check that nothing was changed, removed, moved or cut off' \
'close:Close a broken log and start a new one that refers to it' \
'tail:Show the last calls' \
'export:Print all calls as a table or as JSON' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck audit commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__close_commands] )) ||
_unstuck__subcmd__audit__subcmd__close_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit close commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__export_commands] )) ||
_unstuck__subcmd__audit__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit export commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help_commands] )) ||
_unstuck__subcmd__audit__subcmd__help_commands() {
    local commands; commands=(
'verify:Check that nothing was changed, removed, moved or cut off' \
'close:Close a broken log and start a new one that refers to it' \
'tail:Show the last calls' \
'export:Print all calls as a table or as JSON' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck audit help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help__subcmd__close_commands] )) ||
_unstuck__subcmd__audit__subcmd__help__subcmd__close_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit help close commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help__subcmd__export_commands] )) ||
_unstuck__subcmd__audit__subcmd__help__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit help export commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__audit__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help__subcmd__tail_commands] )) ||
_unstuck__subcmd__audit__subcmd__help__subcmd__tail_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit help tail commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__help__subcmd__verify_commands] )) ||
_unstuck__subcmd__audit__subcmd__help__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit help verify commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__tail_commands] )) ||
_unstuck__subcmd__audit__subcmd__tail_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit tail commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__audit__subcmd__verify_commands] )) ||
_unstuck__subcmd__audit__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck audit verify commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__check_commands] )) ||
_unstuck__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__completions_commands] )) ||
_unstuck__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck completions commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config_commands] )) ||
_unstuck__subcmd__config_commands() {
    local commands; commands=(
'check:Find mistakes' \
'schema:Print the JSON schema of \`unstuck.toml\`' \
'show:Print the settings in effect' \
'trust:Trust the project'\''s file' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck config commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__check_commands] )) ||
_unstuck__subcmd__config__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help_commands] )) ||
_unstuck__subcmd__config__subcmd__help_commands() {
    local commands; commands=(
'check:Find mistakes' \
'schema:Print the JSON schema of \`unstuck.toml\`' \
'show:Print the settings in effect' \
'trust:Trust the project'\''s file' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck config help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help__subcmd__check_commands] )) ||
_unstuck__subcmd__config__subcmd__help__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config help check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__config__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help__subcmd__schema_commands] )) ||
_unstuck__subcmd__config__subcmd__help__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config help schema commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help__subcmd__show_commands] )) ||
_unstuck__subcmd__config__subcmd__help__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config help show commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__help__subcmd__trust_commands] )) ||
_unstuck__subcmd__config__subcmd__help__subcmd__trust_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config help trust commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__schema_commands] )) ||
_unstuck__subcmd__config__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config schema commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__show_commands] )) ||
_unstuck__subcmd__config__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config show commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__config__subcmd__trust_commands] )) ||
_unstuck__subcmd__config__subcmd__trust_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck config trust commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__doctor_commands] )) ||
_unstuck__subcmd__doctor_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck doctor commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__explain_commands] )) ||
_unstuck__subcmd__explain_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck explain commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__generate_commands] )) ||
_unstuck__subcmd__generate_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck generate commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help_commands] )) ||
_unstuck__subcmd__help_commands() {
    local commands; commands=(
'scan:Find the runs that went in circles, and what that cost' \
'check:Read events, write one decision a line' \
'install:Guard a coding agent\: put the hooks into its configuration' \
'uninstall:Take the hooks out of an agent'\''s configuration' \
'doctor:Check that the agents here are guarded' \
'tune:Replay your own recordings and propose settings' \
'rules:List the rules, and which of them are on' \
'explain:Tell all about a rule' \
'config:Check, show and describe the configuration' \
'hook:Answer one hook of a coding agent' \
'status:Show whether the guard is on, and what it has seen' \
'sessions:List the agents that are being watched' \
'top:Watch the agents of this machine, live' \
'reset:Let a halted or denied agent go on' \
'allow:Stop watching a tool' \
'mode:Switch the guard off, on, or to observing' \
'mcp:Run an MCP server behind a guard' \
'policy:Check policies, and try them on a call' \
'mcp-control:Tell an agent about the agents that are watched' \
'audit:Check and read what \`unstuck mcp\` recorded' \
'completions:Print a completion script for a shell' \
'schema:Print a JSON schema' \
'man:Print the manual page' \
'generate:Write everything that is generated\: schema, rule pages, completions, manual pages' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__allow_commands] )) ||
_unstuck__subcmd__help__subcmd__allow_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help allow commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__audit_commands] )) ||
_unstuck__subcmd__help__subcmd__audit_commands() {
    local commands; commands=(
'verify:Check that nothing was changed, removed, moved or cut off' \
'close:Close a broken log and start a new one that refers to it' \
'tail:Show the last calls' \
'export:Print all calls as a table or as JSON' \
    )
    _describe -t commands 'unstuck help audit commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__audit__subcmd__close_commands] )) ||
_unstuck__subcmd__help__subcmd__audit__subcmd__close_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help audit close commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__audit__subcmd__export_commands] )) ||
_unstuck__subcmd__help__subcmd__audit__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help audit export commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__audit__subcmd__tail_commands] )) ||
_unstuck__subcmd__help__subcmd__audit__subcmd__tail_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help audit tail commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__audit__subcmd__verify_commands] )) ||
_unstuck__subcmd__help__subcmd__audit__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help audit verify commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__check_commands] )) ||
_unstuck__subcmd__help__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__completions_commands] )) ||
_unstuck__subcmd__help__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help completions commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__config_commands] )) ||
_unstuck__subcmd__help__subcmd__config_commands() {
    local commands; commands=(
'check:Find mistakes' \
'schema:Print the JSON schema of \`unstuck.toml\`' \
'show:Print the settings in effect' \
'trust:Trust the project'\''s file' \
    )
    _describe -t commands 'unstuck help config commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__config__subcmd__check_commands] )) ||
_unstuck__subcmd__help__subcmd__config__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help config check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__config__subcmd__schema_commands] )) ||
_unstuck__subcmd__help__subcmd__config__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help config schema commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__config__subcmd__show_commands] )) ||
_unstuck__subcmd__help__subcmd__config__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help config show commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__config__subcmd__trust_commands] )) ||
_unstuck__subcmd__help__subcmd__config__subcmd__trust_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help config trust commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__doctor_commands] )) ||
_unstuck__subcmd__help__subcmd__doctor_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help doctor commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__explain_commands] )) ||
_unstuck__subcmd__help__subcmd__explain_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help explain commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__generate_commands] )) ||
_unstuck__subcmd__help__subcmd__generate_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help generate commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__hook_commands] )) ||
_unstuck__subcmd__help__subcmd__hook_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help hook commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__install_commands] )) ||
_unstuck__subcmd__help__subcmd__install_commands() {
    local commands; commands=(
'mcp:Put an MCP server of a client behind the proxy' \
    )
    _describe -t commands 'unstuck help install commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__install__subcmd__mcp_commands] )) ||
_unstuck__subcmd__help__subcmd__install__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help install mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__man_commands] )) ||
_unstuck__subcmd__help__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help man commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__mcp_commands] )) ||
_unstuck__subcmd__help__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__mcp-control_commands] )) ||
_unstuck__subcmd__help__subcmd__mcp-control_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help mcp-control commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__mode_commands] )) ||
_unstuck__subcmd__help__subcmd__mode_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help mode commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__policy_commands] )) ||
_unstuck__subcmd__help__subcmd__policy_commands() {
    local commands; commands=(
'check:Find mistakes, or show how a call is decided' \
    )
    _describe -t commands 'unstuck help policy commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__policy__subcmd__check_commands] )) ||
_unstuck__subcmd__help__subcmd__policy__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help policy check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__reset_commands] )) ||
_unstuck__subcmd__help__subcmd__reset_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help reset commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__rules_commands] )) ||
_unstuck__subcmd__help__subcmd__rules_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help rules commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__scan_commands] )) ||
_unstuck__subcmd__help__subcmd__scan_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help scan commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__schema_commands] )) ||
_unstuck__subcmd__help__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help schema commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__sessions_commands] )) ||
_unstuck__subcmd__help__subcmd__sessions_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help sessions commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__status_commands] )) ||
_unstuck__subcmd__help__subcmd__status_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help status commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__top_commands] )) ||
_unstuck__subcmd__help__subcmd__top_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help top commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__tune_commands] )) ||
_unstuck__subcmd__help__subcmd__tune_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help tune commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__uninstall_commands] )) ||
_unstuck__subcmd__help__subcmd__uninstall_commands() {
    local commands; commands=(
'mcp:Take an MCP server out from behind the proxy' \
    )
    _describe -t commands 'unstuck help uninstall commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__help__subcmd__uninstall__subcmd__mcp_commands] )) ||
_unstuck__subcmd__help__subcmd__uninstall__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck help uninstall mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__hook_commands] )) ||
_unstuck__subcmd__hook_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck hook commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__install_commands] )) ||
_unstuck__subcmd__install_commands() {
    local commands; commands=(
'mcp:Put an MCP server of a client behind the proxy' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck install commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__install__subcmd__help_commands] )) ||
_unstuck__subcmd__install__subcmd__help_commands() {
    local commands; commands=(
'mcp:Put an MCP server of a client behind the proxy' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck install help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__install__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__install__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck install help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__install__subcmd__help__subcmd__mcp_commands] )) ||
_unstuck__subcmd__install__subcmd__help__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck install help mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__install__subcmd__mcp_commands] )) ||
_unstuck__subcmd__install__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck install mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__man_commands] )) ||
_unstuck__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck man commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__mcp_commands] )) ||
_unstuck__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__mcp-control_commands] )) ||
_unstuck__subcmd__mcp-control_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck mcp-control commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__mode_commands] )) ||
_unstuck__subcmd__mode_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck mode commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__policy_commands] )) ||
_unstuck__subcmd__policy_commands() {
    local commands; commands=(
'check:Find mistakes, or show how a call is decided' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck policy commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__policy__subcmd__check_commands] )) ||
_unstuck__subcmd__policy__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck policy check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__policy__subcmd__help_commands] )) ||
_unstuck__subcmd__policy__subcmd__help_commands() {
    local commands; commands=(
'check:Find mistakes, or show how a call is decided' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck policy help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__policy__subcmd__help__subcmd__check_commands] )) ||
_unstuck__subcmd__policy__subcmd__help__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck policy help check commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__policy__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__policy__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck policy help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__reset_commands] )) ||
_unstuck__subcmd__reset_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck reset commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__rules_commands] )) ||
_unstuck__subcmd__rules_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck rules commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__scan_commands] )) ||
_unstuck__subcmd__scan_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck scan commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__schema_commands] )) ||
_unstuck__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck schema commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__sessions_commands] )) ||
_unstuck__subcmd__sessions_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck sessions commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__status_commands] )) ||
_unstuck__subcmd__status_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck status commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__top_commands] )) ||
_unstuck__subcmd__top_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck top commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__tune_commands] )) ||
_unstuck__subcmd__tune_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck tune commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__uninstall_commands] )) ||
_unstuck__subcmd__uninstall_commands() {
    local commands; commands=(
'mcp:Take an MCP server out from behind the proxy' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck uninstall commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__uninstall__subcmd__help_commands] )) ||
_unstuck__subcmd__uninstall__subcmd__help_commands() {
    local commands; commands=(
'mcp:Take an MCP server out from behind the proxy' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'unstuck uninstall help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__uninstall__subcmd__help__subcmd__help_commands] )) ||
_unstuck__subcmd__uninstall__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck uninstall help help commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__uninstall__subcmd__help__subcmd__mcp_commands] )) ||
_unstuck__subcmd__uninstall__subcmd__help__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck uninstall help mcp commands' commands "$@"
}
(( $+functions[_unstuck__subcmd__uninstall__subcmd__mcp_commands] )) ||
_unstuck__subcmd__uninstall__subcmd__mcp_commands() {
    local commands; commands=()
    _describe -t commands 'unstuck uninstall mcp commands' commands "$@"
}

if [ "$funcstack[1]" = "_unstuck" ]; then
    _unstuck "$@"
else
    compdef _unstuck unstuck
fi
