use super::*;

/// Whether a connection with these bytes is in doubt, however they are cut.
fn doubtful(bytes: &str) -> bool {
    let whole = run(bytes.as_bytes(), bytes.len());
    for size in 1..4 {
        assert_eq!(run(bytes.as_bytes(), size), whole, "{bytes:?} by {size}");
    }
    whole
}

fn run(bytes: &[u8], size: usize) -> bool {
    let (mut framed, doubt) = Framed::new(());
    for part in bytes.chunks(size) {
        framed.heads.read(part);
    }
    doubt.is_there()
}

#[test]
fn one_way_is_no_doubt() {
    for bytes in [
        "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        // Bodies may say what they like.
        "POST / HTTP/1.1\r\ncontent-length: 56\r\n\r\n\r\n\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n\r\n\r\n",
        "\r\nPOST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcPOST / HTTP/1.1\r\ncontent-length: 0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ] {
        assert!(!doubtful(bytes), "{bytes:?}");
    }
}

#[test]
fn two_ways_are() {
    for bytes in [
        "POST / HTTP/1.1\r\ncontent-length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding : chunked\r\n\r\n",
        "POST / HTTP/1.1\ncontent-length: 3\ntransfer-encoding: chunked\n\n",
        // The second of two requests.
        "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcPOST / HTTP/1.1\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
    ] {
        assert!(doubtful(bytes), "{bytes:?}");
    }
}
