use super::*;

#[test]
fn every_documented_path_has_an_endpoint_and_the_role_that_the_document_names() {
    let document: serde_json::Value = serde_json::from_str(&openapi::document()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let mut operations = 0;
    for (path, methods) in paths {
        let path = path
            .replace("{host}", "claude-code")
            .replace("{session}", "a%2Fb");
        let path = path.replace("{swarm}", "crew");
        for (method, operation) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let endpoint = Endpoint::of(&method, &path);
            let endpoint = endpoint.unwrap_or_else(|_| panic!("{method} {path}"));
            let operates = operation["responses"].get("403").is_some();
            assert_eq!(
                endpoint.role() == Role::Operate,
                operates,
                "{method} {path}"
            );
            operations += 1;
        }
        assert!(matches!(
            Endpoint::of(&Method::PATCH, &path),
            Err(NoEndpoint::Method(_))
        ));
    }
    assert_eq!(operations, 15, "each endpoint is documented once");
}

#[test]
fn names_in_paths_are_decoded_once() {
    let of = |path| Endpoint::of(&Method::GET, path);
    assert_eq!(
        of("/v1/sessions/a%2Fb%25"),
        Ok(Endpoint::Session("a/b%".into()))
    );
    assert_eq!(of("/v1/sessions/%C3%A9"), Ok(Endpoint::Session("é".into())));
    for path in [
        "",
        "/",
        "/v1",
        "/v1/sessions/a/b",
        "/v1/sessions/%ff",
        "/v1/sessions/%+1",
        "/v1/sessions/%a",
        "/v1//events",
    ] {
        assert_eq!(of(path), Err(NoEndpoint::Path), "{path}");
    }
}

#[test]
fn limits_and_modes_are_checked() {
    assert_eq!(limit(None), Ok(LISTED));
    assert_eq!(limit(Some("limit=7")), Ok(7));
    for wrong in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "limit",
        "other=1",
        "limit=-1",
    ] {
        assert!(limit(Some(wrong)).is_err(), "{wrong}");
    }
    assert_eq!(mode(br#"{"mode":"observe"}"#), Some(Mode::Observe));
    for wrong in [
        "",
        "{}",
        r#"{"mode":"x"}"#,
        r#"{"mode":1}"#,
        r#"{"mode":"off","more":1}"#,
        "[]",
    ] {
        assert_eq!(mode(wrong.as_bytes()), None, "{wrong}");
    }
}
