// The page: reads its data, draws the overview, and lists the runs.

const PAGE_SIZE = 25;
const LOOPS_IN_LIST = 4;
const BARS = 8;

const data = JSON.parse(byId("data").textContent, (_, value) => (typeof value === "string" ? clean(value) : value));
// Agents may count time from anywhere: what would be long ago is no date.
const EARLIEST = Date.UTC(2015, 0);
const date = (time) => (time >= EARLIEST ? time : undefined);
data.runs.forEach((run, index) => {
  run.index = index;
  run.lasted = run.ended - run.started || 0;
  run.started = date(run.started);
  for (const loop of run.loops) {
    loop.at = date(loop.at) ?? run.started;
    for (const lap of loop.excerpt || []) for (const move of lap.moves) move.at = date(move.at);
  }
});
const allLoops = data.runs.flatMap((run) => run.loops.map((loop) => ({ run, loop })));

const filters = { text: "", rule: "", verdict: "", agent: "", tool: "", range: null, all: false, sort: "worst" };
let matching = [];
let drawn = 0;

const SORTS = {
  worst: ["worst first", null],
  calls: ["most calls wasted", (a, b) => b.wasted.calls - a.wasted.calls],
  tokens: ["most tokens wasted", (a, b) => b.wasted.tokens - a.wasted.tokens],
  usd: ["most money wasted", (a, b) => (b.wasted.usd ?? -1) - (a.wasted.usd ?? -1)],
  loops: ["most loops", (a, b) => b.loops.length - a.loops.length],
  newest: ["newest first", (a, b) => (b.started ?? -Infinity) - (a.started ?? -Infinity) || 0],
  oldest: ["oldest first", (a, b) => (a.started ?? Infinity) - (b.started ?? Infinity) || 0],
  longest: ["longest first", (a, b) => b.calls - a.calls],
  name: ["by file", (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)],
};

function startTheme() {
  const root = document.documentElement;
  let stored = "auto";
  // Storage may be forbidden to a local file.
  try {
    stored = localStorage.getItem("unstuck-theme") || "auto";
  } catch { /* then it is not remembered */ }
  const apply = (theme) => {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
  };
  apply(stored);
  segments(byId("theme"), [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], stored, (theme) => {
    apply(theme);
    try {
      localStorage.setItem("unstuck-theme", theme);
    } catch { /* as above */ }
  });
}

function drawSummary() {
  const { totals } = data;
  byId("made").textContent = data.now ? `scan of ${minute(data.now)}` : "scan";
  const times = data.runs.map((run) => run.started).filter(Boolean).sort((a, b) => a - b);
  const headline = byId("headline");
  if (!totals.runs) headline.textContent = "No agent runs were found.";
  else if (!totals.loops) headline.textContent = totals.runs === 1 ? "The run did not get stuck in a loop." : `None of ${grouped(totals.runs)} runs got stuck in loops.`;
  else if (totals.runs === 1) headline.textContent = totals.loops === 1 ? "The run got stuck in a loop." : "The run got stuck in loops.";
  else headline.append(el("em", { text: grouped(totals.stuck) }), ` of ${counted(totals.runs, "run")} got stuck in loops.`);
  document.title = `${headline.textContent.replace(/\.$/, "")} · unstuck`;
  const parts = [`${counted(totals.calls, "call")} in ${counted(totals.files, "file")}`, `${bytes(totals.bytes)} read`];
  if (times.length) {
    const [first, last] = [day(times[0]), day(times[times.length - 1])];
    parts.push(first === last ? first : `${first} to ${last}`);
  }
  if (totals.interrupted) parts.push("stopped before all files were read");
  byId("subline").textContent = parts.join(" · ");
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0]));
  for (const run of data.runs) counts[run.verdict] += 1;
  if (totals.runs) byId("verdicts").append(...verdictBar(counts, data.runs.length, (verdict) => choose({ verdict, all: verdict === "allow" })));
  if (!totals.loops) return;
  const tile = (name, value, rest) => el("div", { class: "tile" }, el("dt", { text: name }), el("dd", {}, el("b", { text: value }), el("span", { text: rest })));
  const { wasted, spent } = totals;
  const tiles = [
    tile("Loops", grouped(totals.loops), `in ${counted(totals.stuck, "run")}`),
    tile("Calls wasted", grouped(wasted.calls), `${percent(wasted.calls, totals.calls)} of all calls`),
  ];
  if (wasted.tokens) tiles.push(tile("Tokens wasted", short(wasted.tokens), spent.tokens ? `${percent(wasted.tokens, spent.tokens)} of ${short(spent.tokens)}` : ""));
  if (!isPriced(wasted)) {
    if (wasted.tokens) tiles.push(tile("Money wasted", "unknown", "no price for the models used"));
  } else {
    const rest = totals.unpriced.length ? "at least: some prices are missing" : spent.usd ? `${percent(wasted.usd, spent.usd)} of ${dollars(spent.usd)}` : "at list prices";
    tiles.push(tile("Money wasted", dollars(wasted.usd), rest));
  }
  byId("tiles").append(...tiles);
}

function tally(items, key) {
  const map = new Map();
  for (const item of items) {
    const name = key(item);
    if (!name) continue;
    const row = map.get(name) || { name, value: 0, calls: 0, halt: 0, deny: 0, nudge: 0 };
    row.value += 1;
    row[item.loop.verdict] += 1;
    row.calls += item.loop.wasted.calls;
    map.set(name, row);
  }
  const rows = [...map.values()].sort((a, b) => b.value - a.value || b.calls - a.calls || (a.name < b.name ? -1 : 1)).slice(0, BARS);
  return rows.map((row) => ({ ...row, parts: ["halt", "deny", "nudge"].map((verdict) => [verdict, row[verdict]]), label: grouped(row.value), title: `${counted(row.value, "loop")}, ${counted(row.calls, "call")} wasted. Click to filter.` }));
}

function card(title, wide, ...children) {
  return el("section", { class: wide ? "card wide" : "card" }, el("div", { class: "card-head" }, el("h2", { text: title })), ...children);
}

function drawCharts() {
  const box = byId("charts");
  if (!allLoops.length) {
    box.remove();
    return;
  }
  const timed = allLoops.filter(({ loop }) => loop.at);
  if (timed.length) box.append(...timeCharts(timed, allLoops.length - timed.length));
  else box.append(card("Loops over time", true, el("p", { class: "muted", text: "These transcripts do not say when anything happened." })));
  const formats = new Map();
  for (const run of data.runs) {
    const row = formats.get(run.format) || { name: run.format, value: 0, runs: 0 };
    row.runs += 1;
    row.value += run.loops.length ? 1 : 0;
    formats.set(run.format, row);
  }
  const agents = [...formats.values()].sort((a, b) => b.value - a.value || b.runs - a.runs).slice(0, BARS)
    .map((row) => ({ ...row, whole: row.runs, parts: [["accent", row.value]], label: `${grouped(row.value)} of ${grouped(row.runs)}`, title: `${row.value} of ${counted(row.runs, "run")} got stuck in loops. Click to filter.` }));
  box.append(
    card("Loops by rule", false, barList(tally(allLoops, ({ loop }) => loop.rule).map((row) => ({ ...row, about: data.rules[row.name] })), { choose: (row) => choose({ rule: row.name }), empty: "" })),
    card("Loops by tool", false, barList(tally(allLoops, ({ loop }) => loop.tool), { choose: (row) => choose({ tool: row.name }), empty: "These loops are of words." })),
    card("Stuck runs by agent", false, barList(agents, { choose: (row) => choose({ agent: `f:${row.name}` }), empty: "" })));
}

function timeCharts(timed, untimed) {
  const times = timed.map(({ loop }) => loop.at);
  const buckets = bucketing(times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b)));
  const zero = () => buckets.starts.map(() => 0);
  const series = { nudge: zero(), deny: zero(), halt: zero() };
  const costs = { calls: zero(), tokens: zero(), usd: zero() };
  const find = (time) => {
    let [low, high] = [0, buckets.starts.length - 1];
    while (low < high) {
      const half = (low + high + 1) >> 1;
      if (buckets.starts[half] <= time) low = half;
      else high = half - 1;
    }
    return low;
  };
  for (const each of timed) {
    const at = find(each.loop.at);
    if (series[each.loop.verdict]) series[each.loop.verdict][at] += 1;
    costs.calls[at] += each.loop.wasted.calls;
    costs.tokens[at] += each.loop.wasted.tokens;
    costs.usd[at] += each.loop.wasted.usd ?? 0;
  }
  const pick = (index) => choose({ range: { from: buckets.starts[index], to: buckets.ends[index], label: buckets.full(buckets.starts[index]) } });
  const first = el("div", { class: "chart" });
  const loops = card("Loops over time", true, first);
  const without = `${counted(untimed, "loop")} without a time ${untimed === 1 ? "is" : "are"} not shown`;
  if (untimed) loops.firstElementChild.append(el("span", { class: "muted untimed", text: without }));
  timeChart(first, {
    buckets,
    series: Object.entries(series),
    format: (value) => (Number.isInteger(value) ? short(value) : ""),
    describe: (index) => ["halt", "deny", "nudge"].filter((verdict) => series[verdict][index]).map((verdict) => `${grouped(series[verdict][index])} ${verdict}`).concat(Object.values(series).every((values) => !values[index]) ? ["no loop"] : []),
    choose: pick,
    label: `Loops over time, ${counted(timed.length, "loop")}. Arrow keys go from bar to bar, Enter filters the runs.`,
  });
  const kinds = [["usd", "Money", dollars], ["tokens", "Tokens", short], ["calls", "Calls", short]].filter(([key]) => costs[key].some(Boolean));
  const second = el("div", { class: "chart" });
  const wasted = card("Wasted over time", true, second);
  const drawCost = (key) => {
    const [, name, format] = kinds.find(([each]) => each === key);
    const fresh = el("div", { class: "chart" });
    wasted.lastElementChild.replaceWith(fresh);
    timeChart(fresh, {
      buckets,
      series: [["accent", costs[key]]],
      format: (value) => (key === "usd" ? tickDollars(value) : Number.isInteger(value) ? format(value) : ""),
      describe: (index) => [`${format(costs[key][index])}${key === "usd" ? "" : ` ${name.toLowerCase()}`} wasted`],
      choose: pick,
      label: `${name} wasted over time. Arrow keys go from bar to bar, Enter filters the runs.`,
    });
  };
  if (!kinds.length) return [loops];
  const choice = el("div", { class: "segments", role: "radiogroup", "aria-label": "What to show" });
  if (kinds.length > 1) wasted.firstElementChild.append(choice);
  segments(choice, kinds.map(([key, name]) => [key, name]), kinds[0][0], drawCost);
  drawCost(kinds[0][0]);
  return [loops, wasted];
}

function options(choices) {
  return choices.map(([value, text]) => el("option", { value, text }));
}

function unique(values) {
  return [...new Set(values.filter(Boolean))].sort();
}

const inputs = {};

function drawToolbar() {
  const search = el("input", { type: "search", placeholder: "Search tasks, files, sessions, calls", "aria-label": "Search", autocomplete: "off", spellcheck: "false" });
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => choose({ text: search.value }, "stay"), 120);
  });
  const select = (key, label, children) => {
    inputs[key] = el("select", { "aria-label": label, onchange: () => choose({ [key]: inputs[key].value }, "stay") }, ...children);
    return inputs[key];
  };
  inputs.text = search;
  const any = (text) => el("option", { value: "", text });
  const formats = unique(data.runs.map((run) => run.format));
  const names = unique(data.runs.map((run) => run.agent));
  const agents = [el("optgroup", { label: "Agents" }, ...options(formats.map((name) => [`f:${name}`, name])))];
  if (names.length > 1) agents.push(el("optgroup", { label: "Names within a session" }, ...options(names.slice(0, 200).map((name) => [`n:${name}`, name]))));
  inputs.all = el("input", { type: "checkbox", onchange: () => choose({ all: inputs.all.checked }, "stay") });
  byId("toolbar").append(
    search,
    select("rule", "Rule", [any("Any rule"), ...options(unique(allLoops.map(({ loop }) => loop.rule)).map((rule) => [rule, rule]))]),
    select("verdict", "Verdict", [any("Any verdict"), ...options(VERDICTS.map((verdict) => [verdict, verdictWord(verdict)]))]),
    select("agent", "Agent", [any("Any agent"), ...agents]),
    select("sort", "Order", options(Object.entries(SORTS).map(([key, [name]]) => [key, name]))));
  byId("shown").after(el("label", { class: "check" }, inputs.all, "Show runs without loops"));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    search.focus();
  });
}

// Takes new filters and shows what they leave. Filters chosen in a chart bring the list into view.
function choose(change, where = "go") {
  Object.assign(filters, change);
  inputs.rule.value = filters.rule;
  inputs.verdict.value = filters.verdict;
  inputs.agent.value = filters.agent;
  inputs.sort.value = filters.sort;
  inputs.all.checked = filters.all;
  if (inputs.text.value !== filters.text) inputs.text.value = filters.text;
  filterRuns();
  rememberFilters();
  if (where === "go") {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    byId("runs").scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "start" });
    byId("runs").focus({ preventScroll: true });
  }
}

function haystack(run) {
  run.haystack ??= [run.title, run.project, run.path, run.session, run.agent, run.format, ...run.models, ...run.loops.flatMap((loop) => [loop.rule, loop.tool, loop.unchanged, loop.last_result ?? "", ...loop.pattern])].join("\n").toLowerCase();
  return run.haystack;
}

function loopMatches(loop) {
  if (filters.rule && loop.rule !== filters.rule && !(loop.also || []).includes(filters.rule)) return false;
  if (filters.tool && loop.tool !== filters.tool) return false;
  const { range } = filters;
  return !range || (loop.at >= range.from && loop.at < range.to);
}

function runMatches(run, needles) {
  const aboutLoops = filters.rule || filters.tool || filters.range;
  if (!run.loops.length && (aboutLoops || !(filters.all || filters.verdict === "allow"))) return false;
  if (filters.verdict && run.verdict !== filters.verdict) return false;
  if (filters.agent) {
    const [kind, name] = [filters.agent[0], filters.agent.slice(2)];
    if ((kind === "f" ? run.format : run.agent) !== name) return false;
  }
  if (aboutLoops && !run.loops.some((loop) => loopMatches(loop))) return false;
  return needles.every((needle) => haystack(run).includes(needle));
}

function filterRuns() {
  const needles = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  matching = data.runs.filter((run) => runMatches(run, needles));
  const [, order] = SORTS[filters.sort];
  if (order) matching.sort((a, b) => order(a, b) || a.index - b.index);
  const wasted = matching.reduce((sum, run) => sum + run.wasted.calls, 0);
  byId("shown").textContent = `${grouped(matching.length)} of ${counted(data.runs.length, "run")} · ${counted(wasted, "call")} wasted in them`;
  drawChips();
  drawn = 0;
  byId("list").replaceChildren();
  drawMore();
}

function drawChips() {
  const chips = [
    ["text", filters.text && `“${filters.text}”`, ""],
    ["rule", filters.rule, ""],
    ["tool", filters.tool && `tool ${filters.tool}`, ""],
    ["verdict", filters.verdict && verdictWord(filters.verdict), ""],
    ["agent", filters.agent.slice(2), ""],
    ["range", filters.range && filters.range.label, null],
  ].filter(([, label]) => label);
  const chip = (label, action) => el("button", { type: "button", class: "chip", onclick: action, "aria-label": `Remove the filter ${label}` }, label, el("span", { "aria-hidden": true, text: "×" }));
  byId("chips").replaceChildren(...chips.map(([key, label, none]) => chip(label, () => {
    choose({ [key]: none }, "stay");
    inputs.text.focus();
  })));
}

function drawMore() {
  const list = byId("list");
  const next = matching.slice(drawn, drawn + PAGE_SIZE);
  list.append(...next.map(runItem));
  drawn += next.length;
  const more = byId("more");
  more.hidden = drawn >= matching.length;
  more.textContent = `Show more (${grouped(matching.length - drawn)} left)`;
  if (!matching.length) list.append(el("li", { class: "empty", text: allLoops.length ? "No run fits these filters." : "There is no loop to show." }));
}

// What the arrow keys of the reader go through: the loops of the runs in the list.
function openLoop(run, loop, lap) {
  const loops = matching.flatMap((each) => worstFirst(each.loops.filter((one) => loopMatches(one))).map((one) => ({ run: each, loop: one })));
  const at = loops.findIndex((each) => each.loop === loop);
  if (at < 0) reader.open([{ run, loop }], 0, lap);
  else reader.open(loops, at, lap);
}

function runItem(run) {
  const about = [run.project, run.format, run.agent && run.agent !== "main" ? run.agent : "", run.models[0], run.started ? minute(run.started) : "",
    run.lasted > 0 ? duration(run.lasted) : "", counted(run.calls, "call")].filter(Boolean);
  const item = el("li", { class: "run" },
    el("div", { class: "run-head" },
      pill(run.verdict),
      el("h3", { text: runTitle(run), title: run.session }),
      run.loops.length ? el("span", { class: "run-cost", text: cost(run.wasted) }) : null),
    el("p", { class: "path", text: pathEnd(run.path, 96), title: run.path }),
    el("p", { class: "muted about", text: about.join(" · ") }),
    run.loops.length ? runMap(run) : null);
  const loops = worstFirst(run.loops.filter((loop) => loopMatches(loop)));
  if (!loops.length) return item;
  const list = el("ul", { class: "loops" }, ...loops.slice(0, LOOPS_IN_LIST).map((loop) => loopItem(run, loop)));
  item.append(list);
  const rest = loops.slice(LOOPS_IN_LIST);
  if (rest.length) {
    const more = el("button", { type: "button", class: "fold", text: counted(rest.length, "more loop"), onclick: () => {
      const items = rest.map((loop) => loopItem(run, loop));
      more.remove();
      list.append(...items);
      items[0].querySelector("button").focus();
    } });
    item.append(more);
  }
  return item;
}

// The strictest first, then those that wasted most.
function worstFirst(loops) {
  const rank = (loop) => VERDICTS.indexOf(loop.verdict);
  return [...loops].sort((a, b) => rank(a) - rank(b) || b.wasted.calls - a.wasted.calls || a.calls.from - b.calls.from);
}

function loopItem(run, loop) {
  const shown = loop.pattern.slice(0, 3).map((line) => el("code", { text: line.length > 200 ? `${line.slice(0, 200)}…` : line }));
  if (loop.pattern.length > 3) shown.push(el("span", { class: "muted", text: `and ${counted(loop.pattern.length - 3, "more call")} in a lap` }));
  const label = `Open: ${loop.rule}, ${lapsOf(loop)}, ${cost(loop.wasted)} wasted`;
  return el("li", { class: `loop ${loop.verdict}` },
    el("div", { class: "loop-head" },
      el("i", { class: `dot ${loop.verdict}` }),
      ruleName("b", loop.rule),
      el("span", { class: "times", text: `× ${grouped(loop.repeats)}` }),
      el("span", { class: "muted loop-cost", text: cost(loop.wasted) })),
    el("div", { class: "loop-pattern" }, ...shown),
    loop.unchanged || loop.last_result ? el("p", { class: "unchanged" }, el("span", { class: "label", text: loop.unchanged ? "every time" : "last result" }), el("span", { class: "said", text: (loop.unchanged || loop.last_result).slice(0, 240) })) : null,
    stripButton(loop, BEATS_IN_LIST, (lap) => openLoop(run, loop, lap), label));
}

function drawErrors() {
  if (!data.errors.length) return;
  byId("errors").hidden = false;
  const most = 100;
  byId("error-list").append(...data.errors.slice(0, most).map((error) =>
    el("li", {}, el("code", { text: error.path + (error.line ? `:${error.line}` : "") }), el("span", { text: error.error + (error.more ? ` (${grouped(error.more)} more like this)` : "") }))));
  if (data.errors.length > most) byId("error-list").append(el("li", { class: "muted", text: `and ${grouped(data.errors.length - most)} more` }));
}

// Names of the reasons files were skipped for, as on a terminal.
const REASONS = {
  "unknown-format": "unknown format", "no-run": "format recognised, no tool calls", packed: "packed", utf16: "UTF-16 text", utf32: "UTF-32 text",
  database: "database without sessions", empty: "empty", "not-asked": "other format than --agent names", older: "older than --since",
  newer: "newer than --until", "other-project": "other project than --project names", excluded: "left out by --exclude",
  copy: "copy of another file", link: "link out of the places named", "dead-link": "link without a target",
  special: "pipe, socket or device", deep: "directory too deep",
};

function drawSkipped() {
  const { skipped, totals } = data;
  if (!skipped.length && !totals.repeated) return;
  byId("skipped").hidden = false;
  byId("skipped-title").textContent = `Skipped ${counted(totals.skipped, "file")}`;
  byId("skipped-list").append(...skipped.map((group) => {
    const names = group.files.map((file) => el("code", { text: file.path + (file.detail ? ` (${file.detail})` : "") }));
    const more = group.count - group.files.length;
    return el("li", {}, el("b", { text: `${grouped(group.count)} × ${REASONS[group.reason] ?? group.reason}` }), ...names,
      ...(more ? [el("span", { text: `and ${grouped(more)} more; --verbose lists all files` })] : []),
      ...(group.advice ? [el("span", { text: group.advice })] : []));
  }));
  if (totals.repeated) byId("skipped-list").append(el("li", { class: "muted", text: `${counted(totals.repeated, "repeated message")} left out: recorded more than once, counted once.` }));
}

function drawFoot() {
  const words = [`unstuck ${data.version}. × N counts every lap, the first included. Wasted calls are those after the first lap. Costs use list prices unless the transcript reports its own. Verdicts are what unstuck would have done; nothing was stopped.`];
  if (data.totals.redacted) words.push("Secrets were removed; --no-redact keeps them.");
  if (data.totals.unpriced.length) words.push(`No price for: ${data.totals.unpriced.slice(0, 6).map((name) => name || "(unnamed model)").join(", ")}. Add it under [prices].`);
  byId("foot").textContent = words.join(" ");
}

// The filters are in the address, so that a link shows what its sender saw.
const IN_ADDRESS = ["text", "rule", "verdict", "agent", "tool", "sort"];

function rememberFilters() {
  const words = new URLSearchParams();
  for (const key of IN_ADDRESS) if (filters[key] && !(key === "sort" && filters.sort === "worst")) words.set(key, filters[key]);
  if (filters.all) words.set("all", "1");
  if (filters.range) words.set("time", `${filters.range.from}-${filters.range.to}`);
  const hash = words.toString();
  readdress(hash ? `#${hash}` : location.pathname + location.search);
}

function recallFilters() {
  const words = new URLSearchParams(location.hash.slice(1));
  for (const key of IN_ADDRESS) {
    const value = words.get(key);
    if (value !== null && (key !== "sort" || value in SORTS)) filters[key] = clean(value);
  }
  filters.all = words.get("all") === "1";
  const [, from, to] = (words.get("time") || "").match(/^(\d{1,15})-(\d{1,15})$/) || [];
  if (to) filters.range = { from: Number(from), to: Number(to), label: `${minute(Number(from))} to ${minute(Number(to))}` };
}

// A link to a loop opens it.
function followLink(hash) {
  const [, run, loop] = hash.match(/^#loop=(\d+)\.(\d+)$/) || [];
  const found = run !== undefined && data.runs[run] && data.runs[run].loops[loop];
  if (found) openLoop(data.runs[run], found, 0);
}

startTheme();
startReader();
drawSummary();
drawCharts();
drawToolbar();
const asked = location.hash;
recallFilters();
choose({}, "stay");
drawErrors();
drawSkipped();
drawFoot();
byId("more").addEventListener("click", () => {
  const last = byId("list").lastElementChild;
  drawMore();
  const next = last && last.nextElementSibling;
  const target = next && next.querySelector("button");
  if (target) target.focus();
});
addEventListener("scroll", () => tip.hide(), { passive: true });
addEventListener("hashchange", () => followLink(location.hash));
followLink(asked);
