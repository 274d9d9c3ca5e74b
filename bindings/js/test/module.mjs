import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// The module under test: the npm package, or the module of WebAssembly.
const name = process.env.UNSTUCK_MODULE;
if (!name) {
  throw new Error("UNSTUCK_MODULE names the module under test; `cargo xtask test` sets it");
}
export const unstuck = await import(name);
if (unstuck.init) {
  await unstuck.init(readFileSync(new URL("wasm/unstuck_bg.wasm", pathToFileURL(name))));
}
export const { Guard, UnstuckError } = unstuck;

/** A guard whose clock stands still, so that what it answers does not depend on the time of the test. */
export const still = (options = {}) => new Guard({ now: null, ...options });

/** One call with its result: both decisions. */
export function round(guard, tool, args, output, options) {
  const before = guard.beforeCall(tool, args);
  return [before, guard.afterCall(before, output, options)];
}

/** Calls a tool `times` times with the same result, and returns the verdicts of the results. */
export const verdicts = (guard, times, args, output = "same") =>
  Array.from({ length: times }, () => round(guard, "tool", args, output)[1].verdict);
