use super::*;

fn address(text: &str) -> Result<Address, AddressError> {
    text.parse()
}

#[test]
fn every_part_is_read() {
    let full = address("redis://ann:s%40c%3Ar@et@db.example:7000/3").unwrap();
    assert_eq!(full.places, [Place::Tcp("db.example".into(), 7000)]);
    assert_eq!(full.user.as_deref(), Some("ann"));
    assert_eq!(full.password.as_deref(), Some("s@c:r@et"));
    assert_eq!(full.database, 3);
    let cluster = address("redis://:pw@a,b:1,[::1]:2").unwrap();
    let tcp = |host: &str, port| Place::Tcp(host.into(), port);
    assert_eq!(cluster.places, [tcp("a", 6379), tcp("b", 1), tcp("::1", 2)]);
    assert_eq!(
        (cluster.user, cluster.password.as_deref()),
        (None, Some("pw"))
    );
    let socket = address("unix:///run/redis.sock").unwrap();
    assert_eq!(socket.places, [Place::Unix("/run/redis.sock".into())]);
}

#[test]
fn an_address_is_shown_without_its_password() {
    let address = address("redis://ann:secret@a,[::1]:2").unwrap();
    assert_eq!(address.to_string(), "a:6379,[::1]:2");
    assert!(!format!("{address:?}").contains("secret"));
}

#[test]
fn what_is_not_an_address_is_refused_and_not_shown() {
    let cases = [
        ("", AddressError::Scheme),
        ("secret", AddressError::Scheme),
        ("rediss://a", AddressError::Encrypted),
        ("redis://", AddressError::Host),
        ("redis://a,,b", AddressError::Host),
        ("redis://[::1", AddressError::Host),
        ("unix://run", AddressError::Host),
        ("redis://a:0", AddressError::Port),
        ("redis://a:70000", AddressError::Port),
        ("redis://a/x", AddressError::Database),
        ("redis://:%4@a", AddressError::Escape),
        ("redis://:%zz@a", AddressError::Escape),
    ];
    for (text, expected) in cases {
        assert_eq!(address(text), Err(expected), "{text}");
        assert!(!expected.to_string().contains("secret"));
    }
}
