import assert from "node:assert/strict";
import { test } from "node:test";
import { Guard, UnstuckError, round, still, unstuck, verdicts } from "./module.mjs";

const ARGS = { path: "src/auth.py" };

test("the third equal result gets a nudge that names the call", () => {
  const guard = still();
  const [, , [before, after]] = [1, 2, 3].map(() => round(guard, "read_file", ARGS, "def login(): ..."));
  assert.equal(before.verdict, "allow");
  assert.equal(after.verdict, "nudge");
  assert.equal(after.rule, "exact-repeat");
  assert.equal(after.repeats, 3);
  assert.equal(after.level, 1);
  assert.match(after.message, /read_file src\/auth\.py/);
  assert.equal(after.permits, true);
});

test("a loop ends in a denial, and then in a halt that stays until a reset", () => {
  const guard = still();
  const seen = [];
  for (let turn = 0; turn < 20 && seen.at(-1) !== "halt"; turn += 1) {
    const before = guard.beforeCall("read_file", ARGS);
    seen.push(before.verdict);
    if (before.permits) {
      guard.afterCall(before, "same");
    } else {
      assert.ok(before.message.length > 0);
    }
    guard.turn();
  }
  assert.ok(seen.includes("deny"), String(seen));
  const halt = guard.beforeCall("other", {});
  assert.equal(halt.verdict, "halt");
  assert.equal(halt.status, "LOOP_DETECTED");
  assert.equal(halt.permits, false);
  assert.equal(guard.reset().verdict, "allow");
  assert.equal(guard.beforeCall("other", {}).verdict, "allow");
});

test("a decision is the line of the wire contract", () => {
  const guard = still();
  const allow = guard.beforeCall("read_file", ARGS);
  assert.equal(JSON.stringify(allow), '{"line":1,"session":"default","agent":"main","verdict":"allow"}');
  assert.deepEqual(Object.keys(allow), ["line", "session", "agent", "verdict"]);
  guard.afterCall(allow, "same");
  const last = [2, 3].map(() => round(guard, "read_file", ARGS, "same")[1])[1];
  const events = [1, 2, 3].flatMap((id) => [
    { event: "call", id, tool: "read_file", args: ARGS },
    { event: "result", id, output: "same" },
  ]);
  const lines = new Guard().checkLines(events.map((event) => JSON.stringify(event)).join("\n"));
  assert.equal(JSON.stringify(last), lines.trimEnd().split("\n").at(-1));
});

test("calls are paired with their results by id, in any order", () => {
  const guard = still();
  const one = guard.beforeCall("read", { path: "a" });
  const two = guard.beforeCall("read", { path: "b" }, { id: "toolu_2" });
  assert.equal(one.callId, "unstuck-1");
  assert.equal(two.callId, "toolu_2");
  guard.afterCall("toolu_2", "b");
  guard.afterCall(one, "a");
  assert.equal(guard.afterCall("unknown", "ignored").verdict, "allow");
  assert.equal(guard.check("read", { path: "a" }).verdict, "allow");
});

test("an error as output is a failed call", () => {
  const failing = still();
  const [, decision] = [1, 2, 3].map(() => round(failing, "t", {}, new TypeError("no such file"))[1]).slice(-2);
  const told = still();
  const [, expected] = [1, 2, 3]
    .map(() => round(told, "t", {}, "TypeError: no such file", { status: "error" })[1])
    .slice(-2);
  assert.deepEqual(decision, expected);
  assert.throws(() => round(told, "t", {}, "x", { status: "well" }), { code: "event" });
});

test("a call may state its identity", () => {
  const guard = still();
  const decisions = [1, 2, 3].map((n) => {
    const before = guard.beforeCall("t", { n }, { key: "same", readOnly: true, idempotent: true });
    return guard.afterCall(before, "same", { exitCode: 0 });
  });
  assert.equal(decisions[2].verdict, "nudge");
});

test("agents of one guard are told apart, and a swarm counts together", () => {
  const guard = still();
  const other = guard.agent("tester");
  assert.deepEqual([other.session, other.agentName], ["default", "tester"]);
  assert.deepEqual(verdicts(guard, 2, {}), ["allow", "allow"]);
  assert.deepEqual(verdicts(other, 2, {}), ["allow", "allow"]);
  assert.deepEqual(verdicts(guard, 1, {}), ["nudge"]);
  assert.equal(guard.agent("a", "s2").turn().session, "s2");

  const swarm = still({ preset: "attocode", session: "s", swarm: "w" });
  const workers = [swarm.agent("ann", "s1"), swarm.agent("bob", "s2")];
  const calls = Array.from({ length: 10 }, (_, n) => {
    const worker = workers[n % 2];
    worker.beforeCall("other", { n });
    return worker.beforeCall("fetch", { url: "u" });
  });
  assert.equal(calls[9].rule, "swarm-loop");
});

test("a snapshot goes on in another guard, with new ids", () => {
  const guard = still();
  assert.equal(guard.snapshot(), null);
  verdicts(guard, 2, ARGS);
  const snapshot = guard.snapshot();
  assert.ok(snapshot instanceof Uint8Array);
  const restored = still();
  restored.restore(snapshot);
  const before = restored.beforeCall("tool", ARGS);
  assert.equal(before.callId, "unstuck-5");
  assert.equal(restored.afterCall(before, "same").verdict, "nudge");
  assert.throws(() => restored.restore(new Uint8Array([1, 2, 3])), { name: "UnstuckError", code: "snapshot" });
  assert.throws(() => restored.restore("text"), TypeError);
});

test("texts, turns, steps and the other events are answered", () => {
  const guard = still();
  for (const answer of [
    guard.user("go"),
    guard.text("hm", { role: "thinking" }),
    guard.text("half of a pair: \ud83d"),
    guard.turn({ tokens: 10, cost: 0.1 }),
    guard.turn(),
    guard.step("ls", { a: undefined, b: ["\udc00"] }),
    guard.retry(),
    guard.compaction(),
    guard.resume(),
    guard.observe({ event: "turn", session: "s", agent: "a", at: 1 }),
    guard.observe('{"event":"user"}'),
    guard.reset({ at: 1.5 }),
  ]) {
    assert.equal(answer.verdict, "allow");
  }
  assert.equal(guard.turn().line, 13);
  const named = guard.observe({ event: "turn", session: "s", agent: "a" });
  assert.deepEqual([named.session, named.agent], ["s", "a"]);
  assert.throws(() => guard.observe({ event: "tur" }), { code: "event", message: /unknown event `tur`/ });
  assert.throws(() => guard.text(1), TypeError);
  assert.throws(() => guard.beforeCall(undefined), TypeError);
});

test("steps of the preset ironcurtain get a warning and a block", () => {
  const guard = still({ preset: "ironcurtain" });
  const seen = Array.from({ length: 6 }, () => guard.step("import foo", "ImportError").verdict);
  assert.deepEqual(seen, ["allow", "allow", "allow", "nudge", "nudge", "halt"]);
});

test("the clock is asked for every event", () => {
  let now = 0;
  const guard = new Guard({ preset: "ironcurtain", now: () => now });
  const poll = () => guard.beforeCall("poll", {}).verdict;
  assert.deepEqual(Array.from({ length: 21 }, poll), [...Array(20).fill("allow"), "deny"]);
  assert.ok(guard.beforeCall("poll", {}).retry_after > 0);
  now = 60_000;
  assert.equal(poll(), "allow");
});

test("in the mode observe everything is permitted, and `would` has the verdict", () => {
  const guard = still({ mode: "observe" });
  const [, , decision] = [1, 2, 3].map(() => round(guard, "t", {}, "same")[1]);
  assert.deepEqual([decision.verdict, decision.would, decision.permits], ["allow", "nudge", true]);
  assert.ok(decision.message.length > 0);
});

test("options are those of unstuck.toml, in either spelling", () => {
  const config = 'preset = "standard"\n[rules.exact-repeat]\nnudge = 5\n';
  assert.deepEqual(verdicts(still({ config }), 4, {}), Array(4).fill("allow"));
  const over = still({ config, rules: { exactRepeat: { nudge: 2, deny: undefined, halt: null } } });
  assert.deepEqual(verdicts(over, 2, {}), ["allow", "nudge"]);
  const tools = [{ tool: "tool", exempt: true, notMatch: ["other"] }];
  assert.deepEqual(verdicts(still({ tools }), 5, {}), Array(5).fill("allow"));
  assert.equal(still({ rules: { "exact-repeat": { nudge: 5, deny: 4 } } }).warnings.length, 1);
  assert.throws(() => new Guard({ rules: { "exact-repeat": { nudg: 5 } } }), {
    name: "UnstuckError",
    code: "settings",
    message: /did you mean `nudge`\?/,
  });
  assert.throws(() => new Guard({ preset: "other" }), { code: "settings" });
  assert.throws(() => new Guard({ session: 1 }), TypeError);
});

test("an event that cannot be judged is an error, or fails open or closed", () => {
  let deep = [];
  for (let level = 0; level < 200; level += 1) {
    deep = [deep];
  }
  assert.throws(() => still().beforeCall("t", deep), (error) => {
    assert.ok(error instanceof UnstuckError);
    assert.equal(error.code, "value");
    return /128 levels/.test(error.message);
  });
  const open = still({ fail: "open" }).beforeCall("t", deep);
  assert.deepEqual([open.verdict, open.permits, open.line], ["allow", true, 0]);
  assert.match(open.error, /128 levels/);
  const closed = still({ config: 'fail = "closed"' }).beforeCall("t", deep, { id: "7" });
  assert.deepEqual([closed.verdict, closed.permits, closed.callId], ["deny", false, "7"]);
  assert.match(closed.message, /could not be judged/);
  const counted = still({ fail: "closed" });
  counted.beforeCall("t", deep);
  assert.equal(counted.beforeCall("t", {}).line, 1);
});

test("the typings know all rules", () => {
  assert.ok(unstuck.RULES.length > 20);
  const rules = Object.fromEntries(unstuck.RULES.map((rule) => [rule, { enabled: true }]));
  assert.doesNotThrow(() => new Guard({ rules }));
});
