
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'unstuck' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'unstuck'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'unstuck' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('scan', 'scan', [CompletionResultType]::ParameterValue, 'Find the runs that went in circles, and what that cost')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Read events, write one decision a line')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Guard a coding agent: put the hooks into its configuration')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Take the hooks out of an agent''s configuration')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check that the agents here are guarded')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Replay your own recordings and propose settings')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules, and which of them are on')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Tell all about a rule')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Check, show and describe the configuration')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one hook of a coding agent')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show whether the guard is on, and what it has seen')
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'List the agents that are being watched')
            [CompletionResult]::new('top', 'top', [CompletionResultType]::ParameterValue, 'Watch the agents of this machine, live')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Let a halted or denied agent go on')
            [CompletionResult]::new('allow', 'allow', [CompletionResultType]::ParameterValue, 'Stop watching a tool')
            [CompletionResult]::new('mode', 'mode', [CompletionResultType]::ParameterValue, 'Switch the guard off, on, or to observing')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Run an MCP server behind a guard')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Check policies, and try them on a call')
            [CompletionResult]::new('mcp-control', 'mcp-control', [CompletionResultType]::ParameterValue, 'Tell an agent about the agents that are watched')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Check and read what `unstuck mcp` recorded')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print a JSON schema')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write everything that is generated: schema, rule pages, completions, manual pages')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;scan' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only runs that went on after this: 90m, 12h, 7d, 2w, a day or a time')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Only runs that began before this, in the same forms. A day is its first moment: `--since 2026-11-01 --until 2026-11-08` is one week')
            [CompletionResult]::new('--project', '--project', [CompletionResultType]::ParameterName, 'Only runs in this project: part of the directory that the agent worked in, such as `shop` or `/home/ada`. With `*` or `?`, the whole directory, or its end from a slash on: `--project ''shop-*''`. Transcripts that do not name the directory are known by their own path. May be repeated')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files with this in their path. With `*` or `?`, the whole path, or its end from a slash on: `--exclude ''*.bak'' --exclude ''archive/*''`. May be repeated')
            [CompletionResult]::new('--rule', '--rule', [CompletionResultType]::ParameterName, 'Only loops that this rule saw, such as `exact-repeat`; `unstuck rules` lists them. Runs without such loops count as not stuck, for `--fail-on` too. May be repeated')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'Only transcripts of this agent or format, such as `claude-code` or `codex`. May be repeated')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 if any run would have been answered so, or more strictly')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'What to write')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write it to, in place of standard output')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'The file to write it to, in place of standard output')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Files that are read at the same time; as many as there are processors unless given')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--open', '--open', [CompletionResultType]::ParameterName, 'Write the HTML page and open it in the browser: to the file of `-o`, or to a temporary one that only you can read')
            [CompletionResult]::new('--no-redact', '--no-redact', [CompletionResultType]::ParameterName, 'Keep secrets in the report. Without this, what looks like a password, key or token is taken out')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Read on in the files as they grow, and report every loop when it is found')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow links that lead out of the directories named. Without it they are counted on standard error; a PATH that is itself a link is always followed')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;check' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;install' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'For whom: yourself everywhere, or everyone in this project')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'The program that the host is to run, if not this one. A bare name is looked for on PATH')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be changed, and change nothing')
            [CompletionResult]::new('--print', '--print', [CompletionResultType]::ParameterName, 'Print what belongs into the files, and change nothing')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Put an MCP server of a client behind the proxy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;install;mcp' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in the user''s own files, or only in those of this project; both are looked at unless given')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'The program that the client is to run, if not this one. A bare name is looked for on PATH')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be changed, and change nothing')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;install;help' {
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Put an MCP server of a client behind the proxy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;install;help;mcp' {
            break
        }
        'unstuck;install;help;help' {
            break
        }
        'unstuck;uninstall' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'For whom it was installed')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be changed, and change nothing')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Take an MCP server out from behind the proxy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;uninstall;mcp' {
            [CompletionResult]::new('--scope', '--scope', [CompletionResultType]::ParameterName, 'Only in the user''s own files, or only in those of this project; both are looked at unless given')
            [CompletionResult]::new('-y', '-y', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--yes', '--yes', [CompletionResultType]::ParameterName, 'Do not ask')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show what would be changed, and change nothing')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;uninstall;help' {
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Take an MCP server out from behind the proxy')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;uninstall;help;mcp' {
            break
        }
        'unstuck;uninstall;help;help' {
            break
        }
        'unstuck;doctor' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Write JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;tune' {
            [CompletionResult]::new('--healthy', '--healthy', [CompletionResultType]::ParameterName, 'Runs that were fine: a file, a directory or a session; `*` and `?` stand for any characters. May be repeated')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'What to write')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow links that lead out of the directories named. Without it they are counted on standard error')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow links that lead out of the directories named. Without it they are counted on standard error')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;rules' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Write JSON, with all options of every rule')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;explain' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;config' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON schema of `unstuck.toml`')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print the settings in effect')
            [CompletionResult]::new('trust', 'trust', [CompletionResultType]::ParameterValue, 'Trust the project''s file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;config;check' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;config;schema' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;config;show' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;config;trust' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;config;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON schema of `unstuck.toml`')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print the settings in effect')
            [CompletionResult]::new('trust', 'trust', [CompletionResultType]::ParameterValue, 'Trust the project''s file')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;config;help;check' {
            break
        }
        'unstuck;config;help;schema' {
            break
        }
        'unstuck;config;help;show' {
            break
        }
        'unstuck;config;help;trust' {
            break
        }
        'unstuck;config;help;help' {
            break
        }
        'unstuck;hook' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;status' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;sessions' {
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Show all, not only the newest 20')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Write JSON, with everything that is known')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;top' {
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Only agents that did something after this: 90m, 12h, 7d, a day or a time')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'Seconds between two looks, from 0.1 to 3600')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--once', '--once', [CompletionResultType]::ParameterName, 'Print what there is to see as plain text, once')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;reset' {
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Every agent of every session, and every running MCP proxy')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;allow' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Only in this session; how its name begins is enough')
            [CompletionResult]::new('--here', '--here', [CompletionResultType]::ParameterName, 'Only for agents that work in this directory or below')
            [CompletionResult]::new('--remove', '--remove', [CompletionResultType]::ParameterName, 'Take back what was allowed for the tool')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;mode' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;mcp' {
            [CompletionResult]::new('--name', '--name', [CompletionResultType]::ParameterName, 'The server''s name; that of its program if none is given')
            [CompletionResult]::new('--policy', '--policy', [CompletionResultType]::ParameterName, 'Policies in Cedar')
            [CompletionResult]::new('--max-policy-arguments', '--max-policy-arguments', [CompletionResultType]::ParameterName, 'The most bytes of a call''s arguments that policies read; a call with more is denied. One value is read for each 64 bytes. Arguments that no policy mentions are not limited')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'Where calls are recorded; a file of the server''s name under `UNSTUCK_HOME` if none is given')
            [CompletionResult]::new('--audit-arguments', '--audit-arguments', [CompletionResultType]::ParameterName, 'How much of the arguments is recorded')
            [CompletionResult]::new('--audit-hide', '--audit-hide', [CompletionResultType]::ParameterName, 'A field of tools'' arguments that is never recorded; may be given several times')
            [CompletionResult]::new('--audit-sync', '--audit-sync', [CompletionResultType]::ParameterName, 'When lines are forced to the disk')
            [CompletionResult]::new('--audit-failure', '--audit-failure', [CompletionResultType]::ParameterName, 'What becomes of calls that cannot be recorded, because the audit cannot be written or was tampered with')
            [CompletionResult]::new('--audit-rotate', '--audit-rotate', [CompletionResultType]::ParameterName, 'Size in bytes at which the audit continues in a new file; full files are kept')
            [CompletionResult]::new('--audit-budget', '--audit-budget', [CompletionResultType]::ParameterName, 'Most bytes of the audit and its full files together; without it there is no limit. Near the limit refused messages are only counted; at the limit `--audit-failure` applies. No file is ever removed')
            [CompletionResult]::new('--head-to', '--head-to', [CompletionResultType]::ParameterName, 'Send heads of the audit to `file:PATH`, `syslog` or `command:PROGRAM ARGUMENTS`, so that a rewritten log is found; may be given several times')
            [CompletionResult]::new('--head-interval', '--head-interval', [CompletionResultType]::ParameterName, 'Send a head at most this many seconds after a line was written')
            [CompletionResult]::new('--head-lines', '--head-lines', [CompletionResultType]::ParameterName, 'Send a head after this many lines, without waiting for the interval')
            [CompletionResult]::new('--max-message', '--max-message', [CompletionResultType]::ParameterName, 'The most bytes a message may have')
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--listen', '--listen', [CompletionResultType]::ParameterName, 'Serve clients by HTTP, at this port or address; others than this machine''s need a token')
            [CompletionResult]::new('--upstream', '--upstream', [CompletionResultType]::ParameterName, 'The server''s URL, in place of a command')
            [CompletionResult]::new('--upstream-header', '--upstream-header', [CompletionResultType]::ParameterName, 'A header for the server at that URL; `${NAME}` is taken from the environment')
            [CompletionResult]::new('--servers', '--servers', [CompletionResultType]::ParameterName, 'A JSON file with `mcpServers`; each is served at `/NAME/mcp`. `--config FILE.json` is the same')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'What clients must show (`Authorization: Bearer TOKEN`); better set `UNSTUCK_MCP_TOKEN`, which other users of this machine cannot see')
            [CompletionResult]::new('--allow-host', '--allow-host', [CompletionResultType]::ParameterName, 'A name of this machine that clients may use; may be given several times')
            [CompletionResult]::new('--pass-header', '--pass-header', [CompletionResultType]::ParameterName, 'Pass this header of clients on to the server; may be given several times. Without it only `Accept`, `Content-Type`, `User-Agent`, `Last-Event-ID`, `traceparent`, `tracestate` and `Mcp-*` are passed on')
            [CompletionResult]::new('--max-connections', '--max-connections', [CompletionResultType]::ParameterName, 'The most connections at once; half of them may be without a request that had the right token')
            [CompletionResult]::new('--max-memory', '--max-memory', [CompletionResultType]::ParameterName, 'The most bytes that all messages being read, judged and written may take together; beyond it requests are answered with 503. At least 16/7 of `--max-message`')
            [CompletionResult]::new('--max-sessions', '--max-sessions', [CompletionResultType]::ParameterName, 'The most sessions of one server that is started here; each has a process of its own. Requests for more are refused')
            [CompletionResult]::new('--sessions-per-peer', '--sessions-per-peer', [CompletionResultType]::ParameterName, 'The most sessions of one client address; a quarter of all unless given, and no limit for this machine, where all clients have the same address')
            [CompletionResult]::new('--session-idle', '--session-idle', [CompletionResultType]::ParameterName, 'How long a session may be without a request or an open stream before it ends')
            [CompletionResult]::new('--read-timeout', '--read-timeout', [CompletionResultType]::ParameterName, 'How long a request may take to arrive')
            [CompletionResult]::new('--answer-timeout', '--answer-timeout', [CompletionResultType]::ParameterName, 'How long a server may take until it begins to answer')
            [CompletionResult]::new('--no-audit', '--no-audit', [CompletionResultType]::ParameterName, 'Record nothing')
            [CompletionResult]::new('--audit-count-denials', '--audit-count-denials', [CompletionResultType]::ParameterName, 'Count equal denials that follow each other, with one line a second')
            [CompletionResult]::new('--trust-names', '--trust-names', [CompletionResultType]::ParameterName, 'Count calls by the sessions and threads that the client names in `_meta`, and let policies see a thread as the principal. A client can choose these names freely, another one for every call: only for a client that you trust to name them, such as Codex with several threads on one connection')
            [CompletionResult]::new('--say-unchanged', '--say-unchanged', [CompletionResultType]::ParameterName, 'Replace the result of a read-only tool by a short text where it is the same as before')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('--forward-authorization', '--forward-authorization', [CompletionResultType]::ParameterName, 'Pass the clients'' `Authorization` on to the server')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;policy' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes, or show how a call is decided')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;policy;check' {
            [CompletionResult]::new('--call', '--call', [CompletionResultType]::ParameterName, 'A call as JSON; `-` reads it from standard input')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The server''s name, where neither the call nor `--tool SERVER/TOOL` names it')
            [CompletionResult]::new('--tool', '--tool', [CompletionResultType]::ParameterName, 'The tool that is called')
            [CompletionResult]::new('--arguments', '--arguments', [CompletionResultType]::ParameterName, 'The arguments of `--tool`, as JSON; `-` reads them from standard input')
            [CompletionResult]::new('--agent', '--agent', [CompletionResultType]::ParameterName, 'The agent that calls')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'The session of that agent')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'The time of the call in milliseconds since 1970; now if there is none')
            [CompletionResult]::new('--max-policy-arguments', '--max-policy-arguments', [CompletionResultType]::ParameterName, 'The most bytes of arguments that policies read, as for `unstuck mcp`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Write JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;policy;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes, or show how a call is decided')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;policy;help;check' {
            break
        }
        'unstuck;policy;help;help' {
            break
        }
        'unstuck;mcp-control' {
            [CompletionResult]::new('--preset', '--preset', [CompletionResultType]::ParameterName, 'The settings to start from, whatever the configuration files name')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'A configuration file, on top of the user''s and the project''s')
            [CompletionResult]::new('--allow-reset', '--allow-reset', [CompletionResultType]::ParameterName, 'Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck reset` is, without a terminal and where an agent starts it')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Ignore the user''s and the project''s configuration files')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;audit' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that nothing was changed, removed, moved or cut off')
            [CompletionResult]::new('close', 'close', [CompletionResultType]::ParameterValue, 'Close a broken log and start a new one that refers to it')
            [CompletionResult]::new('tail', 'tail', [CompletionResultType]::ParameterValue, 'Show the last calls')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print all calls as a table or as JSON')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;audit;verify' {
            [CompletionResult]::new('--head', '--head', [CompletionResultType]::ParameterName, 'The head that was noted earlier, in place of the one in `FILE.head`')
            [CompletionResult]::new('--heads', '--heads', [CompletionResultType]::ParameterName, 'File with heads that `unstuck mcp --head-to` sent; every head of this log in it must be on the chain. Lines of other programs, such as those of a system log, are skipped')
            [CompletionResult]::new('--partial', '--partial', [CompletionResultType]::ParameterName, 'The oldest full files may be missing. A file that is missing between two others is still an error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;audit;close' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;audit;tail' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'How many calls')
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'How many calls')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Go on with what is recorded from now on')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Go on with what is recorded from now on')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;audit;export' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'As what')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;audit;help' {
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that nothing was changed, removed, moved or cut off')
            [CompletionResult]::new('close', 'close', [CompletionResultType]::ParameterValue, 'Close a broken log and start a new one that refers to it')
            [CompletionResult]::new('tail', 'tail', [CompletionResultType]::ParameterValue, 'Show the last calls')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print all calls as a table or as JSON')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;audit;help;verify' {
            break
        }
        'unstuck;audit;help;close' {
            break
        }
        'unstuck;audit;help;tail' {
            break
        }
        'unstuck;audit;help;export' {
            break
        }
        'unstuck;audit;help;help' {
            break
        }
        'unstuck;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;schema' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;man' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;generate' {
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'The directory that the files are written under')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'unstuck;help' {
            [CompletionResult]::new('scan', 'scan', [CompletionResultType]::ParameterValue, 'Find the runs that went in circles, and what that cost')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Read events, write one decision a line')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Guard a coding agent: put the hooks into its configuration')
            [CompletionResult]::new('uninstall', 'uninstall', [CompletionResultType]::ParameterValue, 'Take the hooks out of an agent''s configuration')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check that the agents here are guarded')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Replay your own recordings and propose settings')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules, and which of them are on')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Tell all about a rule')
            [CompletionResult]::new('config', 'config', [CompletionResultType]::ParameterValue, 'Check, show and describe the configuration')
            [CompletionResult]::new('hook', 'hook', [CompletionResultType]::ParameterValue, 'Answer one hook of a coding agent')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show whether the guard is on, and what it has seen')
            [CompletionResult]::new('sessions', 'sessions', [CompletionResultType]::ParameterValue, 'List the agents that are being watched')
            [CompletionResult]::new('top', 'top', [CompletionResultType]::ParameterValue, 'Watch the agents of this machine, live')
            [CompletionResult]::new('reset', 'reset', [CompletionResultType]::ParameterValue, 'Let a halted or denied agent go on')
            [CompletionResult]::new('allow', 'allow', [CompletionResultType]::ParameterValue, 'Stop watching a tool')
            [CompletionResult]::new('mode', 'mode', [CompletionResultType]::ParameterValue, 'Switch the guard off, on, or to observing')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Run an MCP server behind a guard')
            [CompletionResult]::new('policy', 'policy', [CompletionResultType]::ParameterValue, 'Check policies, and try them on a call')
            [CompletionResult]::new('mcp-control', 'mcp-control', [CompletionResultType]::ParameterValue, 'Tell an agent about the agents that are watched')
            [CompletionResult]::new('audit', 'audit', [CompletionResultType]::ParameterValue, 'Check and read what `unstuck mcp` recorded')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print a JSON schema')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page')
            [CompletionResult]::new('generate', 'generate', [CompletionResultType]::ParameterValue, 'Write everything that is generated: schema, rule pages, completions, manual pages')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'unstuck;help;scan' {
            break
        }
        'unstuck;help;check' {
            break
        }
        'unstuck;help;install' {
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Put an MCP server of a client behind the proxy')
            break
        }
        'unstuck;help;install;mcp' {
            break
        }
        'unstuck;help;uninstall' {
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Take an MCP server out from behind the proxy')
            break
        }
        'unstuck;help;uninstall;mcp' {
            break
        }
        'unstuck;help;doctor' {
            break
        }
        'unstuck;help;tune' {
            break
        }
        'unstuck;help;rules' {
            break
        }
        'unstuck;help;explain' {
            break
        }
        'unstuck;help;config' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON schema of `unstuck.toml`')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print the settings in effect')
            [CompletionResult]::new('trust', 'trust', [CompletionResultType]::ParameterValue, 'Trust the project''s file')
            break
        }
        'unstuck;help;config;check' {
            break
        }
        'unstuck;help;config;schema' {
            break
        }
        'unstuck;help;config;show' {
            break
        }
        'unstuck;help;config;trust' {
            break
        }
        'unstuck;help;hook' {
            break
        }
        'unstuck;help;status' {
            break
        }
        'unstuck;help;sessions' {
            break
        }
        'unstuck;help;top' {
            break
        }
        'unstuck;help;reset' {
            break
        }
        'unstuck;help;allow' {
            break
        }
        'unstuck;help;mode' {
            break
        }
        'unstuck;help;mcp' {
            break
        }
        'unstuck;help;policy' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Find mistakes, or show how a call is decided')
            break
        }
        'unstuck;help;policy;check' {
            break
        }
        'unstuck;help;mcp-control' {
            break
        }
        'unstuck;help;audit' {
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check that nothing was changed, removed, moved or cut off')
            [CompletionResult]::new('close', 'close', [CompletionResultType]::ParameterValue, 'Close a broken log and start a new one that refers to it')
            [CompletionResult]::new('tail', 'tail', [CompletionResultType]::ParameterValue, 'Show the last calls')
            [CompletionResult]::new('export', 'export', [CompletionResultType]::ParameterValue, 'Print all calls as a table or as JSON')
            break
        }
        'unstuck;help;audit;verify' {
            break
        }
        'unstuck;help;audit;close' {
            break
        }
        'unstuck;help;audit;tail' {
            break
        }
        'unstuck;help;audit;export' {
            break
        }
        'unstuck;help;completions' {
            break
        }
        'unstuck;help;schema' {
            break
        }
        'unstuck;help;man' {
            break
        }
        'unstuck;help;generate' {
            break
        }
        'unstuck;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
