//! One table for each kind: what must become equal, and what must stay different.

use super::{different, different_json, same, same_json};

#[test]
fn timestamps() {
    same(&[
        ("at 2026-11-15T09:01:02Z", "at 2026-11-16T10:11:12Z"),
        (
            "at 2026-11-15T09:01:02.123456+01:00 ok",
            "at 2025-01-05T19:41:52.5-0300 ok",
        ),
        (
            "2026-11-15 09:01:02,123 INFO x",
            "2026-11-15 09:01:03,007 INFO x",
        ),
        ("2026/11/15 09:01:02 x", "2026/11/15 09:01:09 x"),
        ("2026-11-15 09:01 x", "2026-11-15 09:07 x"),
        ("[09:01:02] started", "[23:59:59] started"),
        ("09:01:02.123 started\nb", "10:01:02.9 started\nb"),
        (
            "a\nNov 15 09:01:02 host x: y",
            "a\nDec  1 19:01:12 host x: y",
        ),
        (
            "Date: Sun, 15 Nov 2026 09:01:02 +0000",
            "Date: Mon, 16 Nov 2026 19:41:02 +0000",
        ),
        (
            "Date: Sun, 15 Nov 2026 09:01:02 GMT",
            "Date: Mon, 16 Nov 2026 19:41:02 GMT",
        ),
        (
            "- - [10/Nov/2026:13:55:36 +0000] \"GET /\" 200",
            "- - [11/Nov/2026:03:05:06 +0000] \"GET /\" 200",
        ),
        (
            "Sun Nov 15 09:01:02 UTC 2026",
            "Mon Nov 16 19:01:02 UTC 2026",
        ),
        (
            "-rw-r--r-- 1 root 12 Nov 15 09:01 a.py",
            "-rw-r--r-- 1 root 12 Nov 15 09:44 a.py",
        ),
        ("11/15/2026 09:01:02 AM x", "11/16/2026 10:11:12 PM x"),
        ("time 1763197262.", "time 1763197299."),
        ("time=1763197262123", "time=1763197299456"),
        ("1763197262.1234 x", "1763197263.99 x"),
        ("20261115T090102Z", "20261116T100102Z"),
    ]);
    different(&[
        ("due 2026-11-15", "due 2026-11-16"),
        ("in 2025", "in 2026"),
        ("a.py:12:5", "a.py:12:6"),
        ("a.py:12:34: x", "a.py:13:34: x"),
        ("1234567890", "1234567891"),
        ("\"order\": \"1763197262\"", "\"order\": \"1763197263\""),
        ("3 Nov 15 09:01:02", "4 Nov 15 09:01:02"),
        ("from 10:30 to 11:00", "from 10:30 to 11:30"),
        ("v2026.11.15", "v2026.11.16"),
        (
            "2026-11-15T09:01:02 3 failed",
            "2026-11-15T09:01:02 2 failed",
        ),
        ("17631972621", "17631972622"),
    ]);
    same_json(&[(r#"{"a":1763197262123}"#, r#"{"a":1763197262999}"#)]);
}

#[test]
fn durations() {
    same(&[
        ("ok in 0.53s", "ok in 12.01s"),
        ("done (12ms)", "done (7ms)"),
        ("took 3.2 seconds", "took 1 second"),
        ("total 1m 3s", "total 2m 59s"),
        (
            "real\t0m0.004s\nuser\t0m0.001s",
            "real\t0m1.204s\nuser\t0m0.011s",
        ),
        ("1h 2m 3s", "2h 3m 4s"),
        ("1 minute and 3 seconds", "2 minutes and 4 seconds"),
        ("passed in 0.03 sec", "passed in 0.11 sec"),
        ("==== 3 passed in 0.12s ====", "==== 3 passed in 4.50s ===="),
        ("ok  \tpkg/a\t0.003s", "ok  \tpkg/a\t0.104s"),
        ("Time:        3.2 s", "Time:        4.1 s"),
        ("Time: 3 s", "Time: 4 s"),
        ("elapsed: 532", "elapsed: 9"),
        ("{'duration': 0.53}", "{'duration': 1.2}"),
        ("12µs", "14µs"),
        (
            "Wall time: 1.2 seconds\nOutput:\nx",
            "Wall time: 0.9 seconds\nOutput:\nx",
        ),
        ("3.4MB/s x", "1.1MB/s x"),
    ]);
    different(&[
        ("3 failed in 0.1s", "2 failed in 0.1s"),
        ("the 1980s", "the 1990s"),
        ("12 m", "13 m"),
        ("5m", "6m"),
        ("12 matches", "13 matches"),
        ("3 symbols", "4 symbols"),
        ("12 MB", "13 MB"),
        ("1.2.3", "1.2.4"),
        ("exit code 1", "exit code 2"),
        ("line 12", "line 13"),
        ("12 minutes", "13 minutes"),
        ("took 3 steps", "took 4 steps"),
    ]);
}

#[test]
fn process_ids() {
    same(&[
        ("pid 1234", "pid 4321"),
        ("pid=1234 x", "pid=77 x"),
        ("PID: 1234", "PID: 99"),
        ("(pid 12)", "(pid 13)"),
        ("a\npid 1234", "a\npid 4321"),
        ("Process Group PGID: 123", "Process Group PGID: 456"),
        ("[1234] starting", "[1299] starting"),
        ("x\n[1234] starting", "x\n[1299] starting"),
        (
            "Nov 15 09:01:02 host sshd[1234]: hello",
            "Nov 15 09:01:03 host sshd[99]: hello",
        ),
        ("[1] 12345", "[1] 23456"),
        ("Original token count: 12\nx", "Original token count: 13\nx"),
    ]);
    different(&[
        ("rapid 12", "rapid 13"),
        ("[12] first", "[13] first"),
        ("array[123] = 1", "array[124] = 1"),
        ("see [1234]", "see [1235]"),
        ("item 1234", "item 1235"),
        ("process 3 of 9", "process 4 of 9"),
        ("[1/10] x", "[2/10] x"),
        ("id 12", "id 13"),
        ("Process exited with code 1", "Process exited with code 2"),
    ]);
}

#[test]
fn identifiers() {
    same(&[
        ("<Foo object at 0x7f3a21bc>", "<Foo object at 0x7f3b99ac>"),
        ("at 0x00007ffee4b0", "at 0x00007ffee4c8"),
        (
            "id=123e4567-e89b-12d3-a456-426614174000",
            "id=223e4567-e89b-12d3-a456-426614174009",
        ),
        (
            "id abcdefab-e89b-12d3-a456-426614174000",
            "id 223e4567-e89b-12d3-a456-426614174009",
        ),
        (
            "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
            "commit 0a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0c",
        ),
        ("id=\"928df006660e5928\"", "id=\"c0c29a332a380875\""),
        ("req_8f3a2b1c9d failed", "req_0f3a2b1c9e failed"),
        ("nonce aB3dE5gH7jK9mN1pQ3sT5", "nonce zX9dE5gH7jK9mN1pQ3sT6"),
        ("a\nb1946ac92 x", "a\nb1946ac93 x"),
        ("ABCDEF12 x", "ABCDEF13 x"),
        ("Chunk ID: a1b2c3\n", "Chunk ID: 9f8e7d\n"),
    ]);
    different(&[
        ("0xff", "0xfe"),
        ("color 0x1F", "color 0x2F"),
        ("abc12", "abc13"),
        ("12345678", "12345679"),
        ("1e10", "1e11"),
        (
            "TestHTTP2ServerConnectionHandler",
            "TestHTTP3ServerConnectionHandler",
        ),
        ("test_function_number_1", "test_function_number_2"),
        ("feedback", "feedbacks"),
        ("utf8", "utf16"),
        ("file1.py", "file2.py"),
        ("deadbeef", "deadbeed"),
    ]);
}

#[test]
fn temporary_paths() {
    same(&[
        ("/tmp/tmpab12cd34/out", "/tmp/tmpzz98yy76/out"),
        ("/tmp/tmpabcdefgh x", "/tmp/tmphgfedcba x"),
        (
            "/tmp/pip-req-build-a1b2c3d4/setup.py",
            "/tmp/pip-req-build-z9y8x7w6/setup.py",
        ),
        ("/tmp/tmp.Ab3dEfGh1j", "/tmp/tmp.Zz3dEfGh2k"),
        ("/tmp/foo.12345 x", "/tmp/foo.54321 x"),
        (
            "/tmp/pytest-of-root/pytest-12/test_a0",
            "/tmp/pytest-of-root/pytest-13/test_a0",
        ),
        (
            "/var/folders/ab/c1d2e3/T/tmpab12cd34/x",
            "/var/folders/ab/c1d2e3/T/tmpab12cd99/x",
        ),
        ("in tmpab12cd34:", "in tmpab12cd99:"),
        ("/private/tmp/tmpab12cd34", "/private/tmp/tmpab12cd35"),
    ]);
    different(&[
        ("/tmp/a.py", "/tmp/b.py"),
        ("/tmp/test1.py", "/tmp/test2.py"),
        ("/tmp/reproduce1.py", "/tmp/reproduce2.py"),
        ("/tmp/tmpab12cd34/a.py", "/tmp/tmpab12cd34/b.py"),
        ("/tmp/", "/tmp/x"),
        ("/var/log/a1", "/var/log/a2"),
        ("/tmp/project/a.py:1", "/tmp/project/a.py:2"),
        ("tmp_1", "tmp_2"),
        ("/template1/x", "/template2/x"),
    ]);
}

#[test]
fn ports() {
    same(&[
        ("127.0.0.1:54321", "127.0.0.1:45678"),
        ("http://localhost:54321/x", "http://localhost:60001/x"),
        ("0.0.0.0:40000 x", "0.0.0.0:40001 x"),
        ("port 54321", "port 45678"),
        ("port=54321", "port=45678"),
        ("Port: 54321", "Port: 45678"),
        ("[::1]:54321", "[::1]:45678"),
        ("10.1.2.3:32768", "10.1.2.3:65535"),
    ]);
    different(&[
        ("localhost:8080", "localhost:8081"),
        ("port 3000", "port 3001"),
        ("127.0.0.1:5432", "127.0.0.1:5433"),
        ("a.py:54321", "a.py:54322"),
        ("port 32767", "port 32766"),
        ("report 54321", "report 54322"),
        ("54321", "54322"),
        ("host:54321", "host:54322"),
        ("port 70000", "port 70001"),
    ]);
}

#[test]
fn terminal_codes() {
    same(&[
        ("\u{1b}[32mok\u{1b}[0m", "ok"),
        ("\u{1b}[1;31mFAIL\u{1b}[m x", "FAIL x"),
        ("\u{1b}[32m0.12s\u{1b}[0m", "4.5s"),
        ("a\u{1b}[2K\u{1b}[1Gb", "ab"),
        ("\u{1b}]0;title\u{7}x", "x"),
        ("\u{1b}(Bx", "x"),
        ("10%\r20%\r100%\nok", "100%\nok"),
        ("a\r\nb\r\n", "a\nb\n"),
        ("first\nloading\rdone", "first\ndone"),
    ]);
    different(&[
        ("\u{1b}[32mok", "\u{1b}[32mko"),
        ("a\rb", "a\rc"),
        ("a\nb", "ab"),
        ("C:\\run", "C:\\ru"),
        ("x\\u001b[31m", "x\\u001b[32m"),
        ("a\tb", "ab"),
        ("a\r\nb", "b"),
        ("\u{1b}[31m3 failed", "\u{1b}[31m2 failed"),
        ("\\r1", "\\r2"),
    ]);
}

#[test]
fn progress_bars() {
    same(&[
        ("[=====>    ] 45%", "[========> ] 85%"),
        ("[####      ] 40% x", "[######    ] 60% x"),
        (
            " 45%|████▌     | 45/100 [00:12<00:15, 3.51it/s]",
            " 80%|████████  | 80/100 [00:19<00:05, 3.11it/s]",
        ),
        ("━━━━━━━━━━ 45%", "━━━━━━━━━━━━ 55%"),
        ("45% [=====>   ]", "75% [=======> ]"),
        ("|██████    | 60.5%", "|████████  | 80.0%"),
        ("a [====......] 40%", "a [======....] 60%"),
        ("####### 70%", "######## 80%"),
    ]);
    different(&[
        ("coverage 45%", "coverage 46%"),
        ("..F.. [ 45%]", "..F.. [ 46%]"),
        ("a - 45%", "a - 46%"),
        ("TOTAL 10 3 70%", "TOTAL 10 2 80%"),
        ("= 45%", "= 46%"),
        ("## 1% rule", "## 2% rule"),
        ("45% | 3", "46% | 3"),
        ("==== a ====", "===== a ===="),
    ]);
}

#[test]
fn our_own_notes() {
    same(&[
        ("out\n\n[unstuck] You did this 3 times.", "out"),
        ("out\n[unstuck] 3 times", "out"),
        ("out\n[unstuck] 3 times\nmore", "out\nmore"),
        ("out [unstuck] 3 times", "out"),
        ("[unstuck] a", "[unstuck] b"),
        (
            "x\n\n[unstuck] round:\n  1. a\n  2. b\nDo something else.",
            "x",
        ),
        ("x\n[unstuck] says \"a\"", "x"),
        ("x\n[unstuck] a\n[unstuck] b", "x"),
    ]);
    different(&[
        ("a\n[unstuck] x", "b\n[unstuck] x"),
        ("a\n[unstuck] x\nb", "a\n[unstuck] x\nc"),
        ("[unstick] a", "[unstick] b"),
        ("unstuck a", "unstuck b"),
        ("[unstuck a]", "[unstuck b]"),
        ("[unstuck] x\n\nb", "[unstuck] x\n\nc"),
        ("[u] a", "[u] b"),
        (
            "x\n[unstuck] round:\n  1. a\nDo it.\nb",
            "x\n[unstuck] round:\n  1. a\nDo it.\nc",
        ),
    ]);
}

#[test]
fn members() {
    same_json(&[
        (r#"{"timestamp":"x","a":1}"#, r#"{"timestamp":"y","a":1}"#),
        (
            r#"{"duration_seconds":0.0449}"#,
            r#"{"duration_seconds":0.0238}"#,
        ),
        (
            r#"{"kernel":{"execution_count":1}}"#,
            r#"{"kernel":{"execution_count":2}}"#,
        ),
        (r#"{"request_id":"abc"}"#, r#"{"request_id":"abd"}"#),
        (r#"{"traceId":"abc"}"#, r#"{"traceId":"abd"}"#),
        (r#"{"elapsed":"1"}"#, r#"{"elapsed":"2"}"#),
        (r#"{"etag":"W/\"a\""}"#, r#"{"etag":"W/\"b\""}"#),
        (
            r#"[{"created_at":5,"x":[]}]"#,
            r#"[{"created_at":-6e2,"x":[]}]"#,
        ),
        (
            r#""{\"duration_ms\": 12, \"a\": 1}""#,
            r#""{\"duration_ms\": 13, \"a\": 1}""#,
        ),
        (r#""{\"nonce\": \"q\"}""#, r#""{\"nonce\": \"r\"}""#),
    ]);
    different_json(&[
        (r#"{"count":1}"#, r#"{"count":2}"#),
        (r#"{"finished_at":null}"#, r#"{"finished_at":"now"}"#),
        (r#"{"date":"tomorrow"}"#, r#"{"date":"today"}"#),
        (r#"{"time":"10:30"}"#, r#"{"time":"11:30"}"#),
        (r#"{"timestamps":1}"#, r#"{"timestamps":2}"#),
        (r#"{"id":"a"}"#, r#"{"id":"b"}"#),
        (r#"{"duration":{"a":1}}"#, r#"{"duration":{"a":2}}"#),
        (r#"{"ts":1,"x":1}"#, r#"{"ts":1,"x":2}"#),
        (r#"{"nonce":""}"#, r#"{"nonce":"a"}"#),
    ]);
}
