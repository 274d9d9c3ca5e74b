use super::*;

const KEY: [u8; 32] = [7; 32];

fn condensed(input: &[u8]) -> String {
    let mut condenser = Condenser::of_whole(&KEY);
    condenser.feed(input);
    condenser.finish()
}

/// Fed byte by byte, it must come to the same.
fn outlined(input: &[u8]) -> String {
    let mut whole = Condenser::of_oversized(&KEY);
    whole.feed(input);
    let whole = whole.finish();
    let mut pieces = Condenser::of_oversized(&KEY);
    for piece in input.chunks(7) {
        pieces.feed(piece);
    }
    assert_eq!(pieces.finish(), whole);
    whole
}

#[test]
fn json_stays_the_same_value() {
    for text in [
        r#"{"a":[1,-2.5e3,true,false,null,"x\n\"\\\/\u0041\ud83d\ude00é😀"],"b":{}}"#,
        "[]",
        r#""plain""#,
        " { \"a\" : [ 1 , 2 ] }\r\n",
    ] {
        let value = Json::parse(text).unwrap();
        assert_eq!(Json::parse(&condensed(text.as_bytes())).unwrap(), value);
        assert_eq!(Json::parse(&outlined(text.as_bytes())).unwrap(), value);
    }
}

#[test]
fn numbers_that_json_does_not_have_become_their_spelling() {
    let input = br#"{"a":NaN,"b":-Infinity,"c":1e999,"d":[Infinity,nan,+1,.5,007],"e":1}"#;
    assert_eq!(
        condensed(input),
        r#"{"a":"NaN","b":"-Infinity","c":"1e999","d":["Infinity","nan","+1",".5","007"],"e":1}"#
    );
}

#[test]
fn half_characters_and_broken_bytes_stay_different() {
    let texts = [
        &br#"["\ud83d"]"#[..],
        br#"["\ud83e"]"#,
        br#"["\udc00"]"#,
        br#"["\ud83d\ud83d"]"#,
        br#"["\ud83dx"]"#,
        br#"["\ud83d\n"]"#,
        b"[\"\xff\"]",
        b"[\"\xfe\"]",
        b"[\"\xc3\"]",
        b"[\"\xc3(\"]",
        b"[\"\xf0\x9f\x98\"]",
        b"[\"\x01\"]",
        br#"["\x"]"#,
        br#"["\u12"]"#,
        br#"["\u12g4"]"#,
    ];
    let read: Vec<_> = texts.iter().map(|text| condensed(text)).collect();
    for (at, text) in read.iter().enumerate() {
        assert!(Json::parse(text).is_ok(), "{text}");
        assert!(!read[..at].contains(text), "{text}");
    }
}

#[test]
fn nesting_beyond_the_limit_becomes_a_digest() {
    let nested = |levels: usize, inside: &str| {
        format!("{}{inside}{}", "[".repeat(levels), "]".repeat(levels))
    };
    let at_limit = nested(128, "1");
    assert_eq!(condensed(at_limit.as_bytes()), at_limit);
    let deep = |inside: &str| {
        let text = condensed(nested(100_000, inside).as_bytes());
        Json::parse(&text).unwrap()
    };
    assert_eq!(deep("1"), deep("1"));
    assert_ne!(deep("1"), deep("2"));
    assert_ne!(deep(r#""]""#), deep(r#""}\"""#));
    // What follows is read as usual.
    let after = format!(r#"{{"a":{},"b":2}}"#, nested(200, r#"{"x":"]\""}"#));
    let json = Json::parse(&condensed(after.as_bytes())).unwrap();
    assert_eq!(json.view().get("b").unwrap().integer(), Some(2));
    // Another key gives another digest.
    let mut other = Condenser::of_whole(&[8; 32]);
    other.feed(after.as_bytes());
    assert_ne!(other.finish(), condensed(after.as_bytes()));
}

#[test]
fn an_outline_is_small_and_keeps_what_is_short() {
    let long = "é\\n".repeat(200_000);
    let many = "[1,{\"a\":2}],".repeat(100_000);
    let digits = "1".repeat(100_000);
    let input = format!(
        r#"{{"session_id":"s","tool_input":{{"command":"{long}","n":{digits}}},"x":[{many}0],"tool_use_id":"c"}}"#
    );
    let outline = outlined(input.as_bytes());
    assert!(outline.len() < 1_000, "{outline}");
    let json = Json::parse(&outline).unwrap();
    let text = |name| json.view().get(name).unwrap().text().unwrap().into_owned();
    assert_eq!(text("session_id"), "s");
    assert_eq!(text("tool_use_id"), "c");
    assert!(text("x").contains("digest"), "{outline}");
    let changed = input.replacen("{\"a\":2}", "{\"a\":3}", 1);
    assert_ne!(outlined(changed.as_bytes()), outline);
    let changed = input.replacen("é\\n", "è\\n", 1);
    assert_ne!(outlined(changed.as_bytes()), outline);
}

#[test]
fn digests_are_words() {
    let word = digest(&KEY, b"x");
    assert_eq!(word.len(), 32);
    assert!(word.bytes().all(|letter| letter.is_ascii_lowercase()));
}

#[test]
fn broken_inputs_stay_broken() {
    for text in [
        "",
        "{",
        "{\"a\"",
        "\"",
        "[1 2]",
        "]",
        "{]",
        "[\"\\",
        "[nonsense",
    ] {
        assert!(Json::parse(&condensed(text.as_bytes())).is_err(), "{text}");
    }
}
