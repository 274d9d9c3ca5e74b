use super::*;

fn read(bytes: &[u8]) -> io::Result<Reply> {
    read_reply(&mut io::Cursor::new(bytes))
}

#[test]
fn commands_are_arrays_of_texts_of_any_bytes() {
    let mut request = Vec::new();
    write_command(&mut request, &[b"SET", b"a\r\n", b""]);
    assert_eq!(request, b"*3\r\n$3\r\nSET\r\n$3\r\na\r\n\r\n$0\r\n\r\n");
}

#[test]
fn replies_of_every_kind_are_read() {
    let bulk = |text: &str| Reply::Bulk(text.into());
    let cases: [(&[u8], Reply); 7] = [
        (b"+OK\r\n", Reply::Simple("OK".into())),
        (b"-MOVED 1 h:2\r\n", Reply::Error("MOVED 1 h:2".into())),
        (b":-7\r\n", Reply::Integer(-7)),
        (b"$3\r\n\r\nx\r\n", bulk("\r\nx")),
        (b"$-1\r\n", Reply::Null),
        (b"*-1\r\n", Reply::Null),
        (
            b"*2\r\n$1\r\na\r\n*1\r\n:1\r\n",
            Reply::Array(vec![bulk("a"), Reply::Array(vec![Reply::Integer(1)])]),
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(read(bytes).unwrap(), expected);
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "{cut} bytes of {expected:?}");
        }
    }
}

#[test]
fn what_is_not_a_reply_is_an_error_and_takes_no_memory() {
    let deep = "*1\r\n".repeat(20);
    let long = format!("+{}\r\n", "x".repeat(70_000));
    let cases: [&[u8]; 9] = [
        b"HTTP/1.1 400 Bad Request\r\n",
        b"\r\n",
        b"$-2\r\n",
        b"$99999999999999999999\r\n",
        b"$1073741824\r\n",
        b"*1073741824\r\n",
        b"$1\r\nabc",
        deep.as_bytes(),
        long.as_bytes(),
    ];
    for bytes in cases {
        assert!(read(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
    }
    // Arrays of arrays do not multiply.
    let wide = format!("*1000000\r\n{}", "*1000000\r\n".repeat(7));
    assert!(read(wide.as_bytes()).is_err());
}
