// The playground in a real browser. Run by the step `playground` of `cargo xtask test`, which makes the pages.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { UNSTUCK_COMMAND, UNSTUCK_PAGES, UNSTUCK_PICTURES, UNSTUCK_ROOT, UNSTUCK_SAMPLES } = process.env;
const pages = resolve(UNSTUCK_PAGES);
const pictures = resolve(UNSTUCK_PICTURES);
const folder = mkdtempSync(join(tmpdir(), "playground-"));
const address = pathToFileURL(join(pages, "index.html")).href;
let browser;

before(async () => {
  mkdirSync(pictures, { recursive: true });
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the page. Every console error, dialog and request for anything but the page itself fails the test. */
async function open(options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: "UTC", locale: "en-GB", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== address && !/^(data|blob):/.test(url)) faults.push(`request: ${url}`);
  });
  await page.goto(address + hash);
  const done = async () => {
    assert.deepEqual(faults, []);
    await context.close();
  };
  return { page, done, faults };
}

const status = (page) => page.locator("#status");
const frame = (page) => page.frameLocator("#report");
const widthOver = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
async function picture(page, name) {
  if (await page.locator("#report").isVisible()) {
    await page.locator("#report[data-state=shown]").waitFor();
    await frame(page).locator("#list > .run").first().waitFor();
  }
  await page.screenshot({ path: join(pictures, `playground-${name}.png`), fullPage: true });
}

/** Judges a file, and returns the line about it. */
async function judge(page, file) {
  await page.evaluate(() => { document.getElementById("status").textContent = ""; document.getElementById("problem").hidden = true; });
  await page.locator("#file").setInputFiles([]);
  await page.locator("#file").setInputFiles(file);
  await page.waitForFunction(() => / in [\d.]+ s\.$/.test(document.getElementById("status").textContent) || !document.getElementById("problem").hidden, undefined, { timeout: 15_000 });
  return status(page).textContent();
}

async function example(page) {
  await page.locator("#example").click();
  await status(page).filter({ hasText: "example.jsonl: events, 1 run" }).waitFor();
}

/** Files of a directory and those in it. */
function files(directory) {
  return readdirSync(directory, { recursive: true }).sort().map((name) => join(directory, name)).filter((path) => statSync(path).isFile());
}

test("every sample opens, with the numbers of the command", async () => {
  const { page, done } = await open();
  const samples = files(join(UNSTUCK_ROOT, "crates/unstuck-transcript/tests/fixtures"));
  if (UNSTUCK_SAMPLES !== undefined) {
    assert.ok(existsSync(UNSTUCK_SAMPLES), `${UNSTUCK_SAMPLES} does not exist`);
    samples.push(...files(UNSTUCK_SAMPLES));
  }
  const formats = new Set();
  for (const sample of samples.filter((path) => !/\.(db|snap|sql)$/.test(path))) {
    let wanted;
    try {
      const args = ["scan", "--no-config", "--format", "json", sample];
      wanted = JSON.parse(execFileSync(UNSTUCK_COMMAND, args, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }));
    } catch (error) {
      wanted = JSON.parse(error.stdout);
    }
    const { runs, calls, loops } = wanted.totals;
    const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
    const line = await judge(page, sample);
    assert.ok(line.includes(`${counted(runs, "run")}, ${counted(calls, "call")}, ${counted(loops, "loop")}.`), `${sample}: ${line}, and ${runs} runs, ${calls} calls, ${loops} loops`);
    assert.equal(await page.locator("#problem").isVisible(), runs === 0, sample);
    if (runs > 0) formats.add(wanted.runs[0].format);
  }
  assert.ok(formats.size >= 18, [...formats].join(", "));
  await done();
});

test("the example shows its loop, and settings show what they change", async () => {
  const { page, done } = await open();
  await example(page);
  await frame(page).locator("#list > .run").first().waitFor();
  assert.match(await frame(page).locator("h1").textContent(), /stuck/);
  assert.equal(await page.locator("#changes").isVisible(), false);
  const changed = page.locator("#changed");
  await page.locator("#rule").selectOption("exact-repeat");
  await page.locator("#halt").fill("never");
  await page.locator("#deny").fill("never");
  await page.locator("#deny").press("Tab");
  await changed.filter({ hasText: "Standard → these settings" }).waitFor();
  await page.locator("#list li", { hasText: /halt becomes|gone|new/ }).first().waitFor();
  await picture(page, "changes");
  await page.locator("#nudge").fill("often");
  await page.locator("#nudge").press("Tab");
  await page.locator("#problem", { hasText: "nudge" }).waitFor();
  await page.locator("#clear").click();
  await page.locator("#changes").waitFor({ state: "hidden" });
  await page.locator("#preset").selectOption("attractor");
  await changed.waitFor();
  await page.locator("#preset").selectOption("standard");
  await page.locator("#settings summary").click();
  await page.locator("#config").fill("[rules.exact-repeat]\nenabled = false");
  await page.locator("#config").press("Tab");
  await page.locator("#list li", { hasText: "gone" }).first().waitFor();
  await page.locator("#config").fill("preset = \"other\"");
  await page.locator("#config").press("Tab");
  await page.locator("#problem", { hasText: "other" }).waitFor();
  await done();
});

test("events are pasted, and a loop opens in the report", async () => {
  const { page, done } = await open();
  await page.locator("#pasting summary").click();
  await page.locator("#text").fill(readFileSync(join(UNSTUCK_ROOT, "examples/events/stuck.jsonl"), "utf8"));
  await page.locator("#judge").click();
  await status(page).filter({ hasText: "pasted.jsonl: events, 1 run" }).waitFor();
  const runs = frame(page).locator("#list > .run");
  await runs.first().waitFor();
  await runs.first().locator("button").first().click();
  const database = Buffer.from("SQLite format 3\0".padEnd(4096, "\0"));
  await judge(page, { name: "opencode.db", mimeType: "application/octet-stream", buffer: database });
  await page.locator("#problem", { hasText: "A database of SQLite" }).waitFor();
  await page.locator("#text").fill("nothing of this kind");
  await page.locator("#judge").click();
  await page.locator("#problem", { hasText: "Unknown transcript format" }).waitFor();
  await done();
});

test("hostile text stays text", async () => {
  const { page, done } = await open();
  const bad = `</script><script>alert(1)</script><img src="https://example.org/x" onerror="alert(2)">`;
  const lines = [
    { event: "call", id: 1, tool: bad, args: { q: bad } },
    { event: "result", id: 1, output: bad },
  ].map((event) => `${JSON.stringify({ ...event, session: bad, agent: bad })}\n`);
  const buffer = Buffer.from(lines.join("").repeat(9));
  const line = await judge(page, { name: `${bad}.jsonl`, mimeType: "text/plain", buffer });
  assert.ok(line.startsWith(`${bad}.jsonl: events, 1 run`), line);
  await frame(page).locator("#list > .run").first().waitFor();
  await page.locator("#nudge").fill("never");
  await page.locator("#nudge").press("Tab");
  await page.locator("#changed", { hasText: "Standard" }).waitFor();
  assert.equal(await page.locator("#list img, #list script, main img").count(), 0);
  assert.equal(await frame(page).locator("img").count(), 0);
  const link = { name: bad, text: lines.join("").repeat(9), fields: { preset: bad, rule: bad, nudge: bad, config: bad } };
  const hash = await page.evaluate(async (words) => {
    const packed = await new Response(new Blob([JSON.stringify(words)]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
    return btoa(String.fromCharCode(...new Uint8Array(packed))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }, link);
  await done();
  const other = await open({}, `#1.${hash}`);
  await other.page.locator("#problem").waitFor();
  assert.equal(await other.page.locator("main img").count(), 0);
  await other.done();
});

test("the page and its worker can send nothing", async () => {
  const { page, faults } = await open();
  await example(page);
  const attempts = () => Promise.allSettled([
    fetch("https://example.org/"),
    fetch("data:text/plain,x"),
    new Promise((done, failed) => {
      const socket = new WebSocket("wss://example.org/");
      socket.onopen = done;
      socket.onerror = failed;
    }),
  ]).then((all) => all.map(({ status }) => status));
  assert.deepEqual(await page.evaluate(attempts), Array(3).fill("rejected"));
  assert.deepEqual(await page.workers()[0].evaluate(attempts), Array(3).fill("rejected"));
  assert.deepEqual(faults.filter((fault) => fault.startsWith("request: ")), []);
});

test("a case and its settings fit into a link", async () => {
  const { page, done } = await open();
  await example(page);
  await page.locator("#rule").selectOption("exact-repeat");
  await page.locator("#nudge").fill("4");
  await page.locator("#nudge").press("Tab");
  await page.locator("#changed", { hasText: "Standard" }).waitFor();
  await page.locator("#share").click();
  await page.locator("#shared", { hasText: /Copied|address bar/ }).waitFor();
  const { hash } = new URL(page.url());
  assert.ok(hash.length < 4_000, `${hash.length} characters`);
  const list = await page.locator("#list").textContent();
  await done();
  const other = await open({}, hash);
  await other.page.locator("#changed", { hasText: "Standard" }).waitFor();
  assert.equal(await other.page.locator("#nudge").inputValue(), "4");
  assert.equal(await other.page.locator("#list").textContent(), list);
  const noise = Array.from({ length: 4_000 }, (_, at) => JSON.stringify({ event: "call", id: at, tool: `t${Math.random()}`, args: { q: Math.random() } }));
  await judge(other.page, { name: "large.jsonl", mimeType: "text/plain", buffer: Buffer.from(`${noise.join("\n")}\n`) });
  await other.page.locator("#share").click();
  await other.page.locator("#shared", { hasText: "too large" }).waitFor();
  await other.done();
  for (const wrong of ["#1.AAAA", "#1.____"]) {
    const broken = await open({}, wrong);
    await broken.page.locator("#problem", { hasText: "The link cannot be read" }).waitFor();
    await broken.done();
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`on a phone and on a desk, in ${colorScheme} colours`, async () => {
    for (const [name, viewport] of [["phone", { width: 360, height: 740 }], ["desk", { width: 1280, height: 900 }]]) {
      const { page, done } = await open({ colorScheme, viewport });
      await picture(page, `empty-${name}-${colorScheme}`);
      await example(page);
      await frame(page).locator("#list > .run").first().waitFor();
      await page.locator("#preset").selectOption("attocode");
      await page.locator("#changed", { hasText: "Standard" }).waitFor();
      await frame(page).locator("#list > .run").first().waitFor();
      assert.equal(await widthOver(page), 0, name);
      await picture(page, `${name}-${colorScheme}`);
      await page.locator("#report").evaluate((element) => element.scrollIntoView());
      assert.equal(await frame(page).locator("html").evaluate((html) => html.scrollWidth - html.clientWidth), 0, name);
      await page.screenshot({ path: join(pictures, `playground-${name}-${colorScheme}-report.png`) });
      await done();
    }
  });
}

test("a transcript of 50 MB is judged within five seconds", async () => {
  const { page, done } = await open();
  const path = join(folder, "large.jsonl");
  const text = "x".repeat(700);
  const parts = [];
  for (let at = 0, length = 0; length < 50_000_000; at += 1) {
    const input = { command: at % 50 < 10 ? "make test" : `grep -n symbol_${at} src/file_${at % 97}.rs` };
    const of = (type, role, content) => ({ type, sessionId: "s", uuid: `u${type}${at}`, timestamp: new Date(1.7e12 + at * 1000).toISOString(), cwd: "/project", version: "2.1.0", message: { role, content, ...(role === "assistant" && { id: `m${at}`, model: "claude-sonnet-4-5", usage: { input_tokens: 9, output_tokens: 9 } }) } });
    const lines = [
      of("assistant", "assistant", [{ type: "tool_use", id: `t${at}`, name: "Bash", input }]),
      of("user", "user", [{ type: "tool_result", tool_use_id: `t${at}`, content: at % 50 < 10 ? "error: missing semicolon" : `${at} ${text}` }]),
    ].map((line) => `${JSON.stringify(line)}\n`).join("");
    parts.push(lines);
    length += lines.length;
  }
  writeFileSync(path, parts.join(""));
  await example(page);
  const line = await judge(page, path);
  const [, seconds] = / in ([\d.]+) s\.$/.exec(line);
  console.log(line);
  assert.match(line, /claude-code, 1 run/);
  assert.ok(Number(seconds) < 5, line);
  await done();
});

test("the sample report has runs and loops", async () => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(pages, "sample.html")).href);
  assert.ok((await page.locator("#list > .run").count()) >= 2);
  await picture(page, "sample");
  await page.close();
});
