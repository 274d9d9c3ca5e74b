// What a guarded call costs, beside the founding classes in TypeScript, and beside the engine alone.
// UNSTUCK_MODULE: the npm package. UNSTUCK_WASM: the module of WebAssembly. UNSTUCK_FOUNDING: the classes compared with.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { UNSTUCK_FOUNDING, UNSTUCK_MODULE, UNSTUCK_WASM } = process.env;
const { Guard } = await import(UNSTUCK_MODULE);
const founding = await import(UNSTUCK_FOUNDING);
const broken = [];

// Many short rounds: on a busy machine some of them run undisturbed.
const ROUNDS = 45;

/** Arguments as an edit of a file has them: a path, numbers, and text in lines. No two are equal. */
function argumentsOf(bytes, count) {
  const line = "    return self.index.get(key, default)\n";
  return Array.from({ length: count }, (_, n) => {
    const args = { path: `src/module_${n}.py`, line: n, dry_run: false };
    const rest = bytes - JSON.stringify({ ...args, old: "", new: "" }).length;
    if (rest > 2) {
      const text = line.repeat(Math.ceil(rest / line.length));
      args.old = `${n}${text}`.slice(0, rest / 2);
      args.new = `${n}${text}`.slice(1, rest / 2 + 1);
    }
    return args;
  });
}

/** Nanoseconds for each work, the best of several rounds in which all take turns. No work has the same number twice. */
function measure(works, repeats) {
  const best = works.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, work] of works.entries()) {
      const start = process.hrtime.bigint();
      for (let n = round * repeats; n < (round + 1) * repeats; n += 1) {
        work(n);
      }
      best[at] = Math.min(best[at], Number(process.hrtime.bigint() - start) / repeats);
    }
  }
  return best;
}

const shown = (nanoseconds) => `${(nanoseconds / 1000).toFixed(2)} µs`.padStart(11);

function bound(what, isKept) {
  console.log(`${isKept ? "kept  " : "BROKEN"} ${what}`);
  if (!isKept) {
    broken.push(what);
  }
}

function guarded(guard, all) {
  return (n) => guard.afterCall(guard.beforeCall("edit_file", all[n % all.length]), `ok ${n}`);
}

for (const bytes of [100, 1_000, 20_000]) {
  const repeats = bytes > 10_000 ? 60 : 600;
  const all = argumentsOf(bytes, repeats * ROUNDS);
  const guard = new Guard();
  const before = new Guard();
  const [steps, breaker, loops, tools] = [
    new founding.StepLoopDetector(),
    new founding.CallCircuitBreaker(),
    new founding.LoopDetector(),
    new founding.ToolLoopDetector(),
  ];
  const works = {
    "unstuck, call and result": guarded(guard, all),
    "unstuck, call": (n) => before.beforeCall("edit_file", all[n]),
    "StepLoopDetector": (n) => steps.analyzeStep(all[n], `ok ${n}`),
    "CallCircuitBreaker": (n) => breaker.check("edit_file", all[n]),
    "LoopDetector": (n) => loops.recordToolCall("edit_file", all[n]),
    "ToolLoopDetector": (n) => {
      tools.record("edit_file", all[n]);
      return tools.isStuck();
    },
  };
  const times = measure(Object.values(works), repeats);
  console.log(`\n${bytes} bytes of arguments`);
  Object.keys(works).forEach((name, at) => console.log(`  ${name.padEnd(28)}${shown(times[at])}`));
  const [, call, ...others] = times;
  const [least, most] = [Math.min(...others), Math.max(...others)];
  console.log(`  a call takes ${(call / most).toFixed(2)} to ${(call / least).toFixed(2)} times as long as in a founding class`);
  if (bytes === 100) {
    // The engine reads lines and writes decisions, which takes it longer than the call alone.
    const alone = new Guard();
    const lines = all.map((args, id) => JSON.stringify({ event: "call", id, tool: "edit_file", args })).join("\n");
    const start = process.hrtime.bigint();
    alone.checkLines(lines);
    const each = Number(process.hrtime.bigint() - start) / all.length;
    console.log(`  ${"the engine alone, by lines".padEnd(28)}${shown(each)}`);
    bound("100 B: a call is at most 2 µs more than the engine alone", call - each < 2_000);
  }
}

{
  const all = argumentsOf(200, 4_096);
  const work = guarded(new Guard(), all);
  const events = (count) => {
    for (let n = 0; n < count / 2; n += 1) {
      work(n);
    }
    globalThis.gc?.();
    return process.memoryUsage().rss / 1024 / 1024;
  };
  const first = events(200_000);
  const last = events(800_000);
  console.log(`\nmemory after 200,000 events: ${first.toFixed(0)} MiB, after a million: ${last.toFixed(0)} MiB`);
  bound("memory grows by less than 8 MiB from 200,000 to a million events", last - first < 8);
}

if (UNSTUCK_WASM) {
  const wasm = await import(UNSTUCK_WASM);
  await wasm.init(readFileSync(new URL("wasm/unstuck_bg.wasm", pathToFileURL(UNSTUCK_WASM))));
  console.log("\ncall and result, native and WebAssembly");
  for (const bytes of [100, 1_000, 20_000]) {
    const repeats = bytes > 10_000 ? 60 : 600;
    const all = argumentsOf(bytes, repeats * ROUNDS);
    const [native, module] = measure([guarded(new Guard(), all), guarded(new wasm.Guard(), all)], repeats);
    console.log(`  ${String(bytes).padStart(6)} bytes ${shown(native)} ${shown(module)}  ${(native / module).toFixed(2)} of the speed`);
    // Longer texts are hashed and searched with instructions that WebAssembly has not.
    if (bytes <= 1_000) {
      bound(`${bytes} bytes: WebAssembly has at least half the speed`, module < native * 2);
    }
  }
}

if (broken.length > 0) {
  process.exitCode = 1;
}
