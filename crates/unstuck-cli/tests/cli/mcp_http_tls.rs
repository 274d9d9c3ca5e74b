//! `unstuck mcp --listen` in front of a server by https.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use rustls::{ServerConfig, ServerConnection, StreamOwned, pki_types::PrivateKeyDer};
use serde_json::json;

use crate::{
    mcp_http_peer::{Front, echo},
    run::Place,
};

/// A server that answers calls with their arguments, and the certificate to trust it by.
fn server() -> (SocketAddr, String) {
    let names = vec!["localhost".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("a configuration");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(stream), config) = (stream, Arc::clone(&config)) else {
                return;
            };
            thread::spawn(move || answer(stream, config));
        }
    });
    (address, made.cert.pem())
}

fn answer(stream: TcpStream, config: Arc<ServerConfig>) -> Option<()> {
    let connection = ServerConnection::new(config).ok()?;
    let mut reader = BufReader::new(StreamOwned::new(connection, stream));
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let said = echo(&serde_json::from_slice(&body).ok()?).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            said.len()
        );
        let stream = reader.get_mut();
        stream.write_all((head + &said).as_bytes()).ok()?;
        stream.flush().ok()?;
    }
}

#[test]
fn servers_are_known_by_their_certificates() {
    let place = Place::new("mcp-tls");
    let (address, certificate) = server();
    place.write("trusted.pem", certificate);
    // Another certificate of the same name.
    place.write("other.pem", server().1);
    let url = format!("https://localhost:{}/mcp", address.port());
    for (file, status) in [("trusted.pem", 200), ("other.pem", 502)] {
        let file = place.path(file);
        let file = file.to_str().expect("text");
        let front = Front::with(&place, &["--upstream", &url], &[("SSL_CERT_FILE", file)]);
        let answer = front.call(1, "read", &json!({"a":1}));
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.json()["id"], 1);
    }
    // The name counts, not only who signed.
    let file = place.path("trusted.pem");
    let file = file.to_str().expect("text");
    let url = format!("https://{address}/mcp");
    let front = Front::with(&place, &["--upstream", &url], &[("SSL_CERT_FILE", file)]);
    assert_eq!(front.call(1, "read", &json!({})).status, 502);
}
