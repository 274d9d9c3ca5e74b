use super::{Either, Place, Values, beginning};
use crate::{
    elements::Raw,
    sink::{Problem, Sink, Usage},
    transcript::Lines as _,
};

#[derive(Default)]
struct Heard(Vec<String>);

impl Sink for Heard {
    fn event(&mut self, _: unstuck::Event) {}

    fn usage(&mut self, _: Usage) {}

    fn problem(&mut self, problem: Problem) {
        self.0
            .push(format!("{:?} {}", problem.line, problem.message));
    }
}

/// Tells each value as a problem.
struct Echo;

impl Values for Echo {
    fn value(&mut self, place: Place, value: Raw<'_>, sink: &mut dyn Sink) {
        let line = match place {
            Place::Line(line) => Some(line),
            Place::Document => None,
        };
        sink.problem(Problem {
            line,
            message: value.text.into(),
        });
    }
}

fn heard(lines: &[&str]) -> Vec<String> {
    let mut either = Either::new(Echo);
    let mut heard = Heard::default();
    for (line, number) in lines.iter().zip(1..) {
        if let Err(message) = either.line(number, line.as_bytes(), &mut heard) {
            heard.0.push(format!("error {number} {message}"));
        }
    }
    either.end(&mut heard);
    heard.0
}

#[test]
fn lines_are_lines_and_a_document_is_one() {
    assert_eq!(heard(&["{}", "[1]"]), ["Some(1) {}", "Some(2) [1]"]);
    assert_eq!(heard(&["[1,2]"]), ["None [1,2]"]);
    assert_eq!(heard(&["[", "1,", "2", "]"]), ["None [\n1,\n2\n]"]);
    assert_eq!(heard(&["{", "}", "{", "}"]), ["None {\n}", "None {\n}"]);
    assert_eq!(heard(&[]), [""; 0]);
}

#[test]
fn a_broken_line_is_told_wherever_it_stands() {
    assert_eq!(
        heard(&["{\"a\":", "{}", "{\"b\" 1}", "{}"]),
        [
            "Some(1) unexpected end of input",
            "Some(2) {}",
            "error 3 expected `:` at byte 5",
            "Some(4) {}",
        ]
    );
    assert_eq!(
        heard(&["{}", "{} {}"]),
        [
            "Some(1) {}",
            "error 2 unexpected text after the value at byte 2"
        ]
    );
}

#[test]
fn a_document_without_an_end_is_told_of() {
    assert_eq!(
        heard(&["[", "1,"]),
        [
            "None [\n1,",
            "None the document is cut off; everything before that point was read",
        ]
    );
    assert_eq!(
        heard(&["[", "1", "2]"])[1],
        "Some(3) the document is broken; everything before that point was read: expected `,` or `]` at byte 4"
    );
    // The last line of a file that is being written.
    assert_eq!(heard(&["{\"a\":"]), ["None {\"a\":"]);
}

#[test]
fn a_file_is_judged_without_its_broken_first_line() {
    assert_eq!(beginning("{\"a\":\n{\"b\":1}\n"), "{\"b\":1}\n");
    for text in ["[\n{\"b\":1}\n]", "{\"a\":1}\n{}", "{\"a\":\n1}", "{"] {
        assert_eq!(beginning(text), text);
    }
}
