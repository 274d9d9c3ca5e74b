//! Running the command in a directory of its own.

use std::{
    env, fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
    thread,
};

use unstuck_hosts::Host;

/// Variables that agents set for what they run, and that hooks look at.
fn agent_variables() -> impl Iterator<Item = &'static str> {
    let variables = Host::ALL.into_iter().flat_map(Host::variables).copied();
    variables.chain(["CLAUDE_CODE_ENTRYPOINT"])
}

/// The binary under test, at a place that lasts: one in a build directory would be copied by every install.
pub(crate) fn binary() -> PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY
        .get_or_init(|| {
            let built = built();
            let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("installed");
            fs::create_dir_all(&directory).expect("a directory can be made");
            let hook = |path: &Path| {
                path.with_file_name(format!("unstuck-hook{}", env::consts::EXE_SUFFIX))
            };
            let installed = directory.join(format!("unstuck{}", env::consts::EXE_SUFFIX));
            link(&hook(&built), &hook(&installed));
            link(&built, &installed);
            installed
        })
        .clone()
}

/// The binary as cargo built it. `UNSTUCK_BINARY` names another one, so that the same tests can be run against any build.
pub(crate) fn built() -> PathBuf {
    match env::var_os("UNSTUCK_BINARY") {
        Some(path) => fs::canonicalize(path).expect("UNSTUCK_BINARY is a program"),
        None => PathBuf::from(env!("CARGO_BIN_EXE_unstuck")),
    }
}

/// Lets a name stand for a program, or for none where there is none. Tests do that at the same time.
fn link(program: &Path, name: &Path) {
    let kind = |path: &Path| {
        let found = fs::metadata(path).ok()?;
        Some((found.len(), found.modified().ok()))
    };
    if kind(program) == kind(name) {
        return;
    }
    if !program.exists() {
        // Another test may have removed it.
        let _ = fs::remove_file(name);
        return;
    }
    let new = name.with_extension(format!("new{}", std::process::id()));
    if fs::hard_link(program, &new).is_err() {
        // It is on another disk.
        fs::copy(program, &new).expect("the program can be copied");
        let modified = fs::metadata(program).and_then(|found| found.modified());
        let copy = fs::OpenOptions::new().write(true).open(&new);
        copy.and_then(|file| file.set_modified(modified?))
            .expect("a time can be set");
    }
    fs::rename(&new, name).expect("the program can be named");
    // Two names of one file are both left by renaming.
    let _ = fs::remove_file(new);
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
        for agent in agent_variables() {
            command.env_remove(agent);
        }
        command
    }

    /// Runs the command as a user whose home is the directory `home`.
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

    /// Runs the command as a person does, in a terminal.
    pub(crate) fn as_person(&self, args: &[&str]) -> Ran {
        finish_in_terminal(&self.command(args), b"")
    }

    /// Writes a project's file and trusts it, as a person does who has looked at it.
    pub(crate) fn write_trusted(&self, name: &str, text: &str) -> &Self {
        self.write(name, text);
        let ran = self.as_person(&["config", "trust", name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        self
    }
}

/// Runs a command that has a controlling terminal, while its standard streams are files. It is started by no process of
/// these tests, because an agent may have started them.
#[cfg(unix)]
pub(crate) fn finish_in_terminal(command: &Command, input: &[u8]) -> Ran {
    use std::{
        ffi::OsStr,
        sync::atomic::{AtomicUsize, Ordering},
        time::{Duration, Instant},
    };

    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("terminal-{}-{number}", std::process::id());
    let streams = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&streams).expect("a directory can be made");
    fs::write(streams.join("in"), input).expect("a file can be written");
    let quoted = |text: &OsStr| {
        let text = text.to_str().expect("text");
        format!("'{}'", text.replace('\'', r"'\''"))
    };
    let words: Vec<_> = [command.get_program()]
        .into_iter()
        .chain(command.get_args())
        .map(quoted)
        .collect();
    let [stdin, out, err, code] = ["in", "out", "err", "code"].map(|name| streams.join(name));
    let inner = format!(
        "{} < {} > {} 2> {}; echo $? > {code}.new; mv {code}.new {code}",
        words.join(" "),
        quoted(stdin.as_os_str()),
        quoted(out.as_os_str()),
        quoted(err.as_os_str()),
        code = quoted(code.as_os_str()),
    );
    let mut outer = Command::new("sh");
    let script: &[&str] = if cfg!(target_os = "macos") {
        &["script", "-q", "/dev/null", "/bin/sh", "-c", &inner]
    } else {
        &["script", "-q", "-c", &inner, "/dev/null"]
    };
    outer
        .args(["-c", "\"$@\" < /dev/null > /dev/null 2>&1 & echo $!", "sh"])
        .args(script);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer.env("SHELL", "/bin/sh");
    if let Some(directory) = command.get_current_dir() {
        outer.current_dir(directory);
    }
    let started = outer.output().expect("a shell");
    assert!(started.status.success(), "{started:?}");
    let process = String::from_utf8(started.stdout).expect("text");
    let mut terminal = Terminal {
        process: process.trim().to_owned(),
        has_ended: false,
    };
    let start = Instant::now();
    while !code.exists() {
        assert!(start.elapsed() < Duration::from_mins(1), "never ended");
        thread::sleep(Duration::from_millis(2));
    }
    terminal.has_ended = true;
    let text = |path| fs::read_to_string(path).expect("text");
    let ran = Ran {
        code: text(code).trim().parse().ok(),
        out: text(out),
        err: text(err),
    };
    let _ = fs::remove_dir_all(streams);
    ran
}

/// The process that provides a terminal. It is killed if the test fails before the command in it has ended.
#[cfg(unix)]
struct Terminal {
    process: String,
    has_ended: bool,
}

#[cfg(unix)]
impl Drop for Terminal {
    fn drop(&mut self) {
        if !self.has_ended {
            // Closes the terminal, which ends the command.
            let _ = Command::new("kill").args(["-9", &self.process]).status();
        }
    }
}

/// Where there are no such terminals, a console is in reach.
#[cfg(not(unix))]
pub(crate) fn finish_in_terminal(command: &Command, input: &[u8]) -> Ran {
    let mut again = Command::new(command.get_program());
    again.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => again.env(name, value),
            None => again.env_remove(name),
        };
    }
    if let Some(directory) = command.get_current_dir() {
        again.current_dir(directory);
    }
    again
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    finish(again, input)
}

/// Feeds the input from another thread, so that neither side waits for the other.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || {
        // A command that has read enough closes the pipe.
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
