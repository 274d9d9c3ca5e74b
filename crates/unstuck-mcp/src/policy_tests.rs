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
