use super::*;

fn ago(seconds: u64) -> Since {
    Since::Ago(Duration::from_secs(seconds))
}

#[test]
fn spans_and_times_are_read() {
    assert_eq!("90m".parse(), Ok(ago(5_400)));
    assert_eq!("12h".parse(), Ok(ago(43_200)));
    assert_eq!("7d".parse(), Ok(ago(604_800)));
    assert_eq!("2w".parse(), Ok(ago(1_209_600)));
    assert_eq!(
        "2026-11-01T08:00:00Z".parse(),
        Ok(Since::At(1_793_520_000_000))
    );
    assert!("2026-11-01".parse::<Since>().is_ok());
}

#[test]
fn anything_else_is_explained() {
    for text in [
        "",
        "d",
        "7",
        "7y",
        "-1d",
        "2026-13-01",
        "yesterday",
        "７d",
        "é",
    ] {
        assert_eq!(text.parse::<Since>(), Err(WRONG), "{text}");
    }
}

#[test]
fn a_span_counts_back_from_now() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
    let since = |text: &str| text.parse::<Since>().map(|since| since.milliseconds(now));
    assert_eq!(since("10m"), Ok(400_000));
    assert_eq!(since("9d"), Ok(0), "before all recorded time");
}
