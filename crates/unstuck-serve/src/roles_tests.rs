use hyper::header::HeaderValue;

use super::*;

fn role(tokens: &Tokens, shown: Option<&str>) -> Option<Role> {
    let mut headers = HeaderMap::new();
    if let Some(shown) = shown {
        headers.insert(AUTHORIZATION, HeaderValue::from_str(shown).unwrap());
    }
    tokens.role(&headers)
}

#[test]
fn each_token_has_its_role() {
    let both = Tokens::new(Some("r".into()), Some("o".into()));
    assert_eq!(role(&both, Some("Bearer r")), Some(Role::Report));
    assert_eq!(role(&both, Some("bearer o")), Some(Role::Operate));
    for wrong in [
        None,
        Some("Bearer "),
        Some("Bearer x"),
        Some("r"),
        Some("Basic r"),
    ] {
        assert_eq!(role(&both, wrong), None, "{wrong:?}");
    }
}

#[test]
fn without_tokens_a_client_may_report_and_not_operate() {
    let none = Tokens::default();
    assert_eq!(role(&none, None), Some(Role::Report));
    assert_eq!(role(&none, Some("Bearer ")), Some(Role::Report));
    let operate = Tokens::new(None, Some("o".into()));
    assert_eq!(role(&operate, None), Some(Role::Report));
    assert_eq!(role(&operate, Some("Bearer o")), Some(Role::Operate));
}
