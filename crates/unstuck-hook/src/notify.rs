//! A notification on the user's desktop when an agent is halted.

use std::process::{Command, Stdio};

use unstuck_session::{configuration::notify_of_user, hook::Halted};

const TITLE: &str = "unstuck: an agent was halted";

/// What macOS runs: the title and the text are arguments and never part of the script.
const SCRIPT: [&str; 3] = [
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
];

/// Notifies the user, if the user's own file asks for it. The program is started and not waited for: a hook must not wait
/// for a desktop, and a failure must not change its answer.
pub(crate) fn halted(halted: &Halted<'_>) {
    let settings = notify_of_user();
    if !settings.desktop {
        return;
    }
    let mut command = match settings.command.split_first() {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        None => desktop(),
    };
    // Nothing from the agent or its calls goes to other programs.
    let text = format!(
        "{}: {}, {} times. See: unstuck status",
        halted.host.title(),
        halted.rule,
        halted.repeats
    );
    let _ = command
        .args([TITLE, &text])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

/// The program that shows notifications on this platform.
fn desktop() -> Command {
    if cfg!(target_os = "macos") {
        let mut command = Command::new("osascript");
        for line in SCRIPT {
            command.args(["-e", line]);
        }
        command
    } else {
        let mut command = Command::new("notify-send");
        command.args(["--app-name=unstuck", "--urgency=critical"]);
        command
    }
}
