use super::*;

/// What the library reads of these bytes if they arrive in pieces of `size`, and what is wrong with them.
fn run(bytes: &[u8], size: usize) -> (Vec<u8>, Option<Fault>) {
    let mut heads = Heads::default();
    let mut read = Vec::new();
    for part in bytes.chunks(size) {
        heads.push(part);
        read.extend_from_slice(heads.ready());
        heads.consume(heads.ready().len());
    }
    (read, heads.fault())
}

/// The fault in these bytes, however they are cut.
fn fault(bytes: &str) -> Option<Fault> {
    let whole = run(bytes.as_bytes(), bytes.len());
    for size in 1..4 {
        assert_eq!(run(bytes.as_bytes(), size), whole, "{bytes:?} by {size}");
    }
    whole.1
}

#[test]
fn one_length_is_no_fault() {
    for bytes in [
        "GET / HTTP/1.1\r\nhost: a\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        // Bodies may say what they like.
        "POST / HTTP/1.1\r\ncontent-length: 57\r\n\r\n\r\n\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n\r\n\r\n",
        "\r\nPOST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcPOST / HTTP/1.1\r\ncontent-length: 0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ] {
        assert_eq!(fault(bytes), None, "{bytes:?}");
        assert_eq!(run(bytes.as_bytes(), 7).0, bytes.as_bytes());
    }
}

#[test]
fn two_lengths_are() {
    for bytes in [
        "POST / HTTP/1.1\r\ncontent-length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding : chunked\r\n\r\n",
        "POST / HTTP/1.1\ncontent-length: 3\ntransfer-encoding: chunked\n\n",
        // The second of two requests.
        "POST / HTTP/1.1\r\ncontent-length: 3\r\n\r\nabcPOST / HTTP/1.1\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
    ] {
        assert_eq!(fault(bytes), Some(Fault::Lengths), "{bytes:?}");
    }
}

#[test]
fn a_head_is_held_back_until_it_is_complete() {
    let mut heads = Heads::default();
    heads.push(b"GET / HTTP/1.1\r\nhost: a\r\n");
    assert!(heads.ready().is_empty());
    assert_eq!(heads.direct(), 0);
    heads.push(b"content-length: 5\r\n\r\nab");
    assert!(heads.ready().ends_with(b"\r\n\r\nab"));
    heads.consume(heads.ready().len());
    assert_eq!(heads.direct(), 3);
    heads.passed(3);
    assert_eq!(heads.direct(), 0);
    heads.push(b"GET");
    assert!(heads.ready().is_empty());
    // What cannot be a request is for the library to refuse.
    let mut tls = Heads::default();
    tls.push(b"\x16\x03\x01");
    assert_eq!(tls.ready(), b"\x16\x03\x01");
}

#[test]
fn blank_lines_and_long_heads_are_refused() {
    for bytes in ["\r\n\r\n\r\n", "\n\n\n\n\n", "\n\r\n\r\n"] {
        assert_eq!(fault(bytes), Some(Fault::BlankLines), "{bytes:?}");
    }
    for bytes in ["\r\n\r\n", "\n\n\n\n"] {
        assert_eq!(fault(bytes), None, "{bytes:?}");
    }
    let long = format!("GET / HTTP/1.1\r\na: {}", "b".repeat(LONGEST_HEAD));
    let mut heads = Heads::default();
    heads.push(long.as_bytes());
    assert_eq!(heads.fault(), Some(Fault::TooLong));
    assert_eq!(heads.ready(), IN_PLACE);
    heads.consume(IN_PLACE.len());
    heads.push(b"GET / HTTP/1.1\r\n\r\n");
    assert!(heads.ready().is_empty() && heads.is_refused());
}
