// A loop, opened: what the agent would have been told, and its calls lap by lap.

const LONG = 14;

// `loops` are what one can go through with the arrow keys: [run, loop] each.
const reader = {
  loops: [],
  at: 0,
  opener: null,

  open(loops, at, lap = 0) {
    const dialog = byId("reader");
    if (!dialog.open) this.opener = document.activeElement;
    this.loops = loops;
    this.at = at;
    this.fill(lap);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    const { run, loop } = loops[at];
    readdress(`#loop=${run.index}.${run.loops.indexOf(loop)}`);
  },

  step(by) {
    const next = this.at + by;
    if (next < 0 || next >= this.loops.length) return;
    this.open(this.loops, next);
    byId("reader").querySelector(by < 0 ? ".back" : ".on").focus();
  },

  fill(lap) {
    const { run, loop } = this.loops[this.at];
    const dialog = byId("reader");
    const laps = lapsOf(loop);
    const head = el("header", { class: "reader-head" },
      el("div", { class: "reader-title" },
        pill(loop.verdict),
        el("h2", { id: "reader-title", text: loop.rule, title: data.rules[loop.rule] }),
        el("span", { class: "muted", text: laps })),
      el("div", { class: "reader-buttons" },
        el("button", { type: "button", class: "quiet back", text: "‹", "aria-label": "Previous loop", title: "Previous loop (left arrow)", disabled: this.at === 0, onclick: () => this.step(-1) }),
        el("button", { type: "button", class: "quiet on", text: "›", "aria-label": "Next loop", title: "Next loop (right arrow)", disabled: this.at === this.loops.length - 1, onclick: () => this.step(1) }),
        el("button", { type: "button", class: "quiet close", text: "Close", onclick: () => dialog.close() })));
    const facts = el("dl", { class: "facts" },
      ...fact("Task", runTitle(run)),
      ...(run.project ? fact("Project", run.project) : []),
      ...(run.session ? fact("Session", run.session) : []),
      ...fact("File", `${run.path}${loop.from ? `, lines ${grouped(loop.from)} to ${grouped(loop.to)}` : ""}`),
      ...fact("Agent", [run.format, run.agent, run.models[0]].filter(Boolean).join(" · ")),
      ...(loop.at ? fact("When", minute(loop.at)) : []),
      ...(loop.calls.to ? fact("Calls", `${grouped(loop.calls.from)} to ${grouped(loop.calls.to)} of ${grouped(run.calls)}`) : []),
      ...fact("Wasted", cost(loop.wasted)),
      ...(isPriced(loop.wasted) || !loop.wasted.tokens ? [] : fact("Cost", "unknown: no price for the model")),
      ...(loop.also && loop.also.length ? fact("Also seen by", loop.also.join(", ")) : []));
    const about = el("p", { class: "rule-about" }, data.rules[loop.rule] || "", el("span", { class: "muted", text: ` More: unstuck explain ${loop.rule}` }));
    const lapBox = el("section", { class: "laps", "aria-label": "Calls" });
    const strip = stripButton(loop, BEATS_IN_READER, (chosen) => this.laps(lapBox, loop, chosen),
      `${laps}. Arrow keys go from call to call, Enter shows the lap.`);
    dialog.replaceChildren(head, el("div", { class: "reader-body" },
      about,
      el("ol", { class: "pattern" }, ...loop.pattern.map((line) => el("li", {}, el("code", { text: line })))),
      strip,
      legend(loop),
      facts,
      loop.message ? el("figure", { class: "message" }, el("figcaption", { text: `What the agent would have been told` }), el("blockquote", { text: loop.message })) : null,
      loop.unchanged || loop.last_result ? el("figure", { class: "message" }, el("figcaption", { text: loop.unchanged ? "What came back every time" : "The last result" }), textBlock(loop.unchanged || loop.last_result)) : null,
      lapBox));
    this.laps(lapBox, loop, lap);
  },

  // The lap asked for, or the nearest that is at hand, beside the one before it.
  laps(box, loop, wanted) {
    const excerpt = loop.excerpt || [];
    if (!excerpt.length) {
      box.replaceChildren(el("p", { class: "muted", text: "The calls of this loop are not part of the report." }));
      return;
    }
    const nearest = (lap) => excerpt.reduce((best, each, index) =>
      Math.abs(each.lap - lap) < Math.abs(excerpt[best].lap - lap) ? index : best, 0);
    let chosen = wanted ? nearest(wanted) : Math.min(1, excerpt.length - 1);
    let base = Math.max(0, chosen - 1);
    const content = el("div", { class: "moves" });
    const tabs = el("div", { class: "segments", role: "radiogroup", "aria-label": "Lap" });
    const against = el("select", { "aria-label": "Compare with", onchange: () => { base = Number(against.value); draw(); } });
    const note = el("span", { class: "muted" });
    function draw() {
      const [lap, other] = [excerpt[chosen], excerpt[base]];
      against.replaceChildren(...excerpt.map((each, index) => index === chosen ? null
        : el("option", { value: index, text: `lap ${each.lap}`, selected: index === base })).filter(Boolean));
      const alone = excerpt.length < 2 || chosen === base;
      against.parentElement.hidden = excerpt.length < 2;
      // Calls of the loop are compared with their like of the other lap; calls between the laps are only shown.
      const own = lap.moves.filter(isOwn);
      const like = (move) => (alone || !isOwn(move) ? null : other.moves.filter(isOwn)[own.indexOf(move)]);
      content.replaceChildren(...lap.moves.map((move, index) => moveBox(move, like(move), index)));
      const changes = own.filter((move) => !sameMove(move, like(move))).length;
      const timed = own.some((move) => !equalMove(move, like(move)));
      note.textContent = alone ? "" : changes
        ? `${changes} of ${counted(own.length, "call")} ${changes === 1 ? "differs" : "differ"}`
        : timed ? "only times differ" : "nothing differs";
    }
    box.replaceChildren(
      el("div", { class: "lap-bar" }, el("span", { class: "label", text: "Lap" }), tabs,
        el("label", {}, el("span", { class: "label", text: "compared with" }), against), note),
      content);
    segments(tabs, excerpt.map((each, index) => [String(index), String(each.lap)]), String(chosen), (value) => {
      chosen = Number(value);
      if (base === chosen || base > chosen) base = Math.max(0, chosen - 1);
      if (base === chosen) base = Math.min(excerpt.length - 1, chosen + 1);
      draw();
    });
    if (base === chosen && excerpt.length > 1) base = 1;
    draw();
  },
};

function legend(loop) {
  const item = (name, text) => el("span", {}, el("i", { class: `dot ${name}` }), text);
  return el("p", { class: "strip-legend" }, item("first", "the first lap"), item(loop.verdict, "a later lap"), item("between", "unrelated call"));
}

function fact(name, value) {
  return [el("dt", { text: name }), el("dd", { text: value })];
}

// A text of a loop of words has no lap, and is a part of it.
const isOwn = (move) => move.lap > 0 || move.tool === "text" || move.tool === "thinking";

// Durations, times of day and dates.
const TIMES = /\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?([.,]\d+)?Z?)?|\b\d{1,2}:\d\d:\d\d([.,]\d+)?|\b\d+([.,]\d+)?\s?(ns|us|µs|ms|s|sec|secs|seconds?|min|minutes?)\b/g;
const timeless = (text) => text.replace(TIMES, "‹time›");

// The same but for times.
function sameMove(move, other) {
  return Boolean(other) && move.tool === other.tool && timeless(move.args) === timeless(other.args)
    && timeless(move.output) === timeless(other.output) && move.status === other.status;
}

function equalMove(move, other) {
  return Boolean(other) && move.args === other.args && move.output === other.output && move.at === other.at;
}

function moveBox(move, other, index) {
  const state = [move.status, move.exit_code === undefined ? "" : `exit ${move.exit_code}`].filter(Boolean).join(", ");
  const words = move.tool === "text" || move.tool === "thinking";
  return el("article", { class: isOwn(move) ? "move" : "move aside" },
    el("h3", {},
      el("span", { class: "move-number", text: `${index + 1}` }),
      el("code", { text: move.tool }),
      state ? el("span", { class: `state ${move.status}`, text: state }) : null,
      isOwn(move) ? null : el("span", { class: "badge same", text: "unrelated call before this lap" }),
      el("span", { class: "muted", text: [move.line ? `line ${grouped(move.line)}` : "", move.at ? minute(move.at) : ""].filter(Boolean).join(" · ") })),
    part(words ? "Text" : "Call", move.args, other && other.args),
    part("Answer", move.output, other && other.output));
}

function part(name, text, other) {
  if (!text && !other) return null;
  const known = other !== null && other !== undefined;
  const same = known && other === text;
  const timed = known && !same && timeless(other) === timeless(text);
  return el("div", { class: "part" },
    el("div", { class: "part-name" }, el("span", { class: "label", text: name }),
      known ? el("span", { class: same ? "badge same" : "badge differs", text: same ? "the same" : timed ? "only times differ" : "differs" }) : null),
    known && !same ? diffBlock(other, text) : textBlock(text));
}

function textBlock(text) {
  const block = () => el("pre", { tabindex: 0 }, el("code", { text }));
  const lines = text.split("\n");
  if (lines.length <= LONG) return block();
  const short = el("div", {},
    el("pre", { tabindex: 0 }, el("code", { text: lines.slice(0, LONG - 4).join("\n") })),
    el("button", { type: "button", class: "fold", text: counted(lines.length - LONG + 4, "more line"), onclick: () => short.replaceWith(block()) }));
  return short;
}

function startReader() {
  const dialog = byId("reader");
  dialog.addEventListener("close", () => {
    tip.hide();
    rememberFilters();
    if (reader.opener && reader.opener.isConnected) reader.opener.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const busy = event.target.closest("select, [role=radiogroup], pre, .diff");
    if (busy) return;
    if (event.key === "ArrowLeft") reader.step(-1);
    if (event.key === "ArrowRight") reader.step(1);
  });
}
