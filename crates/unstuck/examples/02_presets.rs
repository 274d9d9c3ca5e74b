//! One loop and one healthy poller, seen by every preset.
//!
//! ```text
//! cargo run -p unstuck --example 02_presets
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use unstuck::{Call, Engine, Event, Json, Outcome, Preset, Settings, Verdict};

const CALLS: i64 = 12;

/// Makes one call twelve times, four seconds apart, and returns the first answer that is not `allow`: which call it
/// was given to, and how strict it was.
fn first_answer(
    preset: Preset,
    answer: impl Fn(i64) -> String,
) -> Result<Option<(i64, Verdict)>, Box<dyn Error>> {
    let mut engine = Engine::new(Settings::of(preset));
    for n in 1..=CALLS {
        let call = Call::new(
            n.to_string(),
            "get_job",
            Json::parse(r#"{"job":"build-17"}"#)?,
        );
        let result = Outcome::ok(n.to_string(), Json::string(&answer(n)));
        for event in [Event::call(call), Event::result(result), Event::turn()] {
            let verdict = engine.observe(event.at(n * 4_000)).verdict;
            if verdict > Verdict::Allow {
                return Ok(Some((n, verdict)));
            }
        }
    }
    Ok(None)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let show = |answer: Option<(i64, Verdict)>| match answer {
        Some((n, verdict)) => format!("{verdict} at call {n}"),
        None => "nothing".to_owned(),
    };
    println!("{:<20}{:<18}the answer changes", "", "the answer stays");
    for preset in Preset::ALL {
        let stuck = first_answer(preset, |_| "step 3 of 12: linking".to_owned())?;
        let healthy = first_answer(preset, |n| format!("step {n} of 12: compiling"))?;
        let name = preset.as_str();
        println!("{name:<20}{:<18}{}", show(stuck), show(healthy));

        let expected = match preset {
            // Looks at what came back.
            Preset::Standard => (Some((3, Verdict::Nudge)), None),
            // Counts calls in a minute; here they are too slow for it. Outcomes count for steps only.
            Preset::Ironcurtain => (None, None),
            // These look at calls alone, so the poller is the same to them as the loop.
            Preset::Attractor => (Some((2, Verdict::Nudge)), Some((2, Verdict::Nudge))),
            Preset::Attocode => (Some((3, Verdict::Nudge)), Some((3, Verdict::Nudge))),
            Preset::ToolLoopDetector => (Some((3, Verdict::Halt)), Some((3, Verdict::Halt))),
            _ => continue,
        };
        assert_eq!((stuck, healthy), expected, "{preset}");
    }
    Ok(())
}
