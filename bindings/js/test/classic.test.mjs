import assert from "node:assert/strict";
import { test } from "node:test";
import { unstuck } from "./module.mjs";

const {
  CallCircuitBreaker,
  computeToolFingerprint,
  CycleDetector,
  LoopDetector,
  SharedEconomicsState,
  SpecWindow,
  StepLoopDetector,
  ToolLoopDetector,
} = unstuck;

const times = (count, work) => Array.from({ length: count }, (_, n) => work(n));

test("IronCurtain: identical steps are warned about and then blocked", () => {
  const detector = new StepLoopDetector();
  const actions = times(8, () => detector.analyzeStep("c1", "r1").action);
  assert.deepEqual(actions, ["allow", "allow", "allow", "warn", "warn", "block", "block", "block"]);
  assert.match(detector.isBlocked().message, /LOOP DETECTED/);
  assert.equal(detector.isBlocked().category, "full_stagnation");
  assert.deepEqual(detector.analyzeStep("x", "y"), { action: "allow" });
  assert.notEqual(detector.isBlocked(), null);
  detector.reset();
  assert.equal(detector.isBlocked(), null);
});

test("IronCurtain: new code with an old result is stuck", () => {
  const detector = new StepLoopDetector();
  const verdicts = times(11, (n) => detector.analyzeStep(`c${n}`, { output: "r1" }));
  const actions = verdicts.map((verdict) => verdict.action);
  assert.deepEqual(actions, [...Array(5).fill("allow"), ...Array(3).fill("warn"), ...Array(3).fill("block")]);
  assert.equal(verdicts[5].category, "stuck");
  assert.match(verdicts[5].message, /Re-examine your assumptions/);
});

test("IronCurtain: thresholds are merged group by group", () => {
  const detector = new StepLoopDetector({ stagnation: { warn: 1, block: 2 } });
  const actions = times(3, () => detector.analyzeStep("c", "r").action);
  assert.deepEqual(actions, ["allow", "warn", "block"]);
});

test("IronCurtain: a missing result is an outcome of its own", () => {
  const detector = new StepLoopDetector({ stagnation: { warn: 1, block: 2 } });
  assert.equal(detector.analyzeStep("c", undefined).action, "allow");
  assert.equal(detector.analyzeStep("c", "").action, "allow");
  assert.equal(detector.analyzeStep("c", null).action, "allow");
  assert.equal(detector.analyzeStep("c").action, "warn");
});

test("IronCurtain: the breaker denies the 21st identical call within a minute", () => {
  const breaker = new CallCircuitBreaker();
  const verdicts = times(21, () => breaker.check("fs__read_file", { b: 2, a: 1 }));
  assert.deepEqual(verdicts.slice(0, 20), Array(20).fill({ allowed: true }));
  assert.equal(verdicts[20].allowed, false);
  assert.match(verdicts[20].reason, /CIRCUIT BREAKER.*fs__read_file.*20 times/s);
  assert.deepEqual(breaker.check("fs__read_file", { a: 2 }), { allowed: true });
  assert.equal(breaker.check("fs__read_file", { a: 1, b: 2 }).allowed, false);
  breaker.reset();
  assert.equal(breaker.check("fs__read_file", { a: 1, b: 2 }).allowed, true);
});

test("IronCurtain: an entry exactly as old as the window has expired", () => {
  const breaker = new CallCircuitBreaker({ threshold: 3, windowMs: 10_000 });
  const check = (now) => breaker.check("t", {}, now).allowed;
  assert.deepEqual([0, 0, 0, 9999, 10_000, 10_000, 10_000, 10_000].map(check), [
    true, true, true, false, true, true, true, false,
  ]);
  const shared = new CallCircuitBreaker({ threshold: 5, workerCount: 3 });
  assert.deepEqual(times(16, () => shared.check("t", {}, 0).allowed).indexOf(false), 15);
});

test("attocode: three equal calls are a doom loop, once", () => {
  const detector = new LoopDetector();
  const args = JSON.stringify({ path: "/foo" });
  const recent = [];
  const begins = times(7, () => {
    recent.push({ tool: "read_file", args });
    return detector.updateDoomLoopState("read_file", args, recent);
  });
  assert.deepEqual(begins, [false, false, true, false, false, false, false]);
  assert.deepEqual(detector.getState(), {
    doomLoopDetected: true,
    lastTool: "read_file",
    consecutiveCount: 7,
    threshold: 3,
    fuzzyThreshold: 4,
    lastWarningTime: 0,
  });
  assert.match(detector.prompt(), /CRITICAL.*doom loop.*rejected/s);
  detector.updateDoomLoopState("write_file", "{}", recent);
  assert.equal(detector.prompt(), null);
});

test("attocode: similar calls are counted by their fingerprint", () => {
  const detector = new LoopDetector();
  const begins = ["", ',"encoding":"a"', ',"timeout":1', ',"lines":2'].map((more) =>
    detector.updateDoomLoopState("read_file", `{"path":"a"${more}}`),
  );
  assert.deepEqual(begins, [false, false, false, true]);
  assert.equal(computeToolFingerprint("bash", '{"command":"head -5 foo.ts"}'), "bash:file_read:foo.ts");
  assert.equal(
    computeToolFingerprint("read_file", '{"path":"foo","encoding":"x"}'),
    computeToolFingerprint("read_file", '{"path":"foo"}'),
  );
  assert.notEqual(computeToolFingerprint("t", '{"foo":"bar"}'), computeToolFingerprint("t", '{"foo":"baz"}'));
  assert.equal(computeToolFingerprint("tool", "not-json"), "tool:not-json");
});

test("attocode: a reset keeps the thresholds", () => {
  const detector = new LoopDetector({ threshold: 2 });
  detector.recordToolCall("t", {});
  detector.reset();
  assert.equal(detector.getState().threshold, 2);
  assert.equal(detector.getState().fuzzyThreshold, 3);
  assert.deepEqual([detector.recordToolCall("t", {}), detector.recordToolCall("t", {})], [false, true]);
});

test("attocode: failing commands and turns of text have their own counters", () => {
  const detector = new LoopDetector();
  const prompts = ["make", "make -j1", "make V=1"].map((command) => {
    detector.recordToolCall("bash", { command });
    return detector.recordResult("error", "no rule to make target");
  });
  assert.deepEqual(prompts.slice(0, 2), [null, null]);
  assert.ok(prompts[2].length > 0);
  assert.equal(detector.getCounters().bashFailures, 3);
  assert.equal(detector.recordTextOnlyTurn(), null);
  assert.ok(detector.recordTextOnlyTurn().length > 0);
  assert.equal(detector.getCounters().textOnlyTurns, 2);
});

test("attocode: ten calls of two workers are a global loop, also after a checkpoint", () => {
  const swarm = new SharedEconomicsState();
  const print = computeToolFingerprint("web_fetch", '{"url":"https://api.example/dead"}');
  times(9, (n) => swarm.record(n % 2 ? "ann" : "bob", print));
  assert.equal(swarm.isGlobalDoomLoop(print), false);
  const restored = new SharedEconomicsState();
  restored.restoreFrom(JSON.parse(JSON.stringify(swarm)));
  restored.record("ann", print);
  assert.deepEqual(restored.getGlobalLoopInfo(print), { count: 10, workerCount: 2 });
  assert.deepEqual(restored.getGlobalLoops(), [print]);
  assert.deepEqual(restored.getStats(), { fingerprints: 1, globalLoops: 1 });
  assert.match(restored.prompt(print), /GLOBAL DOOM LOOP/);
  assert.equal(restored.getGlobalLoopInfo("other"), null);
  restored.clear();
  assert.deepEqual(restored.getStats(), { fingerprints: 0, globalLoops: 0 });
  const alone = new SharedEconomicsState({ globalDoomLoopThreshold: 2, workers: 1 });
  times(2, () => alone.record("ann", print));
  assert.equal(alone.isGlobalDoomLoop(print), true);
  assert.throws(() => alone.restoreFrom({ fingerprints: [1] }), { code: "snapshot" });
});

test("HackEurope26: the usage pattern of the document", () => {
  const detector = new ToolLoopDetector();
  const turns = [["list"], ["read", "list"], ["read", "list"], ["never"]];
  let stopped;
  for (const [turn, calls] of turns.entries()) {
    for (const name of calls) {
      detector.record(name, { path: "a" });
    }
    if (detector.isStuck()) {
      stopped = turn;
      break;
    }
  }
  assert.equal(stopped, 2);
  detector.reset();
  assert.equal(detector.isStuck(), false);
  const none = new ToolLoopDetector(0, 0);
  none.record("t");
  assert.equal(none.isStuck(), false);
});

test("attractor: the second lap warns, the fourth stops", () => {
  const detector = new CycleDetector();
  const warnings = times(4, () => ["edit", "test"].map((tool) => detector.record(tool, {}))).flat();
  const found = warnings.filter((warning) => warning !== null);
  assert.deepEqual(found.map((warning) => warning.action), ["warn", "warn_strongly", "force_stop"]);
  assert.deepEqual(found[0].pattern, ["edit", "test"]);
  assert.equal(found[2].status, "LOOP_DETECTED");
  detector.userMessage();
  assert.equal(detector.record("other").action, "force_stop");
  detector.reset();
  assert.equal(detector.record("other"), null);
});

test("the specification behind attractor: a window that is one sequence", () => {
  const window = new SpecWindow(6);
  const answers = times(6, (n) => {
    window.record(["read", "edit", "test"][n % 3], {});
    return window.windowIsLoop();
  });
  assert.deepEqual(answers, [false, false, false, false, false, true]);
  const five = new SpecWindow(5);
  times(5, (n) => five.record(n % 2 ? "a" : "b"));
  assert.equal(five.windowIsLoop(), false);
});

test("numbers that are none are refused", () => {
  assert.throws(() => new ToolLoopDetector(NaN), TypeError);
  assert.throws(() => new SpecWindow("6"), TypeError);
  assert.doesNotThrow(() => new ToolLoopDetector(Infinity, -1));
});
