use super::*;

#[test]
fn a_call_that_is_hashed_in_pieces_has_the_fingerprint_of_its_text() {
    let prints = Fingerprinter::new(b"secret");
    let lengths = [0, 1, 1_000, 4_000, 20_000, 100_000];
    let around = (FIRST_PIECE - 40)..=(FIRST_PIECE + 2);
    for length in lengths.into_iter().chain(around) {
        for letter in ["a", "é"] {
            let text = letter.repeat(length / letter.len());
            let args = Json::object([("text", Json::string(&text).view())].into_iter());
            let whole = format!("{{\"args\":{args},\"tool\":\"edit\"}}");
            let expected = prints.canonical(Domain::Action, whole.as_bytes());
            assert_eq!(prints.action("edit", &args), expected, "{length} {letter}");
        }
    }
}
