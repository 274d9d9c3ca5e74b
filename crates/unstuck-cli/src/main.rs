//! The command `unstuck`.

mod args;
mod commands;
mod configuration;
mod control;
mod doctor;
mod install;
mod markdown;
mod person;
mod program;
mod scan;
mod style;
mod top;

use std::{env, ffi::OsString, process::ExitCode};

use clap_complete::CompleteEnv;

use crate::{
    args::{AuditCommand, Command, ConfigCommand, PolicyCommand},
    style::{ERROR, paint},
};

/// Scanning is a few small allocations for each line of gigabytes, and this one does them in half the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(words) = hook_words() {
        return unstuck_hook::main(&words);
    }
    // Answers a shell that asks for completions, and then ends the process.
    CompleteEnv::with_factory(commands::completions::visible)
        .var(commands::completions::VARIABLE)
        .complete();
    let args = args::parse(&env::args_os().collect::<Vec<_>>());
    let run = match &args.command {
        Command::Check(args) => commands::check::run(args),
        Command::Install(args) => commands::install::install(args),
        Command::Uninstall(args) => commands::install::uninstall(args),
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Scan(args) => commands::scan::run(args),
        Command::Tune(args) => commands::tune::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Config(args) => match &args.command {
            ConfigCommand::Check(args) => commands::config::check(args),
            ConfigCommand::Schema => commands::config::schema(),
            ConfigCommand::Show(args) => commands::config::show(args),
            ConfigCommand::Trust(args) => commands::config::trust(args),
        },
        // Read by hand above; what is left are requests for help.
        Command::Hook(_) => Ok(ExitCode::SUCCESS),
        Command::Status => commands::status::run(),
        Command::Sessions(args) => commands::sessions::run(args),
        Command::Reset(args) => commands::reset::run(args),
        Command::Allow(args) => commands::allow::run(args),
        Command::Mode(args) => commands::mode::run(args),
        Command::McpControl(args) => commands::mcp_control::run(args),
        Command::Mcp(args) => commands::mcp::run(args),
        Command::Policy(args) => match &args.command {
            PolicyCommand::Check(args) => commands::policy::check(args),
        },
        Command::Audit(args) => match &args.command {
            AuditCommand::Verify(args) => commands::audit::verify(args),
            AuditCommand::Close(args) => commands::audit_close::run(args),
            AuditCommand::Tail(args) => commands::audit::tail(args),
            AuditCommand::Export(args) => commands::audit::export(args),
        },
        Command::Top(args) => commands::top::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man => commands::man::run(),
        Command::Schema(args) => commands::schema::run(args),
        Command::Generate(args) => commands::generate::run(args),
    };
    match run {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

/// What stands behind `unstuck hook`, unless it asks for help. A hook runs before every call of an agent, and building
/// the whole command line costs more than answering it; nor may a mistyped word end with an exit code that blocks.
fn hook_words() -> Option<Vec<OsString>> {
    let mut words = env::args_os().skip(1);
    if words.next()? != "hook" {
        return None;
    }
    let words: Vec<_> = words.collect();
    let asks =
        |word: &OsString| word == "--help" || word == "-h" || word == "--version" || word == "-V";
    (!words.iter().any(asks)).then_some(words)
}

fn report(error: &anyhow::Error) {
    if let Some(errors) = configuration::mistakes(error) {
        let texts: Vec<_> = errors.diagnostics.iter().map(style::diagnostic).collect();
        anstream::eprintln!("{}", texts.join("\n\n"));
        return;
    }
    let error = unstuck_text::Shown::lines(format_args!("{error:#}")).to_string();
    // Foreign text in it starts no line of its own.
    let error = error.replace('\n', "\n  ").replace("\n  \n", "\n\n");
    anstream::eprintln!("{} {error}", paint(ERROR, "error:"));
}

/// Whoever read our output has seen enough (`unstuck check … | head`): nothing is wrong.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let error = cause.downcast_ref::<std::io::Error>();
        let json = cause.downcast_ref::<serde_json::Error>();
        error
            .map(std::io::Error::kind)
            .or(json.and_then(serde_json::Error::io_error_kind))
            == Some(std::io::ErrorKind::BrokenPipe)
    })
}
