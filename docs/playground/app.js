"use strict";
const byId = (id) => document.getElementById(id);
const facts = JSON.parse(byId("facts").textContent);

/** Characters of a link, and of what a link may unpack to. */
const LONGEST_LINK = 16000;
const LONGEST_CASE = 2000000;
/** Bytes of a file: the module has room for less than 2 GiB, and needs the file more than once. */
const LARGEST_FILE = 500000000;
const THRESHOLDS = ["nudge", "deny", "halt"];

/** What is shown: the name and the bytes of a transcript. */
let shown;
/** The report of what is shown under the preset `standard`. */
let standard;
/** The page of the report, for saving. */
let page;
let worker;
let waiting = new Map();
let number = 0;

function startWorker() {
  const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
  const address = URL.createObjectURL(source);
  worker = new Worker(address);
  const mine = waiting = new Map();
  worker.onmessage = ({ data }) => {
    mine.get(data.id)?.(data);
    mine.delete(data.id);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const done of mine.values()) done({ error: event.message || "the module cannot be started", isFault: true });
    mine.clear();
  };
  const packed = atob(byId("module").textContent);
  const module = Uint8Array.from(packed, (letter) => letter.charCodeAt(0)).buffer;
  return ask({ module }, [module]);
}

/** One question to the worker. */
function ask(message, transfer = []) {
  return new Promise((done) => {
    const id = (number += 1);
    waiting.set(id, done);
    worker.postMessage({ ...message, id }, transfer);
  });
}

let ready = startWorker();

/** Reports what is shown. A fault ends the worker; the next question has a new one. */
async function report(settings, wantsPage) {
  const started = await ready;
  if (started.error !== undefined) throw new Error(started.error);
  const bytes = await shown.blob.arrayBuffer();
  const index_key = [...crypto.getRandomValues(new Uint8Array(16))];
  const options = JSON.stringify({ ...settings, index_key });
  const answer = await ask({ name: shown.name, bytes, options, page: wantsPage, now: Date.now() }, [bytes]);
  if (answer.isFault) {
    worker.terminate();
    ready = startWorker();
    throw new Error(`unstuck itself failed on this transcript (${answer.error}). Please report it.`);
  }
  if (answer.error !== undefined) throw new Error(answer.error.replace(/^(settings|scan|value): /, ""));
  return { json: JSON.parse(answer.texts.at(-1)), html: answer.texts[0] };
}

/** The settings as the form has them. */
function settings() {
  const rule = {};
  for (const name of THRESHOLDS) {
    const text = byId(name).value.trim();
    if (text !== "") rule[name] = /^\d+$/.test(text) ? Number(text) : text;
  }
  const rules = Object.keys(rule).length === 0 ? {} : { rules: { [byId("rule").value]: rule } };
  const preset = byId("preset").value;
  const config = byId("config").value.trim();
  return { ...(config && { config }), settings: { ...(preset !== "standard" || !config ? { preset } : {}), ...rules } };
}

const isStandard = (wanted) => JSON.stringify(wanted) === JSON.stringify({ settings: { preset: "standard" } });

let turn = 0;

/** Judges what is shown under the settings of the form, and shows the report. */
async function judge() {
  if (shown === undefined) return;
  const mine = (turn += 1);
  const wanted = settings();
  say("Reading …");
  problem("");
  const began = performance.now();
  try {
    const now = await report(wanted, true);
    if (mine !== turn) return;
    if (isStandard(wanted)) standard = now.json;
    else standard ??= (await report({ settings: { preset: "standard" } }, false)).json;
    if (mine !== turn) return;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    draw(now, isStandard(wanted), seconds);
  } catch (error) {
    if (mine !== turn) return;
    say("");
    problem(error.message);
  }
}

function draw({ json, html }, asStandard, seconds) {
  const { runs, loops, calls } = json.totals;
  const format = json.runs[0]?.format;
  say(`${shown.name}: ${format ? `${format}, ` : ""}${counted(runs, "run")}, ${counted(calls, "call")}, ${counted(loops, "loop")}. ${size(shown.blob.size)} in ${seconds} s.`);
  const unread = [...json.errors.map(({ error }) => error), ...json.skipped.map(({ reason, advice }) => `${reason}: ${advice}`)];
  problem(runs === 0 ? unread[0] ?? "No run was found in it." : "");
  byId("result").hidden = false;
  page = html;
  const frame = byId("report");
  if (frame.src.startsWith("blob:")) URL.revokeObjectURL(frame.src);
  frame.dataset.state = "loading";
  frame.src = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  byId("shared").textContent = "";
  byId("changes").hidden = asStandard;
  if (!asStandard) compare(standard, json);
}

/** Shows what is different from the preset `standard`. */
function compare(before, after) {
  const loopsOf = (each) => new Map(each.runs.flatMap((run) => run.loops.map((loop) => [`${run.session}\n${run.agent}\n${loop.rule}\n${loop.calls.from}`, { run, loop }])));
  const [old, now] = [loopsOf(before), loopsOf(after)];
  const lines = [];
  const name = ({ run, loop }) => `${loop.rule} at call ${loop.calls.from} of ${run.agent} (${loop.pattern[0] ?? loop.tool})`;
  for (const [key, each] of now) {
    const was = old.get(key);
    if (was === undefined) lines.push(`new: ${each.loop.verdict}, ${name(each)}`);
    else if (was.loop.verdict !== each.loop.verdict) lines.push(`${was.loop.verdict} becomes ${each.loop.verdict}: ${name(each)}`);
    else if (was.loop.repeats !== each.loop.repeats) lines.push(`${was.loop.repeats} laps become ${each.loop.repeats}: ${name(each)}`);
  }
  for (const [key, each] of old) if (!now.has(key)) lines.push(`gone: ${each.loop.verdict}, ${name(each)}`);
  const totals = [["loop", (each) => each.totals.loops], ["stuck run", (each) => each.totals.stuck], ["wasted call", (each) => each.totals.wasted.calls]];
  const words = totals.map(([what, of]) => (of(before) === of(after) ? counted(of(after), what) : `${of(before)} → ${counted(of(after), what)}`));
  byId("changed").textContent = `Standard → these settings: ${words.join(", ")}.`;
  const items = (lines.length === 0 ? ["No loop is judged in another way."] : lines.slice(0, 50)).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  });
  byId("list").replaceChildren(...items);
}

function say(text) {
  byId("status").textContent = text;
}

function problem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = text === "";
}

const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
const size = (bytes) => (bytes < 100000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1000000).toFixed(1)} MB`);

function open(name, blob) {
  if (blob.size > LARGEST_FILE) {
    problem(`${size(blob.size)} is more than this page reads. Use: unstuck scan FILE`);
    return Promise.resolve();
  }
  shown = { name, blob };
  standard = undefined;
  return judge();
}

// The case and its settings fit into a link, which only this page reads.
async function share() {
  const text = await shown.blob.text();
  const fields = Object.fromEntries(["preset", "rule", ...THRESHOLDS, "config"].map((id) => [id, byId(id).value]));
  const words = new Blob([JSON.stringify({ name: shown.name, text, fields })]);
  const packed = await new Response(words.stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  if (packed.byteLength * 4 > LONGEST_LINK * 3) {
    byId("shared").textContent = "This transcript is too large for a link. Cut it to the events of one loop.";
    return;
  }
  const letters = btoa(String.fromCharCode(...new Uint8Array(packed)));
  const hash = `#1.${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    byId("shared").textContent = "Copied.";
  } catch {
    byId("shared").textContent = "The link is in the address bar.";
  }
}

async function openLink() {
  const [, letters] = /^#1\.([\w-]+)$/.exec(location.hash) ?? [];
  if (letters === undefined || letters.length > LONGEST_LINK * 2) return;
  try {
    const packed = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let length = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > LONGEST_CASE) throw new Error("it is too long");
      parts.push(part.value);
    }
    const { name, text, fields } = JSON.parse(await new Blob(parts).text());
    for (const id of ["preset", "rule", ...THRESHOLDS, "config"]) {
      if (typeof fields[id] === "string") byId(id).value = fields[id];
    }
    await open(String(name), new Blob([String(text)]));
  } catch (error) {
    problem(`The link cannot be read: ${error.message}`);
  }
}

const drop = byId("drop");
for (const type of ["dragover", "dragenter"]) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
for (const type of ["dragleave", "drop"]) document.addEventListener(type, () => drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) open(file.name, file);
});
byId("file").addEventListener("change", ({ target }) => {
  const [file] = target.files;
  if (file) open(file.name, file);
});
byId("report").addEventListener("load", ({ target }) => {
  target.dataset.state = "shown";
});
byId("judge").addEventListener("click", () => open("pasted.jsonl", new Blob([byId("text").value])));
byId("example").addEventListener("click", () => {
  byId("text").value = facts.example;
  open("example.jsonl", new Blob([facts.example]));
});
byId("share").addEventListener("click", share);
byId("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
  link.download = `${shown.name.replace(/[^\w.-]+/g, "-")}.html`;
  link.click();
  URL.revokeObjectURL(link.href);
});
byId("settings").addEventListener("submit", (event) => event.preventDefault());
byId("settings").addEventListener("change", judge);
byId("clear").addEventListener("click", () => {
  byId("settings").reset();
  judge();
});
byId("rule").replaceChildren(...facts.rules.map((rule) => new Option(rule)));
addEventListener("hashchange", openLink);
openLink();
