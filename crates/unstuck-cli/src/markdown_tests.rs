use super::render;

fn plain(page: &str) -> String {
    anstream::adapter::strip_str(&render(page)).to_string()
}

#[test]
fn headings_paragraphs_lists_and_code_are_told_apart() {
    let page = "## What it does\n\nCounts `calls`\nand more.\n\n## Options\n\n- `a`: one.\n- `b`: two,\n  going on.\n\n```text\n  x -> y\n```\n";
    assert_eq!(
        plain(page),
        "What it does\n\n  Counts calls and more.\n\nOptions\n\n  - a: one.\n  - b: two, going on.\n\n      x -> y\n"
    );
}

#[test]
fn long_paragraphs_are_wrapped() {
    let page = "word ".repeat(40);
    let lines: Vec<_> = plain(&page).lines().map(str::len).collect();
    assert_eq!(lines, [76, 76, 51]);
}
