//! Any text is taken as the configuration of any host and MCP client. What an install adds to it is found again and
//! comes out to the byte; what a person wrote is never touched.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use unstuck_hosts::{
    Content, Host, Invocation, Launch, McpClient, PlannedFile, Registration, Scope, ServerFile, Surroundings, Wrapper,
    everything,
};

fuzz_target!(|text: &str| {
    let around = Surroundings {
        home: Path::new("/home/dev"),
        config: Path::new("/home/dev/.config"),
        project: Path::new("/project"),
        variable: &|_| None,
        read: &|_| Some(text.to_owned()),
    };
    let invocation = Invocation::new("/opt/my tools/unstuck");
    // The lengths of mutated seeds reach every host and every client.
    let host = Host::ALL[text.len() % Host::ALL.len()];
    for scope in Scope::ALL {
        for file in everything(host, scope, &around, &invocation).files {
            hooks(&file, text);
            hooks(&file.with_status_line(&invocation), text);
        }
    }
    let clients: Vec<_> = McpClient::all().collect();
    for file in clients[text.len() % clients.len()].files(&around) {
        servers(&file, text);
    }
});

/// Hooks go in and out again.
fn hooks(file: &PlannedFile, text: &str) {
    let _ = file.registration(Some(text));
    let _ = file.status_line(text);
    let _ = file.foreign_commands(text);
    let (Ok(edited), Ok(base)) = (file.add(Some(text), None), file.remove(text, None)) else {
        return;
    };
    assert_eq!(file.registration(Some(&edited.text)), Ok(Registration::Complete), "{}", edited.text);
    if matches!(file.content, Content::Whole { .. }) {
        return;
    }
    let is_untouched = file.commands(text).is_ok_and(|ours| ours.is_empty());
    let without = file.remove(&edited.text, Some(&edited.record)).expect("what was written is readable");
    assert_eq!(without.text, base.text);
    if is_untouched && file.status_line(text) == Ok(None) {
        assert_eq!(base.text, text);
    }
    // Without the record, entries are found by what they run.
    let found = file.remove(&edited.text, None).expect("what was written is readable");
    assert_eq!(file.commands(&found.text), Ok(Vec::new()), "{}", found.text);
    let again = file.add(Some(&edited.text), Some(&edited.record)).expect("what was written is readable");
    assert_eq!(again.text, edited.text);
}

/// Servers go behind the proxy and back.
fn servers(file: &ServerFile, text: &str) {
    let Ok(listed) = file.servers(text) else {
        return;
    };
    let wrapper = Wrapper {
        program: "/opt/my tools/unstuck".to_owned(),
        options: vec!["--preset".to_owned(), "attractor".to_owned()],
    };
    for server in listed {
        let name = &server.name;
        let Ok(Some(wrapped)) = file.wrap(text, name, &wrapper) else {
            continue;
        };
        let launch = |text: &str| {
            let listed = file.servers(text).expect("what was written is readable");
            let last = listed.into_iter().rfind(|one| one.name == *name);
            last.expect("the server is still listed").launch
        };
        assert!(matches!(launch(&wrapped.text), Launch::Wrapped { .. }), "{}", wrapped.text);
        let back = file.unwrap(&wrapped.text, name, Some(&wrapped.changes));
        assert_eq!(back, Ok(Some(text.to_owned())));
        if let Ok(Some(found)) = file.unwrap(&wrapped.text, name, None) {
            assert_eq!(launch(&found), Launch::Plain, "{found}");
        }
    }
}
