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

#[test]
fn verdicts_that_a_proxy_counted_are_the_state() {
    let state = |nudges, denials, now| {
        let session = ProxySession {
            nudges,
            denials,
            ..ProxySession::default()
        };
        let agent = Agent {
            about: Arc::new(about(&session)),
            source: Source::Proxy,
        };
        agent.state(now)
    };
    assert_eq!(state(0, 0, 0), AgentState::Fine);
    assert_eq!(state(1, 0, 0), AgentState::Warned);
    assert_eq!(state(1, 1, 0), AgentState::Denied);
    assert_eq!(state(1, 1, 3_600_000), AgentState::Idle);
}
