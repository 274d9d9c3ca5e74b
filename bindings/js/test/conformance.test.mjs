import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Guard } from "./module.mjs";

const { UNSTUCK_COMMAND, UNSTUCK_VECTORS } = process.env;
const PRESETS = ["standard", "ironcurtain", "attractor", "attocode", "tool-loop-detector"];
const FILES = readdirSync(UNSTUCK_VECTORS).sort();

/** Decisions of the command, one a line. */
function ofCommand(preset, events) {
  const args = ["check", "--no-config", "--preset", preset];
  const { stdout } = spawnSync(UNSTUCK_COMMAND, args, { input: events, maxBuffer: 1 << 30 });
  return stdout.toString();
}

/** Compares lines; a whole file in a message would not be read by anyone. */
function sameLines(actual, expected, about) {
  if (actual !== expected) {
    const [ours, theirs] = [actual, expected].map((text) => text.split("\n"));
    const at = ours.findIndex((line, index) => line !== theirs[index]);
    assert.fail(`${about}, line ${at + 1}:\n  ${ours[at]}\n  ${theirs[at]}`);
  }
}

test("there are vectors and reported cases", () => {
  assert.ok(FILES.length > 10, String(FILES));
});

for (const file of FILES) {
  test(`decisions on ${file} are those of the command, byte for byte`, () => {
    const events = readFileSync(join(UNSTUCK_VECTORS, file));
    for (const preset of PRESETS) {
      const expected = ofCommand(preset, events);
      assert.ok(expected.length > 0);
      sameLines(new Guard({ preset }).checkLines(events), expected, preset);
      // The same as objects, apart from lines with numbers that JavaScript reads as others.
      if (file !== "canonical.jsonl") {
        const guard = new Guard({ preset });
        const lines = events.toString().trimEnd().split("\n");
        const event = (line) => (/\d{16}/.test(line) ? line : JSON.parse(line));
        const answers = lines.map((line) => JSON.stringify(guard.observe(event(line))));
        sameLines(`${answers.join("\n")}\n`, expected, `${preset} as objects`);
      }
    }
  });
}
