//! `unstuck hook HOST [EVENT]`: one hook of one call.
//!
//! This runs before and after every call of an agent, so it does nothing that this call does not need. And whatever
//! goes wrong, the agent is not broken: it is allowed to go on, and the log says why.

mod caller;
mod input;
mod judge;
mod settings;
mod shield;

use std::{env, ffi::OsString, io, io::IsTerminal as _, io::Write as _, process::ExitCode};

use unstuck::Mode;
use unstuck_hosts::{Happened, Host, Output, decode, encode, encode_allow};

use crate::{home::Home, log::Log};
use input::Input;

/// Answers one hook. `words` stand behind `unstuck hook`.
pub(crate) fn main(words: &[OsString]) -> ExitCode {
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
    let home = match Home::find() {
        Ok(home) => home,
        Err(error) => {
            complain(&format!("{error:#}"));
            return write(&encode_allow(host));
        }
    };
    let log = Log::in_home(&home);
    let event = words.get(1).map(|word| &**word);
    let output = shield::run(&log, host, || answer(host, event, &home, &log));
    write(&output)
}

fn answer(named: Host, event: Option<&str>, home: &Home, log: &Log) -> Output {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        complain("a hook reads its input from standard input; see `unstuck hook --help`");
        return encode_allow(named);
    }
    let mode = match home.mode() {
        Ok(from) => from.mode(),
        Err(error) => {
            log.line(named.name(), &format!("ignored: {error:#}"));
            None
        }
    };
    if mode == Some(Mode::Off) {
        // A host may fail when its pipe is closed early.
        let _ = io::copy(&mut stdin.lock(), &mut io::sink());
        return encode_allow(named);
    }
    // Without a store there is nothing to compare digests with either.
    let store = home.store().unlock();
    let key = store
        .as_ref()
        .map_or([0; 32], |store| store.secret().derive("evidence"));
    let input = match input::read(stdin.lock(), &key) {
        Ok(input) => input,
        Err(error) => {
            let why = format!("allowed: the hook input cannot be read: {error}");
            log.line(named.name(), &why);
            return encode_allow(named);
        }
    };
    if let Input::Outline { bytes, .. } = &input {
        let what =
            format!("the hook input has {bytes} bytes: its long parts are compared by digests");
        log.line(named.name(), &what);
    }
    let environment = |name: &str| env::var(name).ok();
    let hook = match decode(named, event, input.bytes(), &key, &environment) {
        Ok(hook) => hook,
        Err(error) => {
            log.line(named.name(), &format!("allowed: {error}"));
            return encode_allow(named);
        }
    };
    if hook.happened == Happened::Nothing {
        return encode_allow(hook.host);
    }
    let judged = store
        .map_err(Into::into)
        .and_then(|store| judge::judge(&hook, mode, (home, &store), log));
    match judged {
        Ok(answer) => encode(&hook, &answer),
        Err(error) => {
            let who = format!("{} {}", hook.host, hook.session);
            log.line(&who, &format!("allowed: {error:#}"));
            encode_allow(hook.host)
        }
    }
}

fn write(output: &Output) -> ExitCode {
    let mut out = io::stdout().lock();
    // A host may have closed its end.
    let _ = out.write_all(output.stdout.as_bytes());
    let _ = out.flush();
    ExitCode::from(output.exit_code)
}

fn complain(text: &str) {
    anstream::eprintln!("unstuck: {}", unstuck_text::Shown::line(text));
}
