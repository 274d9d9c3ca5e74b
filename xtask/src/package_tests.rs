use super::*;

fn names(wanted: &[&str]) -> Result<Vec<&'static str>> {
    let wanted: Vec<_> = wanted.iter().map(ToString::to_string).collect();
    Ok(selected(&wanted)?
        .iter()
        .map(|package| package.name)
        .collect())
}

#[test]
fn packages_are_selected_by_name() {
    assert!(names(&[]).unwrap().contains(&"python"));
    assert_eq!(names(&["python"]).unwrap(), ["python"]);
    let error = names(&["pyton"]).unwrap_err().to_string();
    assert!(
        error.starts_with("no package `pyton`; there are: python"),
        "{error}"
    );
}

#[test]
fn what_is_built_is_read_from_the_command_line() {
    let options = crate::parsed::<Options>(&["python", "--profile", "dist"]).unwrap();
    assert_eq!((options.names.len(), &*options.profile), (1, "dist"));
    assert_eq!(crate::parsed::<Options>(&[]).unwrap().profile, "release");
}
