use super::*;

#[test]
fn constants_are_read_from_source() {
    let source = "\
        pub const MAX: usize = 64 << 20;\n\
        const FEW: u32 = 8;\n\
        const MANY: u32 = 8_192;\n\
        const AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);\n\
        const OTHER: usize = MAX - 1;\n";
    assert_eq!(constant(source, "MAX"), Some(64 << 20));
    assert_eq!(constant(source, "FEW"), Some(8));
    assert_eq!(constant(source, "MANY"), Some(8_192));
    assert_eq!(constant(source, "AGE"), Some(2_592_000));
    assert_eq!(constant(source, "OTHER"), None);
    assert_eq!(constant(source, "NONE"), None);
}

#[test]
fn settings_are_read_from_their_table() {
    let settings = "[rules.cycle]\nlongest = 16\n\n[memory]\ncalls = 128\n";
    assert_eq!(setting(settings, "memory", "calls"), Some(128));
    assert_eq!(setting(settings, "rules.cycle", "calls"), None);
}

#[test]
fn numbers_are_written_for_people() {
    assert_eq!(shown(16_384, Unit::Count), "16,384");
    assert_eq!(shown(900 << 10, Unit::Bytes), "900 KiB");
    assert_eq!(shown(64 << 20, Unit::Bytes), "64 MiB");
    assert_eq!(shown(256, Unit::Bytes), "256 bytes");
    assert_eq!(shown(2_592_000, Unit::Days), "30 days");
}

#[test]
fn every_constant_of_the_table_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for row in ROWS {
        for number in row.numbers {
            if let Constant(..) = number {
                number.read(&root, "").unwrap();
            }
        }
    }
}
