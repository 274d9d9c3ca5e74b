//! Inputs of the part `redaction`: texts that secrets are taken out of.

use super::{Input, Load, of, repeat};

pub(super) fn inputs() -> Vec<Input> {
    const PART: &str = "redaction";
    fn text(unit: &str, size: usize) -> Load {
        Load::Redact(repeat(unit, size))
    }
    vec![
        of(PART, "names-without-values", |size| text("password ", size)),
        of(PART, "names-and-signs", |size| text("password=", size)),
        of(PART, "names-in-quotes", |size| text("password: \"", size)),
        of(PART, "quotes", |size| text("token='\\\"", size)),
        of(PART, "addresses", |size| text("https://a:", size)),
        of(PART, "at-signs", |size| text("a:b@c@", size)),
        of(PART, "options", |size| text("--password -u a ", size)),
        of(PART, "prefixes", |size| text("ghp_sk-AKIAxoxb-", size)),
        of(PART, "keys", |size| {
            text("-----BEGIN PRIVATE KEY-----\n", size)
        }),
        of(PART, "digits", |size| text("4111 ", size)),
        of(PART, "long-digits", |size| text("4", size)),
        of(PART, "letters-and-digits", |size| text("aB3", size)),
        of(PART, "hexadecimal", |size| text("0a1b2c3d-", size)),
        of(PART, "dots", |size| text("eyJ.", size)),
        of(PART, "dollars", |size| text("${a:-$", size)),
        of(PART, "commands", |size| text("curl -u mysql -p ", size)),
        of(PART, "foreign-names", |size| {
            text("contraseña: пароль ", size)
        }),
        of(PART, "uncovered-again", |size| {
            text("password=password=a ", size)
        }),
        of(PART, "headers-on-one-line", |size| {
            text("Authorization: Basic a1b2c3 ", size)
        }),
        of(PART, "long-values", |size| text("pin=", size)),
        of(PART, "values-with-signs", |size| text("key:$", size)),
        of(PART, "equals", |size| text("a=b&", size)),
        of(PART, "base64", |size| {
            text("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", size)
        }),
    ]
}
