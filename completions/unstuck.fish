# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_unstuck_global_optspecs
    string join \n h/help V/version
end

function __fish_unstuck_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_unstuck_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_unstuck_using_subcommand
    set -l cmd (__fish_unstuck_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c unstuck -n "__fish_unstuck_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_needs_command" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "scan" -d 'Find the runs that went in circles, and what that cost'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "check" -d 'Read events, write one decision a line'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "install" -d 'Guard a coding agent: put the hooks into its configuration'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "uninstall" -d 'Take the hooks out of an agent\'s configuration'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "doctor" -d 'Check that the agents here are guarded'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "tune" -d 'Replay your own recordings and propose settings'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "rules" -d 'List the rules, and which of them are on'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "explain" -d 'Tell all about a rule'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "config" -d 'Check, show and describe the configuration'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "hook" -d 'Answer one hook of a coding agent'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "status" -d 'Show whether the guard is on, and what it has seen'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "sessions" -d 'List the agents that are being watched'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "top" -d 'Watch the agents of this machine, live'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "reset" -d 'Let a halted or denied agent go on'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "allow" -d 'Stop watching a tool'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "mode" -d 'Switch the guard off, on, or to observing'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "mcp" -d 'Run an MCP server behind a guard'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "policy" -d 'Check policies, and try them on a call'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "mcp-control" -d 'Tell an agent about the agents that are watched'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "audit" -d 'Check and read what `unstuck mcp` recorded'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "schema" -d 'Print a JSON schema'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "man" -d 'Print the manual page'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "generate" -d 'Write everything that is generated: schema, rule pages, completions, manual pages'
complete -c unstuck -n "__fish_unstuck_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l since -d 'Only runs that went on after this: 90m, 12h, 7d, 2w, a day or a time' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l until -d 'Only runs that began before this, in the same forms. A day is its first moment: `--since 2026-11-01 --until 2026-11-08` is one week' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l project -d 'Only runs in this project: part of the directory that the agent worked in, such as `shop` or `/home/ada`. With `*` or `?`, the whole directory, or its end from a slash on: `--project \'shop-*\'`. Transcripts that do not name the directory are known by their own path. May be repeated' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l exclude -d 'Leave out files with this in their path. With `*` or `?`, the whole path, or its end from a slash on: `--exclude \'*.bak\' --exclude \'archive/*\'`. May be repeated' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l rule -d 'Only loops that this rule saw, such as `exact-repeat`; `unstuck rules` lists them. Runs without such loops count as not stuck, for `--fail-on` too. May be repeated' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l agent -d 'Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l fail-on -d 'Exit with 1 if any run would have been answered so, or more strictly' -r -f -a "nudge\t'Any loop'
deny\t'A call would have been refused'
halt\t'A run would have been ended'"
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l output -d 'What to write' -r -f -a "terminal\t'For people, here'
json\t'One JSON document'
jsonl\t'JSON, one line for each run'
sarif\t'For code scanning services'
markdown\t'For issues and comments'
junit\t'For build servers'
html\t'One page that shows all of it, the calls of every loop included'"
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -s o -l out -d 'The file to write it to, in place of standard output' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l jobs -d 'Files that are read at the same time; as many as there are processors unless given' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l open -d 'Write the HTML page and open it in the browser: to the file of `-o`, or to a temporary one that only you can read'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l no-redact -d 'Keep secrets in the report. Without this, what looks like a password, key or token is taken out'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l watch -d 'Read on in the files as they grow, and report every loop when it is found'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -s L -l follow -d 'Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand scan" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand check" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand check" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand check" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand check" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -l scope -d 'For whom: yourself everywhere, or everyone in this project' -r -f -a "user\t'the user\'s own files'
project\t'files in the project, for everyone who works on it'"
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -l binary -d 'The program that the host is to run, if not this one. A bare name is looked for on PATH' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -s y -l yes -d 'Do not ask'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -l dry-run -d 'Show what would be changed, and change nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -l print -d 'Print what belongs into the files, and change nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -a "mcp" -d 'Put an MCP server of a client behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and not __fish_seen_subcommand_from mcp help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -l scope -d 'Only in the user\'s own files, or only in those of this project; both are looked at unless given' -r -f -a "user\t'the user\'s own files'
project\t'files in the project, for everyone who works on it'"
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -l binary -d 'The program that the client is to run, if not this one. A bare name is looked for on PATH' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -s y -l yes -d 'Do not ask'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -l dry-run -d 'Show what would be changed, and change nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from mcp" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from help" -f -a "mcp" -d 'Put an MCP server of a client behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand install; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -l scope -d 'For whom it was installed' -r -f -a "user\t'the user\'s own files'
project\t'files in the project, for everyone who works on it'"
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -s y -l yes -d 'Do not ask'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -l dry-run -d 'Show what would be changed, and change nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -a "mcp" -d 'Take an MCP server out from behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and not __fish_seen_subcommand_from mcp help" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from mcp" -l scope -d 'Only in the user\'s own files, or only in those of this project; both are looked at unless given' -r -f -a "user\t'the user\'s own files'
project\t'files in the project, for everyone who works on it'"
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from mcp" -s y -l yes -d 'Do not ask'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from mcp" -l dry-run -d 'Show what would be changed, and change nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from mcp" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from help" -f -a "mcp" -d 'Take an MCP server out from behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand uninstall; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand doctor" -l json -d 'Write JSON'
complete -c unstuck -n "__fish_unstuck_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand doctor" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -l healthy -d 'Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -l output -d 'What to write' -r -f -a "text\t'A report for people'
json\t'The same as one JSON document'
toml\t'Only the proposed settings'"
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -s L -l follow -d 'Follow links that lead out of the directories named. Without it they are counted on standard error'
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand tune" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -l json -d 'Write JSON, with all options of every rule'
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand rules" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand explain" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand explain" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand explain" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand explain" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -f -a "check" -d 'Find mistakes'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -f -a "schema" -d 'Print the JSON schema of `unstuck.toml`'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -f -a "show" -d 'Print the settings in effect'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -f -a "trust" -d 'Trust the project\'s file'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and not __fish_seen_subcommand_from check schema show trust help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from check" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from check" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from check" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from schema" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from show" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from show" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from show" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from trust" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from trust" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "check" -d 'Find mistakes'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "schema" -d 'Print the JSON schema of `unstuck.toml`'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "show" -d 'Print the settings in effect'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "trust" -d 'Trust the project\'s file'
complete -c unstuck -n "__fish_unstuck_using_subcommand config; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand hook" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand hook" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand status" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand sessions" -l all -d 'Show all, not only the newest 20'
complete -c unstuck -n "__fish_unstuck_using_subcommand sessions" -l json -d 'Write JSON, with everything that is known'
complete -c unstuck -n "__fish_unstuck_using_subcommand sessions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand sessions" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l since -d 'Only agents that did something after this: 90m, 12h, 7d, a day or a time' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l interval -d 'Seconds between two looks, from 0.1 to 3600' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l once -d 'Print what there is to see as plain text, once'
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand top" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand reset" -l all -d 'Every agent of every session, and every running MCP proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand reset" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand reset" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand allow" -l session -d 'Only in this session; how its name begins is enough' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand allow" -l here -d 'Only for agents that work in this directory or below'
complete -c unstuck -n "__fish_unstuck_using_subcommand allow" -l remove -d 'Take back what was allowed for the tool'
complete -c unstuck -n "__fish_unstuck_using_subcommand allow" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand allow" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand mode" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand mode" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l name -d 'The server\'s name; that of its program if none is given' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l policy -d 'Policies in Cedar' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l max-policy-arguments -d 'The most bytes of a call\'s arguments that policies read; a call with more is denied. One value is read for each 64 bytes. Arguments that no policy mentions are not limited' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit -d 'Where calls are recorded; a file of the server\'s name under `UNSTUCK_HOME` if none is given' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-arguments -d 'How much of the arguments is recorded' -r -f -a "redacted\t'What does not look like a secret'
none\t'Size and fingerprint only'
raw\t'Everything, secrets included'"
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-hide -d 'A field of tools\' arguments that is never recorded; may be given several times' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-sync -d 'When lines are forced to the disk' -r -f -a "never\t'When the system does it; only the end of the machine loses lines'
second\t'Once a second'
line\t'Before every call'"
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-failure -d 'What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with' -r -f -a "deny\t'They do not run'
allow\t'They run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-rotate -d 'Size in bytes at which the audit continues in a new file; full files are kept' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-budget -d 'Most bytes of the audit and its full files together; without it there is no limit. Near the limit refused messages are only counted; at the limit `--audit-failure` applies. No file is ever removed' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l head-to -d 'Send heads of the audit to `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`, so that a rewritten log is found; may be given several times' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l head-interval -d 'Send a head at most this many seconds after a line was written' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l head-lines -d 'Send a head after this many lines, without waiting for the interval' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l max-message -d 'The most bytes a message may have' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l listen -d 'Serve clients by HTTP, at this port or address; others than this machine\'s need a token' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l upstream -d 'The server\'s URL, in place of a command' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l upstream-header -d 'A header for the server at that URL; `${NAME}` is taken from the environment' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l servers -d 'A JSON file with `mcpServers`; each is served at `/NAME/mcp`. `--config FILE.json` is the same' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l token -d 'What clients must show (`Authorization: Bearer TOKEN`); better set `UNSTUCK_MCP_TOKEN`, which other users of this machine cannot see' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l allow-host -d 'A name of this machine that clients may use; may be given several times' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l pass-header -d 'Pass this header of clients on to the server; may be given several times. Without it only `Accept`, `Content-Type`, `User-Agent`, `Last-Event-ID`, `traceparent`, `tracestate` and `Mcp-*` are passed on' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l max-connections -d 'The most connections at once; half of them may be without a request that had the right token' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l max-memory -d 'The most bytes that all messages being read, judged and written may take together; beyond it requests are answered with 503. At least 16/7 of `--max-message`' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l max-sessions -d 'The most sessions of one server that is started here; each has a process of its own. Requests for more are refused' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l sessions-per-peer -d 'The most sessions of one client address; a quarter of all unless given, and no limit for this machine, where all clients have the same address' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l session-idle -d 'How long a session may be without a request or an open stream before it ends' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l read-timeout -d 'How long a request may take to arrive' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l answer-timeout -d 'How long a server may take until it begins to answer' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l no-audit -d 'Record nothing'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l audit-count-denials -d 'Count equal denials that follow each other, with one line a second'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l trust-names -d 'Count calls by the sessions and threads that the client names in `_meta`, and let policies see a thread as the principal. A client can choose these names freely, another one for every call: only for a client that you trust to name them, such as Codex with several threads on one connection'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l say-unchanged -d 'Replace the result of a read-only tool by a short text where it is the same as before'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -l forward-authorization -d 'Pass the clients\' `Authorization` on to the server'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and not __fish_seen_subcommand_from check help" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Find mistakes, or show how a call is decided'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l call -d 'A call as JSON; `-` reads it from standard input' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l server -d 'The server\'s name, where neither the call nor `--tool SERVER/TOOL` names it' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l tool -d 'The tool that is called' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l arguments -d 'The arguments of `--tool`, as JSON; `-` reads them from standard input' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l agent -d 'The agent that calls' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l session -d 'The session of that agent' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l at -d 'The time of the call in milliseconds since 1970; now if there is none' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l max-policy-arguments -d 'The most bytes of arguments that policies read, as for `unstuck mcp`' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -l json -d 'Write JSON'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "check" -d 'Find mistakes, or show how a call is decided'
complete -c unstuck -n "__fish_unstuck_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -l preset -d 'The settings to start from, whatever the configuration files name' -r -f -a "standard\t'all rules, judged by what came back; what an agent should run with'
ironcurtain\t'steps by approach and outcome; 20 identical calls in 60 s'
attractor\t'cycles of one, two and three calls; the third repetition stops'
attocode\t'equal and similar calls in a row, failing tests and commands, idle turns, swarms'
tool-loop-detector\t'any call three times in the last twenty stops the run'"
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -l config -d 'A configuration file, on top of the user\'s and the project\'s' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -l allow-reset -d 'Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck reset` is, without a terminal and where an agent starts it'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -l no-config -d 'Ignore the user\'s and the project\'s configuration files'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand mcp-control" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -f -a "verify" -d 'Check that nothing was changed, removed, moved or cut off'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -f -a "close" -d 'Close a broken log and start a new one that refers to it'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -f -a "tail" -d 'Show the last calls'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -f -a "export" -d 'Print all calls as a table or as JSON'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and not __fish_seen_subcommand_from verify close tail export help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from verify" -l head -d 'The head that was noted earlier, in place of the one in `FILE.head`' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from verify" -l heads -d 'File with heads that `unstuck mcp --head-to` sent; every head of this log in it must be on the chain. Lines of other programs, such as those of a system log, are skipped' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from verify" -l partial -d 'The oldest full files may be missing. A file that is missing between two others is still an error'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from verify" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from close" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from close" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from tail" -s n -l lines -d 'How many calls' -r
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from tail" -s f -l follow -d 'Go on with what is recorded from now on'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from tail" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from tail" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from export" -l format -d 'As what' -r -f -a "csv\t'A table'
jsonl\t'One JSON object a line'"
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from export" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Check that nothing was changed, removed, moved or cut off'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "close" -d 'Close a broken log and start a new one that refers to it'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "tail" -d 'Show the last calls'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "export" -d 'Print all calls as a table or as JSON'
complete -c unstuck -n "__fish_unstuck_using_subcommand audit; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand completions" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand schema" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c unstuck -n "__fish_unstuck_using_subcommand man" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand generate" -l out -d 'The directory that the files are written under' -r -F
complete -c unstuck -n "__fish_unstuck_using_subcommand generate" -s h -l help -d 'Print help'
complete -c unstuck -n "__fish_unstuck_using_subcommand generate" -s V -l version -d 'Print version'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "scan" -d 'Find the runs that went in circles, and what that cost'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "check" -d 'Read events, write one decision a line'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "install" -d 'Guard a coding agent: put the hooks into its configuration'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "uninstall" -d 'Take the hooks out of an agent\'s configuration'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "doctor" -d 'Check that the agents here are guarded'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "tune" -d 'Replay your own recordings and propose settings'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "rules" -d 'List the rules, and which of them are on'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "explain" -d 'Tell all about a rule'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "config" -d 'Check, show and describe the configuration'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "hook" -d 'Answer one hook of a coding agent'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "status" -d 'Show whether the guard is on, and what it has seen'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "sessions" -d 'List the agents that are being watched'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "top" -d 'Watch the agents of this machine, live'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "reset" -d 'Let a halted or denied agent go on'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "allow" -d 'Stop watching a tool'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "mode" -d 'Switch the guard off, on, or to observing'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "mcp" -d 'Run an MCP server behind a guard'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "policy" -d 'Check policies, and try them on a call'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "mcp-control" -d 'Tell an agent about the agents that are watched'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "audit" -d 'Check and read what `unstuck mcp` recorded'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "schema" -d 'Print a JSON schema'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "man" -d 'Print the manual page'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "generate" -d 'Write everything that is generated: schema, rule pages, completions, manual pages'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and not __fish_seen_subcommand_from scan check install uninstall doctor tune rules explain config hook status sessions top reset allow mode mcp policy mcp-control audit completions schema man generate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from install" -f -a "mcp" -d 'Put an MCP server of a client behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from uninstall" -f -a "mcp" -d 'Take an MCP server out from behind the proxy'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "check" -d 'Find mistakes'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "schema" -d 'Print the JSON schema of `unstuck.toml`'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "show" -d 'Print the settings in effect'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from config" -f -a "trust" -d 'Trust the project\'s file'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "check" -d 'Find mistakes, or show how a call is decided'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "verify" -d 'Check that nothing was changed, removed, moved or cut off'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "close" -d 'Close a broken log and start a new one that refers to it'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "tail" -d 'Show the last calls'
complete -c unstuck -n "__fish_unstuck_using_subcommand help; and __fish_seen_subcommand_from audit" -f -a "export" -d 'Print all calls as a table or as JSON'
