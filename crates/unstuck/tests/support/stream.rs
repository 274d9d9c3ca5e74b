//! The reference stream: a long, labelled run of one agent, the same in every run.
//!
//! Nine calls in ten are fresh. The rest belong to episodes: planted loops (equal calls, equal calls with their keys
//! shuffled, ping-pong, three-call cycles) and what must not be taken for one (a poll whose answer changes, the same
//! test after different edits with different results). Arguments are about 100 B (60 %), 1 KB (30 %) and 20 KB (10 %),
//! results 1 to 10 KB.

use std::fmt::Write as _;

/// What a row was made as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Label {
    Fresh,
    Exact,
    ExactShuffled,
    PingPong,
    ThreeCycle,
    Poll,
    EditTest,
}

impl Label {
    pub(crate) fn is_loop(self) -> bool {
        matches!(
            self,
            Self::Exact | Self::ExactShuffled | Self::PingPong | Self::ThreeCycle
        )
    }
}

/// One call with its result, as wire lines.
pub(crate) struct Row {
    pub(crate) call: String,
    pub(crate) result: String,
    pub(crate) turn: String,
    pub(crate) label: Label,
    /// The episode the row belongs to; every fresh row is its own.
    pub(crate) episode: u32,
    /// Laps that are complete with this row, the first included.
    pub(crate) laps: u32,
}

/// A small, well-known generator (SplitMix64): the stream must not depend on anybody's version of anything.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low)
    }

    pub(crate) fn chance(&mut self, percent: f64) -> bool {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64 * 100.0 < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const WORDS: [&str; 36] = [
    "agent", "buffer", "cache", "config", "cursor", "decode", "digest", "engine", "error", "event",
    "fetch", "field", "graph", "handle", "index", "kernel", "layout", "lexer", "matcher", "module",
    "naïve", "packet", "parser", "query", "reader", "router", "schema", "session", "stream",
    "symbol", "token", "värde", "vector", "window", "writer", "→",
];

/// A call: its tool and the members of its arguments, in the order they are written.
type Call = (&'static str, Vec<(&'static str, String)>);

/// Makes rows without end.
pub(crate) struct Stream {
    random: Random,
    prose: String,
    planned: std::collections::VecDeque<(Call, String, bool, Label, u32)>,
    at: i64,
    rows: u64,
    episode: u32,
}

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut prose = String::new();
        let mut column = 0;
        while prose.len() < 2_000_000 {
            let start = prose.len();
            match random.below(100) {
                0..=5 => drop(write!(prose, "{}();", random.pick(&WORDS))),
                6..=9 => drop(write!(prose, "\"{}\"", random.pick(&WORDS))),
                10..=11 => drop(write!(prose, "{}\t", random.pick(&WORDS))),
                12..=14 => drop(write!(prose, "{}", random.below(100_000))),
                15 => drop(write!(prose, "\\{}", random.pick(&WORDS))),
                _ => prose.push_str(random.pick(&WORDS)),
            }
            column += prose.len() - start + 1;
            if column > 72 {
                prose.push('\n');
                column = 0;
            } else {
                prose.push(' ');
            }
        }
        Self {
            random,
            prose,
            planned: std::collections::VecDeque::new(),
            at: 1_800_000_000_000,
            rows: 0,
            episode: 0,
        }
    }

    fn text(&mut self, bytes: usize) -> String {
        let mut start = self.random.below(self.prose.len() - bytes - 8);
        while !self.prose.is_char_boundary(start) {
            start += 1;
        }
        let mut end = start + bytes;
        while !self.prose.is_char_boundary(end) {
            end += 1;
        }
        serde_json::to_string(&self.prose[start..end]).unwrap()
    }

    fn path(&mut self) -> String {
        let (folder, file) = (self.random.pick(&WORDS), self.random.pick(&WORDS));
        let number = self.random.below(4_000);
        let ending = self.random.pick(&["rs", "ts", "py", "md"]);
        format!("\"src/{folder}/{file}_{number}.{ending}\"")
    }

    fn fresh(&mut self) -> Call {
        match self.random.below(100) {
            0..60 => self.small(),
            60..90 => self.medium(),
            _ => {
                let size = self.random.between(16_000, 22_000);
                let arguments = vec![
                    ("file_path", self.path()),
                    ("content", self.text(size)),
                    ("mode", "420".into()),
                    ("create_dirs", "true".into()),
                ];
                ("write_file", arguments)
            }
        }
    }

    fn small(&mut self) -> Call {
        match self.random.below(5) {
            0 => {
                let offset = self.random.below(2_000).to_string();
                let limit = self.random.pick(&["100", "200", "500"]).into();
                let path = self.path();
                let encoding = "\"utf-8\"".into();
                (
                    "read_file",
                    vec![
                        ("path", path),
                        ("offset", offset),
                        ("limit", limit),
                        ("encoding", encoding),
                    ],
                )
            }
            1 => {
                let pattern = format!(
                    "\"{}_{}\"",
                    self.random.pick(&WORDS),
                    self.random.below(9_999)
                );
                let path = self.path();
                (
                    "grep",
                    vec![
                        ("pattern", pattern),
                        ("path", path),
                        ("case", "false".into()),
                        ("max", "50".into()),
                    ],
                )
            }
            2 => {
                let (word, number) = (self.random.pick(&WORDS), self.random.below(9_999));
                let command =
                    format!("\"cd repo && cargo test -p {word} --lib t{number} 2>&1 | tail -40\"");
                (
                    "bash",
                    vec![("command", command), ("timeout", "120.5".into())],
                )
            }
            3 => {
                let path = self.path();
                let ignore = r#"["target","node_modules",".git"]"#.into();
                (
                    "list_dir",
                    vec![
                        ("path", path),
                        ("recursive", "true".into()),
                        ("ignore", ignore),
                        ("depth", "3".into()),
                    ],
                )
            }
            _ => {
                let query = self.text(50);
                let filters = r#"{"lang":"en","safe":true}"#.into();
                (
                    "web_search",
                    vec![
                        ("query", query),
                        ("count", "10".into()),
                        ("filters", filters),
                    ],
                )
            }
        }
    }

    fn medium(&mut self) -> Call {
        let arguments = vec![
            ("file_path", self.path()),
            ("old_string", self.text(420)),
            ("new_string", self.text(430)),
            ("replace_all", "false".into()),
            ("line", self.random.below(3_000).to_string()),
        ];
        ("edit_file", arguments)
    }

    fn answer(&mut self) -> String {
        let size = self.random.between(1_000, 10_000);
        self.text(size)
    }

    fn plan(&mut self) {
        self.episode += 1;
        if self.random.chance(98.5) {
            let (call, answer) = (self.fresh(), self.answer());
            let failed = self.random.chance(8.0);
            self.planned
                .push_back((call, answer, failed, Label::Fresh, 1));
            return;
        }
        const KINDS: [Label; 7] = [
            Label::Exact,
            Label::Exact,
            Label::ExactShuffled,
            Label::PingPong,
            Label::ThreeCycle,
            Label::Poll,
            Label::EditTest,
        ];
        match self.random.pick(&KINDS) {
            label @ (Label::Exact | Label::ExactShuffled) => {
                let (call, answer) = (self.fresh(), self.answer());
                let failed = self.random.chance(50.0);
                for lap in 1..=self.random.between(3, 13) as u32 {
                    let mut call = call.clone();
                    if label == Label::ExactShuffled {
                        let turn = self.random.below(call.1.len());
                        call.1.rotate_left(turn);
                    }
                    self.planned
                        .push_back((call, answer.clone(), failed, label, lap));
                }
            }
            label @ (Label::PingPong | Label::ThreeCycle) => {
                let period = if label == Label::PingPong { 2 } else { 3 };
                let members: Vec<(Call, String)> =
                    (0..period).map(|_| (self.fresh(), self.answer())).collect();
                for lap in 1..=self.random.between(2, 6) as u32 {
                    for (at, (call, answer)) in members.iter().enumerate() {
                        let laps = if at + 1 == period { lap } else { lap - 1 };
                        self.planned
                            .push_back((call.clone(), answer.clone(), false, label, laps));
                    }
                }
            }
            Label::Poll => {
                let command = format!(
                    "\"kubectl get pods -n ns{} -o wide\"",
                    self.random.below(999)
                );
                let call: Call = ("bash", vec![("command", command), ("timeout", "30".into())]);
                for lap in 1..=self.random.between(4, 12) as u32 {
                    let answer = self.answer();
                    self.planned
                        .push_back((call.clone(), answer, false, Label::Poll, lap));
                }
            }
            _ => {
                let command = format!(
                    "\"cargo test -p {} 2>&1 | tail -80\"",
                    self.random.pick(&WORDS)
                );
                let test: Call = (
                    "bash",
                    vec![("command", command), ("timeout", "300".into())],
                );
                for lap in 1..=self.random.between(3, 8) as u32 {
                    let (edit, answer) = (self.medium(), self.answer());
                    self.planned
                        .push_back((edit, answer, false, Label::EditTest, lap));
                    let answer = self.answer();
                    let failed = self.random.chance(50.0);
                    self.planned
                        .push_back((test.clone(), answer, failed, Label::EditTest, lap));
                }
            }
        }
    }
}

impl Iterator for Stream {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.planned.is_empty() {
            self.plan();
        }
        let ((tool, arguments), answer, failed, label, laps) = self.planned.pop_front()?;
        self.at += self.random.between(200, 4_000) as i64;
        self.rows += 1;
        let (id, at) = (self.rows, self.at);
        let mut args = String::new();
        for (name, value) in arguments {
            let comma = if args.is_empty() { "" } else { "," };
            let _ = write!(args, "{comma}\"{name}\":{value}");
        }
        let status = if failed { "error" } else { "ok" };
        Some(Row {
            call: format!(
                r#"{{"event":"call","id":"c{id}","tool":"{tool}","args":{{{args}}},"at":{at}}}"#
            ),
            result: format!(
                r#"{{"event":"result","id":"c{id}","status":"{status}","output":{answer},"at":{}}}"#,
                at + 100
            ),
            turn: format!(r#"{{"event":"turn","at":{}}}"#, at + 150),
            label,
            episode: self.episode,
            laps,
        })
    }
}
