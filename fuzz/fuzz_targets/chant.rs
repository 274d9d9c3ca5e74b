//! Text in any pieces: it is found to repeat itself as the whole is, and a snapshot in the middle changes nothing.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use unstuck::{Decision, Engine, Event, Preset, Settings, Verdict};

#[derive(Arbitrary, Debug)]
struct Input {
    /// Pieces of text, each so many times over.
    text: Vec<(String, u8)>,
    /// Where to cut it.
    cuts: Vec<u8>,
    /// After which piece to go on in another process.
    moved: u8,
}

fn engine() -> Engine {
    Engine::new(Settings::of(Preset::Standard))
}

fn laps(decision: &Decision) -> Vec<(u32, Vec<Box<str>>)> {
    let findings = decision.findings.iter();
    findings.map(|finding| (finding.repeats, finding.pattern.to_vec())).collect()
}

fuzz_target!(|input: Input| {
    let text: String = input.text.iter().map(|(piece, times)| piece.repeat(usize::from(*times))).collect();
    let whole = engine().observe(Event::text(text.as_str()));
    assert!(whole.verdict <= Verdict::Nudge);

    let (mut pieces, mut strictest, mut rest, mut last) = (engine(), Verdict::Allow, text.as_str(), None);
    let cuts = input.cuts.iter().map(|cut| usize::from(*cut) + 1).chain([usize::MAX]);
    for (at, cut) in cuts.enumerate() {
        let mut cut = cut.min(rest.len());
        while !rest.is_char_boundary(cut) {
            cut += 1;
        }
        let (piece, after) = rest.split_at(cut);
        rest = after;
        let decision = pieces.observe(Event::text(piece));
        strictest = strictest.max(decision.verdict);
        last = Some(decision);
        if at == usize::from(input.moved)
            && let Some(snapshot) = pieces.snapshot("default", "main")
        {
            pieces = engine();
            pieces.restore("default", "main", &snapshot).unwrap();
        }
    }
    assert_eq!(strictest.min(Verdict::Nudge), whole.verdict);
    if strictest < Verdict::Halt
        && let Some(last) = last
    {
        assert_eq!(laps(&last), laps(&whole));
    }
});
