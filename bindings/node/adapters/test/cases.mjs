// What every adapter has to show, with the framework's package and a scripted model.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/**
 * Registers the tests of one way to run an agent. `make({ script, tools, settings })` makes an agent whose model answers with
 * `script(turn)`, a text or a list of `{ id, tool, args }`. It returns `run`, which runs the agent and returns its final
 * answer, and `sent`: the messages `{ role, text, calls, id }` of each request to the model.
 */
export function adapterTests(name, make, { unknown = true, invalid = true, subAgents = true, throws = "RunHalted", parallel = true } = {}) {
  const drive = async (what) => {
    const { run, sent } = make(what);
    return { answer: await run(), sent };
  };
  const fast = { now: null };
  const call = (id, q = "salt", tool = "search") => ({ id, tool, args: { q } });
  const looping = (turn) => [call(`c${turn}`)];

  test(`${name}: a loop is nudged, then denied, then ended`, async () => {
    let ran = 0;
    const tools = { search: { run: () => (ran += 1, "no hits") } };
    const { answer, sent } = await drive({ script: looping, tools, settings: fast });
    sent.forEach(paired);
    const last = sent.at(-1);
    const nudges = last.filter(({ role, text }) => role !== "tool" && /^\[unstuck\]/m.test(text));
    const first = sent.findIndex((request) => request.some(({ text }) => text?.includes("[unstuck]")));
    assert.ok(nudges.length >= 3 || last.filter(({ text }) => text?.includes("[unstuck]")).length >= 3, "nudges stay in the conversation");
    assert.equal(first, 3, "the nudge is in the request after the third call");
    assert.ok(last.some(({ role, text }) => role === "tool" && text.includes("[unstuck]")), "a denial is the result of its call");
    assert.ok(ran >= 3 && ran < sent.length, `${ran} calls ran in ${sent.length} requests`);
    assert.ok(sent.length < 20, `${sent.length} requests`);
    assert.match(answer, /\[unstuck\]/);
  });

  if (throws) {
    test(`${name}: a halt is thrown where that is wanted`, async () => {
      const tools = { search: { run: () => "no hits" } };
      const run = drive({ script: looping, tools, settings: { ...fast, onHalt: "throw" } });
      await assert.rejects(run, (error) => halted(error, throws));
    });
  }

  test(`${name}: a healthy run of 40 calls is untouched`, async () => {
    const tools = { search: { run: ({ q }) => `hit ${q}: ${"x".repeat(q % 7)}` }, edit: { run: ({ q }) => `edited ${q}` } };
    const script = (turn) => (turn < 40 ? [call(`c${turn}`, turn, turn % 5 === 4 ? "edit" : "search")] : "done");
    const { answer, sent } = await drive({ script, tools, settings: fast });
    assert.equal(answer, "done");
    assert.equal(sent.length, 41);
    assert.doesNotMatch(JSON.stringify(sent), /unstuck/);
    assert.equal(sent.at(-1).filter(({ role }) => role === "tool").length, 40);
  });

  test(`${name}: parallel calls are judged each, and a nudge follows all their results`, async () => {
    let together = 0;
    let most = 0;
    const run = async ({ q }) => {
      most = Math.max(most, (together += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      together -= 1;
      return `nothing about ${q}`;
    };
    const script = (turn) => (turn < 5 ? ["a", "b", "c"].map((q) => call(`c${turn}-${q}`, q)) : "done");
    const { answer, sent } = await drive({ script, tools: { search: { run } }, settings: fast });
    sent.forEach(paired);
    assert.equal(answer, "done");
    assert.equal(most, parallel ? 3 : 1, "calls at a time");
    assert.match(JSON.stringify(sent.at(-1)), /\[unstuck\]/);
  });

  test(`${name}: a tool that throws is a failed call, and its loop ends too`, async () => {
    const tools = { search: { run: () => { throw new Error("connection refused"); } } };
    const { answer, sent } = await drive({ script: looping, tools, settings: fast });
    sent.forEach(paired);
    assert.match(JSON.stringify(sent), /connection refused/);
    assert.match(answer, /\[unstuck\]/);
  });

  test(`${name}: concurrent runs have states of their own`, async () => {
    const tools = { search: { run: async () => (await new Promise(setImmediate), "no hits") } };
    const short = (turn) => (turn < 2 ? [call(`c${turn}`)] : "done");
    const { run, sent } = make({ script: short, tools, settings: fast });
    const answers = await Promise.all(Array.from({ length: 6 }, run));
    assert.deepEqual(answers, Array(6).fill("done"));
    assert.deepEqual([sent.length, /unstuck/.test(JSON.stringify(sent))], [18, false]);
  });

  test(`${name}: a tool declares what its calls are compared by`, async () => {
    let n = 0;
    const script = (turn) => (turn < 6 ? [call(`c${turn}`, `${turn}`)] : "done");
    const settings = { ...fast, loopKeys: { search: () => "the same" } };
    const { sent } = await drive({ script, tools: { search: { run: () => "no hits" } }, settings });
    assert.match(JSON.stringify(sent.at(-1)), /\[unstuck\]/);
    const other = await drive({
      script: (turn) => (turn < 6 ? [call(`c${turn}`)] : "done"),
      tools: { search: { run: () => "no hits" } },
      settings: { ...fast, loopKeys: { search: () => `${n++}` }, rules: { stuckOutcome: { enabled: false }, stagnation: { enabled: false } } },
    });
    assert.doesNotMatch(JSON.stringify(other.sent), /unstuck/);
  });

  if (unknown) {
    test(`${name}: calls of a tool that does not exist are seen`, async () => {
      const script = (turn) => (turn < 4 ? [call(`c${turn}`, turn, "hex")] : "done");
      const { sent } = await drive({ script, tools: { search: { run: () => "hit" } }, settings: fast });
      sent.forEach(paired);
      assert.match(JSON.stringify(sent.at(-1)), /\[unstuck\]/);
    });
  }

  if (invalid) {
    test(`${name}: calls with invalid arguments are seen`, async () => {
      const script = (turn) => (turn < 6 ? [{ ...call(`c${turn}`), args: 7, raw: "{\"q\":" }] : "done");
      const { sent } = await drive({ script, tools: { search: { run: () => "hit" } }, settings: fast });
      sent.forEach(paired);
      assert.match(JSON.stringify(sent.at(-1)), /\[unstuck\]/);
    });
  }

  if (subAgents) {
    test(`${name}: a run within a tool is a sub-agent of the same swarm`, async () => {
      const { Guard } = await import("unstuck");
      const guard = new Guard(fast);
      const agents = new Set();
      const named = guard.agent.bind(guard);
      guard.agent = (agent, session) => (agents.add(`${session} ${agent}`), named(agent, session));
      const inner = { search: { run: () => "hit" } };
      const run = async () => (await drive({ script: (turn) => (turn < 1 ? [call("i0")] : "inner"), tools: inner, settings: fast })).answer;
      const script = (turn) => (turn < 2 ? [call(`c${turn}`, turn, "delegate")] : "done");
      const { answer } = await drive({ script, tools: { delegate: { run } }, settings: { guard, session: "s" } });
      assert.equal(answer, "done");
      assert.deepEqual([...agents], ["s main", "s main/agent-1", "s main/agent-2"]);
    });
  }
}

/** Every call has one result, directly behind the message with the calls, and nothing lies between. */
function paired(request) {
  let open = [];
  for (const { role, calls = [], id } of request) {
    if (role === "tool") {
      assert.ok(open.includes(id), `a result of ${id}, which is not open`);
      open = open.filter((one) => one !== id);
    } else {
      assert.deepEqual(open, [], `${role} before the results of ${open}`);
      open = [...calls];
    }
  }
  assert.deepEqual(open, []);
}

/** Whether the error is of this name, or was caused by one, and has the reason of the halt. */
function halted(error, name) {
  for (let cause = error; cause; cause = cause.cause) {
    if (cause.name === name && /\[unstuck\]/.test(cause.message)) {
      return true;
    }
  }
  return false;
}

/** The example of the adapter runs as it is, is at most fifteen lines long, and is in the book. */
test("the example runs, and the loop in it is ended", () => {
  const name = process.env.UNSTUCK_ADAPTER;
  const example = readFileSync(`examples/${name}.mjs`, "utf8");
  assert.ok(example.trim().split("\n").length <= 15);
  const page = readFileSync(`${process.env.UNSTUCK_ROOT}/docs/guide/node-adapters.md`, "utf8");
  assert.ok(page.includes(`\`\`\`js\n${example}\`\`\``), "the page has another example");
  const { status, stdout, stderr } = spawnSync(process.execPath, [`examples/${name}.mjs`], { encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\[unstuck\]/);
});
