use serde_json::Value;

use super::*;

fn lines(journal: &mut Journal) -> Vec<Value> {
    let lines = journal.lines();
    let lines = lines.map(|line| serde_json::from_str(&format!("{{{line}}}")).unwrap());
    let lines = lines.collect();
    journal.clear();
    lines
}

fn refuse(refusals: &mut Refusals, from: Sender, at: i64, journal: &mut Journal) {
    refusals.add(
        from,
        &Refusal::new(RefusalKind::Batch),
        10,
        Micros(at),
        journal,
    );
}

#[test]
fn a_flood_costs_a_line_a_period_and_is_counted_exactly() {
    let mut refusals = Refusals::default();
    let mut journal = Journal::default();
    // A million in a hundred seconds.
    for place in 0..1_000_000 {
        refuse(&mut refusals, Sender::Server, place * 100, &mut journal);
    }
    refuse(&mut refusals, Sender::Client, 100_000_000, &mut journal);
    refusals.end(Micros(100_000_000), &mut journal);
    let lines = lines(&mut journal);
    let server = |line: &&Value| line["from"] == "server";
    assert!(lines.len() < 40, "{} lines", lines.len());
    let count = |line: &Value| line["count"].as_u64().unwrap_or(1);
    let all: u64 = lines.iter().filter(server).map(count).sum();
    assert_eq!(all, 1_000_000);
    let last = lines.iter().rfind(server).unwrap();
    assert_eq!(last["total"], 1_000_000);
    assert_eq!(
        lines
            .iter()
            .filter(|line| line["from"] == "client")
            .map(count)
            .sum::<u64>(),
        1
    );
}

#[test]
fn after_a_quiet_period_refusals_have_lines_again() {
    let mut refusals = Refusals::default();
    let mut journal = Journal::default();
    for _ in 0..30 {
        refuse(&mut refusals, Sender::Server, 0, &mut journal);
    }
    refusals.pass(Micros(PERIOD), &mut journal);
    assert_eq!(lines(&mut journal).len(), 21);
    refusals.pass(Micros(2 * PERIOD), &mut journal);
    refuse(&mut refusals, Sender::Server, 2 * PERIOD + 1, &mut journal);
    let lines = lines(&mut journal);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["event"], "refused");
}

#[test]
fn where_space_is_short_they_are_counted_until_the_end() {
    let mut refusals = Refusals::default();
    let mut journal = Journal::default();
    refusals.only_count(true);
    for place in 0..1_000 {
        refuse(&mut refusals, Sender::Client, place * PERIOD, &mut journal);
    }
    assert!(journal.is_empty());
    refusals.end(Micros(1), &mut journal);
    let lines = lines(&mut journal);
    assert_eq!((lines.len(), &lines[0]["count"]), (1, &1_000.into()));
    assert_eq!(lines[0]["bytes"], 10_000);
}

#[test]
fn where_space_was_short_a_flood_gets_no_lines_of_its_own() {
    let mut refusals = Refusals::default();
    let mut journal = Journal::default();
    for place in 0..30 {
        refuse(&mut refusals, Sender::Client, place, &mut journal);
    }
    refusals.end(Micros(30), &mut journal);
    lines(&mut journal);
    refusals.only_count(true);
    // Refusals in every period, and the clock of the proxy in between.
    for place in 0..1_000 {
        let at = PERIOD + place * PERIOD / 10;
        refuse(&mut refusals, Sender::Client, at, &mut journal);
        refusals.pass(Micros(at + 1), &mut journal);
        refusals.pass(Micros(at + 2), &mut journal);
    }
    refusals.only_count(false);
    let at = PERIOD + 100 * PERIOD;
    refuse(&mut refusals, Sender::Client, at, &mut journal);
    refusals.end(Micros(at), &mut journal);
    let lines = lines(&mut journal);
    assert!(lines.iter().all(|line| line["event"] == "refusals"));
    let counted = lines.iter().map(|line| line["count"].as_u64().unwrap());
    assert_eq!(counted.sum::<u64>(), 1_001);
    // The line says since when it counts.
    assert_eq!(lines[0]["since"], PERIOD / 1_000);
}
