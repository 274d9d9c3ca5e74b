use super::*;

#[path = "../tests/data/shapes.rs"]
pub(super) mod shapes;

/// Every line of every table: what it is, a text with a secret, a text without one.
pub(super) fn examples() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)>
{
    let issued = issued::EXAMPLES.iter().chain(names::EXAMPLES);
    let foreign = foreign::EXAMPLES.iter().chain(programs::EXAMPLES);
    let told = told::tests::EXAMPLES.iter();
    issued.chain(foreign).chain(FORMS).chain(told)
}

/// Shapes that a search of their own finds.
const FORMS: &[(&str, &str, &str)] = &[
    (
        "credentials in a URL",
        "git clone https://joe:«{p10}»@example.com/r.git",
        "https://example.com:8080/@fs/src/a.ts",
    ),
    (
        "token in a URL",
        "https://«{A40}»@github.com/a/b.git",
        "ssh://git@github.com/a/b.git",
    ),
    (
        "Sentry DSN",
        "https://«{h32}»@o1.ingest.sentry.io/2",
        "https://o1.ingest.sentry.io/2",
    ),
    (
        "JDBC with a password",
        "jdbc:postgresql://db/app?user=a&password=«hunter»",
        "jdbc:postgresql://db/app?user=a",
    ),
    (
        "JDBC of Oracle",
        "jdbc:oracle:thin:scott/«{p10}4!»@db:1521",
        "jdbc:oracle:thin:@db:1521",
    ),
    (
        "query parameter",
        "https://example.com/f?access=«a1b2c3d4»",
        "https://example.com/f?access=public",
    ),
    (
        "signed URL",
        "https://e.com/b?X-Amz-Signature=«{h64}»",
        "https://e.com/b?page=2&limit=50",
    ),
    (
        "OAuth code",
        "https://e.com/cb?code=«4/0Ab{A30}»",
        "https://e.com/cb?code=404",
    ),
    (
        "private key",
        "-----BEGIN PRIVATE KEY-----\\n«{b64}»\\n-----END PRIVATE KEY-----",
        "----- BEGIN -----",
    ),
    (
        "cut private key",
        "-----BEGIN EC PRIVATE KEY-----\\n«{b64}»",
        "---BEGIN",
    ),
    (
        "card",
        "card «4111 1111 1111 1111»",
        "1700000000007 and 1234567890123456",
    ),
    ("card, joined", "«4111111111111111»", "4111111111111112"),
    ("card, American", "«3782 822463 10005»", "3782 822463 10006"),
    ("social security number", "«078-05-1120»", "2026-11-15"),
    (
        "bank account",
        "IBAN «DE89 3704 0044 0532 0130 00»",
        "DE88 3704 0044 0532 0130 00",
    ),
    (
        "bank account, joined",
        "«GB29NWBK60161331926819»",
        "GB28NWBK60161331926819",
    ),
    (
        "bank account, French",
        "«FR1420041010050500013M02606»",
        "FR14 is a plan",
    ),
    (
        "seed phrase",
        "«ripple scissors kick mammal hire column oak again sun offer wealth tomorrow»",
        "please run the whole test suite again and then look at its output",
    ),
    (
        "seed phrase, announced",
        "seed phrase «ripple scissors kick mammal hire column oak again sun offer wealth tomorrow»",
        "seed phrase",
    ),
    (
        "password in prose",
        "use «Xk9#mQ2$vL7!» to log in",
        "C++20 and F# or a$b",
    ),
    (
        "password, short, in prose",
        "it was «Tr0ub4dor&3»",
        "foo$Bar1 and R&D",
    ),
    (
        "Base64 of a password",
        "echo «aHVudGVyMg==» | base64 -d",
        "a == b and abcd==",
    ),
    (
        "Base64 without padding",
        "«aHVudGVyMjIy»",
        "getElementsByName",
    ),
    (
        "shadow file",
        "root:«$6$abcdefgh${A60}»:19000:0",
        "root:*:19000:0",
    ),
    (".htpasswd", "joe:«$apr1$abcdefgh${A22}»", "joe:x"),
    ("bcrypt", "«$2y$10${A53}»", "$2 and $10"),
    (
        "argon2",
        "«$argon2id$v=19$m=65536,t=3,p=4${A22}${A43}»",
        "$argon2id$",
    ),
    (
        ".pgpass",
        "db.example.com:5432:app:joe:«hunter2»",
        "src/a.py:10:5:error:x",
    ),
    (
        ".netrc",
        "machine example.com login joe password «swordfish»",
        "login joe",
    ),
    (
        "sudo with echo",
        "echo «hunter2» | sudo -S ls",
        "echo done | tee log",
    ),
    (
        "sudo with quotes",
        "echo '«my pass»' | sudo -S ls",
        "echo 'all done' | cat",
    ),
    (
        "docker by standard input",
        "echo «hunter2» | docker login -u joe --password-stdin",
        "echo a | docker exec -i x cat",
    ),
    (
        "chpasswd",
        "echo «root:hunter2» | chpasswd",
        "echo root | wc -c",
    ),
    (
        "variable of psql",
        "PGPASSWORD=«hunter» psql -h db",
        "PGHOST=db psql",
    ),
    (
        "variable of mysql",
        "MYSQL_PWD=«hunter» mysql",
        "MYSQL_HOST=db mysql",
    ),
    (
        "variable of sshpass",
        "SSHPASS=«hunter2x» sshpass -e ssh h",
        "sshpass -e ssh h",
    ),
    (
        "aws configure",
        "aws configure set aws_secret_access_key «{b40}»",
        "aws configure set region eu-west-1",
    ),
    ("JSON", "{\"password\": \"«abc»\"}", "{\"name\": \"abc\"}"),
    (
        "JSON in JSON",
        "{\\\"password\\\":\\\"«abc»\\\"}",
        "{\\\"name\\\":\\\"abc\\\"}",
    ),
    (
        "YAML",
        "db:\\n  password: «swordfish»\\n",
        "db:\\n  name: swordfish\\n",
    ),
    (
        "TOML",
        "password = \"«sword fish»\"",
        "name = \"sword fish\"",
    ),
    (
        "properties",
        "spring.datasource.password=«swordfish»",
        "spring.datasource.name=swordfish",
    ),
    (
        "XML",
        "<password>«swordfish»</password>",
        "<name>swordfish</name>",
    ),
    (
        "XML attribute",
        "<user password=\"«sword fish»\"/>",
        "<user name=\"sword fish\"/>",
    ),
    (
        "connection string",
        "Server=db;Uid=sa;Pwd=«swordfish»;",
        "Server=db;Uid=sa;",
    ),
    (
        "storage account",
        "AccountName=a;AccountKey=«{b86}»==",
        "AccountName=a",
    ),
    (
        "Basic",
        "Authorization: Basic «{b32}»",
        "Authorization: Basic",
    ),
    (
        "Digest",
        "Authorization: Digest username=\"a\", response=\"«{h32}»\"",
        "Authorization: Digest",
    ),
    (
        "Negotiate",
        "Authorization: Negotiate «YII{b40}»",
        "Authorization: Negotiate",
    ),
    (
        "signature of AWS",
        "Authorization: AWS4-HMAC-SHA256 «Credential=AKIA{u16}/x, Signature={h64}»",
        "Authorization: none",
    ),
    (
        "cookies",
        "Cookie: a=«short1»; b=«other2»",
        "cookies are good",
    ),
    (
        "set cookie",
        "Set-Cookie: sid=«{A32}»; Path=/",
        "Set-Cookie is a header",
    ),
    (
        "Slack webhook",
        "https://hooks.slack.com/services/T{u8}/B{u8}/«{A24}»",
        "https://hooks.slack.com/services",
    ),
    (
        "Discord webhook",
        "https://discord.com/api/webhooks/{d18}/«{A68}»",
        "https://discord.com/api",
    ),
    (
        "Telegram bot",
        "https://api.telegram.org/bot{d9}:«{A35}»/getMe",
        "https://api.telegram.org",
    ),
    ("Discord bot", "«M{A23}.{A6}.{A38}»", "a.b.c"),
    ("Datadog key", "DD_API_KEY=«{h32}»", "DD_SITE=datadoghq.eu"),
    (
        "Azure secret",
        "AZURE_CLIENT_SECRET=«{A3}8Q~{A31}»",
        "AZURE_REGION=westeurope",
    ),
    ("UUID as a key", "api key «{G}»", "api key"),
    ("hash", "«{h40}»", "deadbeef"),
];

#[test]
fn two_hundred_shapes_and_more_are_taken_out() {
    let mut numbers = shapes::Numbers::new();
    assert!(examples().count() >= 400, "{}", examples().count());
    let mut wrong = Vec::new();
    for (what, secret, _) in examples() {
        let shape = shapes::shape(secret, &mut numbers);
        let clean = redact(&shape.text);
        if shape.secrets.iter().any(|secret| clean.contains(&**secret)) {
            wrong.push(format!("{what}: {} -> {clean}", shape.text));
        }
    }
    assert!(wrong.is_empty(), "{} of them leak: {wrong:#?}", wrong.len());
}

#[test]
fn what_looks_similar_stays() {
    let mut wrong = Vec::new();
    for (what, _, plain) in examples() {
        let plain = plain.replace("\\n", "\n");
        let clean = redact(&plain);
        if clean != plain {
            wrong.push(format!("{what}: {plain} -> {clean}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them change: {wrong:#?}",
        wrong.len()
    );
}

#[test]
fn shapes_of_an_older_list_are_taken_out() {
    let leaked: Vec<_> = shapes::all()
        .into_iter()
        .filter(|shape| {
            let clean = redact(&shape.text);
            shape.secrets.iter().any(|secret| clean.contains(&**secret))
        })
        .map(|shape| (redact(&shape.text).into_owned(), shape.text))
        .collect();
    assert!(leaked.is_empty(), "{leaked:#?}");
}

#[test]
fn what_people_want_to_read_stays() {
    for text in [
        "src/auth/login_handler.py",
        "/home/joe/projects/unstuck/crates/unstuck-mcp/src/redact.rs",
        "SELECT id, name FROM customers WHERE created_at > '2026-01-02T03:04:05Z'",
        "git commit -m 'fix the parser of numbers'",
        "https://example.com/docs/getting-started?page=2&limit=50",
        "the quick brown fox jumps over the lazy dog",
        "mcp__filesystem__read_multiple_files",
        "pytest tests/test_parser_numbers.py::test_large_numbers -x -q",
        "node_modules/@modelcontextprotocol/server-everything",
        "2026-11-15",
        "1234567890",
        "InternationalizationController",
        "max_tokens",
        "a token bucket",
        "def login(self, password: str, token: Optional[str] = None) -> bool:",
        "self.password = kwargs.get('password')",
        "password = forms.CharField(widget=forms.PasswordInput)",
        "key=lambda item: item[1], reverse=True",
        "docker run -p 8080:80 -v /tmp:/tmp nginx",
        "mkdir -p a/b && ssh -p 2222 host",
        "className=\"button\" tokenizer = Tokenizer()",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn long_runs_of_one_kind_are_redacted_without_a_panic() {
    for piece in ["1", "1 ", "a", "A", "a1", "$", ":", "=", "-", "é"] {
        let _ = redact(&piece.repeat(70_000));
    }
}

#[test]
fn redacting_twice_is_redacting_once() {
    let mut numbers = shapes::Numbers::new();
    for (what, secret, _) in examples() {
        let once = redact(&shapes::shape(secret, &mut numbers).text).into_owned();
        assert_eq!(redact(&once), once, "{what}");
    }
}

#[test]
fn an_excerpt_holds_no_half_of_a_secret() {
    let key = format!("sk-{}", "aB3".repeat(16));
    for padding in 0..800 {
        let text = format!("{} {key} {}", "a ".repeat(padding / 2), "b ".repeat(2_000));
        let excerpt = redact_excerpt(&text, 80);
        assert!(!excerpt.contains("aB3aB3"), "{padding}: {excerpt}");
    }
    let plain = "x".repeat(5_000);
    assert!(redact_excerpt(&plain, 80).starts_with(&"x".repeat(80)));
}

/// Steps grow with the text and not with its square: four times the text takes at most eight times as long.
#[test]
fn time_is_linear_whatever_is_repeated() {
    for piece in [
        "a://",
        "://@",
        "a://b:c@",
        "key:",
        "token:",
        "password:{",
        "authorization:",
        "cookie:",
        "mysql -p{a{",
        "-p{",
        "curl -u ",
        "$6$",
        "-----BEGIN",
        "AB12",
        "echo a|",
        "login ",
        "password ",
        "is ",
        "'",
        "\"key\"",
        "密码",
        "пароль：",
        "a1B#",
        "=",
        "login a password ",
        "abandon ",
        "bearer ",
        "?key=",
        "&k=a",
        "5432:",
        "a:1234:b:c:",
        "/srv/0badc0de0badc0de0badc0de0badc0de",
        "//a.b/Zk3pQ9vXw7LmN2bVc8RtY5uI1oP4aSdF",
        "git 0badc0de0badc0de0badc0de0badc0de0badc0de ",
        "backup codes: 1234 ",
        "\"name\":\"password\",\"value\":",
        "['password'] = ",
        "\"password\",\"a\":\"b\",",
        "docker exec mysql ",
        "\\nmysql -p",
        "C:\\new ",
        "\\n",
        "\"args\":[\"",
        "sudo -S <<< ",
        "password:\n  ",
        "passphrase: a ",
        "auth=('",
        "fill('#password','",
        "jdbc:oracle:thin:a/b@",
        "あいだ\u{3000}",
        "的 ",
    ] {
        let time = |bytes: usize| {
            let text = piece.repeat(bytes / piece.len());
            let runs = (0..3).map(|_| {
                let start = processor_time();
                std::hint::black_box(redact(&text));
                processor_time().saturating_sub(start)
            });
            runs.min().unwrap_or_default()
        };
        let (short, long) = (time(20_000), time(80_000));
        let limit = short * 8 + std::time::Duration::from_millis(40);
        assert!(long < limit, "{piece:?}: {short:?} and {long:?}");
    }
}

/// Time that this thread has run: other programs do not lengthen it.
#[cfg(unix)]
fn processor_time() -> std::time::Duration {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    nix::time::clock_gettime(clock).unwrap().into()
}

#[cfg(not(unix))]
fn processor_time() -> std::time::Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

proptest::proptest! {
    /// What is not looked into has nothing in it.
    #[test]
    fn plain_names_and_numbers_hold_no_secrets(plain in "[a-z]{0,16}|[0-9]{0,8}") {
        proptest::prop_assert_eq!(redact_any(&plain), plain.as_str());
    }

    #[test]
    fn any_text_is_redacted_without_a_panic(text in proptest::prelude::any::<String>()) {
        let once = redact(&text).into_owned();
        proptest::prop_assert_eq!(redact(&once), once.as_str());
    }

    #[test]
    fn texts_of_the_signs_that_matter_are_redacted_once(
        text in "(password|token|-p|mysql|curl|echo|:|=|//|@|\"|'| |\\||[a-z0-9#$]{1,9}|://|пароль|\n){0,24}"
    ) {
        let once = redact(&text).into_owned();
        proptest::prop_assert_eq!(redact(&once), once.as_str());
    }
}

#[test]
fn a_text_in_which_every_pass_uncovers_another_secret_is_redacted_once_and_for_all() {
    let unit = "@c@@@@@^#VV0kOb:";
    for units in [2, 3, 4, 8, 64, 4_096] {
        let text = format!(
            "b://{}#VV^#VV0kOb:{}#V",
            unit.repeat(units),
            unit.repeat(units)
        );
        let once = redact(&text);
        assert_eq!(redact(&once), once, "{units}");
    }
    let found = "b://@c@@@@@^#VV0kOb:@c@@@@@^#VV0kOb:#VV^#VV0kOb:@c@@@@@^#VV0kOb:#V";
    let once = redact(found);
    assert_eq!(redact(&once), once);
}

#[test]
fn an_open_quote_does_not_uncover_the_next_secret() {
    let texts = [
        "password: \"$a\u{1}ppw\n\nREDIS_PASSWORD=\"By0Ma%izc*3u\"",
        "password: \"hunter2a REDIS_PASSWORD=\"By0Ma%izc*3u\"",
        "password='pw one\n  token: 'By0Ma%izc*3u'",
    ];
    for text in texts {
        let clean = redact(text);
        assert!(!clean.contains("By0Ma%izc*3u"), "{clean}");
        assert_eq!(redact(&clean), clean);
    }
}

#[test]
fn a_word_that_reads_a_secret_is_a_name_too() {
    let clean = redact("echo hunter2a |\n\npasswd=K9uQKSmG\n");
    assert_eq!(clean, "echo [redacted] |\n\npasswd=[redacted]\n");
}
