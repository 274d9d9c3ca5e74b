use super::*;

#[test]
fn each_agent_says_it_in_its_own_place() {
    for head in [
        r#"{"type":"user","cwd":"/home/ada/shop"}"#,
        "{\"type\":\"summary\"}\nnot json\n{\"payload\":{\"cwd\":\"/home/ada/shop\"}}\n{\"cut",
        r#"{"type":"session.start","data":{"context":{"cwd":"/home/ada/shop"}}}"#,
    ] {
        assert_eq!(
            of_head(head.as_bytes()).as_deref(),
            Some("/home/ada/shop"),
            "{head}"
        );
    }
}

#[test]
fn nothing_said_is_nothing_known() {
    assert_eq!(of_head(b""), None);
    assert_eq!(of_head(b"{\"cwd\":7}\n\xff\n[]"), None);
    assert_eq!(
        of_source(&Source::File("there/is/no/such/file".into())),
        None
    );
}

#[test]
fn a_project_is_the_last_part_of_its_directory() {
    assert_eq!(project("/home/ada/shop"), "shop");
    assert_eq!(project("/home/ada/shop/"), "shop");
    assert_eq!(project(r"C:\Users\ada\shop"), "shop");
    assert_eq!(project("/"), "");
}
