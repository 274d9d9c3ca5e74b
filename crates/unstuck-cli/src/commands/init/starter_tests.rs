use unstuck::Settings;
use unstuck_config::{Layer, load};

use super::{SCHEMA, TEXT};

#[test]
fn the_starter_changes_nothing() {
    let loaded = load(&[Layer::new("unstuck.toml", TEXT)], None).expect("no mistakes");
    assert_eq!(loaded.settings, Settings::default());
    assert_eq!(loaded.warnings, []);
}

#[test]
fn every_setting_of_the_starter_is_valid_without_its_hash() {
    let setting = |line: &str| match line.strip_prefix('#') {
        Some(rest) if !rest.starts_with([' ', ':']) => rest.to_owned(),
        _ => line.to_owned(),
    };
    let text: Vec<_> = TEXT.lines().map(setting).collect();
    let loaded = load(&[Layer::new("unstuck.toml", text.join("\n"))], None);
    let loaded = loaded.expect("no mistakes");
    assert_eq!(loaded.warnings, []);
    assert_ne!(loaded.settings, Settings::default());
    assert!(loaded.notify.desktop);
}

#[test]
fn the_starter_names_the_schema_beside_it() {
    assert!(TEXT.starts_with(&format!("#:schema ./{SCHEMA}\n")));
}
