/// What the form is, a text with a secret, a text that stays.
pub(in super::super) const EXAMPLES: &[(&str, &str, &str)] = &[
    ("PIN in a sentence", "my pin is «4829»", "the pin is 13"),
    (
        "key in a sentence",
        "The wifi key is «sunshine99»",
        "the sort key is column12",
    ),
    (
        "SQL, several words",
        "CREATE ROLE a LOGIN ENCRYPTED PASSWORD '«correct horse»'",
        "a PASSWORD field",
    ),
    (
        "user and password of a call",
        "requests.get(u, auth=('joe','«sunshine»'))",
        "auth=('joe', PASSWORD)",
    ),
    (
        "value on the next line",
        "password:\\n  «sunshine»\\n",
        "password:\\n  type: string",
    ),
    (
        "value in a block",
        "password: |\\n  «sunshine99»\\n",
        "password: |",
    ),
    (
        "value in a folded block",
        "password: >-\\n  «sunshine99»\\n",
        "password:\\n  - required",
    ),
    (
        "phrase",
        "passphrase: «correct horse battery staple»",
        "passphrase = None",
    ),
    (
        "password of an app",
        "app password «zjnl-huke-xhwg-uywv»",
        "the app password page",
    ),
    (
        "password of an app, in groups",
        "app password: «zjnl huke xhwg uywv»",
        "password: None",
    ),
    (
        "field that is filled",
        "page.fill('#password', '«sunshine»')",
        "fields('#password', 'email')",
    ),
    (
        "variable that is set",
        "setenv('DB_PASSWORD', '«sunshine»')",
        "getenv('DB_PASSWORD', 'none')",
    ),
    (
        "variable of an image",
        "ENV DB_PASSWORD «sunshine»",
        "ENV PATH /usr/bin",
    ),
    (
        "password in a list",
        "{\"password\":[\"«sunshine»\"]}",
        "{\"required\":[\"password\"]}",
    ),
    (
        "text for a field",
        "{\"selector\":\"#password\",\"text\":\"«sunshine»\"}",
        "{\"selector\":\"#name\",\"text\":\"joe\"}",
    ),
    (
        "value behind another member",
        "{\"element\":\"Password\",\"ref\":\"e3\",\"text\":\"«sunshine»\"}",
        "{\"element\":\"Name\",\"ref\":\"e3\",\"text\":\"sunshine\"}",
    ),
    (
        "pair in a list",
        "{\"rows\":[[\"db_password\",\"«sunshine»\"]]}",
        "{\"rows\":[\"db_password\",\"db_name\"]}",
    ),
    (
        "words before their program",
        "{\"args\":[\"-p\",\"«sunshine»\"],\"program\":\"sshpass\"}",
        "{\"args\":[\"-p\",\"a/b\"],\"program\":\"mkdir\"}",
    ),
    (
        "words before a command",
        "{\"args\":[\"-p«sunshine»\"],\"cmd\":\"sudo mysql\"}",
        "{\"args\":[\"-p\"],\"cmd\":\"mysql\"}",
    ),
    (
        "secret by standard input",
        "echo «hunter22» | wrangler secret put API",
        "echo hunter | grep secret",
    ),
    (
        "secret of a cloud",
        "echo -n «hunter22» | gcloud secrets versions add db --data-file=-",
        "echo done | gcloud logging write a",
    ),
    (
        "passwd",
        "printf '«hunter22»' | passwd joe",
        "echo hello world | sudo -S true",
    ),
    (
        "token by standard input",
        "echo «mytoken1» | gh auth login --with-token",
        "gh auth login",
    ),
    (
        "password that begins as a hole",
        "DB_PASSWORD='«{CpxZKm5Kl0r»'",
        "DB_PASSWORD='{password}'",
    ),
    (
        "password that begins as a variable",
        "DB_PASSWORD='«$unshine»'",
        "DB_PASSWORD=\"$DB_PASS\" and pw=$pw",
    ),
    (
        "password that begins as a tag",
        "DB_PASSWORD='«<unshine»'",
        "DB_PASSWORD='<password>'",
    ),
    (
        "password that begins with crosses",
        "DB_PASSWORD=«xxxSunshine9»",
        "DB_PASSWORD=xxxxxxxx",
    ),
    (
        "key behind a command of git",
        "git pull && curl https://h -d «{h40}»",
        "git show {h40}",
    ),
    (
        "setting of git",
        "git config sendgrid.value «{h64}»",
        "git rev-parse HEAD && git show {h40}",
    ),
    (
        "tokens in a path",
        "https://example.com/tokens/«{G}»",
        "https://example.com/orders/{G}",
    ),
    (
        "sessions in a path",
        "https://example.com/sessions/«{G}»",
        "https://example.com/users/{G}",
    ),
    (
        "resets in a path",
        "https://example.com/resets/«{G}»",
        "https://example.com/items/{G}",
    ),
    (
        "invitations in a path",
        "https://example.com/invitations/«{G}»",
        "https://example.com/teams/{G}",
    ),
];

/// The letter of an escaped line feed is not one of the word behind it.
#[test]
fn an_escaped_line_feed_ends_a_word() {
    for (text, clean) in [
        (r"cd x\nmysql -psunshine db", r"cd x\nmysql -p[redacted] db"),
        (
            r"a\n\tsshpass -p sunshine ssh h",
            r"a\n\tsshpass -p [redacted] ssh h",
        ),
        (
            r"a\r\ncurl -u joe:sunshine h",
            r"a\r\ncurl -u joe:[redacted] h",
        ),
        (r"joe\npw: sunshine", r"joe\npw: [redacted]"),
        (r"x\npin: 482913", r"x\npin: [redacted]"),
        (r"host h\npass sunshine9", r"host h\npass [redacted]"),
        // The command goes on behind a path of Windows, and ends behind a line.
        (
            r"mysql --ssl-ca=C:\new\ca.pem -psunshine",
            r"mysql --ssl-ca=C:\new\ca.pem -p[redacted]",
        ),
        (
            r"sshpass -e ssh h\nmkdir -p a/b",
            r"sshpass -e ssh h\nmkdir -p a/b",
        ),
        (r"C:\token=sunshine99", r"C:\token=[redacted]"),
    ] {
        assert_eq!(super::super::redact(text), clean);
    }
}

#[test]
fn names_of_numbers_are_not_those_of_secrets() {
    for text in [
        "SECRET_SANTA_YEAR=2026",
        "{\"name\":\"token_count\",\"value\":\"12345\"}",
        "trace 4bf92f3577b34da6a3ce929d0e0e4736",
        "segfault at 00007f3e1c2a4b5d ip 000055d0c0a8e1f0",
        "Test2024Password123Validator.java",
        "echo hello world | sudo -S true",
    ] {
        assert_eq!(super::super::redact(text), text);
    }
}
