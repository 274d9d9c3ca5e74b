//! Secrets in arguments and results that are printed as text: in reports, in messages and in state files.

use serde_json::{Value, json};

use crate::run::Place;

/// A password that no look at it alone gives away.
const PASSWORD: &str = "sunshine";

/// Events of a run that repeats one call with one result, one line each.
fn repeated(arguments: &Value, output: &Value) -> String {
    let mut text = String::new();
    for id in 0..5 {
        let call = json!({"event":"call","id":id,"tool":"run","args":arguments});
        let result = json!({"event":"result","id":id,"output":output});
        text.extend([call, result].map(|event| format!("{event}\n")));
    }
    text
}

#[test]
fn b11_words_of_a_command_are_not_in_a_report() {
    let place = Place::new("h2-report");
    let arguments = [
        json!({"command":["mysql","-u","root","-psunshine","-e","select 1"]}),
        json!({"program":"sshpass","args":["-p","sunshine","ssh","host"]}),
        json!({"env":[{"name":"DB_PASSWORD","note":"of the shop","value":"sunshine"}]}),
        json!({"rows":[["db_password","sunshine"]]}),
    ];
    for (number, arguments) in arguments.iter().enumerate() {
        let run = format!("{number}.jsonl");
        place.write(&run, repeated(arguments, &json!({"ran":arguments})));
        for output in ["html", "json", "jsonl", "markdown", "sarif", "terminal"] {
            let ran = place.run(&["scan", "--format", output, &run]);
            assert!(ran.out.contains("exact-repeat"), "{output}: {ran:?}");
            let report = ran.out.replace(" \\", "");
            assert!(!report.contains(PASSWORD), "{output}: {arguments}");
        }
        let ran = place.run(&["scan", "--no-redact", "--format", "html", &run]);
        assert!(ran.out.contains(PASSWORD), "{arguments}");
    }
}

#[test]
fn b11_an_escaped_line_feed_ends_a_word_in_a_message() {
    let place = Place::new("m1-messages");
    let texts = [
        "cd x\nmysql -psunshine db",
        "set -e\nsshpass -p sunshine ssh h",
        "#!/bin/sh\ncurl -u joe:sunshine h",
        "user: joe\n\tpw: sunshine",
        "a\r\nclave: sunshine",
        "host h\npass sunshine9",
    ];
    for text in texts {
        for (arguments, output) in [
            (json!({"script":text}), json!("done")),
            (json!({"a":1}), json!({"rows":[text,"two"]})),
        ] {
            let run = repeated(&arguments, &output);
            let ran = place.run_with(&["check", "--no-config"], run.as_bytes());
            assert!(ran.out.contains("exact-repeat"), "{ran:?}");
            assert!(!ran.out.contains(PASSWORD), "{text:?}: {}", ran.out);
        }
    }
}
