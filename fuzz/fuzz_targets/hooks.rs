//! Any lines are taken as the hooks of one session, whichever host they were registered for. Nothing panics, every answer
//! has a form that its host reads, and a guard that failed denies only calls that are about to run.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unstuck::{Engine, Verdict, settings::Settings};
use unstuck_hosts::{
    Answer, Host, Moment, Output, Watch, decode, encode, encode_allow, encode_failure, encode_unread_failure,
};

/// Longest name of a session or an agent: the library cuts longer ones and gives them a digest.
const LONGEST_NAME: usize = 512;

const KEY: [u8; 32] = [7; 32];

/// Longest text that a hook may send into a model's context beside what the guard says.
const FRAME: usize = 1_024;

fuzz_target!(|bytes: &[u8]| {
    let named = Host::ALL[bytes.len() % Host::ALL.len()];
    let mut engine = Engine::new(Settings::default());
    let mut watch = Watch::default();
    for (at, line) in (0..).zip(bytes.split(|byte| *byte == b'\n')) {
        // Some hosts name the event on the command line, all others in the input.
        let events = named.events();
        let event = events.get(line.len() % (events.len() + 1)).copied();
        for event in [event, None] {
            let Ok(hook) = decode(named, event, line, &KEY, &|_| None) else {
                well_formed(&encode_unread_failure(named, event, line, "Why."));
                continue;
            };
            assert!(hook.session.len() <= LONGEST_NAME && hook.agent.len() <= LONGEST_NAME);
            for verdict in [Verdict::Allow, Verdict::Nudge, Verdict::Deny, Verdict::Halt] {
                well_formed(&encode(&hook, &Answer::new(verdict, "Why \"this\"\n\u{7}?")));
            }
            let failure = encode_failure(&hook, "Why.");
            well_formed(&failure);
            if hook.moment != Moment::BeforeCall {
                assert_eq!(failure, encode_allow(hook.host));
            }
            let judged = watch.take(&hook, &mut engine, at * 1_000);
            let output = encode(&hook, &judged.answer);
            well_formed(&output);
            // A text may be escaped, and some hosts want it twice.
            assert!(output.stdout.len() <= 12 * judged.answer.text.len() + FRAME);
        }
    }
});

/// Hosts read nothing, or one JSON document; the process ends with success, or with the code that hosts take for a text.
fn well_formed(output: &Output) {
    assert!(matches!(output.exit_code, 0 | 2), "{output:?}");
    if !output.stdout.is_empty() && output.exit_code == 0 {
        let json = serde_json::from_str::<serde_json::Value>(&output.stdout);
        assert!(json.is_ok_and(|json| json.is_object()), "{output:?}");
    }
}
