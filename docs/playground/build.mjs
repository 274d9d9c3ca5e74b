// Makes the playground and the sample report: node build.mjs MODULE-DIRECTORY OUTPUT-DIRECTORY
//
// The directory has the module of WebAssembly with its JavaScript, as wasm-bindgen writes them. The page has everything in it,
// and its policy lets nothing else run and nothing be fetched.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [modules, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "../../examples");
const text = (name) => readFileSync(join(here, name), "utf8");
const wasm = readFileSync(join(modules, "unstuck_bg.wasm"));

// Node.js takes a module for one by its ending.
const folder = mkdtempSync(join(tmpdir(), "unstuck-playground-"));
copyFileSync(join(modules, "unstuck.js"), join(folder, "unstuck.mjs"));
const { initSync, NativeGuard, readTranscript, ruleNames } = await import(pathToFileURL(join(folder, "unstuck.mjs")));
rmSync(folder, { recursive: true });
initSync({ module: wasm });

/** The runs of all example transcripts, as events. */
const runs = readdirSync(join(examples, "transcripts"), { recursive: true })
  .filter((name) => /\.jsonl?$/.test(name))
  .sort()
  .map((name) => JSON.parse(readTranscript(name, readFileSync(join(examples, "transcripts", name)))).events);
const guard = new NativeGuard(JSON.stringify({ settings: { preset: "standard" }, index_key: Array(16).fill(0) }));
const [sample] = guard.scanBytes("examples.jsonl", new TextEncoder().encode(runs.join("")), ["html"], false);

/** What the policy of a report allows: its own style and its own script. */
const allowed = (directive) => new RegExp(`${directive} ('sha256-[^']+')`).exec(sample)[1];
const hash = (source) => `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
const [style, script] = [text("style.css"), text("app.js")];
const policy = [
  "default-src 'none'",
  `style-src ${hash(style)} ${allowed("style-src")}`,
  `script-src ${hash(script)} ${allowed("script-src")} 'wasm-unsafe-eval'`,
  "worker-src blob:",
  "frame-src blob:",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
// As a script: a page that is opened from a disk may not start a module as a worker.
const compiled = readFileSync(join(modules, "unstuck.js"), "utf8")
  .replace(/^export \{[^}]*\};?$/gm, "")
  .replace(/^export (?=class|function|async)/gm, "")
  .replaceAll("import.meta.url", '""');
if (/^\s*(export|import)\b|import\.meta/m.test(compiled)) {
  throw new Error("wasm-bindgen writes another kind of module than this program knows");
}
const facts = { rules: ruleNames(), example: readFileSync(join(examples, "events/stuck.jsonl"), "utf8") };
const parts = {
  policy,
  style,
  script,
  facts: JSON.stringify(facts).replaceAll("<", "\\u003c"),
  module: wasm.toString("base64"),
  worker: compiled + text("worker.js"),
};
if (/<\/script|<!--/i.test(parts.worker + script)) {
  throw new Error("a script would end its element");
}
mkdirSync(output, { recursive: true });
const page = text("page.html").split(/%%(\w+)%%/).map((piece, at) => (at % 2 === 0 ? piece : parts[piece]));
writeFileSync(join(output, "index.html"), page.join(""));
writeFileSync(join(output, "sample.html"), sample);
