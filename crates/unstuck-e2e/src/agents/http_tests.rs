use super::*;

fn read_all(text: &str) -> Vec<Request> {
    let mut reader = text.as_bytes();
    std::iter::from_fn(|| read(&mut reader).unwrap()).collect()
}

#[test]
fn requests_of_one_connection_are_read_one_after_the_other() {
    let text = "POST /a?b=1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /c HTTP/1.1\r\n\r\n\
        POST /d HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\nxy\r\n1\r\nz\r\n0\r\n\r\nHEAD / HTTP/1.1\r\n\r\n";
    let request = |method: &str, path: &str, body: &str| Request {
        method: method.to_owned(),
        path: path.to_owned(),
        body: body.as_bytes().to_vec(),
    };
    assert_eq!(
        read_all(text),
        [
            request("POST", "/a?b=1", "abc"),
            request("GET", "/c", ""),
            request("POST", "/d", "xyz"),
            request("HEAD", "/", ""),
        ]
    );
}

#[test]
fn a_server_answers_on_loopback() {
    let answer = |request: &Request| Response {
        content_type: "text/plain",
        body: request.path.to_uppercase(),
    };
    let server = Server::start(Arc::new(answer)).unwrap();
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(b"GET /hello HTTP/1.1\r\n\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.ends_with("\r\n\r\n/HELLO"), "{text}");
}
