use super::*;

fn rule(policies: &str, asked: &Asked<'_>) -> Ruling {
    Policy::parse("p.cedar", policies).unwrap().judge(asked)
}

fn forbidden(policies: &[&str]) -> Ruling {
    Ruling::Forbid {
        policies: policies.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn arguments(text: &str) -> Json {
    Json::parse(text).unwrap()
}

fn mistake(policies: &str) -> (usize, usize, String) {
    let error = Policy::parse("p.cedar", policies).unwrap_err();
    (error.line, error.column, error.message)
}

#[test]
fn what_no_policy_permits_is_forbidden() {
    let none = arguments("{}");
    let asked = asked("files", "read", &none);
    assert_eq!(rule("", &asked), forbidden(&[]));
    assert_eq!(
        rule("permit (principal, action, resource);", &asked),
        Ruling::Permit
    );
}

#[test]
fn calls_are_judged_by_server_tool_arguments_agent_and_time() {
    let path = arguments(r#"{"path":"/etc/passwd","mode":3,"tags":["a",null],"x":null,"y":1.5}"#);
    let mut asked = asked("files", "read", &path);
    // Sunday, 2026-11-15 15:30 UTC.
    asked.at = 1_794_756_600_000;
    asked.agent = "worker";
    asked.session = "s1";
    for (condition, permitted) in [
        (r#"resource == Tool::"files/read""#, true),
        (r#"resource == Tool::"files/write""#, false),
        (r#"resource in Server::"files""#, true),
        (r#"resource in Server::"other""#, false),
        (r#"principal == Agent::"worker""#, true),
        (r#"principal in Session::"s1""#, true),
        (r#"principal in Session::"s2""#, false),
        (
            r#"context.server == "files" && context.tool == "read""#,
            true,
        ),
        (r#"context.arguments.path like "/etc/*""#, true),
        ("context.arguments.mode < 3", false),
        (r#"context.arguments.tags.contains("a")"#, true),
        ("context.arguments has x", false),
        (r#"context.arguments.y == "1.5""#, true),
        ("context.time.hour == 15 && context.time.minute == 30", true),
        (r#"context.time.weekday == "sunday""#, true),
    ] {
        let policy = format!(
            "permit (principal, action == Action::\"call\", resource) when {{ {condition} }};"
        );
        let expected = if permitted {
            Ruling::Permit
        } else {
            forbidden(&[])
        };
        assert_eq!(rule(&policy, &asked), expected, "{condition}");
    }
}

#[test]
fn a_policy_that_forbids_wins_and_is_named() {
    let none = arguments("{}");
    let policies = r#"
        permit (principal, action, resource);
        @id("night") forbid (principal, action, resource) when { context.time.hour < 6 };
        forbid (principal, action, resource in Server::"files");
    "#;
    assert_eq!(
        rule(policies, &asked("files", "read", &none)),
        forbidden(&["night", "policy2"])
    );
}

#[test]
fn a_policy_that_forbids_and_cannot_be_worked_out_forbids() {
    let odd = arguments(r#"{"path":["/etc/passwd"]}"#);
    let policies = r#"
        permit (principal, action, resource);
        @id("etc") forbid (principal, action, resource) when { context.arguments.path like "/etc/*" };
    "#;
    assert_eq!(
        rule(policies, &asked("files", "read", &odd)),
        forbidden(&["etc"])
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    assert_eq!(
        mistake("permit (principal, action, resource)\n  when { true }\n").0,
        2
    );
    let (line, column, message) = mistake("permit (principal,\n  action, resources);");
    assert_eq!((line, column), (2, 11), "{message}");
    for (policies, place, word) in [
        (
            "permit (principal, action, resource);\nforbid (principal == User::\"x\", action, resource);",
            (2, 22),
            "`User`",
        ),
        (
            "permit (principal, action == Action::\"view\", resource);",
            (1, 38),
            "`view`",
        ),
        (
            "permit (principal, action, resource == Tool::\"read\");",
            (1, 46),
            "server/read",
        ),
        (
            "permit (principal, action, resource)\nwhen { context.args has path };",
            (2, 16),
            "`args`",
        ),
        (
            "permit (principal, action, resource)\nwhen { context.time.day == 1 };",
            (2, 21),
            "`day`",
        ),
        (
            "permit (principal, action, resource)\nwhen { resource is File };",
            (2, 20),
            "`File`",
        ),
    ] {
        let (line, column, message) = mistake(policies);
        assert!(message.contains(word), "{message}");
        assert_eq!((line, column), place, "{policies}");
    }
}

#[test]
fn types_and_numbers_of_arguments_are_offered() {
    let given = arguments(
        r#"{"id":" 007 ","ids":[1,"7"],"n":null,"f":1.5,"b":true,"o":{"x":"7"},"i":7.0}"#,
    );
    let asked = asked("db", "delete", &given);
    for (condition, permitted) in [
        (r#"context.types.id == "string""#, true),
        (r#"context.types.ids == "array""#, true),
        (r#"context.types.n == "null""#, true),
        (r#"context.types.f == "number""#, true),
        (r#"context.types.b == "boolean""#, true),
        (r#"context.types.o == "object""#, true),
        (r#"context.types.i == "integer""#, true),
        ("context.types has other", false),
        ("context has types.id", true),
        ("context has numbers", true),
        ("context.numbers has n", true),
        ("context.numbers has other", false),
        ("context.numbers.id.contains(7)", true),
        ("context.numbers.id == [7]", true),
        ("context.numbers.ids.contains(7)", true),
        ("context.numbers.o.contains(7)", true),
        ("context.numbers.b.contains(1)", true),
        ("context.numbers.f.containsAll([1, 2])", true),
        ("context.numbers.i.contains(8)", false),
    ] {
        let policy = format!("permit (principal, action, resource) when {{ {condition} }};");
        let expected = if permitted {
            Ruling::Permit
        } else {
            forbidden(&[])
        };
        assert_eq!(rule(&policy, &asked), expected, "{condition}");
    }
}

#[test]
fn only_what_policies_read_is_limited() {
    let wide = format!("[{}1]", "1,".repeat(100_000));
    let given = arguments(&format!(r#"{{"content":{wide},"path":"a"}}"#));
    let asked = asked("files", "write", &given);
    let forbid = |rest: &str| {
        let text = format!(
            "permit (principal, action, resource);\n@id(\"x\") forbid (principal, action, {rest};"
        );
        rule(&text, &asked)
    };
    assert_eq!(
        forbid("resource) when { context.arguments.path == \"b\" }"),
        Ruling::Permit
    );
    assert_eq!(
        forbid("resource) when { context.types.content != \"array\" }"),
        Ruling::Permit
    );
    // A policy for another tool or server reads nothing of this call.
    for scope in [
        r#"resource == Tool::"files/read""#,
        r#"resource in Server::"db""#,
    ] {
        assert_eq!(
            forbid(&format!(
                "{scope}) when {{ context.arguments.content == 1 }}"
            )),
            Ruling::Permit
        );
    }
    for rest in [
        "resource) when { context.arguments.content == 1 }",
        "resource) when { context.arguments has content }",
        "resource) when { context has arguments.content }",
        "resource) when { context.arguments == {} }",
        "resource) when { context == {} }",
        "resource) when { (if true then context else context).arguments has x }",
        "resource) when { context.numbers.content.contains(2) }",
        r#"resource == Tool::"files/write") when { context.arguments.content == 1 }"#,
        r#"resource in Server::"files") when { context.arguments.content == 1 }"#,
        r#"resource is Tool in Server::"files") when { context.arguments.content == 1 }"#,
    ] {
        assert_eq!(
            forbid(rest),
            Ruling::TooLarge {
                bytes: 1 << 20,
                values: 1 << 14
            },
            "{rest}"
        );
    }
    let long = arguments(&format!(r#"{{"content":"{}"}}"#, "x".repeat(1 << 20)));
    let mut asked = asked;
    asked.arguments = &long;
    let policy = Policy::parse(
        "p.cedar",
        "permit (principal, action, resource) when { context.arguments has content };",
    );
    let policy = policy.unwrap();
    assert!(matches!(policy.judge(&asked), Ruling::TooLarge { .. }));
    assert_eq!(policy.with_limit(2 << 20).judge(&asked), Ruling::Permit);
}

#[test]
fn comparisons_that_another_spelling_escapes_are_warned_of() {
    let warned = |condition: &str| {
        let text = format!(
            "permit (principal, action, resource);\n@id(\"seven\")\nforbid (principal, action, resource)\nwhen {{ {condition} }};"
        );
        let policy = Policy::parse("p.cedar", &text).unwrap();
        let warnings = policy.warnings().iter().map(ToString::to_string);
        warnings.collect::<Vec<_>>()
    };
    for condition in [
        "context.arguments.id == 7",
        "7 == context.arguments.id",
        "context.arguments[\"id\"] != 7",
        "context.arguments.id == -7",
        "context.arguments.a.id == 7",
        "context.arguments.ids.contains(7)",
        "context.arguments.ids.containsAny([1, 7])",
        "[1, 7].contains(context.arguments.id)",
        "context.arguments == {\"id\": 7}",
        "[context.arguments.id] == [7]",
        "(if true then context.arguments.id else 1) == 7",
        "context.arguments.id == 3 + 4",
        "context.arguments.id == \"7\"",
        "context.arguments.force == true",
        "!(context.arguments has id && context.arguments.id == 7)",
    ] {
        let warnings = warned(condition);
        assert_eq!(warnings.len(), 1, "{condition}: {warnings:?}");
        assert!(warnings[0].starts_with("4:"), "{warnings:?}");
        assert!(warnings[0].contains("policy `seven`"), "{warnings:?}");
    }
    assert!(
        warned("context.arguments has id && context.arguments.id == 7")[0].starts_with("4:36:")
    );
    assert_eq!(
        warned("context.arguments.a == 1 || context.arguments.b == 2").len(),
        2
    );
    for condition in [
        "context.numbers.id.contains(7)",
        "context.types.id != \"integer\" || context.arguments.id == 7",
        "context.arguments.id > 7",
        "context.arguments.id + 0 == 7",
        "context.arguments.path == \"/etc/passwd\"",
        "context.arguments.path like \"7*\"",
        "context.arguments.force",
        "context.time.hour == 7",
        "context.tool == \"7\"",
    ] {
        assert_eq!(warned(condition), Vec::<String>::new(), "{condition}");
    }
}

#[test]
fn an_explanation_names_the_policies_that_decided() {
    let none = arguments("{}");
    let text = "permit (principal, action, resource);\n\n@id(\"night\")\n@reason(\"sleep\")\nforbid (principal, action, resource) when { context.time.hour < 6 };\nforbid (principal, action, resource) when { context.arguments.x };\nforbid (principal, action, resource) when { context.arguments.x };\n";
    let policy = Policy::parse("p.cedar", text).unwrap();
    let explained = policy.explain(&asked("files", "read", &none));
    assert_eq!(
        explained.ruling,
        forbidden(&["night", "policy2", "policy3"])
    );
    let places: Vec<_> = explained
        .policies
        .iter()
        .map(|note| (note.name.as_str(), note.line, note.column))
        .collect();
    assert_eq!(
        places,
        [("night", 3, 1), ("policy2", 6, 1), ("policy3", 7, 1)]
    );
    assert_eq!(
        explained.policies[0].annotations,
        [
            ("id".to_owned(), "night".to_owned()),
            ("reason".to_owned(), "sleep".to_owned())
        ]
    );
    assert_eq!(explained.errors.len(), 2);
    assert!(
        explained.errors[0].1.contains('x'),
        "{:?}",
        explained.errors
    );
    let mut later = asked("files", "read", &none);
    later.at = 12 * 3_600_000;
    let policy = Policy::parse(
        "p.cedar",
        &text[..text
            .find("forbid (principal, action, resource) when { context.arguments")
            .unwrap()],
    )
    .unwrap();
    let explained = policy.explain(&later);
    assert_eq!(explained.ruling, Ruling::Permit);
    assert_eq!(explained.policies[0].name, "policy0");
    assert_eq!((policy.len(), policy.is_empty()), (2, false));
}

#[test]
fn policies_that_are_nested_too_deeply_are_refused() {
    let text =
        |condition: &str| format!("permit (principal, action, resource) when {{ {condition} }};");
    for times in [200, 100_000] {
        for (before, middle, after) in [
            ("(", "true", ")"),
            ("true && (", "true", ")"),
            ("[", "1", "]"),
            ("!(", "true", ")"),
            ("{\"a\": ", "1", "}"),
        ] {
            let deep = before.repeat(times) + middle + &after.repeat(times);
            let (_, _, message) = mistake(&text(&deep));
            assert!(message.contains("too deeply"), "{before}: {message}");
        }
    }
    for deep in [
        "true && ".repeat(1_000) + "true",
        "if true then true else ".repeat(1_000) + "true",
        format!("context.arguments{} like \"x\"", ".a".repeat(1_000)),
        "1 + ".repeat(1_000) + "1 == 1",
    ] {
        let (line, _, message) = mistake(&text(&deep));
        assert!(line == 1 && message.contains("too deeply"), "{message}");
    }
    // Long lists, strings and files are not deep.
    let long = format!(
        "[{}\"z\"].contains(context.tool) // ((((\n",
        "\"((((((((((\\\"((((\", ".repeat(2_000)
    );
    let many = text(&long).repeat(20);
    assert_eq!(Policy::parse("p.cedar", &many).unwrap().len(), 20);
}
