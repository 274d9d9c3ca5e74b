//! Servers on free ports, and clients of them.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;
use unstuck::swarm::{Delta, Worker};
use unstuck::{Json, fingerprint::Fingerprinter};
use unstuck_redis::{RedisOptions, RedisTallies};
use unstuck_swarm::{Keys, SharedOptions, SharedTallies, TallyStore as _};

pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A program that serves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Redis,
    Valkey,
}

pub(crate) const KINDS: [Kind; 2] = [Kind::Redis, Kind::Valkey];

impl Kind {
    /// The program. The variable is set by `cargo xtask test --only stores`.
    fn program(self) -> PathBuf {
        let (variable, name) = match self {
            Self::Redis => ("UNSTUCK_REDIS_SERVER", "redis-server"),
            Self::Valkey => ("UNSTUCK_VALKEY_SERVER", "valkey-server"),
        };
        env::var_os(variable).map_or_else(|| name.into(), PathBuf::from)
    }
}

/// A server that is killed when it is dropped.
pub(crate) struct Server {
    kind: Kind,
    pub(crate) port: u16,
    options: Vec<String>,
    directory: TempDir,
    child: Child,
}

impl Server {
    pub(crate) fn start(kind: Kind, options: &[&str]) -> Self {
        // Another program may take the port in between.
        for _ in 0..5 {
            let directory = tempfile::tempdir().unwrap();
            let port = free_port();
            let mut server = Self {
                kind,
                port,
                options: options.iter().map(ToString::to_string).collect(),
                child: spawn(kind, port, &directory, options),
                directory,
            };
            if server.is_ready() {
                return server;
            }
        }
        panic!("{kind:?} does not start");
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn start_again(&mut self) {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        self.child = spawn(self.kind, self.port, &self.directory, &options);
        assert!(self.is_ready(), "{:?} does not start again", self.kind);
    }

    /// Stops it, or lets it run on.
    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let done = Command::new("kill").args([signal, &pid]).status().unwrap();
        assert!(done.success());
    }

    pub(crate) fn address(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.directory.path().join("socket")
    }

    /// Runs a command and returns its reply as lines.
    pub(crate) fn run(&self, words: &[&str]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        // The command `PING` afterwards shows the end of the reply.
        write!(stream, "*{}\r\n", words.len()).unwrap();
        for word in words {
            write!(stream, "${}\r\n{word}\r\n", word.len()).unwrap();
        }
        write!(stream, "PING THE-END\r\n").unwrap();
        let mut reply = String::new();
        let mut lines = BufReader::new(stream);
        while !reply.ends_with("THE-END\r\n") {
            assert!(lines.read_line(&mut reply).unwrap() > 0, "{reply}");
        }
        reply.truncate(reply.len() - "$7\r\nTHE-END\r\n".len());
        reply
    }

    /// A number of `INFO`.
    pub(crate) fn info(&self, section: &str, name: &str) -> u64 {
        let info = self.run(&["INFO", section]);
        let start = info
            .find(name)
            .unwrap_or_else(|| panic!("no {name} in {info}"));
        let digits = info[start + name.len()..].trim_start_matches([':', '=']);
        let end = digits.find(|each: char| !each.is_ascii_digit());
        digits[..end.unwrap_or(digits.len())].parse().unwrap()
    }

    fn is_ready(&mut self) -> bool {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
                // A server that still reads its files answers that it is loading. One with a password answers as well.
                let mut answer = [0; 5];
                let asked = stream.write_all(b"PING\r\n");
                if asked.and_then(|()| stream.read_exact(&mut answer)).is_ok()
                    && [*b"+PONG", *b"-NOAU"].contains(&answer)
                {
                    return true;
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(kind: Kind, port: u16, directory: &TempDir, options: &[&str]) -> Child {
    let log = fs::File::create(directory.path().join("log")).unwrap();
    Command::new(kind.program())
        .args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
        ])
        .arg("--dir")
        .arg(directory.path())
        .arg("--unixsocket")
        .arg(directory.path().join("socket"))
        .args(options)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("{kind:?} is missing ({error}); `cargo xtask test --only stores` installs it")
        })
}

/// The port of a cluster's second connection is 10,000 higher.
fn free_port() -> u16 {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        if port < 55_000 {
            return port;
        }
    }
}

pub(crate) fn store(address: &str) -> RedisTallies {
    RedisTallies::new(address.parse().unwrap(), RedisOptions::default())
}

pub(crate) fn shared(address: &str, within: Duration) -> SharedTallies<RedisTallies> {
    let mut options = SharedOptions::default();
    options.within = within;
    options.most_kept = 200_000;
    SharedTallies::new(store(address), Keys::new(b"test"), options).unwrap()
}

/// A call of a worker, with the number of what is called.
pub(crate) fn delta(swarm: &str, name: u64, worker: u64) -> Delta {
    let args = Json::string(&name.to_string());
    let call = Fingerprinter::new(b"").action("web_fetch", &args);
    Delta::new(swarm, call, Worker::from_bits(worker))
}

/// All calls of a swarm.
pub(crate) fn total(tallies: &SharedTallies<RedisTallies>, swarm: &str) -> u64 {
    let swarm = tallies.keys().swarm(swarm);
    let all = tallies.store().tallies(swarm, LONG).unwrap();
    all.iter().map(|each| each.tally.calls()).sum()
}

/// Lets 64 workers, in as many threads, count calls for swarms by turns.
pub(crate) fn work(
    tallies: &SharedTallies<RedisTallies>,
    swarms: &[&str],
    calls_of_each: u64,
    meanwhile: impl FnOnce(),
) {
    thread::scope(|scope| {
        for worker in 0..64 {
            scope.spawn(move || {
                for n in 0..calls_of_each {
                    let swarm = swarms[(n + worker) as usize % swarms.len()];
                    tallies.apply(&delta(swarm, n % 100, worker));
                }
            });
        }
        meanwhile();
    });
}
