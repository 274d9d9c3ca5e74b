use super::*;

#[test]
fn what_a_harness_puts_around_an_output_is_left_out() {
    let codex =
        "Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code 7\nOutput:\nrefused\n";
    assert_eq!(unwrapped(codex), "refused\n");
    let gemini = "<untrusted_context>\nOutput: no rule\nExit Code: 2\n</untrusted_context>";
    assert!(unwrapped(gemini).starts_with("no rule\n"));
    let silent = "Chunk ID: 0a\nProcess exited with code 7\nOutput:\n";
    assert_eq!(unwrapped(silent), silent);
    assert_eq!(unwrapped("plain"), "plain");
}
