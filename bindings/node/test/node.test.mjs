import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { once } from "node:events";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const { UNSTUCK_COMMAND, UNSTUCK_MODULE, UNSTUCK_ROOT } = process.env;
const esm = await import(UNSTUCK_MODULE);
const require = createRequire(import.meta.url);
const cjs = require(UNSTUCK_MODULE.replace(/index\.mjs$/, ""));
const { Guard, scan } = esm;
const PACKAGE = dirname(UNSTUCK_MODULE);
const { platformDirectory } = require(join(PACKAGE, "dist/addon.js"));
const ADDON = join(platformDirectory(), "unstuck.node");
const NAMELESS = ["__esModule", "default", "module.exports"];
const SAMPLES = join(UNSTUCK_ROOT, "crates/unstuck-transcript/tests/fixtures");

const folder = mkdtempSync(join(tmpdir(), "unstuck-node-"));
after(() => rmSync(folder, { recursive: true }));

const recording = `${JSON.stringify({ event: "call", id: 1, tool: "search", args: { q: "salt" } })}
${JSON.stringify({ event: "result", id: 1, output: "no hits" })}
`.repeat(9);

test("both kinds of modules have the same classes", () => {
  assert.equal(cjs.Guard, Guard);
  const names = (module) => Object.keys(module).filter((name) => !NAMELESS.includes(name)).sort();
  assert.deepEqual(names(cjs), names(esm));
  assert.ok(new cjs.Guard().turn().permits);
});

test("the rules of the typings are those of the engine", () => {
  assert.deepEqual([...esm.RULES], require(ADDON).ruleNames());
});

test("a scan reports loops, of files and of bytes", async () => {
  const path = join(folder, "run.jsonl");
  writeFileSync(path, recording);
  const report = await new Guard().scan(path);
  assert.deepEqual([report.totals.runs, report.totals.stuck], [1, 1]);
  assert.equal(report.runs[0].loops[0].rule, "exact-repeat");
  assert.deepEqual((await new Guard().scan([folder])).runs, report.runs);
  const [run] = (await new Guard().scanBytes(path, Buffer.from(recording))).runs;
  assert.deepEqual(run.loops, report.runs[0].loops);
  const off = await scan(path, { rules: { exactRepeat: { enabled: false } }, keepSecrets: true });
  assert.equal(off.totals.redacted, false);
  assert.notDeepEqual(off.runs[0].loops, report.runs[0].loops);
  const missing = await scan(join(folder, "nothing"));
  assert.equal(missing.errors.length, 1);
});

test("a scan does not hold up the program", async () => {
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 1);
  await new Guard().scanBytes("long.jsonl", Buffer.from(recording.repeat(400)));
  clearInterval(ticking);
  assert.ok(ticks > 2, `${ticks} ticks`);
});

test("a scan ends when its signal is aborted", async () => {
  const path = join(folder, "long.jsonl");
  writeFileSync(path, recording.repeat(60_000));
  const guard = new Guard();
  const timed = async (options) => {
    const start = performance.now();
    const outcome = await guard.scan(path, options).catch((error) => error);
    return [outcome, performance.now() - start];
  };
  const [report, whole] = await timed({ signal: new AbortController().signal });
  assert.equal(report.totals.runs, 1);
  const [error, took] = await timed({ signal: AbortSignal.timeout(1) });
  assert.equal(error.name, "TimeoutError");
  assert.ok(took < Math.max(whole * 0.8, 200), `${took} ms of ${whole} ms`);
  const reason = new Error("mine");
  await assert.rejects(guard.scan(path, { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(scan(path, { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(guard.scanBytes("a", Buffer.from(recording), { signal: AbortSignal.abort(reason) }), reason);
  rmSync(path);
});

test("threads have guards of their own, and may end at any time", async () => {
  const program = `
    import { workerData, parentPort } from "node:worker_threads";
    const { Guard } = await import(workerData.module);
    const guard = new Guard();
    for (let n = 0; n < 500 || workerData.endless; n += 1) {
      guard.afterCall(guard.beforeCall("t", { n, text: "x".repeat(n % 2_000) }), "out " + n);
      if (workerData.endless && n === 50) parentPort.postMessage(0);
    }
    parentPort.postMessage(guard.turn().line);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const start = (endless) => new Worker(url, { workerData: { module: pathToFileURL(UNSTUCK_MODULE).href, endless } });
  const workers = Array.from({ length: 12 }, (_, at) => [start(at % 2 === 1), at % 2 === 1]);
  const lines = await Promise.all(
    workers.map(async ([worker, endless]) => {
      const [line] = await once(worker, "message");
      if (endless) {
        await worker.terminate();
      }
      return line;
    }),
  );
  assert.deepEqual(lines, workers.map(([, endless]) => (endless ? 0 : 1_001)));
  assert.ok(new Guard().turn().permits);
});

test("decisions and guards are not sent to other threads as what they are", () => {
  const guard = new Guard();
  const decision = guard.beforeCall("t", {});
  assert.equal(structuredClone(decision).verdict, "allow");
  assert.throws(() => guard.afterCall(structuredClone(decision), "x"), TypeError);
  assert.throws(() => structuredClone(guard).turn(), TypeError);
});

test("a scan of the samples of all formats is that of the command", async () => {
  const written = spawnSync(UNSTUCK_COMMAND, ["scan", "--no-config", "--format", "json", SAMPLES], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const report = await scan(SAMPLES);
  assert.ok(report.totals.runs > 20, `${report.totals.runs} runs`);
  assert.deepEqual(report, JSON.parse(written.stdout));
});

test("a panic is an exception, or fails open or closed, and the guard goes on", () => {
  const guards = [undefined, "open", "closed"].map((fail) => new Guard({ fail, now: null }));
  const detector = new esm.ToolLoopDetector();
  process.env.UNSTUCK_TEST_FAULT = "1";
  try {
    assert.throws(() => guards[0].beforeCall("t", {}), { name: "UnstuckError", code: "fault" });
    assert.throws(() => guards[0].snapshot(), { code: "fault" });
    assert.throws(() => detector.record("t", {}), { code: "fault" });
    assert.throws(() => new Guard(), { code: "fault" });
    assert.deepEqual(guards.slice(1).map((guard) => guard.beforeCall("t", {}).verdict), ["allow", "deny"]);
    assert.match(guards[1].turn().error, /fault in unstuck/);
  } finally {
    delete process.env.UNSTUCK_TEST_FAULT;
  }
  for (const guard of guards) {
    assert.equal(guard.beforeCall("t", {}).line, 1);
  }
});

test("objects of the addon survive misuse", () => {
  const { NativeGuard, NativeClassic } = require(ADDON);
  const guard = new NativeGuard("{}");
  for (const wrong of [
    () => guard.beforeCall(),
    () => guard.beforeCall({}, {}),
    () => guard.afterCall(null, 1, 2),
    () => NativeGuard.prototype.turn.call({}),
    () => NativeGuard.prototype.turn.call(new NativeClassic("SpecWindow", "{}")),
    () => new NativeGuard(1),
    () => new NativeClassic("Other", "{}"),
    () => new NativeClassic("SpecWindow", "[]").invoke("other"),
    () => guard.restore("text"),
    () => guard.scan(1),
  ]) {
    assert.throws(wrong);
  }
  assert.equal(guard.turn(undefined, undefined, undefined), 1);
});

/** Runs the launcher of the package in a directory. */
function launch(directory, args, env) {
  const launcher = join(directory, "bin", "unstuck.js");
  const input = '{"event":"turn"}\n{\n';
  return spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8", input, env: { ...process.env, ...env } });
}

test("the command is started with its arguments, its streams and its exit code", () => {
  const checked = launch(PACKAGE, ["check", "--no-config"]);
  assert.equal(checked.stdout.split("\n").length, 3);
  assert.equal(checked.status, 2);
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  assert.equal(launch(PACKAGE, ["--version"]).stdout.trim(), `unstuck ${version}`);
  const scanned = launch(PACKAGE, ["scan", "--no-config", join(UNSTUCK_ROOT, "examples/transcripts")]);
  assert.equal(scanned.status, 0);
  assert.match(scanned.stdout, /runs in \d+ files/);
  const nowhere = launch(PACKAGE, [], { UNSTUCK_BINARY: join(folder, "nothing") });
  assert.equal(nowhere.status, 2);
  assert.match(nowhere.stderr, /cannot be run/);
});

test("npm links the command, and no program of Rust is needed", () => {
  const bin = join(PACKAGE, "..", ".bin");
  const { stdout } = spawnSync("unstuck", ["--help"], { encoding: "utf8", env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } });
  assert.match(stdout, /scan/);
  assert.notEqual(spawnSync("cargo", ["--version"]).status, 0);
});

test("without the package for the platform, the package and its command name it", () => {
  const alone = join(folder, "unstuck");
  cpSync(PACKAGE, alone, { recursive: true });
  const { status, stderr } = launch(alone, []);
  assert.equal(status, 2);
  assert.match(stderr, /the package @unstuck\/\S+ is not installed/);
  assert.throws(() => require(alone), { name: "UnstuckError", message: /@unstuck\/\S+ is not installed/ });
  const addon = spawnSync(process.execPath, ["-p", `typeof require(${JSON.stringify(alone)}).Guard`], {
    encoding: "utf8",
    env: { ...process.env, UNSTUCK_ADDON: ADDON },
  });
  assert.equal(addon.stdout, "function\n");
});

test("the package has no file that is not needed", () => {
  const files = readdirSync(PACKAGE).sort();
  assert.deepEqual(files, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "bin", "dist", "index.d.mts", "index.mjs", "package.json"]);
  assert.deepEqual(readdirSync(platformDirectory()).sort(), ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "bin", "package.json", "unstuck.node"]);
});
