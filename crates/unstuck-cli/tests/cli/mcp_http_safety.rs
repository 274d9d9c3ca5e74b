//! `unstuck mcp --listen` against those who mean harm.

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{Front, JSON, Upstream, call, echo, recorded, respond},
    run::Place,
};

const TOKEN: &str = "t0ken-that-nobody-may-read";

/// A request with another line, or without one.
fn changed(front: &Front, from: &str, to: &str) -> String {
    let request = front.request("/mcp", "", &call(1, "read", &json!({})));
    assert!(request.contains(from), "{request}");
    request.replacen(from, to, 1)
}

#[test]
fn other_machines_need_a_token() {
    let place = Place::new("mcp-safe-bind");
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let words = [
            "mcp",
            "--listen",
            address,
            "--no-audit",
            "--upstream",
            "http://127.0.0.1:9/mcp",
        ];
        let mut command = place.command(&words);
        command.env_remove("UNSTUCK_MCP_TOKEN");
        let ran = crate::run::finish(command, b"");
        assert_eq!(ran.code, Some(2), "{address}");
        assert!(ran.err.contains("must show a token"), "{}", ran.err);
    }
    for token in ["", "two words"] {
        let words = [
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--token",
            token,
            "--upstream",
            "http://127.0.0.1:9/mcp",
        ];
        let ran = place.run(&words);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("visible ASCII"), "{}", ran.err);
    }
}

#[test]
fn a_token_opens_the_gate_and_goes_no_further() {
    let place = Place::new("mcp-safe-token");
    let upstream = Upstream::echo();
    let url = upstream.url();
    let front = Front::with(
        &place,
        &["--upstream", &url],
        &[("UNSTUCK_MCP_TOKEN", TOKEN)],
    );
    let body = call(1, "read", &json!({}));
    let wrong = format!("Authorization: Bearer {TOKEN}x\r\n");
    let begun = format!("Authorization: Bearer {}\r\n", &TOKEN[..5]);
    let basic = format!("Authorization: Basic {TOKEN}\r\n");
    for headers in [
        "",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer\r\n",
        &wrong,
        &begun,
        &basic,
    ] {
        let answer = front.post(headers, &body);
        assert_eq!(answer.status, 401, "{headers}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert!(!answer.body.contains("t0ken"));
    }
    assert_eq!(front.send(&front.bare("GET", "")).status, 401);
    assert_eq!(front.send(&front.bare("DELETE", "")).status, 401);
    assert!(upstream.seen().is_empty());
    let right = format!("authorization: bearer {TOKEN}\r\n");
    assert_eq!(front.post(&right, &body).status, 200);
    assert_eq!(upstream.seen()[0].header("authorization"), None);
    let (_, said) = front.end();
    assert!(!said.contains("t0ken"), "{said}");
    assert!(!place.read("audit.jsonl").contains("t0ken"));
}

#[test]
fn pages_in_a_browser_get_nowhere() {
    let place = Place::new("mcp-safe-browser");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--allow-host", "Mine.Example"]);
    let host = format!("Host: {}", front.address);
    let port = front.address.port();
    let local = format!("127.0.0.1:{port}");
    for evil in [
        "evil.example",
        &format!("evil.example:{port}"),
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "192.0.2.1",
        "0.0.0.0",
        "[2001:db8::1]",
        "local host",
        "",
    ] {
        let answer = front.send(&changed(&front, &host, &format!("Host: {evil}")));
        assert!(
            matches!(answer.status, 400 | 403),
            "{evil}: {}",
            answer.status
        );
        assert!(
            evil.is_empty() || evil.contains(' ') || answer.status == 403,
            "{evil}"
        );
    }
    for evil in [
        "http://evil.example",
        "https://localhost.evil.example",
        "http://127.0.0.1.evil.example:80",
        "null",
        "file://",
        "http://192.0.2.1",
        &format!("http://{local}@evil.example"),
        "localhost",
    ] {
        let headers = format!("Origin: {evil}\r\n");
        let answer = front.post(&headers, &call(1, "read", &json!({})));
        assert_eq!(answer.status, 403, "{evil}");
        assert_eq!(
            front.send(&front.bare("GET", &headers)).status,
            403,
            "{evil}"
        );
        assert_eq!(
            front.send(&front.bare("OPTIONS", &headers)).status,
            403,
            "{evil}"
        );
    }
    // A form can send text, and a preflight is not answered: no page gets a message in, wherever it is from.
    let form = changed(&front, "application/json\r\n", "text/plain\r\n");
    assert_eq!(front.send(&form).status, 415);
    let preflight = front.bare(
        "OPTIONS",
        "Origin: http://localhost:5173\r\nAccess-Control-Request-Method: POST\r\n",
    );
    let answer = front.send(&preflight);
    assert_eq!(answer.status, 405);
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert!(upstream.seen().is_empty());
    assert!(recorded(&place, "forward").is_empty());

    for good in [
        &*local,
        "localhost",
        &format!("LocalHost:{port}"),
        "[::1]",
        "127.8.8.8",
        "mine.example:80",
    ] {
        let answer = front.send(&changed(&front, &host, &format!("Host: {good}")));
        assert_eq!(answer.status, 200, "{good}");
    }
    for good in [
        &format!("http://{local}"),
        "http://localhost:6274",
        "https://mine.example",
    ] {
        let answer = front.post(&format!("Origin: {good}\r\n"), &call(1, "read", &json!({})));
        assert_eq!(answer.status, 200, "{good}");
    }
    // What a browser says of itself is not for the server.
    assert!(
        upstream
            .seen()
            .iter()
            .all(|seen| seen.header("origin").is_none())
    );
}

#[test]
fn headers_must_say_what_the_message_says() {
    let place = Place::new("mcp-safe-headers");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &[]);
    let meta = json!({"io.modelcontextprotocol/protocolVersion":"2026-07-28"});
    let modern = json!({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"dröhnen","arguments":{},"_meta":meta}});
    let modern = modern.to_string();
    let version = "MCP-Protocol-Version: 2026-07-28\r\n";
    let good = format!("{version}Mcp-Method: tools/call\r\nMcp-Name: =?base64?ZHLDtmhuZW4=?=\r\n");
    assert_eq!(front.post(&good, &modern).status, 200);
    for bad in [
        good.replace("tools/call", "tools/list"),
        good.replace("tools/call", "Tools/Call"),
        good.replace("ZHLDtmhuZW4=", "b3RoZXI="),
        good.replace("ZHLDtmhuZW4=", "!!"),
        good.replace("2026-07-28", "2025-11-25"),
        good.replace("Mcp-Method: tools/call\r\n", ""),
        good.replace("Mcp-Name: =?base64?ZHLDtmhuZW4=?=\r\n", ""),
        good.replace(version, ""),
        format!("{version}Mcp-Method: tools/call\r\nMcp-Name: delete\r\n"),
    ] {
        let answer = front.post(&bad, &modern);
        assert_eq!(answer.status, 400, "{bad}");
        assert_eq!(answer.json()["error"]["code"], -32020, "{bad}");
        assert_eq!(answer.json()["id"], 7);
    }
    // In the older era they need not be there, but must not lie.
    let legacy = call(8, "read", &json!({}));
    assert_eq!(
        front
            .post("MCP-Protocol-Version: 2025-06-18\r\n", &legacy)
            .status,
        200
    );
    assert_eq!(front.post("Mcp-Name: read\r\n", &legacy).status, 200);
    assert_eq!(
        front.post("Mcp-Name: write\r\n", &legacy).json()["error"]["code"],
        -32020
    );
    let read = json!({"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"file:///a","_meta":meta}});
    let headers = format!("{version}Mcp-Method: resources/read\r\nMcp-Name: file:///");
    assert_eq!(
        front
            .post(&format!("{headers}a\r\n"), &read.to_string())
            .status,
        200
    );
    assert_eq!(
        front
            .post(&format!("{headers}b\r\n"), &read.to_string())
            .status,
        400
    );
    // Two of a kind are two readings.
    for twice in [
        "Mcp-Name: read\r\nMcp-Name: read\r\n",
        "Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n",
    ] {
        assert_eq!(front.post(twice, &legacy).status, 400);
    }
    assert_eq!(upstream.seen().len(), 4);
    assert_eq!(recorded(&place, "refused").len(), 11);
}

#[test]
fn arguments_that_are_repeated_in_headers_must_be_the_same() {
    let place = Place::new("mcp-safe-parameters");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        let schema = json!({"type":"object","properties":{
            "region":{"type":"string","x-mcp-header":"Region"},
            "page":{"type":"object","properties":{"size":{"type":"integer","x-mcp-header":"Size"}}},
            "dry":{"type":"boolean","x-mcp-header":"Dry"}}});
        let answer = match message["method"].as_str() {
            Some("tools/list") => {
                let tools = json!([{"name":"deploy","inputSchema":schema}]);
                json!({"jsonrpc":"2.0","id":message["id"],"result":{"tools":tools}})
            }
            _ => echo(&message),
        };
        respond(stream, "200 OK", JSON, &answer.to_string());
    });
    let front = Front::before(&upstream, &place, &[]);
    let version = "2026-07-28";
    let meta = json!({"io.modelcontextprotocol/protocolVersion":version});
    let deploy = |arguments: &Value| {
        json!({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"deploy","arguments":arguments,"_meta":meta}})
            .to_string()
    };
    let standard = format!(
        "MCP-Protocol-Version: {version}\r\nMcp-Method: tools/call\r\nMcp-Name: deploy\r\n"
    );
    let post = |headers: &str, arguments: &Value| {
        front.post(&format!("{standard}{headers}"), &deploy(arguments))
    };
    let arguments = json!({"region":"eu-grüßt","page":{"size":42},"dry":true});
    // What the tool asks for is not known yet.
    assert_eq!(post("", &arguments).status, 200);
    let list = json!({"jsonrpc":"2.0","id":1,"method":"tools/list"}).to_string();
    assert_eq!(front.post("", &list).status, 200);
    let region = "Mcp-Param-Region: =?base64?ZXUtZ3LDvMOfdA==?=\r\n";
    let good = format!("{region}Mcp-Param-Size: 42\r\nmcp-param-dry: true\r\n");
    assert_eq!(post(&good, &arguments).status, 200);
    assert_eq!(post(&good.replace("42", "42.0"), &arguments).status, 200);
    let seen = upstream.seen().len();
    for bad in [
        String::new(),
        good.replace(region, ""),
        good.replace(region, "Mcp-Param-Region: us\r\n"),
        good.replace("42", "43"),
        good.replace("42", "many"),
        good.replace("true", "false"),
        format!("{good}Mcp-Param-Size: 42\r\n"),
    ] {
        let answer = post(&bad, &arguments);
        assert_eq!(answer.status, 400, "{bad}");
        assert_eq!(answer.json()["error"]["code"], -32020, "{bad}");
    }
    // What is not given, or null, has no header; what no tool asks for may have any.
    assert_eq!(post(&good, &json!({"region":null})).status, 400);
    assert_eq!(upstream.seen().len(), seen);
    assert_eq!(
        post("Mcp-Param-Other: 1\r\n", &json!({"region":null})).status,
        200
    );
    // In the older era they need not be there, but must not lie.
    let legacy = call(8, "deploy", &json!({"region":"eu"}));
    assert_eq!(front.post("", &legacy).status, 200);
    assert_eq!(front.post("Mcp-Param-Region: us\r\n", &legacy).status, 400);
}

#[test]
fn messages_with_two_readings_are_not_passed_on() {
    let place = Place::new("mcp-safe-readings");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--max-message", "2000"]);
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","name":"y"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":{"b":1,"b":2}}}}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}]"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}} {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"y"}}"#,
        &format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"x","arguments":{{"a":{deep}}}}}}}"#
        ),
        "",
        "null",
        "{",
    ] {
        let answer = front.post("", body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.json()["error"]["code"].is_i64(), "{body}");
    }
    let long = call(1, "x", &json!({"a":"x".repeat(3000)}));
    assert_eq!(front.post("", &long).status, 413);
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        front.address
    );
    let chunked = format!("{head}{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    assert_eq!(front.send(&chunked).status, 413);
    let zipped = front.request(
        "/mcp",
        "Content-Encoding: gzip\r\n",
        &call(1, "x", &json!({})),
    );
    assert_eq!(front.send(&zipped).status, 415);
    assert!(upstream.seen().is_empty());
}

#[test]
fn nothing_said_over_http_starts_a_command_or_chooses_an_address() {
    let place = Place::new("mcp-safe-spawn");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &[]);
    let marker = place.path("spawned");
    let command = format!("touch {}", marker.display());
    let body = json!({"jsonrpc":"2.0","id":1,"method":"initialize","params":{
        "command":"sh","args":["-c",command],"transportType":"stdio","url":"http://evil.example/"}});
    for path in [
        "/mcp",
        "/mcp?transportType=stdio&command=sh&args=-c&url=http://evil.example",
        "/stdio?command=sh",
        "/sse?url=http://evil.example",
    ] {
        let answer = front.send(&front.request(
            path,
            "X-Custom-Url: http://evil.example\r\n",
            &body.to_string(),
        ));
        assert!(matches!(answer.status, 200 | 404), "{path}");
    }
    assert!(!marker.exists());
    // The address is the configured one, whatever is asked for.
    assert!(
        upstream
            .seen()
            .iter()
            .all(|seen| seen.line == "POST /mcp HTTP/1.1")
    );
    for url in [
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "/mcp",
        "http://",
        "http://user:secret@127.0.0.1/mcp",
    ] {
        let ran = place.run(&["mcp", "--listen", "0", "--no-audit", "--upstream", url]);
        assert_eq!(ran.code, Some(2), "{url}");
        assert!(!ran.err.contains("secret"), "{}", ran.err);
    }
}

#[test]
fn redirects_are_not_followed_and_not_passed_on() {
    let place = Place::new("mcp-safe-redirect");
    let elsewhere = Upstream::echo();
    let target = elsewhere.url();
    let upstream = Upstream::new(move |_, stream| {
        respond(
            stream,
            "307 Temporary Redirect",
            &format!("location: {target}\r\n"),
            "",
        );
    });
    let front = Front::before(&upstream, &place, &[]);
    let answer = front.call(1, "read", &json!({}));
    assert_eq!(answer.status, 502);
    assert_eq!(answer.header("location"), None);
    assert!(elsewhere.seen().is_empty());
}

#[test]
fn headers_of_one_connection_stay_there() {
    let place = Place::new("mcp-safe-hop");
    let upstream = Upstream::new(|request, stream| {
        let headers = format!(
            "{JSON}connection: keep-alive, x-hop\r\nx-hop: 1\r\nkeep-alive: timeout=5\r\nproxy-authenticate: Basic\r\nset-cookie: a=b\r\naccess-control-allow-origin: *\r\nx-end: 1\r\n"
        );
        respond(
            stream,
            "200 OK",
            &headers,
            &echo(&request.json()).to_string(),
        );
    });
    let front = Front::before(
        &upstream,
        &place,
        &[
            "--upstream-header",
            "X-Key: ${PATH}",
            "--upstream-header",
            "X-Mine: server",
        ],
    );
    let headers = "TE: trailers\r\nProxy-Authorization: Basic x\r\nCookie: a=b\r\nX-Hop: 1\r\nAccept-Encoding: gzip\r\nX-Mine: client\r\nAuthorization: Bearer other\r\nUpgrade: h2c\r\n";
    let request = front.request("/mcp", headers, &call(1, "read", &json!({})));
    let answer = front.send(&request.replace("Connection: close", "Connection: close, X-Hop"));
    assert_eq!(answer.status, 200);
    for name in [
        "x-hop",
        "keep-alive",
        "proxy-authenticate",
        "set-cookie",
        "access-control-allow-origin",
    ] {
        assert_eq!(answer.header(name), None, "{name}");
    }
    assert_eq!(answer.header("x-end"), Some("1"));
    let seen = &upstream.seen()[0];
    for name in [
        "te",
        "proxy-authorization",
        "cookie",
        "x-hop",
        "accept-encoding",
        "authorization",
        "upgrade",
    ] {
        assert_eq!(seen.header(name), None, "{name}");
    }
    assert_eq!(seen.header("x-mine"), Some("server"));
    assert!(seen.header("x-key").is_some_and(|key| key.contains("/bin")));
}

#[test]
fn credentials_reach_the_server_only_when_asked_to() {
    let place = Place::new("mcp-safe-credentials");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--forward-authorization"]);
    let answer = front.post(
        "Authorization: Bearer for-the-server\r\n",
        &call(1, "read", &json!({})),
    );
    assert_eq!(answer.status, 200);
    assert_eq!(
        upstream.seen()[0].header("authorization"),
        Some("Bearer for-the-server")
    );
    let (_, said) = front.end();
    assert!(!said.contains("for-the-server"));
    assert!(!place.read("audit.jsonl").contains("for-the-server"));
}
