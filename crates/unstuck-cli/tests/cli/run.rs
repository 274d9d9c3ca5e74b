//! Running the command in a directory of its own.

use std::{
    env, fs,
    io::Write as _,
    path::PathBuf,
    process::{Command, Output, Stdio},
    thread,
};

/// Variables that agents set for what they run, and that hooks look at.
const AGENTS: [&str; 13] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "COPILOT_CLI",
    "CRUSH",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "GOOSE_TERMINAL",
    "OPENCODE",
    "OPENHANDS",
    "QWEN_CODE",
];

/// The binary under test. `UNSTUCK_BINARY` names another one, so that the same tests can be run against any build.
pub(crate) fn binary() -> PathBuf {
    match env::var_os("UNSTUCK_BINARY") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_BIN_EXE_unstuck")),
    }
}

/// A directory of one test, with nothing of the machine's configuration in reach.
pub(crate) struct Place {
    directory: PathBuf,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// The name must be the test's own.
    pub(crate) fn new(name: &str) -> Self {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).expect("an old directory can be removed");
        }
        fs::create_dir_all(directory.join("home")).expect("a directory can be made");
        Self { directory }
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.directory.join(name);
        let parent = path.parent().expect("a file has a directory");
        fs::create_dir_all(parent).expect("a directory can be made");
        fs::write(path, text).expect("a file can be written");
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command
            .args(args)
            .current_dir(&self.directory)
            .env("UNSTUCK_CONFIG_HOME", self.directory.join("home"))
            .env("UNSTUCK_HOME", self.directory.join("state"))
            .env_remove("UNSTUCK_MODE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // The tests themselves may be run by an agent.
        for agent in AGENTS {
            command.env_remove(agent);
        }
        command
    }

    /// Runs the command as somebody whose home is the directory `home`.
    pub(crate) fn run_at_home(&self, home: &str, args: &[&str]) -> Ran {
        let mut command = self.command(args);
        for name in [
            "CLAUDE_CONFIG_DIR",
            "CODEX_HOME",
            "COPILOT_HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
        ] {
            command.env_remove(name);
        }
        command.env("HOME", self.path(home));
        finish(command, b"")
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, b"")
    }

    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        finish(self.command(args), input)
    }
}

/// Feeds the input from another thread, so that neither side waits for the other.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // Whoever has seen enough closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    Ran::from(output)
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl Ran {
    /// What was written, line by line, as JSON.
    pub(crate) fn answers(&self) -> Vec<serde_json::Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }

    /// The verdict of each line, or `error`.
    pub(crate) fn verdicts(&self) -> Vec<String> {
        let answers = self.answers();
        let verdict = |answer: &serde_json::Value| answer["verdict"].as_str().map(str::to_owned);
        answers
            .iter()
            .map(|answer| verdict(answer).unwrap_or_else(|| "error".into()))
            .collect()
    }
}

/// A call and its result, so many times.
pub(crate) fn repeats(times: usize) -> String {
    let one = |id| {
        format!(
            "{{\"event\":\"call\",\"id\":{id},\"tool\":\"read_file\",\"args\":{{\"path\":\"a.txt\"}}}}\n{{\"event\":\"result\",\"id\":{id},\"output\":\"no such file\"}}\n"
        )
    };
    (1..=times).map(one).collect::<Vec<_>>().concat()
}
