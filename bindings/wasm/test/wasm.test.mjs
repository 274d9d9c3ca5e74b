import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const address = pathToFileURL(process.env.UNSTUCK_MODULE);
const wasm = await import(address);
const { Guard, init } = wasm;

test("before it is loaded, the module says so", () => {
  assert.throws(() => new Guard(), { name: "UnstuckError", message: /init\(\)/ });
  assert.throws(() => new wasm.ToolLoopDetector(), { code: "fault" });
});

test("it is loaded from a compiled module", async () => {
  const bytes = readFileSync(new URL("wasm/unstuck_bg.wasm", address));
  await init(await WebAssembly.compile(bytes));
  assert.equal(new Guard().turn().verdict, "allow");
});

test("a guard that is not usable any more throws, or fails open or closed", () => {
  const guards = [undefined, "open", "closed"].map((fail) => new Guard({ fail }));
  for (const guard of guards) {
    guard.native.free();
  }
  assert.throws(() => guards[0].beforeCall("t"), { name: "UnstuckError", code: "fault" });
  assert.deepEqual(guards.slice(1).map((guard) => guard.beforeCall("t").verdict), ["allow", "deny"]);
});

test("a recording is reported, also as a page", () => {
  const event = { event: "call", id: 1, tool: "search", args: { q: "<script>" } };
  const lines = [event, { event: "result", id: 1, output: "no hits" }].map((line) => `${JSON.stringify(line)}\n`);
  const bytes = new TextEncoder().encode(lines.join("").repeat(9));
  const guard = new Guard();
  const report = guard.scanBytes("run.jsonl", bytes);
  assert.deepEqual([report.totals.runs, report.totals.stuck], [1, 1]);
  assert.equal(report.runs[0].loops[0].rule, "exact-repeat");
  const [page, json] = guard.render("run.jsonl", bytes, ["html", "json"]);
  assert.match(page, /^<!doctype html>/);
  assert.doesNotMatch(page, /"<script>"/);
  // With a page, loops have their calls.
  const [{ excerpt, strip, ...loop }] = JSON.parse(json).runs[0].loops;
  assert.deepEqual([loop], report.runs[0].loops);
  assert.deepEqual([excerpt.length > 1, strip.length], [true, 9]);
  const off = new Guard({ rules: { exactRepeat: { enabled: false } } }).scanBytes("run.jsonl", bytes);
  assert.notDeepEqual(off.runs[0].loops, report.runs[0].loops);
  assert.throws(() => guard.render("run.jsonl", bytes, ["other"]), { name: "UnstuckError", code: "scan" });
  const database = new TextEncoder().encode("SQLite format 3\0".padEnd(4096, "\0"));
  assert.match(guard.scanBytes("opencode.db", database).errors[0].error, /database/);
});

test("it imports nothing of a runtime", () => {
  const sources = ["index", "guard", "value", "classic", "options", "wasm/unstuck"];
  for (const source of sources) {
    const text = readFileSync(new URL(`${source}.js`, address), "utf8");
    assert.doesNotMatch(text, /from "(?!\.\/)|require\(|\bBuffer\b|process\.\w/, source);
  }
});
