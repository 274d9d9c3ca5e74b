//! A guard in front of a server: requests are passed on with few headers, and the events that come back are filtered.
//!
//! ```text
//! cargo run -p unstuck-http --example forward
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{error::Error, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::BodyExt as _;
use hyper::{
    HeaderMap, Method, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderValue},
    http::uri::PathAndQuery,
};
use tokio::{runtime::Builder, sync::watch, task::JoinHandle};
use unstuck_http::{
    AllowList, Attempts, Content, EVENTS, Event, EventBody, EventFilter, Gate, Handler, Listener,
    Memory, Refusal, Reply, Request, ServeOptions, Stopped, Upstream, UpstreamOptions, empty, json,
    url, whole_body,
};
use unstuck_text::Notify;

const LONGEST: usize = 1 << 20;

/// Sends three events, and says which headers it got.
struct Server;

impl Handler for Server {
    async fn answer(&self, request: Request) -> Result<Reply, Refusal> {
        let has_cookie = request.head.headers.contains_key(COOKIE);
        let events = format!(
            "event: delta\ndata: cookie {has_cookie}\n\nevent: delta\ndata: secret\n\nevent: delta\ndata: end\n\n"
        );
        let mut reply = Response::new(whole_body(events.into()));
        let events = HeaderValue::from_static(EVENTS);
        reply.headers_mut().insert(CONTENT_TYPE, events);
        Ok(reply)
    }

    fn refuse(&self, refusal: &Refusal) -> Reply {
        empty(refusal.status())
    }
}

/// Passes requests on, and events back.
struct Guard {
    upstream: Upstream,
    memory: Memory,
}

impl Handler for Guard {
    async fn answer(&self, request: Request) -> Result<Reply, Refusal> {
        let Request { head, body } = request;
        let body = body.read(LONGEST).await?;
        let headers = self.upstream.headers(&head.headers);
        let path = head.uri.path_and_query().cloned();
        let path = path.unwrap_or(PathAndQuery::from_static("/"));
        let sent = self
            .upstream
            .send_to(path, head.method, headers, body.into_bytes())
            .await;
        let Ok(answer) = sent else {
            return Ok(empty(StatusCode::BAD_GATEWAY));
        };
        if Content::of(answer.headers()) != Content::Events {
            return Ok(empty(StatusCode::BAD_GATEWAY));
        }
        let events = EventBody::new(answer.into_body(), NoSecrets, LONGEST, &self.memory);
        let mut reply = Response::new(events.boxed_unsync());
        let events = HeaderValue::from_static(EVENTS);
        reply.headers_mut().insert(CONTENT_TYPE, events);
        Ok(reply)
    }

    fn refuse(&self, refusal: &Refusal) -> Reply {
        json(refusal.status(), format!("{:?}", refusal.message()).into())
    }
}

/// Takes out events with secrets.
struct NoSecrets;

impl EventFilter for NoSecrets {
    fn event(&mut self, event: &Event) -> Option<Vec<u8>> {
        let data = event.data().filter(|data| *data != b"secret")?;
        Some(event.write_typed(data))
    }

    fn ended(&mut self) {}

    fn stopped(&mut self, _: Stopped) -> Option<Vec<u8>> {
        None
    }
}

async fn serve<H: Handler>(
    handler: H,
    token: Option<&str>,
    stop: &watch::Receiver<bool>,
) -> Result<(String, JoinHandle<()>), Box<dyn Error>> {
    let listener = Listener::bind("127.0.0.1:0".parse()?).await?;
    let address = listener.address();
    let options = ServeOptions {
        gate: Gate::new(address, token, &[]),
        attempts: Arc::new(Attempts::default()),
        memory: Memory::new(8 << 20),
        connections: 16,
        patience: Duration::from_secs(10),
        notify: Notify::silent(),
    };
    let serving = listener.serve(Arc::new(handler), options, stop.clone());
    Ok((format!("http://{address}"), tokio::spawn(serving)))
}

fn upstream(address: &str, passed: AllowList) -> Result<Upstream, Box<dyn Error>> {
    Ok(Upstream::new(UpstreamOptions {
        url: url(address)?,
        configured: HeaderMap::new(),
        passed,
        patience: Duration::from_secs(10),
        notify: Notify::silent(),
    })?)
}

async fn ask(
    guard: &Upstream,
    token: &'static str,
) -> Result<(StatusCode, String), Box<dyn Error>> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_static(token));
    headers.insert(COOKIE, HeaderValue::from_static("a=b"));
    let body = Bytes::from_static(b"{}");
    let answer = guard.send(Method::POST, headers, body).await;
    let answer = answer.map_err(|fault| format!("{fault:?}"))?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    Ok((status, String::from_utf8(body.into())?))
}

async fn run() -> Result<(), Box<dyn Error>> {
    let (stop, stopped) = watch::channel(false);
    let (server, first) = serve(Server, None, &stopped).await?;
    let guard = Guard {
        upstream: upstream(&server, AllowList::new([CONTENT_TYPE], ["x-my-"]))?,
        memory: Memory::new(8 << 20),
    };
    let (address, second) = serve(guard, Some("token"), &stopped).await?;
    let client = upstream(&address, AllowList::default())?;

    let (status, body) = ask(&client, "Bearer wrong").await?;
    println!("{status} {body}");
    assert_eq!(status, StatusCode::UNAUTHORIZED);

    let (status, body) = ask(&client, "Bearer token").await?;
    println!("{status}\n{body}");
    assert_eq!(status, StatusCode::OK);
    let expected = "event: delta\ndata: cookie false\n\nevent: delta\ndata: end\n\n";
    assert_eq!(body, expected);

    stop.send_replace(true);
    first.await?;
    second.await?;
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run())
}
