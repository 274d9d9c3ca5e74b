use super::*;

fn proxy() -> SocketAddr {
    ([127, 0, 0, 1], 9).into()
}

fn value(wiring: &Wiring, name: &str) -> Option<String> {
    let all = wiring.variables(proxy());
    all.into_iter().find(|(of, _)| *of == name).map(|it| it.1)
}

#[test]
fn programs_are_pointed_at_the_proxy() -> Result<(), TargetError> {
    let wiring = Wiring::of("claude", |_| None, CodexProvider::default())?;
    let anthropic = value(&wiring, "ANTHROPIC_BASE_URL");
    assert_eq!(anthropic.as_deref(), Some("http://127.0.0.1:9"));
    let openai = value(&wiring, "OPENAI_BASE_URL");
    assert_eq!(openai.as_deref(), Some("http://127.0.0.1:9/v1"));
    assert_eq!(value(&wiring, "COPILOT_PROVIDER_BASE_URL"), None);
    assert_eq!(wiring.arguments(proxy()), Vec::<String>::new());
    assert_eq!(wiring.targets(&[]).0, []);
    Ok(())
}

#[test]
fn an_address_in_the_environment_is_where_requests_go() -> Result<(), TargetError> {
    let set = |name: &str| {
        (name == "OPENAI_BASE_URL").then(|| "https://gateway.example/api/v1/".to_owned())
    };
    let wiring = Wiring::of("/usr/bin/qwen", set, CodexProvider::default())?;
    let openai = value(&wiring, "OPENAI_BASE_URL");
    assert_eq!(openai.as_deref(), Some("http://127.0.0.1:9/api/v1"));
    let expected: Target = "openai=https://gateway.example/api/v1/".parse()?;
    assert_eq!(wiring.targets(&[]).0, [expected]);
    Ok(())
}

#[test]
fn codex_is_told_by_an_argument() -> Result<(), TargetError> {
    let settings = r#"
model = "m1"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"

[model_providers.other]
base_url = "http://127.0.0.1:2/v1"
"#;
    let codex = CodexProvider::read(settings);
    assert_eq!(codex.url.as_deref(), Some("http://127.0.0.1:1/v1"));
    let wiring = Wiring::of("codex", |_| None, codex)?;
    assert_eq!(
        wiring.arguments(proxy()),
        [
            "-c",
            "model_providers.mock.base_url=\"http://127.0.0.1:9/v1\""
        ]
    );
    let usual = Wiring::of("codex", |_| None, CodexProvider::read("model = 'x'"))?;
    assert_eq!(
        usual.arguments(proxy()),
        ["-c", "openai_base_url=\"http://127.0.0.1:9/v1\""]
    );
    Ok(())
}
