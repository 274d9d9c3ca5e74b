use std::fs;

use super::*;

#[test]
fn the_bare_name_is_given_only_where_the_shell_finds_this_program() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path().canonicalize().expect("a path");
    let file = format!("unstuck{}", env::consts::EXE_SUFFIX);
    for place in ["target/release", "bin", "other"] {
        fs::create_dir_all(root.join(place)).expect("a directory");
        fs::write(root.join(place).join(&file), "").expect("a file");
    }
    let built = root.join("target/release").join(&file);
    let installed = root.join("bin").join(&file);
    let path = [root.join("empty"), root.join("bin")];
    let named = |program: &Path, here: &Path| name(Some(program), &path, Some(here));
    assert_eq!(named(&installed, &root), "unstuck");
    let relative = Path::new(".").join("target/release").join(&file);
    assert_eq!(named(&built, &root), relative.display().to_string());
    assert_eq!(
        named(&built, &root.join("bin")),
        built.display().to_string(),
        "from elsewhere by its whole path"
    );
    let shadowed = [root.join("other"), root.join("bin")];
    assert_ne!(name(Some(&installed), &shadowed, None), "unstuck");
}

#[test]
fn a_path_with_blanks_is_quoted() {
    assert_eq!(quoted("./my tools/unstuck"), "'./my tools/unstuck'");
    assert_eq!(quoted("./tools/unstuck"), "./tools/unstuck");
}
