use super::Content;

#[test]
fn content_is_known_by_its_first_bytes() {
    for (head, content) in [
        (&b""[..], Content::Empty),
        (b"\xef\xbb\xbf \n\0\n", Content::Empty),
        (b"BZh91AY&SY", Content::Packed("bzip2")),
        (b"\xff\xfe{\0\"\0", Content::Utf16),
        (b"{\0\"\0a\0", Content::Utf16),
        (b"\0{\0\"\0a", Content::Utf16),
        (b"\xff\xfe\0\0{\0\0\0", Content::Utf32),
        (b"\0\0\xfe\xff\0\0\0{", Content::Utf32),
        (b"{\0\0\0\"\0\0\0", Content::Utf32),
        (b"\0\0\0{\0\0\0\"", Content::Utf32),
        (b"{\"a\":1}", Content::Other),
        (b"x", Content::Other),
    ] {
        assert_eq!(Content::of(head), content, "{head:?}");
    }
}
