//! Bounded time and memory, before and after authentication.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ChildStdin},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    attacks::processor_time,
    mcp_http_peer::{EVENTS, Front, Upstream, begin, call, chunk, echo, eventually, recorded},
    mcp_proxy::{Proxy, request},
    run::Place,
};

const TOKEN: &str = "the-right-one";
const MB: usize = 1_000_000;

/// Processor time since then.
fn since(process: u32, before: Duration) -> Duration {
    processor_time(process).saturating_sub(before)
}

/// Memory that a process has in use, in bytes.
fn resident(process: u32) -> usize {
    status(process, "VmRSS:")
}

fn status(process: u32, name: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.expect("a line").trim().trim_end_matches(" kB");
    kilobytes.parse::<usize>().expect("a number") * 1_024
}

/// The most memory that a process has had in use, in bytes.
fn peak(process: u32) -> usize {
    status(process, "VmHWM:")
}

/// The most memory that a process has in use within this time.
fn most_resident(process: u32, time: Duration) -> usize {
    let began = Instant::now();
    let mut most = 0;
    while began.elapsed() < time {
        most = most.max(resident(process));
        thread::sleep(Duration::from_millis(20));
    }
    most
}

/// A proxy that asks for a token.
fn guarded(place: &Place, upstream: &Upstream, words: &[&str]) -> Front {
    let url = upstream.url();
    let mut all = vec!["--name", "s", "--upstream", &url];
    all.extend(words);
    Front::with(place, &all, &[("UNSTUCK_MCP_TOKEN", TOKEN)])
}

fn honest(front: &Front, id: u64) -> u16 {
    let headers = format!("Authorization: Bearer {TOKEN}\r\n");
    front
        .post(&headers, &call(id, "read", &json!({"n": id})))
        .status
}

/// Status of the answer, and processor time of the proxy, for a request without a token behind so many blank lines.
fn blank_lines(front: &Front, lines: usize) -> (u16, Duration) {
    let before = processor_time(front.child.id());
    let request = front.request("/mcp", "", &call(1, "read", &json!({})));
    let mut stream = front.open(&format!("{}{request}", "\r\n".repeat(lines)));
    let (status, _) = stream.head();
    (status, since(front.child.id(), before))
}

#[test]
fn a3_blank_lines_before_a_request_cost_next_to_nothing() {
    let place = Place::new("cost-a3");
    let upstream = Upstream::echo();
    let front = guarded(&place, &upstream, &[]);
    let (status, time) = blank_lines(&front, 60_000);
    // It may have been disconnected before it had read the answer.
    assert!(matches!(status, 400 | 0), "{status}");
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert_eq!(honest(&front, 1), 200);
}

#[test]
fn s7_time_before_authentication_does_not_grow_with_the_square() {
    let place = Place::new("cost-s7");
    let upstream = Upstream::echo();
    let front = guarded(&place, &upstream, &[]);
    let (_, short) = blank_lines(&front, 15_000);
    let (_, long) = blank_lines(&front, 60_000);
    let most = short * 6 + Duration::from_millis(300);
    assert!(long < most, "{short:?} and then {long:?}");
    // The few that RFC 9112 asks for are ignored.
    let request = front.request("/mcp", "", &call(1, "read", &json!({})));
    assert_eq!(front.send(&format!("\r\n\r\n{request}")).status, 401);
}

/// Begins a session with a server that is a line of shell, and returns the header that names it.
fn begin_session(front: &Front) -> String {
    let body = json!({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}).to_string();
    let answer = front.post("", &body);
    assert_eq!(answer.status, 200, "{answer:?}");
    let id = answer.header("mcp-session-id").expect("a session");
    format!("Mcp-Session-Id: {id}\r\n")
}

const INITIALIZED: &str = r#"read -r line; printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{}}'"#;

fn notification(bytes: usize) -> String {
    let filler = "x".repeat(bytes);
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"a":"{filler}"}}}}"#)
}

#[test]
fn a5_notifications_for_a_server_that_does_not_read_are_bounded_in_bytes() {
    let place = Place::new("cost-a5-in");
    let script = format!("{INITIALIZED}; sleep 6; wc -l > lines.txt");
    let front = Front::start(&place, &["--", "sh", "-c", &script]);
    let session = begin_session(&front);
    let body = notification(15 * MB);
    let mut accepted = 0;
    let mut refused = 0;
    for _ in 0..16 {
        let answer = front.post(&session, &body);
        match answer.status {
            202 => accepted += 1,
            503 => {
                refused += 1;
                assert!(answer.header("retry-after").is_some());
                assert!(answer.json()["error"]["message"].is_string());
            }
            other => panic!("{other}"),
        }
    }
    let memory = resident(front.child.id());
    assert!(memory < 200 * MB, "{} MB", memory / MB);
    assert!(accepted >= 1 && refused >= 1);
    // What was accepted arrives, as soon as the server reads.
    eventually("it reads", || place.path("lines.txt").exists());
    let ended = front.send(&front.bare("DELETE", &session));
    assert_eq!(ended.status, 204);
    eventually("all that was accepted", || {
        place.read("lines.txt").trim() == accepted.to_string()
    });
}

#[test]
fn a5_messages_for_a_client_that_does_not_read_are_bounded_in_bytes() {
    let place = Place::new("cost-a5-out");
    place.write("big.json", format!("{}\n", notification(4 * MB)));
    let script = format!("{INITIALIZED}; while cat big.json; do :; done");
    let front = Front::start(&place, &["--", "sh", "-c", &script]);
    let session = begin_session(&front);
    let mut stream = front.open(&front.bare("GET", &session));
    assert_eq!(stream.head().0, 200);
    let memory = most_resident(front.child.id(), Duration::from_secs(4));
    assert!(memory < 200 * MB, "{} MB", memory / MB);
    // The client goes on to read, and misses nothing.
    for _ in 0..20 {
        let mut event = String::new();
        while !event.ends_with("\n\n") {
            event.push_str(&stream.chunk().expect("more"));
        }
        assert!(event.len() > 4 * MB);
    }
}

/// A length that is only announced takes no memory from others.
#[test]
fn held_announced_lengths_keep_no_message_out() {
    let place = Place::new("cost-s14-announced");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &[]);
    let body = notification(54 * MB);
    let request = front.request("/mcp", "", &body);
    let head = request.len() - body.len();
    let silent: Vec<TcpStream> = (0..3)
        .map(|_| {
            let mut stream = TcpStream::connect(front.address).expect("it listens");
            let begun = &request.as_bytes()[..=head];
            stream.write_all(begun).expect("it reads");
            stream
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    let before = Instant::now();
    assert_eq!(front.post("", &notification(20 * MB)).status, 202);
    assert!(before.elapsed() < Duration::from_secs(20));
    drop(silent);
}

#[test]
fn s14_bodies_of_many_connections_share_one_bound() {
    let place = Place::new("cost-s14");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &[]);
    let body = notification(40 * MB);
    let request = front.request("/mcp", "", &body);
    // All but the end, so that none of them is complete.
    let begun = &request[..request.len() - 10];
    let streams: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(front.address).expect("it listens");
            let timeout = Some(Duration::from_secs(10));
            stream.set_write_timeout(timeout).expect("a timeout");
            let _ = stream.write_all(begun.as_bytes());
            stream
        })
        .collect();
    thread::sleep(Duration::from_millis(300));
    let memory = resident(front.child.id());
    assert!(memory < 256 * MB, "{} MB", memory / MB);
    // Short messages go on.
    assert_eq!(front.call(1, "read", &json!({})).status, 200);
    drop(streams);
    eventually("memory for a long one", || {
        front.post("", &body).status == 202
    });
}

#[test]
fn held_comments_of_an_event_take_no_memory() {
    let place = Place::new("cost-s14-comments");
    let upstream = Upstream::new(|request, stream| {
        begin(stream, EVENTS);
        let comments = ":\n".repeat(MB / 2);
        for _ in 0..16 {
            chunk(stream, &comments);
        }
        chunk(stream, &format!("data: {}\n\n", echo(&request.json())));
        chunk(stream, "");
    });
    let front = Front::before(&upstream, &place, &[]);
    let answer = front.call(1, "read", &json!({"n": 1}));
    assert_eq!(answer.events()[0]["id"], 1, "{answer:?}");
    let memory = peak(front.child.id());
    assert!(memory < 120 * MB, "{} MB", memory / MB);
}

#[test]
fn s14_long_progress_tokens_are_refused() {
    let place = Place::new("cost-s14-tokens");
    let script = format!("{INITIALIZED}; cat > heard.txt");
    let limits = ["--max-message", "5000000", "--max-memory", "48000000"];
    let words = [&limits[..], &["--", "sh", "-c", &script]].concat();
    let front = Front::start(&place, &words);
    let session = begin_session(&front);
    let ask = |id: u64, token: usize| {
        let meta = json!({"progressToken": "t".repeat(token)});
        let body = json!({"jsonrpc":"2.0","id":id,"method":"x/y","params":{"_meta":meta}});
        front.open(&front.request("/mcp", &session, &body.to_string()))
    };
    let mut streams = Vec::new();
    for id in 2..32 {
        streams.push(ask(id, 4 * MB));
        // The server reads what was sent, also in a build without optimisation on a busy machine.
        thread::sleep(Duration::from_millis(150));
    }
    eventually("memory for messages that were refused", || {
        resident(front.child.id()) < 90 * MB
    });
    for stream in streams {
        let answer = stream.finish();
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["error"]["code"], -32602);
    }
    // A token of 1 KiB, with its quotes, is passed on.
    assert_eq!(ask(62, 1_023).finish().status, 400);
    let _waits = ask(63, 1_022);
    eventually("the request", || {
        let heard = place.read("heard.txt");
        heard.lines().count() == 1 && heard.contains(r#""id":63"#)
    });
}

#[test]
fn a5_a_call_that_the_server_did_not_read_is_recorded_and_its_id_is_free() {
    let place = Place::new("cost-a5-busy");
    let script = format!("{INITIALIZED}; sleep 15");
    let limits = ["--max-message", "1000000", "--max-memory", "3000000"];
    let words = [&limits[..], &["--", "sh", "-c", &script]].concat();
    let front = Front::start(&place, &words);
    let session = begin_session(&front);
    let filler = notification(300_000);
    while front.post(&session, &filler).status == 202 {}
    let long = call(7, "read", &json!({"a": "x".repeat(300_000)}));
    for _ in 0..2 {
        let answer = front.post(&session, &long);
        assert_eq!(answer.status, 503, "{answer:?}");
        assert!(answer.header("retry-after").is_some());
    }
    eventually("both are recorded as failed", || {
        let calls = recorded(&place, "call");
        calls.len() == 2 && calls.iter().all(|call| call["outcome"] == "failed")
    });
}

#[test]
fn a5_calls_without_an_answer_are_bounded_in_bytes() {
    const CALLS: u64 = 170;
    let place = Place::new("cost-a5-waiting");
    let mut words = vec!["mcp", "--name", "s", "--no-config", "--no-audit"];
    words.extend(["--", "sh", "-c", "cat > /dev/null"]);
    let mut proxy = Proxy::of(place.command(&words));
    // What is kept of a call has the length of its tool's name, and of arguments that are recorded.
    let filler = "x".repeat(MB);
    for id in 0..CALLS {
        let tool = format!("{id}{filler}");
        proxy.send(&request(id, &tool, &json!({})));
    }
    thread::sleep(Duration::from_millis(300));
    let memory = resident(proxy.child.id());
    assert!(memory < 170 * MB, "{} MB", memory / MB);
    // The last ones still wait: an id that is used again is refused.
    proxy.send(&request(CALLS - 1, "read", &json!({})));
    assert!(proxy.receive()["error"].is_object());
    assert_eq!(proxy.end().0, Some(0));
}

#[test]
fn b14_idle_connections_without_a_token_keep_nobody_out() {
    let place = Place::new("cost-b14");
    let upstream = Upstream::echo();
    let front = guarded(&place, &upstream, &[]);
    let mut idle = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(front.address).expect("it listens");
        // Silent ones, half heads, and requests without a token on connections that stay open.
        let _ = match number % 3 {
            0 => Ok(()),
            1 => stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: "),
            _ => {
                let request = front.bare("GET", "").replace("Connection: close\r\n", "");
                stream.write_all(request.as_bytes())
            }
        };
        idle.push(stream);
    }
    for id in 0..20 {
        assert_eq!(honest(&front, id), 200);
    }
    // Nor do those who come back at once.
    for id in 20..40 {
        for _ in 0..30 {
            idle.push(TcpStream::connect(front.address).expect("it listens"));
        }
        assert_eq!(honest(&front, id), 200);
        idle.drain(..30);
    }
}

#[test]
fn b14_without_a_token_the_oldest_idle_connection_makes_room() {
    let place = Place::new("cost-b14-open");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--max-connections", "8"]);
    let kept_open = front
        .request("/mcp", "", &call(1, "read", &json!({})))
        .replace("Connection: close\r\n", "");
    let idle: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(front.address).expect("it listens");
            stream.write_all(kept_open.as_bytes()).expect("it reads");
            let mut beginning = [0; 12];
            stream.read_exact(&mut beginning).expect("an answer");
            assert_eq!(&beginning, b"HTTP/1.1 200");
            stream
        })
        .collect();
    for id in 2..6 {
        assert_eq!(front.call(id, "read", &json!({})).status, 200);
    }
    drop(idle);
}

#[test]
fn c13_requests_without_the_right_token_are_limited_and_logged() {
    let place = Place::new("cost-c13");
    let upstream = Upstream::echo();
    let front = guarded(&place, &upstream, &[]);
    let mut answers = [0; 2];
    for id in 0..60 {
        let wrong = "Authorization: Bearer guess\r\n";
        match front.post(wrong, &call(id, "read", &json!({}))).status {
            401 => answers[0] += 1,
            429 => answers[1] += 1,
            other => panic!("{other}"),
        }
    }
    assert!(answers[0] <= 30, "{answers:?}");
    // From the same address, with the right token.
    assert_eq!(honest(&front, 1), 200);
    let (_, said) = front.end();
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("without the right token"))
        .collect();
    assert!(matches!(lines.len(), 1..=3), "{said}");
    let logged: u64 = lines
        .iter()
        .filter_map(|line| line.split(' ').find_map(|word| word.parse::<u64>().ok()))
        .sum();
    assert_eq!(logged, 60, "{said}");
}

/// `unstuck check`, which is asked for its processor time while it waits for more.
struct Check {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Check {
    fn start(place: &Place) -> Self {
        let mut child = place
            .command(&["check", "--no-config"])
            .spawn()
            .expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            input,
            output,
        }
    }

    /// The processor time that these lines take.
    fn time(&mut self, lines: &str) -> Duration {
        let before = processor_time(self.child.id());
        let (input, output) = (&mut self.input, &mut self.output);
        thread::scope(|scope| {
            scope.spawn(move || input.write_all(lines.as_bytes()).expect("it reads"));
            for _ in lines.lines() {
                let mut answer = String::new();
                output.read_line(&mut answer).expect("it answers");
                assert!(answer.contains("\"verdict\""), "{answer}");
            }
        });
        since(self.child.id(), before)
    }
}

impl Drop for Check {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the index of commit 45e8447 puts a session of the agent `main`, of 16,384 places.
fn old_place(session: &str) -> u64 {
    let join = |mark: u64, word: u64| {
        let product = u128::from(mark ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word | 1);
        (product as u64) ^ ((product >> 64) as u64) ^ word.rotate_left(32)
    };
    let mut mark = session.len() as u64;
    for chunk in session
        .as_bytes()
        .chunks(8)
        .chain("main".as_bytes().chunks(8))
    {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mark = join(
            mark,
            u64::from_le_bytes(word).rotate_left(7) ^ chunk.len() as u64,
        );
    }
    (mark ^ (mark >> 32)) & 16_383
}

/// One call in each of these sessions.
fn calls(sessions: &[String]) -> String {
    let mut lines = String::new();
    for session in sessions {
        let _ = writeln!(
            lines,
            r#"{{"event":"call","id":"1","tool":"t","session":"{session}"}}"#
        );
    }
    lines
}

#[test]
fn c2_chosen_session_names_do_not_slow_the_engine_down() {
    let place = Place::new("cost-c2");
    let names = (0_u64..).map(|number| format!("s{number:09}"));
    let crowded: Vec<String> = names
        .clone()
        .filter(|name| old_place(name) < 256)
        .take(8_000)
        .collect();
    let usual: Vec<String> = names.take(8_000).collect();
    let distinct: BTreeSet<u64> = usual.iter().map(|name| old_place(name)).collect();
    assert!(distinct.len() > 4_000);
    let time = |sessions: &[String]| {
        let mut check = Check::start(&place);
        let lines = calls(sessions);
        check.time(&lines);
        check.time(&lines.repeat(4))
    };
    let (usual, crowded) = (time(&usual), time(&crowded));
    let most = usual * 2 + Duration::from_millis(100);
    assert!(crowded < most, "{crowded:?} in place of {usual:?}");
}

#[test]
fn c3_nested_arguments_cost_what_flat_ones_do() {
    let place = Place::new("cost-c3");
    let filler = "x".repeat(24 * MB);
    let line = |args: &str| {
        format!("{{\"event\":\"call\",\"id\":\"1\",\"tool\":\"t\",\"args\":{args}}}\n")
    };
    let mut nested = format!("\"{filler}\"");
    for _ in 0..120 {
        nested = format!(r#"{{"b":{nested},"a":1}}"#);
    }
    let flat = format!(r#"{{"b":"{filler}","a":1}}"#);
    let mut check = Check::start(&place);
    let flat = check.time(&line(&flat));
    let nested = check.time(&line(&nested));
    let most = flat * 4 + Duration::from_millis(150);
    assert!(nested < most, "{nested:?} in place of {flat:?}");
    // Arrays, of which every level is looked through.
    let numbers = format!("[{}1]", "1,".repeat(MB));
    let nested = format!("{}{numbers}{}", "[".repeat(120), "]".repeat(120));
    let flat = check.time(&line(&format!(r#"{{"a":{numbers}}}"#)));
    let nested = check.time(&line(&format!(r#"{{"a":{nested}}}"#)));
    let most = flat * 4 + Duration::from_millis(100);
    assert!(nested < most, "{nested:?} in place of {flat:?}");
}

/// However large and nested arguments are, the order of their members hides no loop.
#[test]
fn held_the_order_of_nested_members_hides_no_loop() {
    let place = Place::new("cost-c3-order");
    let filler = "x".repeat(40_000);
    let mut input = String::new();
    for id in 0..8_u32 {
        let mut args = format!("\"{filler}\"");
        for level in 0..40_u32 {
            // Another order for every call.
            args = if id.wrapping_mul(0x9e37_79b9) >> (level % 32) & 1 == 0 {
                format!(r#"{{"a":0,"b":{args}}}"#)
            } else {
                format!(r#"{{"b":{args},"a":0}}"#)
            };
        }
        let call = format!(r#"{{"event":"call","id":{id},"tool":"t","args":{args}}}"#);
        let result = format!(r#"{{"event":"result","id":{id},"output":"none"}}"#);
        input.extend([&*call, "\n", &*result, "\n"]);
    }
    let verdicts = place.run_with(&["check", "--no-config"], input.as_bytes());
    let verdicts = verdicts.verdicts();
    assert_eq!((&*verdicts[8], &*verdicts[10]), ("allow", "deny"));
}

#[test]
fn c15_memory_of_a_long_message_comes_back() {
    let place = Place::new("cost-c15");
    let mut proxy = Proxy::start(&place, &["--no-config"]);
    proxy.call(1, "echo", &json!({"n": 1}));
    let before = resident(proxy.child.id());
    // Several times: whether an allocator gives memory back by itself depends on when it is asked.
    for round in 1..=3 {
        let answer = proxy.call(round * 100, "long", &json!({"megabytes": 57}));
        assert_eq!(answer["id"], round * 100);
        for id in 1..10 {
            proxy.call(round * 100 + id, "echo", &json!({"n": id}));
        }
        let began = Instant::now();
        let mut memory = usize::MAX;
        while memory > before + 60 * MB && began.elapsed() < Duration::from_secs(12) {
            thread::sleep(Duration::from_millis(50));
            memory = resident(proxy.child.id());
        }
        assert!(
            memory < before + 60 * MB,
            "{} MB before, {} MB after",
            before / MB,
            memory / MB
        );
    }
}
