use super::*;

#[test]
fn what_is_missing_is_installed_unless_told_otherwise() {
    let parse = crate::parsed::<Options>;
    assert!(!parse(&[]).unwrap().no_install);
    assert!(parse(&["--no-install"]).unwrap().no_install);
    assert!(parse(&["demo.html"]).is_err());
}

#[test]
fn programs_are_found_in_the_order_of_preference() {
    let found = find(&["no-such-program-anywhere", "cargo"]).unwrap();
    assert!(found.ends_with("cargo"), "{found}");
    assert_eq!(find(&["no-such-program-anywhere"]), None);
}

#[test]
fn every_file_of_the_test_is_copied() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(SOURCE);
    let mut there: Vec<_> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    there.sort();
    assert_eq!(there, ["package.json", "page.test.js"]);
}
