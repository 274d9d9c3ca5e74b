use super::*;

fn tcp(host: &str, port: u16) -> Place {
    Place::Tcp(host.into(), port)
}

#[test]
fn slots_are_those_of_the_specification() {
    assert_eq!(slot(b"123456789"), 0x31c3);
    assert_eq!(slot(b""), 0);
    assert_eq!(slot(b"foo"), 12_182);
}

#[test]
fn redirections_are_read() {
    let from = tcp("10.0.0.1", 7000);
    let parse = |error| Redirection::parse(error, &from);
    let moved = Redirection::Moved(tcp("10.0.0.2", 7001));
    assert_eq!(parse("MOVED 3999 10.0.0.2:7001"), Some(moved));
    assert_eq!(
        parse("ASK 3999 ::1:7001"),
        Some(Redirection::Ask(tcp("::1", 7001)))
    );
    assert_eq!(
        parse("MOVED 1 :7001"),
        Some(Redirection::Moved(tcp("10.0.0.1", 7001)))
    );
    for other in [
        "ERR x",
        "MOVED",
        "MOVED x h:1",
        "MOVED 1 h",
        "MOVED 1 h:x",
        "CLUSTERDOWN 1 h:1",
    ] {
        assert_eq!(parse(other), None, "{other}");
    }
    assert_eq!(
        Redirection::parse("MOVED 1 :1", &Place::Unix("/s".into())),
        None
    );
}

#[test]
fn a_node_that_fails_is_not_asked_again_at_once() {
    let (a, b, c) = (tcp("a", 1), tcp("b", 1), tcp("c", 1));
    let mut nodes = Nodes::new(vec![a.clone(), b.clone()]);
    assert_eq!(nodes.of(5), Some(&a));
    nodes.moved(5, c.clone());
    assert_eq!((nodes.of(5), nodes.of(6)), (Some(&c), Some(&a)));
    nodes.failed(&c);
    assert_eq!(nodes.of(5), Some(&a));
    nodes.failed(&a);
    assert_eq!(nodes.of(5), Some(&b));
    nodes.failed(&b);
    assert_eq!(nodes.of(5), Some(&a));
}
