//! Words of results that say no more than that a call was carried out. All lists are in order and in lower case.

/// Words that report that something was done.
pub(crate) const ACKNOWLEDGING: [&str; 58] = [
    "accepted",
    "acknowledged",
    "added",
    "applied",
    "approved",
    "assigned",
    "changed",
    "cleared",
    "clicked",
    "closed",
    "complete",
    "completed",
    "confirmed",
    "copied",
    "created",
    "deleted",
    "done",
    "edited",
    "enabled",
    "entered",
    "executed",
    "filled",
    "finished",
    "granted",
    "inserted",
    "installed",
    "issued",
    "modified",
    "moved",
    "noted",
    "ok",
    "okay",
    "opened",
    "performed",
    "posted",
    "pressed",
    "processed",
    "published",
    "received",
    "recorded",
    "removed",
    "renamed",
    "replaced",
    "saved",
    "scheduled",
    "scrolled",
    "selected",
    "sent",
    "set",
    "stored",
    "submitted",
    "succeeded",
    "success",
    "successful",
    "successfully",
    "typed",
    "updated",
    "written",
];

/// Words for what a search or a list returns. With `no` or `0` before one of them, there is nothing.
pub(crate) const COUNTED: [&str; 25] = [
    "answer",
    "answers",
    "articles",
    "count",
    "data",
    "documents",
    "entries",
    "files",
    "found",
    "hits",
    "items",
    "length",
    "lines",
    "match",
    "matches",
    "matching",
    "output",
    "records",
    "reply",
    "response",
    "result",
    "results",
    "rows",
    "such",
    "total",
];

/// Words that add nothing.
pub(crate) const FILLING: [&str; 24] = [
    "a",
    "an",
    "and",
    "are",
    "been",
    "by",
    "for",
    "has",
    "have",
    "is",
    "it",
    "message",
    "new",
    "no",
    "of",
    "on",
    "operation",
    "request",
    "the",
    "there",
    "to",
    "true",
    "was",
    "your",
];

/// Words after which a text does not report that something was done.
pub(crate) const NEGATING: [&str; 34] = [
    "already",
    "blocked",
    "can't",
    "cannot",
    "captcha",
    "denied",
    "didn't",
    "disallowed",
    "exceeded",
    "expired",
    "fail",
    "failed",
    "failure",
    "false",
    "forbidden",
    "ignored",
    "invalid",
    "limited",
    "missing",
    "must",
    "not",
    "pending",
    "please",
    "refused",
    "rejected",
    "required",
    "skipped",
    "try",
    "unable",
    "unauthorized",
    "unchanged",
    "unknown",
    "wait",
    "warning",
];

#[cfg(test)]
mod tests {
    use super::{ACKNOWLEDGING, COUNTED, FILLING, NEGATING};

    #[test]
    fn words_are_in_order_in_lower_case_and_in_one_list() {
        let lists: [&[&str]; 4] = [&ACKNOWLEDGING, &COUNTED, &FILLING, &NEGATING];
        for list in lists {
            assert!(list.is_sorted_by(|one, next| one < next));
            assert!(list.iter().all(|word| word.to_lowercase() == **word));
        }
        for (at, list) in lists.iter().enumerate() {
            let others = lists.iter().skip(at + 1).copied().flatten();
            assert!(others.clone().all(|word| !list.contains(word)));
        }
    }
}
