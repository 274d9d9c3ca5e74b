use super::*;

fn hear(voices: &mut Voices, text: &str) {
    voices.hear(text, Role::Assistant, 1, 0);
}

fn found(text: &str) -> u32 {
    let mut voices = Voices::default();
    hear(&mut voices, text);
    voices.chant(Role::Assistant).map_or(0, |chant| chant.found)
}

#[test]
fn hostile_text_is_read_in_linear_time() {
    // Ten megabytes each; anything worse than linear would not end.
    let most = if cfg!(debug_assertions) {
        1 << 17
    } else {
        10 << 20
    };
    let mut state = 1_u32;
    let noise: String = (0..most)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from((state >> 24) as u8)
        })
        .collect();
    assert_eq!(found(&noise), 0);
    assert_eq!(found(&"a".repeat(most)), 1);
    assert_eq!(found(&"ab".repeat(most / 2)), 1);
    assert_eq!(found(&("a".repeat(1_007) + " ").repeat(most / 1_008)), 1);
    assert_eq!(found(&"`".repeat(most)), 0);
    assert_eq!(found(&" ".repeat(most)), 0);
    assert_eq!(found(&"{[".repeat(most / 2)), 0);
    assert_eq!(found(&"- \n".repeat(most / 3)), 0);
}

#[test]
fn a_stream_is_small_however_long_it_gets() {
    let mut voices = Voices::default();
    let mut state = 1_u32;
    for _ in 0..200 {
        let words: String = (0..600)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(b"etaoin shrdlu. \ncmf"[(state >> 16) as usize % 19])
            })
            .collect();
        hear(&mut voices, &words);
    }
    let bytes = postcard::to_allocvec(&voices).unwrap();
    assert!(bytes.len() < 5 << 10, "{}", bytes.len());
}

#[test]
fn what_is_said_and_what_is_thought_are_two_streams() {
    let mut voices = Voices::default();
    for _ in 0..25 {
        voices.hear("court ", Role::Assistant, 1, 0);
        voices.hear("court ", Role::Thinking, 1, 0);
    }
    assert!(voices.chant(Role::Assistant).is_none());
    assert!(voices.chant(Role::Thinking).is_none());
}

#[test]
fn an_excerpt_is_one_short_line() {
    assert_eq!(excerpt(" \n "), None);
    assert_eq!(excerpt("one\n two").as_deref(), Some("one two"));
    let sixty = "x".repeat(60);
    assert_eq!(excerpt(&sixty).as_deref(), Some(&*sixty));
    let long = excerpt(&"é".repeat(61)).unwrap();
    assert_eq!(long.chars().count(), 41, "a label holds 80 bytes");
}
