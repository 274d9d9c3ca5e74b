import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Guard, unstuck } from "./module.mjs";

const { UNSTUCK_COMMAND, UNSTUCK_ROOT } = process.env;
const { readTranscript } = unstuck;
const SAMPLES = join(UNSTUCK_ROOT, "examples/transcripts");

/** Files of a directory and of those in it. */
const files = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

test("the recordings of the examples are read and judged as the command judges their events", () => {
  const formats = new Set();
  for (const file of files(SAMPLES)) {
    const { format, events, problems } = readTranscript(file, readFileSync(file));
    assert.notEqual(format, null, file);
    formats.add(format);
    assert.deepEqual(problems, [], file);
    const { stdout } = spawnSync(UNSTUCK_COMMAND, ["check", "--no-config"], { input: events, maxBuffer: 1 << 28 });
    assert.equal(new Guard().checkLines(events), stdout.toString(), file);
  }
  assert.ok(formats.size > 4, [...formats].join());
});

test("the samples of all formats are read", () => {
  const fixtures = join(UNSTUCK_ROOT, "crates/unstuck-transcript/tests/fixtures");
  let read = 0;
  for (const file of files(fixtures)) {
    const { format, events } = readTranscript(file, readFileSync(file));
    read += Number(format !== null && events !== "");
  }
  assert.ok(read > 40, `${read} recordings`);
});

test("what is not a recording has no format", () => {
  const nothing = { format: null, events: "", problems: [] };
  assert.deepEqual(readTranscript("a.txt", new TextEncoder().encode("no recording")), nothing);
  assert.deepEqual(readTranscript("a", new Uint8Array()), nothing);
  assert.throws(() => readTranscript("a.txt", "text"), TypeError);
});
