use hyper::Request;

use super::*;

fn parts(headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::builder().uri("/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).expect("a request").into_parts().0
}

fn status(gate: &Gate, headers: &[(&str, &str)]) -> u16 {
    gate.check(&parts(headers))
        .map_or_else(|refusal| refusal.status().as_u16(), |()| 200)
}

#[test]
fn only_names_of_this_machine_are_served() {
    let local = Gate::new(
        "127.0.0.1:80".parse().expect("an address"),
        None,
        &["My.Host".to_owned()],
    );
    let open = Gate::new("0.0.0.0:80".parse().expect("an address"), Some("t"), &[]);
    let token = ("authorization", "Bearer t");
    for (host, from_here, from_anywhere) in [
        ("127.0.0.1:80", 200, 200),
        ("[::1]:80", 200, 200),
        ("LOCALHOST", 200, 200),
        ("my.host:1", 200, 403),
        // No name leads to an address, but only some are this machine's own.
        ("192.0.2.7:80", 403, 200),
        ("evil.example", 403, 403),
        ("localhost.", 403, 403),
        ("a@localhost", 403, 403),
        ("[::1", 403, 403),
    ] {
        assert_eq!(status(&local, &[("host", host)]), from_here, "{host}");
        assert_eq!(
            status(&open, &[("host", host), token]),
            from_anywhere,
            "{host}"
        );
    }
    assert_eq!(status(&local, &[]), 400);
    assert_eq!(
        status(&local, &[("host", "localhost"), ("host", "localhost")]),
        400
    );
}

#[test]
fn a_token_is_compared_whole() {
    let gate = Gate::new(
        "127.0.0.1:80".parse().expect("an address"),
        Some("secret"),
        &[],
    );
    let host = ("host", "localhost");
    assert_eq!(
        status(&gate, &[host, ("authorization", "Bearer secret")]),
        200
    );
    for wrong in [
        "Bearer secre",
        "Bearer secrets",
        "Bearer  secret",
        "secret",
        "Basic secret",
        "",
    ] {
        assert_eq!(
            status(&gate, &[host, ("authorization", wrong)]),
            401,
            "{wrong}"
        );
    }
}

#[test]
fn each_of_several_tokens_lets_in() {
    let address = "127.0.0.1:80".parse().expect("an address");
    let gate = Gate::new(address, Some("one"), &[]).with_token("two");
    let host = ("host", "localhost");
    for (shown, expected) in [
        ("Bearer one", 200),
        ("Bearer two", 200),
        ("Bearer onetwo", 401),
        ("Bearer ", 401),
    ] {
        assert_eq!(
            status(&gate, &[host, ("authorization", shown)]),
            expected,
            "{shown}"
        );
    }
}
