use super::*;

#[test]
fn a_large_file_is_not_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(FILE);
    let file = File::create(&path).unwrap();
    file.set_len(1 << 40).unwrap();
    for accept in [Accept::Regular, Accept::AlsoPipes] {
        let error = read(&path, accept).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }
}

#[cfg(unix)]
#[test]
fn devices_and_directories_are_not_read() {
    for path in ["/dev/zero", "/dev/null", "/"] {
        assert!(read(Path::new(path), Accept::Regular).is_err(), "{path}");
    }
    // What never ends is not read to its end either where pipes are accepted.
    assert!(read(Path::new("/dev/zero"), Accept::AlsoPipes).is_err());
}

#[test]
fn directories_that_cannot_be_have_no_files() {
    let long = "x/".repeat(100_000);
    for directory in [&*long, &"x".repeat(300), "a\0b"] {
        let found = of_project(Path::new(directory));
        assert!(found.take(2).all(|path| !path.starts_with("x")));
    }
}
