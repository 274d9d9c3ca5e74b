//! Every row of the registries of hosts, MCP clients and transcript formats is reachable through the command.

use std::{collections::BTreeSet, fs, path::PathBuf};

use serde_json::Value;
use unstuck_hosts::{CanaryCall, Host, McpClient, encode_allow};
use unstuck_transcript::Format;

use crate::{install::at_home, run::Place};

#[test]
fn every_host_is_in_the_help() {
    let place = Place::new("registries_host_help");
    for command in ["install", "uninstall", "doctor", "hook"] {
        let ran = place.run(&[command, "--help"]);
        for host in Host::ALL {
            for word in [host.name(), host.title()] {
                assert!(ran.out.contains(word), "{command} --help: {word}");
            }
        }
    }
}

#[test]
fn every_mcp_client_is_in_the_help() {
    let place = Place::new("registries_client_help");
    for command in ["install", "uninstall"] {
        let ran = place.run(&[command, "mcp", "--help"]);
        for client in McpClient::all() {
            for word in [client.name(), client.title()] {
                assert!(ran.out.contains(word), "{command} mcp --help: {word}");
            }
        }
    }
}

#[test]
fn every_host_can_be_installed_and_its_hooks_are_answered() {
    for host in Host::ALL {
        let place = Place::new(&format!("registries_{host}"));
        let ran = at_home(&place, &["install", host.name(), "--print"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!ran.out.is_empty(), "{host}");
        let canary = CanaryCall {
            session: "s",
            number: 1,
            directory: "/project",
            at: 1_000,
        };
        for told in unstuck_hosts::canary(host, &canary) {
            let input = told.input.to_string();
            let words = ["hook", host.name(), told.event];
            let ran = place.run_with(&words, input.as_bytes());
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{host}");
            assert_eq!(ran.out, encode_allow(host).stdout, "{host}");
        }
        let ran = place.run(&["sessions", "--json"]);
        assert!(ran.out.contains(host.name()), "{ran:?}");
    }
}

#[test]
fn every_format_is_scanned_by_its_name() {
    let place = Place::new("registries_formats");
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let fixtures = crates.join("unstuck-transcript/tests/fixtures");
    for format in Format::ALL {
        let folder = fixtures.join(format.name());
        assert!(folder.is_dir(), "{format} has no recordings");
        let folder = folder.to_str().expect("text");
        let ran = place.run(&["scan", folder, "--agent", format.name(), "--output", "json"]);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let runs = report["runs"].as_array().expect("runs");
        let formats: BTreeSet<_> = runs.iter().map(|run| run["format"].as_str()).collect();
        assert_eq!(formats, BTreeSet::from([Some(format.name())]), "{ran:?}");
    }
    // A folder that is not a format's would never be read.
    for folder in fs::read_dir(fixtures).expect("recordings") {
        let name = folder.expect("a folder").file_name();
        let name = name.to_str().expect("text");
        assert!(name.parse::<Format>().is_ok(), "{name}");
    }
}
