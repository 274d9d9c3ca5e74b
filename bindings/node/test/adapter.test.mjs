import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";

const PACKAGE = dirname(process.env.UNSTUCK_MODULE);
const require = createRequire(join(PACKAGE, "package.json"));
const { Run, RunHalted } = require("unstuck/adapter");
const { Guard } = require("unstuck");
const { exports } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const still = { now: null };

/** Makes the same call until it is denied or ended; returns how often it ran. */
async function loop(run, times) {
  let ran = 0;
  for (let turn = 0; turn < times; turn += 1) {
    await run.call("search", { q: "salt" }, () => (ran += 1, "no hits"));
    run.turn();
  }
  return ran;
}

test("adapters without a framework of their own load as both kinds of modules, without any framework", async () => {
  for (const name of ["./adapter", "./ai-sdk", "./claude-agent-sdk", "./langchain", "./mastra", "./mcp", "./openai-agents", "./strands"]) {
    const own = require(`unstuck/${name.slice(2)}`);
    const esm = await import(join(PACKAGE, exports[name].default));
    assert.equal(esm.RunHalted, RunHalted);
    assert.deepEqual(Object.keys(own).sort(), Object.keys(esm).filter((key) => !["default", "module.exports", "__esModule"].includes(key)).sort());
  }
});

test("a run is nudged, denied and halted", async () => {
  const run = new Run(still);
  assert.equal(await loop(run, 3), 3);
  assert.match(run.nudge(), /\[unstuck\]/);
  assert.equal(run.nudge(), undefined);
  assert.equal(run.halted(), undefined);
  assert.ok((await loop(run, 12)) < 12);
  assert.match(run.halted(), /\[unstuck\]/);
  assert.match((await run.call("other", {}, () => assert.fail("it ran"))).denied, /\[unstuck\]/);
});

test("a halt is thrown where that is wanted, with its decision", async () => {
  const run = new Run({ ...still, onHalt: "throw" });
  await loop(run, 15);
  assert.throws(() => run.halted(), (error) => error instanceof RunHalted && error.decision.verdict === "halt");
});

test("nudges stay where they were placed, until that part of the conversation has gone", async () => {
  const run = new Run(still);
  await loop(run, 3);
  const text = (nudge) => `nudge: ${nudge.slice(0, 9)}`;
  assert.deepEqual(run.placed(["a", "b"], text), ["a", "b", "nudge: [unstuck]"]);
  assert.deepEqual(run.placed(["a", "b", "c"], text), ["a", "b", "nudge: [unstuck]", "c"]);
  await loop(run, 1);
  assert.deepEqual(run.placed(["a", "b", "c"], text), ["a", "b", "nudge: [unstuck]", "c", "nudge: [unstuck]"]);
  assert.deepEqual(run.placed(["a", "b"], text), ["a", "b", "nudge: [unstuck]"]);
  assert.deepEqual(run.placed(["a", "summary", "d"], text), ["a", "summary", "d"]);
});

test("runs within a call are sub-agents, and runs beside each other have sessions of their own", async () => {
  const guard = new Guard(still);
  const outer = new Run({ guard });
  const inner = await Promise.all(["a", "b"].map((name) => outer.call(name, {}, async () => {
    await new Promise(setImmediate);
    return new Run({ agent: name });
  })));
  const agents = inner.map(({ output }) => output.agent);
  assert.deepEqual(agents.map((agent) => agent.agentName), ["main/a-1", "main/b-2"]);
  assert.deepEqual(agents.map((agent) => agent.session), [outer.agent.session, outer.agent.session]);
  assert.notEqual(new Run(still).agent.session, new Run(still).agent.session);
  assert.equal(new Run({ ...still, session: "s", agent: "x" }).agent.session, "s");
});

test("what a tool throws or yields is recorded, and handed on", async () => {
  const run = new Run(still);
  await assert.rejects(run.call("t", {}, async () => Promise.reject(new TypeError("no"))), TypeError);
  const begun = run.before("t", { n: 2 });
  const seen = [];
  for await (const value of run.watched(begun.id, async function* () { yield 1; yield 2; })) {
    seen.push(value);
  }
  assert.deepEqual(seen, [1, 2]);
  assert.throws(() => run.watched(run.before("t", {}).id, () => { throw new Error("at once"); }), /at once/);
});

test("keys take the place of arguments", async () => {
  const run = new Run({ ...still, loopKeys: { job: ({ id }) => id } });
  for (let turn = 0; turn < 5; turn += 1) {
    await run.call("job", { id: "7", nonce: turn }, () => "the same");
    run.turn();
  }
  assert.match(run.nudge(), /\[unstuck\]/);
});
