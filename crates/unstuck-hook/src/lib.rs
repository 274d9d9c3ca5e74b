//! `unstuck hook HOST [EVENT]`: one hook of one call, from the words of the command line to the exit code.
//!
//! This runs before and after every call of an agent, so it does nothing that this call does not need. When something
//! fails, the call is allowed or denied as `fail` says, and the log says why.

mod caller;
mod notify;
mod shield;

use std::{env, ffi::OsString, io, io::IsTerminal as _, io::Write as _, process::ExitCode};

use unstuck_hosts::{Host, Output, encode_allow};
use unstuck_session::{
    Log, StateDir,
    hook::{HookRequest, failed},
};

use caller::caller;

/// Answers one hook. `words` stand behind `unstuck hook`.
pub fn main(words: &[OsString]) -> ExitCode {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let Some(named) = words.first().filter(|word| !word.is_empty()) else {
        let names = Host::ALL.map(Host::name).join(", ");
        complain(&format!("name the host: unstuck hook HOST, one of {names}"));
        return ExitCode::SUCCESS;
    };
    let host = match named.parse::<Host>() {
        Ok(host) => host,
        Err(error) => {
            // Any other exit code than 0 would block calls in one host or another.
            complain(&format!("{error}"));
            return ExitCode::SUCCESS;
        }
    };
    let request = HookRequest {
        host,
        event: words.get(1).map(|word| &**word),
        environment: &|name| env::var(name).ok(),
        caller: &caller,
        halted: &notify::halted,
    };
    let state = match StateDir::find() {
        Ok(state) => state.with_fallback(complain),
        Err(error) => {
            complain(&error.with_causes());
            return write(&failed(&request, None));
        }
    };
    let log = Log::of(&state);
    let output = shield::run(
        &log,
        host,
        || answer(&request, &state),
        || failed(&request, Some(&state)),
    );
    write(&output)
}

fn answer(request: &HookRequest<'_>, state: &StateDir) -> Output {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        complain("a hook reads its input from standard input; see `unstuck hook --help`");
        return encode_allow(request.host);
    }
    unstuck_session::hook::answer(request, stdin.lock(), state)
}

fn write(output: &Output) -> ExitCode {
    let mut out = io::stdout().lock();
    // A host may have closed its end.
    let _ = out.write_all(output.stdout.as_bytes());
    let _ = out.flush();
    ExitCode::from(output.exit_code)
}

fn complain(text: &str) {
    // Without standard error there is nobody to complain to.
    let _ = writeln!(io::stderr(), "unstuck: {}", unstuck_text::Shown::line(text));
}
