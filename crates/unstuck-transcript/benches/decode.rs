//! How fast transcripts become events: `cargo bench -p unstuck-transcript`.

use std::fmt::Write as _;

use divan::{Bencher, counter::BytesCount};
use unstuck::Event;
use unstuck_json::{Scanner, Scratch};
use unstuck_transcript::{Format, Origin, Problem, Sink, Transcript, Usage};

fn main() {
    divan::main();
}

/// How many calls are in the file.
const CALLS: usize = 4000;

/// Drops everything, but not before it was made.
#[derive(Default)]
struct Drain;

impl Sink for Drain {
    fn event(&mut self, event: Event) {
        divan::black_box_drop(event);
    }
    fn usage(&mut self, usage: Usage) {
        divan::black_box_drop(usage);
    }
    fn problem(&mut self, problem: Problem) {
        panic!("{problem:?}");
    }
}

/// Claude Code as it writes: a line for the call and one for its result, 1 to 20 KB, the result there twice.
fn claude_code() -> Vec<u8> {
    let mut file = Vec::new();
    for call in 0..CALLS {
        let envelope = format!(
            r#""uuid":"b7a0{call:032}","timestamp":"2026-03-01T09:{:02}:{:02}.{:03}Z","userType":"external","entrypoint":"cli","cwd":"/home/ada/shop","sessionId":"7a1c5a52-0000-4000-8000-00000000a001","version":"2.1.300","gitBranch":"main""#,
            call / 60 % 60,
            call % 60,
            call % 1000
        );
        let input = match call % 3 {
            0 => format!(
                r#"{{"command":"grep -rn 'total_{call}' src | head -20","description":"Search for the total"}}"#
            ),
            1 => format!(
                r#"{{"file_path":"/home/ada/shop/src/part_{call}.py","limit":200,"offset":{call}}}"#
            ),
            _ => format!(
                r#"{{"new_string":"    return total_{call}(cart)\n","old_string":"    return None\n","file_path":"/home/ada/shop/src/cart.py"}}"#
            ),
        };
        let usage = r#"{"input_tokens":12,"cache_creation_input_tokens":300,"cache_read_input_tokens":41000,"output_tokens":130,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":300}}"#;
        file.extend_from_slice(
            format!(
                "{{\"parentUuid\":\"a\",\"isSidechain\":false,\"message\":{{\"id\":\"msg_{call}\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-7\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"toolu_{call}\",\"name\":\"Bash\",\"input\":{input}}}],\"stop_reason\":\"tool_use\",\"stop_sequence\":null,\"usage\":{usage}}},\"requestId\":\"req_{call}\",\"type\":\"assistant\",{envelope}}}\n"
            )
            .as_bytes(),
        );
        let mut output = String::new();
        for line in 0..5 + call % 60 {
            let place = line * 7;
            let _ = write!(
                output,
                r#"src/part_{line}.py:{place}:    return \"total\", total_{call}(cart)  # sum of all\n"#
            );
        }
        file.extend_from_slice(
            format!(
                "{{\"parentUuid\":\"b\",\"isSidechain\":false,\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"tool_use_id\":\"toolu_{call}\",\"type\":\"tool_result\",\"content\":\"{output}\",\"is_error\":false}}]}},\"toolUseResult\":{{\"stdout\":\"{output}\",\"stderr\":\"\",\"interrupted\":false,\"isImage\":false}},{envelope}}}\n"
            )
            .as_bytes(),
        );
    }
    file
}

#[divan::bench(min_time = 2)]
fn claude_code_to_events(bencher: Bencher<'_, '_>) {
    let file = claude_code();
    bencher
        .counter(BytesCount::of_slice(&file))
        .bench_local(|| {
            let mut transcript = Transcript::new(Format::ClaudeCode, &Origin::default());
            transcript.document(&file, &mut Drain);
            transcript.end(&mut Drain);
        });
}

/// What it takes to see that the lines are JSON, and nothing else.
#[divan::bench(min_time = 2)]
fn the_lines_passed_over(bencher: Bencher<'_, '_>) {
    let file = claude_code();
    bencher
        .counter(BytesCount::of_slice(&file))
        .bench_local(|| {
            let mut scratch = Scratch::default();
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', &file) {
                let text = unstuck_json::lossy_text(&file[start..end]);
                start = end + 1;
                let mut scanner = Scanner::lossy(&text, &mut scratch);
                assert!(scanner.skip_value().is_ok());
            }
        });
}
