use super::*;

fn target(text: &str) -> Target {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn an_address_is_for_one_provider_or_for_all() {
    let all = Targets(vec![
        target("http://127.0.0.1:1"),
        target("gemini=http://127.0.0.1:2"),
    ]);
    let of = |provider| all.url(provider).map(|url| url.to_string());
    assert_eq!(of(Provider::OpenAi).as_deref(), Some("http://127.0.0.1:1/"));
    assert_eq!(of(Provider::Gemini).as_deref(), Some("http://127.0.0.1:2/"));
    let usual = Targets::default().url(Provider::Anthropic);
    assert_eq!(
        usual.map(|url| url.to_string()).as_deref(),
        Some("https://api.anthropic.com/")
    );
}

#[test]
fn an_address_with_credentials_is_rejected() {
    assert!("http://user:pw@host".parse::<Target>().is_err());
    assert!("anthropic=ftp://host".parse::<Target>().is_err());
}

#[test]
fn the_path_of_the_address_comes_once() -> Result<(), Box<dyn std::error::Error>> {
    let notify = Notify::silent();
    let targets = Targets(vec![target("http://127.0.0.1:1/api/v1")]);
    let all = Upstreams::new(targets, Duration::from_secs(1), notify);
    let place = all.prepare(Provider::OpenAi).ok_or("no place")?;
    for (path, expected) in [
        ("/chat/completions", "/api/v1/chat/completions"),
        (
            "/api/v1/chat/completions?a=b",
            "/api/v1/chat/completions?a=b",
        ),
        ("/api/v10/x", "/api/v1/api/v10/x"),
    ] {
        let found = place.path(path).map(|path| path.to_string());
        assert_eq!(found.as_deref(), Some(expected));
    }
    Ok(())
}

/// The provider of a request with a method, path and headers.
fn provider_of(path: &str, headers: &[(&str, &str)]) -> Option<Provider> {
    let mut request = hyper::Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let (head, ()) = request.body(()).expect("a request").into_parts();
    provider(&head, None)
}

#[test]
fn a_credential_goes_to_the_provider_it_is_for_or_nowhere() {
    let token = ("authorization", "Bearer of-someone-else");
    let claude = ("user-agent", "claude-cli/2.1 (external)");
    for (path, headers, expected) in [
        ("/", &[claude][..], Some(Provider::Anthropic)),
        (
            "/api/oauth/usage",
            &[token, claude],
            Some(Provider::Anthropic),
        ),
        (
            "/v1/models",
            &[token, ("anthropic-version", "1")],
            Some(Provider::Anthropic),
        ),
        ("/v1/models", &[token], Some(Provider::OpenAi)),
        ("/v1beta/models", &[token], Some(Provider::Gemini)),
        ("/api/oauth/usage", &[token], None),
        ("/", &[], None),
    ] {
        assert_eq!(provider_of(path, headers), expected, "{path}");
    }
}

#[test]
fn a_request_that_names_no_provider_goes_to_the_only_address() {
    let only = |targets: &[&str]| Targets(targets.iter().map(|text| target(text)).collect()).only();
    assert_eq!(only(&[]), None);
    assert_eq!(only(&["http://127.0.0.1:1"]), Some(Provider::OpenAi));
    assert_eq!(only(&["gemini=http://127.0.0.1:1"]), Some(Provider::Gemini));
    let both = ["gemini=http://127.0.0.1:1", "anthropic=http://127.0.0.1:2"];
    assert_eq!(only(&both), None);
}

#[test]
fn names_that_are_no_provider_are_named() {
    let error = |text: &str| text.parse::<Target>().map_err(|error| error.to_string());
    let expected = "`foo` is no provider; there are anthropic, openai, gemini";
    assert_eq!(error("foo=http://x"), Err(expected.to_owned()));
    assert!(error("openai=http://x").is_ok());
    assert!(error("http://x/?a=b").is_ok());
}
