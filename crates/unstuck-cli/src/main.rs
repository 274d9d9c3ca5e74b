//! The command `unstuck`.

mod args;
mod commands;
mod configuration;
mod events;
mod lines;
mod markdown;
mod scan;
mod style;
mod tune;

use std::process::ExitCode;

use clap::Parser as _;

use crate::{
    args::{Args, Command, ConfigCommand},
    style::{ERROR, paint},
};

fn main() -> ExitCode {
    let args = Args::parse();
    let run = match &args.command {
        Command::Check(args) => commands::check::run(args),
        Command::Scan(args) => commands::scan::run(args),
        Command::Tune(args) => commands::tune::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Config(args) => match &args.command {
            ConfigCommand::Check(args) => commands::config::check(args),
            ConfigCommand::Schema => commands::config::schema(),
            ConfigCommand::Show(args) => commands::config::show(args),
        },
        Command::Completions(args) => commands::completions::run(args),
        Command::Man => commands::man::run(),
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

fn report(error: &anyhow::Error) {
    match error.downcast_ref::<unstuck_config::Errors>() {
        Some(errors) => {
            let texts: Vec<_> = errors.diagnostics.iter().map(style::diagnostic).collect();
            anstream::eprintln!("{}", texts.join("\n\n"));
        }
        None => anstream::eprintln!("{} {error:#}", paint(ERROR, "error:")),
    }
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
