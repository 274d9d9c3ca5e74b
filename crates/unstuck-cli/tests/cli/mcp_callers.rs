//! Who a call of an MCP proxy is counted for, and the commands that reach a running proxy.

use std::{fs, os::unix::fs::PermissionsExt as _, process::Command, thread};

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{Front, Upstream, denied, eventually, recorded},
    mcp_proxy::Proxy,
    run::Place,
};

fn modern(id: u64, client: &Value) -> (String, String) {
    let meta = json!({"io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientInfo":client});
    let body = json!({"jsonrpc":"2.0","id":id,"method":"tools/call",
        "params":{"name":"t","arguments":{"x":1},"_meta":meta}});
    let headers =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t\r\n".to_owned();
    (headers, body.to_string())
}

fn same() -> Upstream {
    Upstream::new(|request, stream| {
        let id = request.json()["id"].clone();
        let answer = json!({"jsonrpc":"2.0","id":id,
            "result":{"resultType":"complete","content":[{"type":"text","text":"same"}]}});
        crate::mcp_http_peer::respond(
            stream,
            "200 OK",
            crate::mcp_http_peer::JSON,
            &answer.to_string(),
        );
    })
}

#[test]
fn a_fresh_client_info_for_every_call_does_not_outrun_the_breaker() {
    for (preset, most) in [("ironcurtain", 20), ("standard", 21)] {
        let place = Place::new(&format!("mcp-callers-info-{preset}"));
        let upstream = same();
        let front = Front::before(&upstream, &place, &["--preset", preset]);
        for id in 0..60 {
            let (headers, body) = modern(id, &json!({"name":format!("c{id}"),"version":"1"}));
            let headers =
                format!("{headers}User-Agent: agent-{id}\r\nAuthorization: Bearer {id}\r\n");
            front.post(&headers, &body);
        }
        let ran = upstream.seen().len();
        assert!(ran <= most, "{ran} ran with {preset}");
    }
}

#[test]
fn clients_that_give_their_names_are_counted_apart_for_what_is_no_burst() {
    let place = Place::new("mcp-callers-apart");
    let upstream = same();
    let front = Front::before(&upstream, &place, &[]);
    let ask = |id, client: &str| {
        let (headers, body) = modern(id, &json!({"name":client,"version":"1"}));
        denied(&front.post(&headers, &body).json())
    };
    assert!((0..10).any(|id| ask(id, "looping")));
    assert!(!ask(20, "honest"));
    assert!(ask(21, "looping"));
    let claimed: Vec<_> = recorded(&place, "call")
        .iter()
        .map(|line| line["claimed"]["client"].clone())
        .collect();
    assert!(claimed.contains(&json!("honest 1")), "{claimed:?}");
}

#[test]
fn thirty_two_clients_at_once_get_twenty_equal_calls_through() {
    let place = Place::new("mcp-callers-many");
    let upstream = same();
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    thread::scope(|scope| {
        for client in 0..32 {
            let front = &front;
            scope.spawn(move || {
                for id in 0..40 {
                    let (headers, body) = modern(id, &json!({"name":format!("c{client}")}));
                    assert_eq!(front.post(&headers, &body).status, 200);
                }
            });
        }
    });
    assert_eq!(upstream.seen().len(), 20);
}

#[test]
fn trusted_names_are_counted_apart_and_are_the_principal() {
    let place = Place::new("mcp-callers-trusted");
    place.write(
        "policy.cedar",
        r#"permit (principal, action, resource);
           forbid (principal == Agent::"nobody", action, resource);
           forbid (principal, action, resource)
           when { context.claimed has session && context.claimed.session == "s-1" };"#,
    );
    let options = [
        "--trust-names",
        "--policy",
        "policy.cedar",
        "--preset",
        "ironcurtain",
    ];
    let mut proxy = Proxy::start(&place, &options);
    let mut ask = |meta: Value| {
        let call = json!({"jsonrpc":"2.0","id":1,"method":"tools/call",
            "params":{"name":"echo","arguments":{},"_meta":meta}});
        proxy.send(&call.to_string());
        denied(&proxy.receive())
    };
    for number in 0..30 {
        assert!(!ask(json!({"threadId":format!("t{number}")})));
    }
    assert!(ask(json!({"threadId":"nobody"})));
    assert!(ask(json!({"sessionId":"s-1"})));
}

#[test]
fn an_id_that_a_server_merely_repeats_is_not_a_session() {
    let place = Place::new("mcp-callers-echoed");
    let upstream = Upstream::new(|request, stream| {
        let id = request.header("mcp-session-id").unwrap_or("none");
        let headers = format!("{}mcp-session-id: {id}\r\n", crate::mcp_http_peer::JSON);
        let answer = crate::mcp_http_peer::echo(&request.json());
        crate::mcp_http_peer::respond(stream, "200 OK", &headers, &answer.to_string());
    });
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    // Twice, so that each id has come back from the server once.
    for id in 0..40 {
        let header = format!("Mcp-Session-Id: made-up-{}\r\n", id % 20);
        front.post(&header, &crate::mcp_http_peer::call(id, "t", &json!({})));
    }
    assert_eq!(upstream.seen().len(), 20);
}

#[test]
fn a_proxy_leaves_nothing_behind_and_what_it_writes_is_private() {
    let place = Place::new("mcp-callers-private");
    let proxy = Proxy::start(&place, &[]);
    let root = place.path("state/proxies");
    let directories = || fs::read_dir(&root).into_iter().flatten().flatten();
    eventually("a status", || {
        directories().any(|entry| entry.path().join("status").exists())
    });
    let mode = |path: std::path::PathBuf| {
        fs::metadata(path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode(root.clone()), 0o700);
    for directory in directories() {
        assert_eq!(mode(directory.path()), 0o700);
        for file in fs::read_dir(directory.path())
            .expect("a directory")
            .flatten()
        {
            assert_eq!(mode(file.path()), 0o600, "{}", file.path().display());
        }
    }
    assert_eq!(proxy.end().0, Some(0));
    assert_eq!(directories().count(), 0);
}

#[test]
fn a_proxy_that_was_killed_is_not_listed_and_is_tidied() {
    let place = Place::new("mcp-callers-killed");
    let mut proxy = Proxy::start(&place, &[]);
    let sessions = || place.run(&["sessions"]).out;
    eventually("a proxy in the list", || sessions().contains("  mcp  "));
    assert!(place.run(&["status"]).out.contains("1 running"));
    proxy.child.kill().expect("it runs");
    proxy.child.wait().expect("it ends");
    assert!(!sessions().contains("  mcp  "));
    // A directory that is a second old may be that of a proxy that is about to take its lock.
    eventually("its directory is gone", || {
        sessions();
        let left = fs::read_dir(place.path("state/proxies")).expect("a directory");
        left.count() == 0
    });
}

#[test]
fn a_request_that_is_not_one_does_no_harm() {
    let place = Place::new("mcp-callers-odd");
    let mut proxy = Proxy::start(&place, &[]);
    let root = place.path("state/proxies");
    let directory = || fs::read_dir(&root).into_iter().flatten().flatten().next();
    eventually("a directory", || directory().is_some());
    let path = directory().expect("it is there").path().join("reset");
    let gone = || path.symlink_metadata().is_err();
    fs::write(&path, "not a request").expect("a file");
    eventually("no file", gone);
    std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
    eventually("no link", gone);
    let made = Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    eventually("no pipe", gone);
    assert!(!denied(&proxy.call(1, "echo", &json!({}))));
    assert_eq!(proxy.end().0, Some(0));
}

#[test]
fn the_environment_goes_before_the_switch() {
    let place = Place::new("mcp-callers-environment");
    place.as_person(&["mode", "off"]);
    let mut words = vec![
        "mcp",
        "--name",
        "s",
        "--no-audit",
        "--preset",
        "ironcurtain",
        "--",
    ];
    words.push(crate::mcp_proxy::server());
    let mut command = place.command(&words);
    command.env("UNSTUCK_MODE", "enforce");
    let mut proxy = Proxy::of(command);
    let denials = (0..30).filter(|id| denied(&proxy.call(*id, "echo", &json!({}))));
    assert_eq!(denials.count(), 10);
}

#[test]
fn all_proxies_are_reset_at_once() {
    let place = Place::new("mcp-callers-all");
    let mut proxies = [Proxy::start(&place, &[]), Proxy::start(&place, &[])];
    for proxy in &mut proxies {
        for id in 0..14 {
            proxy.call(id, "echo", &json!({"x":1}));
        }
        assert!(denied(&proxy.call(20, "echo", &json!({"y":1}))));
    }
    eventually("both in the list", || {
        place
            .run(&["sessions"])
            .out
            .matches("unstuck reset mcp-")
            .count()
            == 2
    });
    let ran = place.as_person(&["reset", "--all"]);
    assert!(ran.out.contains("2 proxies"), "{ran:?}");
    for proxy in &mut proxies {
        assert!(!denied(&proxy.call(21, "echo", &json!({"y":1}))));
    }
}
