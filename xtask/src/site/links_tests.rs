use super::*;

fn targets(text: &str) -> Vec<(usize, &str, &str)> {
    links(text)
        .into_iter()
        .map(|link| (link.line, &text[link.text], &text[link.target]))
        .collect()
}

#[test]
fn links_are_found_outside_of_code() {
    let text = "A [b](c.md) and ![d](e.png \"title\").\n\
                `[no](no.md)` ``a ` [no](no.md)`` [`yes`](yes.md#x)\n\
                ```text\n[no](no.md)\n```\n\
                a [text over\ntwo lines](two.md), [![in](a.svg)](b.md)\n";
    assert_eq!(
        targets(text),
        [
            (1, "b", "c.md"),
            (1, "d", "e.png"),
            (2, "`yes`", "yes.md#x"),
            (7, "text over\ntwo lines", "two.md"),
            (7, "in", "a.svg"),
            (7, "![in](a.svg)", "b.md"),
        ]
    );
    let image = links(text)[1].clone();
    assert!(image.is_image);
    assert_eq!(&text[image.whole(text)], "![d](e.png \"title\")");
}

#[test]
fn only_places_in_the_repository_are_relative() {
    for (target, is_it) in [
        ("a.md", true),
        ("../a/b.md#c", true),
        ("#c", true),
        ("a/b:c.md", true),
        ("https://example.com/a", false),
        ("mailto:a@example.com", false),
        ("//example.com", false),
        ("", false),
    ] {
        assert_eq!(is_relative(target), is_it, "{target}");
    }
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# It stopped: what now?\n## `unstuck.toml` and [links](a.md)\n#no\n```sh\n# no\n```\n## Twice\n## Twice\n";
    assert_eq!(
        anchors(text),
        [
            "it-stopped-what-now",
            "unstucktoml-and-links",
            "twice",
            "twice-1"
        ]
    );
    assert_eq!(title(text), Some("It stopped: what now?"));
}
