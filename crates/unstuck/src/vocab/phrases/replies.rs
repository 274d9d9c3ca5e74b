//! Phrases in replies of tools and services, and in reports of models.

use super::{ANY, Phrase, phrase};

/// Something is not done yet. Whole words of a short success.
pub(crate) const UNDER_WAY: [Phrase; 9] = [
    phrase("in progress", ANY, "Build in progress", "see in/progress"),
    phrase(
        "no new output",
        "Claude Code",
        "(no new output)",
        "output: news",
    ),
    phrase(
        "not ready",
        ANY,
        "The service is not ready.",
        "ready or not",
    ),
    phrase("pending", ANY, "status: pending", "read pending.txt"),
    phrase(
        "please wait",
        ANY,
        "Please wait ...",
        "please read the manual",
    ),
    phrase("queued", ANY, "Job 7 is queued", "3 rows in queued_jobs"),
    phrase("running", ANY, "The process is running", "running.log"),
    phrase("still", ANY, "still busy", "a distillery"),
    phrase(
        "waiting",
        ANY,
        "Waiting for the server",
        "awaiting-review.md",
    ),
];

/// The service asks to wait. Whole words of a short failure.
pub(crate) const OVERLOADED: [Phrase; 7] = [
    phrase(
        "bad gateway",
        "HTTP",
        "Bad Gateway",
        "bad-gateway.html not found",
    ),
    phrase(
        "gateway timeout",
        "HTTP",
        "Gateway Timeout",
        "timeout of the test",
    ),
    phrase(
        "overloaded",
        "Anthropic API",
        "Overloaded",
        "overloaded_method is not defined",
    ),
    phrase(
        "rate limit",
        ANY,
        "API rate limit exceeded",
        "rate-limit.ts: syntax error",
    ),
    phrase(
        "service unavailable",
        "HTTP",
        "Service Unavailable",
        "the service is unavailable",
    ),
    phrase(
        "too many requests",
        "HTTP",
        "Too Many Requests",
        "too many arguments",
    ),
    phrase(
        "try again later",
        ANY,
        "Please try again later.",
        "try again with another name",
    ),
];

/// The same as a number.
pub(crate) const STATUS_CODES: [Phrase; 4] = [
    phrase("429", "HTTP", "HTTP 429", "line 429"),
    phrase("502", "HTTP", "status code: 502", "exceeded 502 bytes"),
    phrase("503", "HTTP", "503", "error at line 5031"),
    phrase("504", "HTTP", "error 504", "page 504"),
];

/// A number behind one of these words is a status code.
pub(crate) const STATUS_INTRODUCTIONS: [Phrase; 8] = [
    phrase("code", ANY, "code 503", "mode 503"),
    phrase("error", ANY, "Error 503", "row 503"),
    phrase("http", "HTTP", "HTTP/1.1 503", "version/1.1 503"),
    phrase("response", ANY, "response: 503", "respond: 503"),
    phrase(
        "returned",
        ANY,
        "the server returned 503",
        "the server counted 503",
    ),
    phrase("status", "HTTP", "status=503", "state=503"),
    phrase("statuscode", ANY, "StatusCode: 503", "StateCodes: 503"),
    phrase("with", ANY, "failed with 503", "failed within 503"),
];

/// Nothing was changed by a call that was to change something. Each names what is unchanged: a reply about data may say
/// that two totals are the same, or that there are no changes since May.
pub(crate) const UNCHANGED: [Phrase; 30] = [
    phrase(
        "already up to date",
        "git",
        "Already up to date.",
        "The file is up to date with your edit.",
    ),
    phrase(
        "already up-to-date",
        "git",
        "Already up-to-date.",
        "Brought the file up-to-date.",
    ),
    phrase(
        "are exactly the same",
        "Claude Code",
        "old_string and new_string are exactly the same.",
        "The file was edited; the rest is exactly as it was.",
    ),
    phrase(
        "are identical",
        "Gemini CLI",
        "Error: old_string and new_string are identical.",
        "Replaced 2 identical lines.",
    ),
    phrase(
        "content is unchanged",
        ANY,
        "The content is unchanged.",
        "Changed the content of a.txt.",
    ),
    phrase(
        "contents are the same",
        ANY,
        "Not written: the contents are the same.",
        "Saved. Old and new totals are the same.",
    ),
    phrase(
        "file is unchanged",
        "Claude Code",
        "File is unchanged since it was last read.",
        "The file was changed.",
    ),
    phrase(
        "file unchanged",
        ANY,
        "File unchanged: a.txt",
        "File changed: a.txt",
    ),
    phrase(
        "files are the same",
        ANY,
        "The files are the same, nothing to do.",
        "Both files were written. Their owners are the same.",
    ),
    phrase(
        "must be different",
        "Claude Code",
        "new_string must be different from old_string",
        "Wrote 2 different lines.",
    ),
    phrase(
        "new_str are the same",
        "OpenHands",
        "old_str and new_str are the same.",
        "Inserted. All rows of new_str are there.",
    ),
    phrase(
        "new_str` are the same",
        "OpenHands",
        "`old_str` and `new_str` are the same.",
        "Replaced `new_str` as well.",
    ),
    phrase(
        "new_string are the same",
        ANY,
        "old_string and new_string are the same.",
        "Wrote new_string; the sizes are the same.",
    ),
    phrase(
        "newstring are the same",
        "OpenCode",
        "oldString and newString are the same.",
        "Wrote newString; the sizes are the same.",
    ),
    phrase(
        "no changes.",
        ANY,
        "There were no changes.",
        "Saved the note: no changes, he said.",
    ),
    phrase(
        "no changes added",
        "git",
        "no changes added to commit",
        "Committed; no changes are left.",
    ),
    phrase(
        "no changes applied",
        ANY,
        "No changes applied.",
        "Applied 2 changes.",
    ),
    phrase(
        "no changes detected",
        ANY,
        "No changes detected in a.txt",
        "Wrote the report: no changes in sales were detected.",
    ),
    phrase(
        "no changes made",
        ANY,
        "No changes made to a.txt",
        "Changes were made to a.txt; no errors.",
    ),
    phrase(
        "no changes necessary",
        ANY,
        "No changes necessary.",
        "The necessary changes were made.",
    ),
    phrase(
        "no changes needed",
        ANY,
        "No changes needed.",
        "Saved. It says: no changes since May.",
    ),
    phrase(
        "no changes to apply",
        ANY,
        "No changes to apply.",
        "Applied. No changes to the schema remain.",
    ),
    phrase(
        "no changes to commit",
        ANY,
        "No changes to commit",
        "1 change committed.",
    ),
    phrase(
        "no changes to make",
        ANY,
        "There are no changes to make.",
        "Created a page about: no changes to prices.",
    ),
    phrase(
        "no changes were",
        ANY,
        "No changes were made.",
        "5 changes were made.",
    ),
    phrase(
        "no edits were made",
        ANY,
        "No edits were made.",
        "2 edits were made.",
    ),
    phrase(
        "nothing changed",
        ANY,
        "Nothing changed.",
        "Something changed.",
    ),
    phrase(
        "nothing to change",
        ANY,
        "Nothing to change in a.txt",
        "Change made, nothing to add.",
    ),
    phrase(
        "nothing to commit",
        "git",
        "nothing to commit, working tree clean",
        "1 file committed",
    ),
    phrase(
        "nothing was changed",
        ANY,
        "Nothing was changed.",
        "a.txt was changed.",
    ),
];

/// Words of texts that report finished work.
pub(crate) const REPORTING: [Phrase; 12] = [
    phrase(
        "complete",
        "English",
        "The task is complete.",
        "A completist reads on.",
    ),
    phrase(
        "completed",
        "English",
        "I have completed the change.",
        "It is incompleted.",
    ),
    phrase(
        "done",
        "English",
        "All done!",
        "Let me think about abandoned branches.",
    ),
    phrase(
        "finish",
        "English",
        "<function=finish></function>",
        "I look at finishing_touches.py",
    ),
    phrase("finished", "English", "I am finished.", "It is unfinished."),
    phrase(
        "fixed",
        "English",
        "The issue is FIXED.",
        "I will use a prefixed name.",
    ),
    phrase(
        "implemented",
        "English",
        "I implemented the parser.",
        "I will implement the parser.",
    ),
    phrase(
        "resolved",
        "English",
        "The conflict is resolved.",
        "It is unresolved.",
    ),
    phrase("solved", "English", "I solved it.", "I will solve it."),
    phrase(
        "success",
        "English",
        "Success: all tests pass.",
        "Its successor runs next.",
    ),
    phrase(
        "successful",
        "English",
        "The run was successful.",
        "It was unsuccessful.",
    ),
    phrase(
        "successfully",
        "English",
        "I successfully updated the parser.",
        "It ended unsuccessfully.",
    ),
];

/// Words that hosts put around the exit code of a command that printed nothing.
pub(crate) const SILENT_WRAPPING: [Phrase; 21] = [
    phrase("code", ANY, "code 1", "coda 1"),
    phrase("command", ANY, "command 1", "commander 1"),
    phrase("error", ANY, "Error 1", "terror 1"),
    phrase("exit", ANY, "Exit 1", "exist 1"),
    phrase("exited", ANY, "exited with 1", "excited with 1"),
    phrase("exit_code", "OpenHands", "exit_code: 1", "exit_codes: 1"),
    phrase(
        "completed",
        ANY,
        "completed with code 1",
        "competed with code 1",
    ),
    phrase(
        "failed",
        ANY,
        "Command failed: exit code 1",
        "Command faded: exit code 1",
    ),
    phrase(
        "failure",
        ANY,
        "failure: exit code 1",
        "failures: exit code 1",
    ),
    phrase("finished", ANY, "finished with 1", "famished with 1"),
    phrase("no", ANY, "(no output)", "(now output)"),
    phrase("output", ANY, "output: null", "input: null"),
    phrase(
        "process",
        "Codex",
        "Process exited with code 1",
        "Precess exited with code 1",
    ),
    phrase(
        "reported",
        ANY,
        "tool reported exit code 1",
        "tool repeated exit code 1",
    ),
    phrase("result", ANY, "result: 1", "results: 1"),
    phrase("returncode", "Python", "returncode=1", "returncode=2"),
    phrase("returned", ANY, "returned 1", "returned 4"),
    phrase("status", ANY, "exit status 1", "exit state 1"),
    phrase("stderr", ANY, "stderr: null", "stdlog: null"),
    phrase(
        "stdout",
        ANY,
        "stdout:\nstderr:\nexit 1",
        "stdout: a\nexit 1",
    ),
    phrase(
        "tool",
        ANY,
        "tool exited with code 1",
        "too exited with code 1",
    ),
];

/// Labels of hosts before a number or an identifier that differs with every call, in their original case.
pub(crate) const HOST_NUMBERS: [Phrase; 3] = [
    phrase(
        "Original token count: ",
        "Codex",
        "Original token count: 4711",
        "Original tokens in: 4711",
    ),
    phrase(
        "Chunk ID: ",
        "Codex",
        "Chunk ID: a4f3e2",
        "Chunk of: a4f3e2",
    ),
    phrase(
        "<shellId: ",
        "Copilot CLI",
        "<shellId: 4711>",
        "<shellNo: 4711>",
    ),
];

/// First words of lines in brackets by which a host states where a command ran.
pub(crate) const NOTES: [Phrase; 4] = [
    phrase(
        "Current",
        ANY,
        "[Current working directory: /work]",
        "[Currency: euro]",
    ),
    phrase("Directory", ANY, "[Directory: /work]", "[Direction: north]"),
    phrase(
        "Python",
        "OpenHands",
        "[Python interpreter: /usr/bin/python]",
        "[Interpreter of Python: 3]",
    ),
    phrase(
        "Working",
        ANY,
        "[Working directory: /work]",
        "[The order: working]",
    ),
];
