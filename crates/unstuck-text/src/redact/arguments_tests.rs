use super::*;

fn clean(words: &[&str]) -> Vec<String> {
    let mut arguments = Arguments::default();
    words
        .iter()
        .map(|word| arguments.redact(word).into_owned())
        .collect()
}

#[test]
fn every_row_of_the_table_of_programs_is_found_in_a_list_too() {
    let mut leaks = Vec::new();
    for (what, secret, _) in super::super::programs::EXAMPLES {
        // What a shell does with quotes and pipes is not part of a list.
        if secret.contains(['|', '\'', '"', '{', '$']) {
            continue;
        }
        let marked: Vec<&str> = secret.split(' ').collect();
        let words: Vec<String> = marked
            .iter()
            .map(|word| word.replace(['«', '»'], ""))
            .collect();
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        for (mark, word) in marked.iter().zip(clean(&words)) {
            let hidden = mark
                .split('«')
                .nth(1)
                .and_then(|rest| rest.split('»').next());
            if hidden.is_some_and(|hidden| word.contains(hidden)) {
                leaks.push(format!("{what}: {secret} -> {word}"));
            }
        }
    }
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn words_that_hold_nothing_stay() {
    for words in [
        &["docker", "run", "-p", "8080:80", "nginx"][..],
        &["username", "password", "email"],
        &["git", "commit", "-m", "token bucket"],
        &["--password-file", "secrets.txt"],
        &["PATH=/bin", "HOME=/root"],
        &["--token", "$TOKEN"],
        &["curl", "-u", "joe", "https://example.com"],
        &["--key", "server.pem"],
    ] {
        assert_eq!(clean(words), words);
    }
}
