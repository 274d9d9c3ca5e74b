use std::time::{Duration, Instant};

use super::{Written, function, tag};

fn of(written: Option<Written<'_>>) -> String {
    let Some(written) = written else {
        return "none".to_owned();
    };
    let Written {
        before,
        tool,
        args,
        behind,
    } = written;
    format!("{before:?} {tool} {args} {behind:?}")
}

#[test]
fn a_function_is_read_with_its_parameters() {
    let text = "I look.\n<function=execute_bash>\n<parameter=command>\nls -l\ncat <a>\n</parameter>\n<parameter=timeout>10</parameter>\n</function>";
    assert_eq!(
        of(function(text)),
        r#""I look.\n" execute_bash {"command":"ls -l\ncat <a>","timeout":"10"} """#
    );
}

#[test]
fn a_function_that_the_model_did_not_close_is_read_too() {
    for (text, expected) in [
        (
            "<function=f>\n<parameter=a>1</parameter>\n",
            r#""" f {"a":"1"} """#,
        ),
        ("<function=f><parameter=a>1", r#""" f {"a":"1"} """#),
        (
            "<function=f><parameter=a=1</parameter></function>",
            r#""" f {"a":"1"} """#,
        ),
        ("<function=finish></function> x", r#""" finish {} " x""#),
        ("<function=", "none"),
        ("<function=a b>", "none"),
        ("function", "none"),
    ] {
        assert_eq!(of(function(text)), expected, "{text}");
    }
}

#[test]
fn a_tag_with_an_underscore_that_begins_a_line_is_a_call() {
    for (text, expected) in [
        (
            "I read.\n\n<read_file>\n<path>a/b.rs</path>\n</read_file>\n",
            r#""I read.\n\n" read_file {"path":"a/b.rs"} "\n""#,
        ),
        (
            "<write_to_file><path>a</path><content>\n<b>x</content> y\n</content></write_to_file>",
            r#""" write_to_file {"content":"<b>x</content> y","path":"a"} """#,
        ),
        (
            "<replace_in_file>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\nx",
            r#""" replace_in_file {"diff":"<<<<<<< SEARCH\nx","path":"a"} """#,
        ),
        ("<list_all></list_all>", r#""" list_all {} """#),
        ("use <read_file><path>x</path></read_file>", "none"),
        ("<thinking>\n<path>a</path>\n</thinking>", "none"),
        ("<div>\n<p>a</p>\n</div>", "none"),
        ("<read_file>\nno parameter", "none"),
        ("< read_file>", "none"),
    ] {
        assert_eq!(of(tag(text)), expected, "{text}");
    }
}

#[test]
fn hostile_texts_cost_no_more_than_their_length() {
    let began = Instant::now();
    for piece in [
        "<function=",
        "<function=a>",
        "<parameter=",
        "<parameter=a>",
        "<function=a><parameter=b>",
        "<a_b>",
        "<a_b>\n",
        "<a_b><c>",
        "<a_b><c></c>x\n",
        "\n<",
        "<",
        "</a_b>",
    ] {
        for start in ["", "<function=a>", "<a_b><c>", "\n<a_b>\n<c>\n"] {
            let text = format!("{start}{}", piece.repeat((1 << 20) / piece.len()));
            let _ = function(&text);
            let _ = tag(&text);
        }
    }
    // In a build that is not optimised, on a machine that is busy.
    assert!(began.elapsed() < Duration::from_mins(1));
}

#[test]
fn calls_without_ends_are_searched_once() {
    use std::fmt::Write as _;

    let mut text = String::new();
    for call in 0..40_000 {
        let _ = write!(text, "x\n<a_b><k{call:06}></k{call:06}>");
    }
    let began = Instant::now();
    let (mut calls, mut rest) = (0, text.as_str());
    while let Some(written) = tag(rest) {
        calls += 1;
        rest = written.behind;
    }
    assert_eq!(calls, 40_000);
    // Quadratic time would be minutes in a build that is not optimised.
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_value_with_its_own_end_tag_ends_before_the_next_call() {
    let text = "<write_to_file><content>a</content> b\n</content></write_to_file>\n<read_file><path>c</path></read_file>";
    assert_eq!(
        of(tag(text)),
        r#""" write_to_file {"content":"a</content> b"} "\n<read_file><path>c</path></read_file>""#
    );
    let text = "<write_to_file><content>a</content> b\n<read_file><content>c</content></read_file>";
    assert_eq!(
        of(tag(text)),
        r#""" write_to_file {"content":"a"} "b\n<read_file><content>c</content></read_file>""#
    );
}
