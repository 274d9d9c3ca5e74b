use super::*;
use crate::release_files::programs::{has, needs_interpreter};

fn entries() -> Vec<Entry> {
    vec![
        Entry::program("unstuck", vec![7; 100_000]),
        Entry::file("LICENSE-MIT", b"words".to_vec()),
        Entry::file("man/unstuck.1", b".TH".to_vec()),
    ]
}

#[test]
fn an_archive_depends_on_its_contents_alone() {
    let one = archive::pack("unstuck-1.0.0-x", entries(), 1_700_000_000, Effort::Least).unwrap();
    let mut reversed = entries();
    reversed.reverse();
    let other = archive::pack("unstuck-1.0.0-x", reversed, 1_700_000_000, Effort::Least).unwrap();
    assert!(one == other);
    assert!(one != archive::pack("unstuck-1.0.0-x", entries(), 0, Effort::Least).unwrap());
}

#[test]
fn an_archive_holds_one_directory_with_modes_and_no_names_of_users() {
    let packed = archive::pack("unstuck-1.0.0-x", entries(), 1_700_000_000, Effort::Least).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
    let mut found = Vec::new();
    for entry in archive.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
        assert_eq!(header.mtime().unwrap(), 1_700_000_000);
        assert_eq!(header.username().unwrap(), Some(""));
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        found.push((path, header.mode().unwrap(), header.size().unwrap()));
    }
    assert_eq!(
        found,
        [
            ("unstuck-1.0.0-x/LICENSE-MIT".to_owned(), 0o644, 5),
            ("unstuck-1.0.0-x/man/unstuck.1".to_owned(), 0o644, 3),
            ("unstuck-1.0.0-x/unstuck".to_owned(), 0o755, 100_000),
        ]
    );
}

#[test]
fn checksums_are_of_every_file_and_sorted() {
    let directory = env::temp_dir().join(format!("unstuck-sums-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("b"), "").unwrap();
    fs::write(directory.join("a"), "abc").unwrap();
    for _ in 0..2 {
        write_sums(&directory).unwrap();
        let sums = fs::read_to_string(directory.join(SUMS)).unwrap();
        assert_eq!(
            sums,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
    }
    fs::remove_dir_all(directory).unwrap();
}

/// A header of ELF with program headers of these kinds.
fn elf(kinds: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
    bytes[32] = 64;
    bytes[54] = 56;
    bytes[56] = kinds.len() as u8;
    for kind in kinds {
        bytes.extend(kind.to_le_bytes());
        bytes.extend([0; 52]);
    }
    bytes
}

#[test]
fn a_program_that_needs_a_loader_is_recognised() {
    assert!(!needs_interpreter(&elf(&[1, 2])).unwrap());
    assert!(needs_interpreter(&elf(&[6, 3, 1])).unwrap());
    assert!(needs_interpreter(b"MZ").is_err());
    assert!(needs_interpreter(&elf(&[1])[..70]).is_ok());
    assert!(needs_interpreter(&elf(&[1, 1])[..70]).is_err());
    // These tests are linked dynamically.
    if cfg!(all(
        target_os = "linux",
        target_env = "gnu",
        target_pointer_width = "64"
    )) {
        let this = fs::read(env::current_exe().unwrap()).unwrap();
        assert!(needs_interpreter(&this).unwrap());
    }
    assert!(has(b"a/home/b", b"/home"));
    assert!(!has(b"a/home/b", b"/root"));
}
