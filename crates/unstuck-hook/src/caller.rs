//! The process that ran a hook.

/// Names the parent process, for the log. Any program of the same user can run a hook, and this shows which one did.
#[cfg(target_os = "linux")]
pub(super) fn caller() -> String {
    let parent = std::os::unix::process::parent_id();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).unwrap_or_default();
    format!("run by process {parent} ({})", name.trim_end())
}

/// Names the parent process, for the log.
#[cfg(all(unix, not(target_os = "linux")))]
pub(super) fn caller() -> String {
    format!("run by process {}", std::os::unix::process::parent_id())
}

/// Names the parent process, for the log.
#[cfg(not(unix))]
pub(super) fn caller() -> String {
    "run by an unknown process".to_owned()
}
