//! Transcripts in the manner of Claude Code: lines of one to twenty kilobytes, a third of the calls shell commands, and
//! now and then a loop. The same every time.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Raised when what is made changes, so that old files are not taken for new ones.
const EDITION: u32 = 4;

/// Makes the files, unless they are there already.
pub(crate) fn make(directory: &Path, bytes: u64, files: u64) -> Result<Vec<PathBuf>> {
    let stamp = directory.join("edition");
    let wanted = format!("{EDITION}\n");
    let paths: Vec<_> = (0..files)
        .map(|number| directory.join(format!("session-{number}.jsonl")))
        .collect();
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(paths);
    }
    println!(
        "making {} MB of transcripts in {}",
        bytes >> 20,
        directory.display()
    );
    fs::create_dir_all(directory)?;
    for (path, number) in paths.iter().zip(1..) {
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut session = Session::new(number);
        let mut out = BufWriter::with_capacity(1 << 20, file);
        let mut written = 0;
        while written < bytes / files {
            let lines = session.work();
            out.write_all(lines.as_bytes())?;
            written += lines.len() as u64;
        }
        out.flush()?;
    }
    fs::write(stamp, wanted)?;
    Ok(paths)
}

/// One agent at work.
pub(crate) struct Session {
    number: u64,
    random: Random,
    calls: u64,
    seconds: u64,
    /// A call that is being repeated, and how often still.
    stuck: Option<(Call, u64)>,
}

#[derive(Clone)]
struct Call {
    tool: &'static str,
    input: String,
    output: String,
}

impl Session {
    pub(crate) fn new(number: u64) -> Self {
        Self {
            number,
            random: Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            calls: 0,
            seconds: 0,
            stuck: None,
        }
    }

    /// The lines of the next call: words of the model now and then, the call, its result.
    pub(crate) fn work(&mut self) -> String {
        let call = if let Some((call, left)) = self.stuck.take() {
            if left > 1 {
                self.stuck = Some((call.clone(), left - 1));
            }
            call
        } else {
            let call = self.call();
            if self.random.one_in(400) {
                self.stuck = Some((call.clone(), 3 + self.random.below(10)));
            }
            call
        };
        self.calls += 1;
        let mut lines = String::with_capacity(16 << 10);
        if self.random.one_in(5) {
            let words = 8 + self.random.below(40);
            let words = self.prose(words);
            let block = format!(r#"{{"type":"text","text":"{words}"}}"#);
            self.assistant(&mut lines, &block);
        }
        let id = format!("toolu_{:02}{:012}", self.number, self.calls);
        let Call {
            tool,
            input,
            output,
        } = &call;
        let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}"#);
        self.assistant(&mut lines, &block);
        self.result(&mut lines, &id, output);
        lines
    }

    fn call(&mut self) -> Call {
        let target = self.path();
        let number = self.random.below(1 << 20);
        let (tool, input, lines) = match self.random.below(12) {
            0..4 => {
                let command = match self.random.below(6) {
                    0 => format!(
                        "cd /home/ada/shop && python -m pytest {target} -x -q 2>&1 | tail -40"
                    ),
                    1 => format!("grep -rn 'total_{number}' src --include='*.py' | head -50"),
                    2 => format!("git log --oneline -n {} -- {target}", 5 + number % 40),
                    3 => format!("sed -n '{},{}p' {target}", number % 900, number % 900 + 80),
                    4 => format!("ls -la {target}; cat {target} | wc -l"),
                    _ => format!("cargo test -p shop --test cart_{number} -- --nocapture"),
                };
                let input =
                    format!(r#"{{"command":"{command}","description":"Look at part {number}"}}"#);
                ("Bash", input, 2 + self.random.below(70))
            }
            4..8 => {
                let input = format!(
                    r#"{{"file_path":"/home/ada/shop/{target}","offset":{},"limit":130}}"#,
                    number % 3_000
                );
                ("Read", input, 40 + self.random.below(91))
            }
            8..10 => {
                let old = self.code(3 + number % 9);
                let new = self.code(3 + number % 12);
                let input = format!(
                    r#"{{"file_path":"/home/ada/shop/{target}","old_string":"{old}","new_string":"{new}"}}"#
                );
                ("Edit", input, 4 + self.random.below(12))
            }
            _ => {
                let input = format!(
                    r#"{{"pattern":"total_{number}","path":"/home/ada/shop/src","output_mode":"content"}}"#
                );
                ("Grep", input, 1 + self.random.below(40))
            }
        };
        let output = self.code(lines);
        Call {
            tool,
            input,
            output,
        }
    }

    fn assistant(&mut self, lines: &mut String, block: &str) {
        let (message, read) = (self.calls, 20_000 + self.calls % 90_000);
        let _ = write!(
            lines,
            r#"{{"parentUuid":"{:08x}-1111-4222-8333-444455556666","isSidechain":false,"message":{{"id":"msg_{:02}{message:010}","type":"message","role":"assistant","model":"claude-sonnet-4-5-20250929","content":[{block}],"stop_reason":"tool_use","stop_sequence":null,"usage":{{"input_tokens":9,"cache_creation_input_tokens":812,"cache_read_input_tokens":{read},"output_tokens":214,"output_tokens_details":{{"thinking_tokens":0}},"server_tool_use":{{"web_search_requests":0,"web_fetch_requests":0}},"service_tier":"standard","cache_creation":{{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":812}}}},"stop_details":null}},"requestId":"req_{message:016}","type":"assistant","#,
            message, self.number,
        );
        self.envelope(lines);
    }

    fn result(&mut self, lines: &mut String, id: &str, output: &str) {
        let _ = write!(
            lines,
            r#"{{"parentUuid":"{:08x}-1111-4222-8333-444455556666","isSidechain":false,"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"{id}","type":"tool_result","content":"{output}","is_error":false}}]}},"toolUseResult":{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}},"permissionDecision":{{"decision":"accept","source":"config","reasonType":"rule"}},"#,
            self.calls,
        );
        self.envelope(lines);
    }

    fn envelope(&mut self, lines: &mut String) {
        self.seconds += 1 + self.random.below(9);
        let (day, hour) = (1 + self.seconds / 86_400 % 28, self.seconds / 3_600 % 24);
        let (minute, second) = (self.seconds / 60 % 60, self.seconds % 60);
        let _ = writeln!(
            lines,
            r#""uuid":"{:08x}-aaaa-4bbb-8ccc-ddddeeeeffff","timestamp":"2026-10-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z","userType":"external","entrypoint":"cli","cwd":"/home/ada/shop","sessionId":"{:08x}-5e55-4104-8000-000000000000","version":"2.1.300","gitBranch":"main"}}"#,
            self.calls,
            self.random.below(1_000),
            self.number,
        );
    }

    fn path(&mut self) -> String {
        let directory = self.random.word();
        let name = self.random.word();
        format!("src/{directory}/{name}_{}.py", self.random.below(400))
    }

    /// Lines of something like code, escaped as JSON wants it.
    fn code(&mut self, lines: u64) -> String {
        let mut text = String::with_capacity(lines as usize * 90);
        for line in 0..lines {
            let (one, other, number) = (
                self.random.word(),
                self.random.word(),
                self.random.below(9_999),
            );
            let _ = match self.random.below(8) {
                0 => write!(
                    text,
                    "{line:>6}\\tdef {one}_{other}(self, {one}: Basket) -> None:\\n"
                ),
                1 | 2 => write!(
                    text,
                    "{line:>6}\\t    return \\\"{one}\\\", {other}.sum(cart)  # the {other} of all {one}s\\n"
                ),
                3 => write!(
                    text,
                    "src/{one}/{other}.py:{number}: in test_{one}_{other}\\n"
                ),
                4 | 5 => write!(
                    text,
                    "        if {one}.{other} is None and {other}.is_open:\\n            raise ValueError('{other}')\\n"
                ),
                6 => write!(
                    text,
                    "2026-10-03 12:{:02}:{:02} INFO  {one}.{other} finished in {number} ms\\n",
                    number % 60,
                    number % 59
                ),
                _ => write!(
                    text,
                    "tests/test_{one}.py::test_{other}_of_{one} PASSED  [ {:>2}%]\\n",
                    number % 100
                ),
            };
        }
        text
    }

    fn prose(&mut self, words: u64) -> String {
        let words: Vec<_> = (0..words).map(|_| self.random.word()).collect();
        format!(
            "Now I look at {} in part {}.",
            words.join(" "),
            self.random.below(1 << 30)
        )
    }
}

/// The same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 24] = [
            "cart", "order", "price", "total", "item", "user", "token", "parser", "stream",
            "cache", "worker", "queue", "report", "invoice", "basket", "session", "handler",
            "route", "model", "schema", "client", "shelf", "stock", "label",
        ];
        WORDS[self.below(WORDS.len() as u64) as usize]
    }
}
