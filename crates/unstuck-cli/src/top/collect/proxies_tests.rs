use unstuck_session::{ProxyKind, ProxyStatus};

use super::*;
use crate::top::model::AgentState;

#[test]
fn sessions_of_a_running_proxy_are_seen() {
    let directory = tempfile::tempdir().unwrap();
    let home = StateDir::at(directory.path());
    let registration = home.register_proxy_of(ProxyKind::Llm).unwrap();
    assert!(agents(&home).is_empty());
    let session = ProxySession {
        session: "s1".to_owned(),
        agent: "main".to_owned(),
        requests: 7,
        denials: 2,
        halted: Some("exact-repeat".to_owned()),
        last: 5_000,
        ..ProxySession::default()
    };
    let status = ProxyStatus {
        sessions: vec![session],
        ..ProxyStatus::default()
    };
    registration.write(status).unwrap();
    let seen = agents(&home);
    let [agent] = seen.as_slice() else {
        panic!("{} agents", seen.len());
    };
    assert_eq!((&*agent.about.session, agent.about.calls), ("s1", 7));
    assert_eq!(agent.state(5_000), AgentState::Halted);
    drop(registration);
    assert!(agents(&home).is_empty());
}
