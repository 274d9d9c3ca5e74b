
use builtin;
use str;

set edit:completion:arg-completer[unstuck] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'unstuck'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'unstuck'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand scan 'Find the runs that went in circles, and what that cost'
            cand check 'Read events, write one decision a line'
            cand install 'Guard a coding agent: put the hooks into its configuration'
            cand uninstall 'Take the hooks out of an agent''s configuration'
            cand doctor 'Check that the agents here are guarded'
            cand tune 'Replay your own recordings and propose settings'
            cand rules 'List the rules, and which of them are on'
            cand explain 'Tell all about a rule'
            cand config 'Check, show and describe the configuration'
            cand hook 'Answer one hook of a coding agent'
            cand status 'Show whether the guard is on, and what it has seen'
            cand sessions 'List the agents that are being watched'
            cand top 'Watch the agents of this machine, live'
            cand reset 'Let a halted or denied agent go on'
            cand allow 'Stop watching a tool'
            cand mode 'Switch the guard off, on, or to observing'
            cand mcp 'Run an MCP server behind a guard'
            cand policy 'Check policies, and try them on a call'
            cand mcp-control 'Tell an agent about the agents that are watched'
            cand audit 'Check and read what `unstuck mcp` recorded'
            cand completions 'Print a completion script for a shell'
            cand schema 'Print a JSON schema'
            cand man 'Print the manual page'
            cand generate 'Write everything that is generated: schema, rule pages, completions, manual pages'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;scan'= {
            cand --since 'Only runs that went on after this: 90m, 12h, 7d, 2w, a day or a time'
            cand --until 'Only runs that began before this, in the same forms. A day is its first moment: `--since 2026-11-01 --until 2026-11-08` is one week'
            cand --project 'Only runs in this project: part of the directory that the agent worked in, such as `shop` or `/home/ada`. With `*` or `?`, the whole directory, or its end from a slash on: `--project ''shop-*''`. Transcripts that do not name the directory are known by their own path. May be repeated'
            cand --exclude 'Leave out files with this in their path. With `*` or `?`, the whole path, or its end from a slash on: `--exclude ''*.bak'' --exclude ''archive/*''`. May be repeated'
            cand --rule 'Only loops that this rule saw, such as `exact-repeat`; `unstuck rules` lists them. Runs without such loops count as not stuck, for `--fail-on` too. May be repeated'
            cand --agent 'Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated'
            cand --fail-on 'Exit with 1 if any run would have been answered so, or more strictly'
            cand --output 'What to write'
            cand -o 'The file to write it to, in place of standard output'
            cand --out 'The file to write it to, in place of standard output'
            cand --jobs 'Files that are read at the same time; as many as there are processors unless given'
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --open 'Write the HTML page and open it in the browser: to the file of `-o`, or to a temporary one that only you can read'
            cand --no-redact 'Keep secrets in the report. Without this, what looks like a password, key or token is taken out'
            cand --watch 'Read on in the files as they grow, and report every loop when it is found'
            cand -L 'Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed'
            cand --follow 'Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;check'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;install'= {
            cand --scope 'For whom: yourself everywhere, or everyone in this project'
            cand --binary 'The program that the host is to run, if not this one. A bare name is looked for on PATH'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --dry-run 'Show what would be changed, and change nothing'
            cand --print 'Print what belongs into the files, and change nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand mcp 'Put an MCP server of a client behind the proxy'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;install;mcp'= {
            cand --scope 'Only in the user''s own files, or only in those of this project; both are looked at unless given'
            cand --binary 'The program that the client is to run, if not this one. A bare name is looked for on PATH'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --dry-run 'Show what would be changed, and change nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;install;help'= {
            cand mcp 'Put an MCP server of a client behind the proxy'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;install;help;mcp'= {
        }
        &'unstuck;install;help;help'= {
        }
        &'unstuck;uninstall'= {
            cand --scope 'For whom it was installed'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --dry-run 'Show what would be changed, and change nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand mcp 'Take an MCP server out from behind the proxy'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;uninstall;mcp'= {
            cand --scope 'Only in the user''s own files, or only in those of this project; both are looked at unless given'
            cand -y 'Do not ask'
            cand --yes 'Do not ask'
            cand --dry-run 'Show what would be changed, and change nothing'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;uninstall;help'= {
            cand mcp 'Take an MCP server out from behind the proxy'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;uninstall;help;mcp'= {
        }
        &'unstuck;uninstall;help;help'= {
        }
        &'unstuck;doctor'= {
            cand --json 'Write JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;tune'= {
            cand --healthy 'Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated'
            cand --output 'What to write'
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand -L 'Follow links that lead out of the directories named. Without it they are counted on standard error'
            cand --follow 'Follow links that lead out of the directories named. Without it they are counted on standard error'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;rules'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --json 'Write JSON, with all options of every rule'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;explain'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;config'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Find mistakes'
            cand schema 'Print the JSON schema of `unstuck.toml`'
            cand show 'Print the settings in effect'
            cand trust 'Trust the project''s file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;config;check'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;config;schema'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;config;show'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;config;trust'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;config;help'= {
            cand check 'Find mistakes'
            cand schema 'Print the JSON schema of `unstuck.toml`'
            cand show 'Print the settings in effect'
            cand trust 'Trust the project''s file'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;config;help;check'= {
        }
        &'unstuck;config;help;schema'= {
        }
        &'unstuck;config;help;show'= {
        }
        &'unstuck;config;help;trust'= {
        }
        &'unstuck;config;help;help'= {
        }
        &'unstuck;hook'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;status'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;sessions'= {
            cand --all 'Show all, not only the newest 20'
            cand --json 'Write JSON, with everything that is known'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;top'= {
            cand --since 'Only agents that did something after this: 90m, 12h, 7d, a day or a time'
            cand --interval 'Seconds between two looks, from 0.1 to 3600'
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --once 'Print what there is to see as plain text, once'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;reset'= {
            cand --all 'Every agent of every session, and every running MCP proxy'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;allow'= {
            cand --session 'Only in this session; how its name begins is enough'
            cand --here 'Only for agents that work in this directory or below'
            cand --remove 'Take back what was allowed for the tool'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;mode'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;mcp'= {
            cand --name 'The server''s name; that of its program if none is given'
            cand --policy 'Policies in Cedar'
            cand --max-policy-arguments 'The most bytes of a call''s arguments that policies read; a call with more is denied. One value is read for each 64 bytes. Arguments that no policy mentions are not limited'
            cand --audit 'Where calls are recorded; a file of the server''s name under `UNSTUCK_HOME` if none is given'
            cand --audit-arguments 'How much of the arguments is recorded'
            cand --audit-hide 'A field of tools'' arguments that is never recorded; may be given several times'
            cand --audit-sync 'When lines are forced to the disk'
            cand --audit-failure 'What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with'
            cand --audit-rotate 'Size in bytes at which the audit continues in a new file; full files are kept'
            cand --audit-budget 'Most bytes of the audit and its full files together; without it there is no limit. Near the limit refused messages are only counted; at the limit `--audit-failure` applies. No file is ever removed'
            cand --head-to 'Send heads of the audit to `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`, so that a rewritten log is found; may be given several times'
            cand --head-interval 'Send a head at most this many seconds after a line was written'
            cand --head-lines 'Send a head after this many lines, without waiting for the interval'
            cand --max-message 'The most bytes a message may have'
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --listen 'Serve clients by HTTP, at this port or address; others than this machine''s need a token'
            cand --upstream 'The server''s URL, in place of a command'
            cand --upstream-header 'A header for the server at that URL; `${NAME}` is taken from the environment'
            cand --servers 'A JSON file with `mcpServers`; each is served at `/NAME/mcp`. `--config FILE.json` is the same'
            cand --token 'What clients must show (`Authorization: Bearer TOKEN`); better set `UNSTUCK_MCP_TOKEN`, which other users of this machine cannot see'
            cand --allow-host 'A name of this machine that clients may use; may be given several times'
            cand --pass-header 'Pass this header of clients on to the server; may be given several times. Without it only `Accept`, `Content-Type`, `User-Agent`, `Last-Event-ID`, `traceparent`, `tracestate` and `Mcp-*` are passed on'
            cand --max-connections 'The most connections at once; half of them may be without a request that had the right token'
            cand --max-memory 'The most bytes that all messages being read, judged and written may take together; beyond it requests are answered with 503. At least 16/7 of `--max-message`'
            cand --max-sessions 'The most sessions of one server that is started here; each has a process of its own. Requests for more are refused'
            cand --sessions-per-peer 'The most sessions of one client address; a quarter of all unless given, and no limit for this machine, where all clients have the same address'
            cand --session-idle 'How long a session may be without a request or an open stream before it ends'
            cand --read-timeout 'How long a request may take to arrive'
            cand --answer-timeout 'How long a server may take until it begins to answer'
            cand --no-audit 'Record nothing'
            cand --audit-count-denials 'Count equal denials that follow each other, with one line a second'
            cand --trust-names 'Count calls by the sessions and threads that the client names in `_meta`, and let policies see a thread as the principal. A client can choose these names freely, another one for every call: only for a client that you trust to name them, such as Codex with several threads on one connection'
            cand --say-unchanged 'Replace the result of a read-only tool by a short text where it is the same as before'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand --forward-authorization 'Pass the clients'' `Authorization` on to the server'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;policy'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Find mistakes, or show how a call is decided'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;policy;check'= {
            cand --call 'A call as JSON; `-` reads it from standard input'
            cand --server 'The server''s name, where neither the call nor `--tool SERVER/TOOL` names it'
            cand --tool 'The tool that is called'
            cand --arguments 'The arguments of `--tool`, as JSON; `-` reads them from standard input'
            cand --agent 'The agent that calls'
            cand --session 'The session of that agent'
            cand --at 'The time of the call in milliseconds since 1970; now if there is none'
            cand --max-policy-arguments 'The most bytes of arguments that policies read, as for `unstuck mcp`'
            cand --json 'Write JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;policy;help'= {
            cand check 'Find mistakes, or show how a call is decided'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;policy;help;check'= {
        }
        &'unstuck;policy;help;help'= {
        }
        &'unstuck;mcp-control'= {
            cand --preset 'The settings to start from, whatever the configuration files name'
            cand --config 'A configuration file, on top of the user''s and the project''s'
            cand --allow-reset 'Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck reset` is, without a terminal and where an agent starts it'
            cand --no-config 'Ignore the user''s and the project''s configuration files'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;audit'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand verify 'Check that nothing was changed, removed, moved or cut off'
            cand close 'Close a broken log and start a new one that refers to it'
            cand tail 'Show the last calls'
            cand export 'Print all calls as a table or as JSON'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;audit;verify'= {
            cand --head 'The head that was noted earlier, in place of the one in `FILE.head`'
            cand --heads 'File with heads that `unstuck mcp --head-to` sent; every head of this log in it must be on the chain. Lines of other programs, such as those of a system log, are skipped'
            cand --partial 'The oldest full files may be missing. A file that is missing between two others is still an error'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;audit;close'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;audit;tail'= {
            cand -n 'How many calls'
            cand --lines 'How many calls'
            cand -f 'Go on with what is recorded from now on'
            cand --follow 'Go on with what is recorded from now on'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;audit;export'= {
            cand --format 'As what'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;audit;help'= {
            cand verify 'Check that nothing was changed, removed, moved or cut off'
            cand close 'Close a broken log and start a new one that refers to it'
            cand tail 'Show the last calls'
            cand export 'Print all calls as a table or as JSON'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;audit;help;verify'= {
        }
        &'unstuck;audit;help;close'= {
        }
        &'unstuck;audit;help;tail'= {
        }
        &'unstuck;audit;help;export'= {
        }
        &'unstuck;audit;help;help'= {
        }
        &'unstuck;completions'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;schema'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;man'= {
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;generate'= {
            cand --out 'The directory that the files are written under'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'unstuck;help'= {
            cand scan 'Find the runs that went in circles, and what that cost'
            cand check 'Read events, write one decision a line'
            cand install 'Guard a coding agent: put the hooks into its configuration'
            cand uninstall 'Take the hooks out of an agent''s configuration'
            cand doctor 'Check that the agents here are guarded'
            cand tune 'Replay your own recordings and propose settings'
            cand rules 'List the rules, and which of them are on'
            cand explain 'Tell all about a rule'
            cand config 'Check, show and describe the configuration'
            cand hook 'Answer one hook of a coding agent'
            cand status 'Show whether the guard is on, and what it has seen'
            cand sessions 'List the agents that are being watched'
            cand top 'Watch the agents of this machine, live'
            cand reset 'Let a halted or denied agent go on'
            cand allow 'Stop watching a tool'
            cand mode 'Switch the guard off, on, or to observing'
            cand mcp 'Run an MCP server behind a guard'
            cand policy 'Check policies, and try them on a call'
            cand mcp-control 'Tell an agent about the agents that are watched'
            cand audit 'Check and read what `unstuck mcp` recorded'
            cand completions 'Print a completion script for a shell'
            cand schema 'Print a JSON schema'
            cand man 'Print the manual page'
            cand generate 'Write everything that is generated: schema, rule pages, completions, manual pages'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'unstuck;help;scan'= {
        }
        &'unstuck;help;check'= {
        }
        &'unstuck;help;install'= {
            cand mcp 'Put an MCP server of a client behind the proxy'
        }
        &'unstuck;help;install;mcp'= {
        }
        &'unstuck;help;uninstall'= {
            cand mcp 'Take an MCP server out from behind the proxy'
        }
        &'unstuck;help;uninstall;mcp'= {
        }
        &'unstuck;help;doctor'= {
        }
        &'unstuck;help;tune'= {
        }
        &'unstuck;help;rules'= {
        }
        &'unstuck;help;explain'= {
        }
        &'unstuck;help;config'= {
            cand check 'Find mistakes'
            cand schema 'Print the JSON schema of `unstuck.toml`'
            cand show 'Print the settings in effect'
            cand trust 'Trust the project''s file'
        }
        &'unstuck;help;config;check'= {
        }
        &'unstuck;help;config;schema'= {
        }
        &'unstuck;help;config;show'= {
        }
        &'unstuck;help;config;trust'= {
        }
        &'unstuck;help;hook'= {
        }
        &'unstuck;help;status'= {
        }
        &'unstuck;help;sessions'= {
        }
        &'unstuck;help;top'= {
        }
        &'unstuck;help;reset'= {
        }
        &'unstuck;help;allow'= {
        }
        &'unstuck;help;mode'= {
        }
        &'unstuck;help;mcp'= {
        }
        &'unstuck;help;policy'= {
            cand check 'Find mistakes, or show how a call is decided'
        }
        &'unstuck;help;policy;check'= {
        }
        &'unstuck;help;mcp-control'= {
        }
        &'unstuck;help;audit'= {
            cand verify 'Check that nothing was changed, removed, moved or cut off'
            cand close 'Close a broken log and start a new one that refers to it'
            cand tail 'Show the last calls'
            cand export 'Print all calls as a table or as JSON'
        }
        &'unstuck;help;audit;verify'= {
        }
        &'unstuck;help;audit;close'= {
        }
        &'unstuck;help;audit;tail'= {
        }
        &'unstuck;help;audit;export'= {
        }
        &'unstuck;help;completions'= {
        }
        &'unstuck;help;schema'= {
        }
        &'unstuck;help;man'= {
        }
        &'unstuck;help;generate'= {
        }
        &'unstuck;help;help'= {
        }
    ]
    $completions[$command]
}
