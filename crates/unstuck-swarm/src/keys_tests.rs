use unstuck::{Json, fingerprint::Fingerprinter};

use super::*;

fn fingerprint() -> Fingerprint {
    let args = Json::parse(r#"{"url":"https://api.example/dead"}"#).unwrap();
    Fingerprinter::new(b"").action("web_fetch", &args)
}

#[test]
fn keys_depend_on_the_secret_and_are_the_same_in_every_process() {
    let (one, same, other) = (Keys::new(b"a"), Keys::new(b"a"), Keys::new(b"b"));
    let worker = Worker::new("s", "main");
    assert_eq!(one.swarm("crew"), same.swarm("crew"));
    assert_eq!(one.call(&fingerprint()), same.call(&fingerprint()));
    assert_eq!(one.worker(worker), same.worker(worker));
    assert_ne!(one.swarm("crew"), other.swarm("crew"));
    assert_ne!(one.call(&fingerprint()), other.call(&fingerprint()));
    assert_ne!(one.worker(worker), other.worker(worker));
}

#[test]
fn a_key_shows_neither_the_name_nor_the_fingerprint() {
    let keys = Keys::new(b"");
    let shown = keys.call(&fingerprint()).to_string();
    assert_eq!(shown.len(), 32);
    assert!(!fingerprint().to_string().contains(&shown));
    assert_ne!(
        keys.call(&fingerprint()).as_bytes(),
        fingerprint().as_bytes()
    );
    assert!(!format!("{keys:?}{:?}", keys.swarm("crew")).contains("crew"));
}
