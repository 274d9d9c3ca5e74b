//! `cargo xtask help`

use std::process::ExitCode;

const TEXT: &str = "\
cargo xtask <command>

  test [--keep-going] [--only STEP,...] [--list] [--no-install]
      Everything CI runs. Stops at the first failure unless --keep-going. --list names the steps.
      Missing tools (cargo-nextest, cargo-deny) are built into target/tools, not into your home; a missing tmux is
      installed by apt-get;
      --no-install goes without them. Where the variable CI is set, nextest is used only if it is there already.

  conformance [--binary PATH] [FILE...]
      The vectors under conformance/ (or the given files) against the release build (or the given binary).

  generate [--check]
      Rewrites the committed generated files: schema, rule pages, configuration page, completions, man pages, plugins.
      --check changes nothing and fails when one of them is out of date.

  attacks [--binary PATH] [--beside PATH]
      The attacks under crates/unstuck-cli/tests/cli/attacks, which SECURITY.md lists by number, against the development
      build (or the given binary), as a table. --beside names a binary that has the weaknesses: a test that passes there
      as well proves nothing, and is reported as a failure. A part of `test`, against the development build.

  e2e [HOST...] [--mcp] [--write-docs] [--keep]
      Real agents from npm (kept under target/agents), guarded by `unstuck install` and driven by a scripted model on
      loopback: an endless loop must be nudged, denied and ended, 40 healthy calls must be left alone. Not part of
      `test`: it downloads some 1.5 GB once, and takes minutes. With --mcp `unstuck install mcp` puts an MCP server of
      theirs behind the proxy instead, and the loop calls its tool. --write-docs puts the table into docs/hosts.md,
      --keep leaves the directories of the runs.

  eval [CORPUS...] [OPTIONS]
      Scores a preset or a configuration on labelled recordings (files given here or in UNSTUCK_CORPUS).
      `eval --help` names the options, `eval` alone says what a corpus is and where to get one.

  same BASELINE [--with OTHER] [--corpus FILE]... [--preset P,...] [--only KIND,...] [--allow FILE]
      Replays streams of events through `unstuck check` of two programs and compares their decisions byte for byte: the
      check for changes that must not change behaviour. BASELINE and OTHER are paths of programs or commits; a commit is
      built with the profile `eval` and kept under target/same. OTHER is the present tree unless given.
      KIND is vectors, cases, examples, fuzz (the seeds and corpora of targets that read events), reference or corpus
      (FILEs as for `eval`, or of events). Each stream is replayed for every preset, enforced and observed, and both again
      while OTHER snapshots its engine, drops it and restores it after every few events (the hidden option
      `unstuck check --restart-every N`). The first difference of each stream is printed with its event, both decisions and
      the fields; the exit code is 1 if there is one. --allow names a list of intended differences, one
      `KIND/NAME PRESET MODE LINE FIELDS` a line with `*` for any; differences are printed in this form, too.

  browser [--no-install]
      The HTML report in a real browser: Chromium driven by playwright-core. Pictures go to target/browser/pictures.
      A missing Chromium or Node.js is installed by apt-get, playwright-core by npm into target/browser; CHROMIUM
      names another browser of that kind.

  fuzz [TARGET] [--seconds N]
      Each fuzz target (or one) for N seconds, 60 by default. Fails on a finding.

  bench [ARGS...]
      The benchmarks of the engine by the clock, then, without ARGS and where valgrind is installed, by instructions.
      ARGS go to cargo bench: `bench --bench cost` prints the table of ratios and memory only, `bench --bench worst --
      --check` that of the worst inputs, and fails where their cost grows faster than they do. With `--instructions`
      behind it, valgrind counts instructions, which do not depend on what else the machine does.

  bench-hook [--rounds N] [--sessions N] [--busy]
      What a hook costs from the start of its process to its end: the program for hooks as it is released and as
      `cargo build --release` makes it, and `unstuck hook`, beside an empty program, `true`, Python and Node in the same
      rounds, with 10,000 sessions on the disk. `--busy` gives every core other work meanwhile.
  bench-scan [--megabytes N] [--runs N]
      How fast `unstuck scan` reads and judges 1000 MB of transcripts (made under target/), with one thread and with
      two, beside `wc -l`, a plain serde_json parse and `jq`; seconds, GB/s and peak memory of each.

  bench-mcp [--calls N] [--runs N]
      What `unstuck mcp` adds to a call of 100 bytes and of 100 KB, alone and with 16 at once, beside a program that only
      passes bytes on and beside two public proxies, which npm and pip install under target/bench-mcp; also with a policy
      file, and with a sync for every line of the audit.

  bench-mcp-http [--calls N] [--runs N]
      What `unstuck mcp --listen` adds to a call over HTTP, in front of a server by HTTP and of one by stdio. Fails where
      the slowest call in a hundred of 100 bytes takes 5 ms longer.

  mcp-peers [--http] [--only NAME] [--binary PATH] [--no-install]
      The official MCP clients and servers (npm and PyPI, kept under target/mcp-peers) in scenarios of tools, progress,
      sampling, elicitation, roots, resources, prompts, completion, cancellation and errors, directly and through
      `unstuck mcp`: results must be equal, and the audit whole. --http adds Streamable HTTP and the conformance suite of
      the protocol. A part of it is the step `mcp-peers` of `test`.

  sarif
      The SARIF of a scan of the examples, checked by Microsoft's validator with the rules of GitHub code scanning; npm
      installs it under target/sarif. Linux only.

  screenshot
      Makes the pictures in the README anew: docs/images/scan.svg, what a scan of the examples shows on a terminal, and
      docs/images/report.png, what its page shows in Chromium (installed by apt-get where it is missing).

  site [--check]
      The documentation as a book: target/site/index.html. docs/SUMMARY.md lists its pages. Fails if a relative link of a
      Markdown file or of a page leads nowhere, or if a page of docs/ is not listed. mdBook is built into target/tools
      where it is missing. --check looks at the Markdown files only, and is the step `links` of `test`.

  help
      This text.
";

pub(crate) fn run() -> ExitCode {
    print!("{TEXT}");
    ExitCode::SUCCESS
}
