// Runs the tests of the adapters for Node.js: each with the packages of versions.json, in a folder of its own.
//
//   node run.mjs --into FOLDER --package FILE.tgz [--package FILE.tgz …] [--only NAME] [--no-install]
//
// The packages are those of unstuck. Writes one line of JSON for each adapter: what was installed, and whether it passed.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HERE = dirname(fileURLToPath(import.meta.url));
const AT_ONCE = 2;
const { values } = parseArgs({
  options: {
    into: { type: "string" },
    package: { type: "string", multiple: true, default: [] },
    only: { type: "string", multiple: true },
    "no-install": { type: "boolean", default: false },
  },
});
const into = resolve(values.into);
const pins = JSON.parse(readFileSync(join(HERE, "versions.json"), "utf8"));
const names = Object.keys(pins.adapters).filter((name) => !values.only || values.only.includes(name));
for (const name of values.only ?? []) {
  if (!(name in pins.adapters)) {
    throw new Error(`no adapter is called ${name}: ${Object.keys(pins.adapters).join(", ")}`);
  }
}

/** Runs a program. Returns its exit code and what it wrote. */
function run(program, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("error", failed);
    child.on("close", (code) => done({ code, output }));
  });
}

/** Installs packages into a folder, unless they are there. Returns why that failed. */
async function install(folder, manifest) {
  const file = join(folder, "package.json");
  const text = JSON.stringify({ private: true, type: "module", ...manifest }, undefined, 2);
  mkdirSync(folder, { recursive: true });
  const isThere = existsSync(join(folder, "node_modules/.package-lock.json")) && existsSync(file);
  if (isThere && readFileSync(file, "utf8") === text) {
    return undefined;
  }
  if (values["no-install"]) {
    return "not installed";
  }
  writeFileSync(file, text);
  // Packages run nothing when they are installed. Node.js 22 runs them, whatever runs npm.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--engine-strict=false", "--loglevel=error"];
  const { code, output } = await run("npm", ["install", ...flags], { cwd: folder, timeout: 600_000 });
  return code === 0 ? undefined : output.trim().split("\n").slice(0, 4).join("; ") || "npm took too long";
}

/** The program of Node.js at the version of versions.json, from npm. */
async function node() {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(into, "node");
  const failure = await install(folder, { dependencies: { [name]: pins.node } });
  if (failure !== undefined) {
    throw new Error(`Node.js ${pins.node} cannot be installed: ${failure}`);
  }
  return join(folder, "node_modules", name, "bin", "node");
}

async function show(name, program) {
  const { title, module, example = module, packages, overrides } = pins.adapters[name];
  const folder = join(into, name);
  const own = Object.fromEntries(values.package.map((path) => [nameOf(path), `file:${resolve(path)}`]));
  const failure = await install(folder, { dependencies: { ...pins.common, ...packages, ...own }, ...(overrides && { overrides }) });
  const shown = { adapter: name, title, module, packages, node: pins.node };
  if (failure !== undefined) {
    return { ...shown, outcome: "not-installed", why: failure };
  }
  for (const part of ["test", "examples"]) {
    cpSync(join(HERE, part), join(folder, part), { recursive: true });
  }
  const env = { ...process.env, UNSTUCK_ADAPTER: example, UNSTUCK_ROOT: resolve(HERE, "../../..") };
  const args = ["--test", "--test-reporter=spec", join("test", `${module}.test.mjs`)];
  const { code, output } = await run(program, args, { cwd: folder, env, timeout: 300_000 });
  const tests = Number(/^. tests (\d+)$/m.exec(output)?.[1] ?? 0);
  if (code !== 0 || tests === 0) {
    process.stderr.write(`${name}:\n${output}\n`);
    return { ...shown, outcome: "failed", tests };
  }
  return { ...shown, outcome: "passed", tests };
}

/** The name of the package in a file that `npm pack` made. */
function nameOf(path) {
  const file = path.split("/").at(-1).replace(/-\d.*$/, "");
  return file === "unstuck" ? file : file.replace("unstuck-", "@unstuck/");
}

const program = await node();
const waiting = [...names];
let failed = 0;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const shown = await show(name, program);
    failed += shown.outcome === "passed" ? 0 : 1;
    process.stdout.write(`${JSON.stringify(shown)}\n`);
  }
}));
process.exitCode = failed === 0 ? 0 : 1;
