// The picture of a loop: one block a call.

const BEATS_IN_LIST = 140;
const BEATS_IN_READER = 400;

// The calls from the first of the loop to its last, as recorded, or else by their numbers. A loop of words has none: one
// block for each time the words were said. `gap` stands for what is left out.
function beatsOf(loop, most) {
  const period = Math.max(1, loop.period);
  const strip = loop.strip || [];
  const members = loop.members || [];
  const laps = new Map(members.map((call, index) => [call, Math.floor(index / period) + 1]));
  const total = members.length ? loop.calls.to - loop.calls.from + 1 : loop.repeats;
  const beat = (index) => {
    if (!members.length) return { lap: index + 1, line: 0, tool: "text", status: "" };
    return strip[index] || { lap: laps.get(loop.calls.from + index) || 0, line: 0, tool: "", status: "" };
  };
  const all = [];
  if (total <= most) {
    for (let index = 0; index < total; index += 1) all.push(beat(index));
    return all;
  }
  const tail = Math.floor(most / 3);
  for (let index = 0; index < most - tail - 1; index += 1) all.push(beat(index));
  all.push({ gap: total - most + 1, lap: 0, line: 0, tool: "", status: "" });
  for (let index = total - tail; index < total; index += 1) all.push(beat(index));
  return all;
}

function beatClass(beat, verdict) {
  if (beat.gap) return "beat gap";
  if (!beat.lap) return "beat between";
  return beat.lap === 1 ? "beat first" : `beat ${verdict}`;
}

function beatWords(beat) {
  if (beat.gap) return [`${counted(beat.gap, "call")} not drawn`];
  const rest = [beat.tool, beat.status && beat.status !== "ok" ? beat.status : "", beat.line ? `line ${grouped(beat.line)}` : ""];
  const first = beat.lap ? (beat.lap === 1 ? "lap 1, the first time" : `lap ${beat.lap}, a repeat`) : "unrelated call";
  return [first, rest.filter(Boolean).join(" · ")].filter(Boolean);
}

// A button; arrow keys walk over the calls, a click or Enter opens the lap under it.
function stripButton(loop, most, open, label) {
  const beats = beatsOf(loop, most);
  const picture = svg("svg", { viewBox: `0 0 ${beats.length * 10} 20`, preserveAspectRatio: "none", "aria-hidden": true });
  const shapes = beats.map((beat, index) => {
    const between = beat.gap || !beat.lap;
    const turn = beat.lap > 1 && index > 0 && beats[index - 1].lap === beat.lap;
    const height = between ? 4 : turn ? 13 : 20;
    return svg("rect", { class: beatClass(beat, loop.verdict), x: index * 10, y: 20 - height, width: 7.2, height });
  });
  picture.append(...shapes);
  const button = el("button", { type: "button", class: "strip", "aria-label": label }, picture,
    el("span", { class: "strip-open", "aria-hidden": true, text: loop.excerpt && loop.excerpt.length ? "Read the calls ›" : "Open ›" }));
  picture.style.width = `${Math.max(beats.length * 12, 24)}px`;
  let current = -1;
  const point = (index, x, y) => {
    if (current >= 0) shapes[current].classList.remove("pointed");
    current = index;
    shapes[index].classList.add("pointed");
    tip.show(beatWords(beats[index]), x, y);
  };
  const leave = () => {
    if (current >= 0) shapes[current].classList.remove("pointed");
    current = -1;
    tip.hide();
  };
  button.addEventListener("pointermove", (event) => {
    const frame = picture.getBoundingClientRect();
    const index = Math.floor(((event.clientX - frame.left) / frame.width) * beats.length);
    if (index < 0 || index >= beats.length) leave();
    else point(index, event.clientX, frame.top);
  });
  button.addEventListener("pointerleave", leave);
  button.addEventListener("blur", leave);
  button.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: current + 1, ArrowLeft: current < 0 ? beats.length - 1 : current - 1, Home: 0, End: beats.length - 1 };
    if (event.key === "Escape" && current >= 0) {
      event.preventDefault();
      event.stopPropagation();
      leave();
    }
    if (!(event.key in moves)) return;
    event.preventDefault();
    event.stopPropagation();
    const index = Math.min(Math.max(0, moves[event.key]), beats.length - 1);
    const frame = picture.getBoundingClientRect();
    point(index, frame.left + (frame.width * (index + 0.5)) / beats.length, frame.top);
  });
  button.addEventListener("click", () => {
    const lap = current >= 0 ? beats[current].lap : 0;
    leave();
    open(lap);
  });
  return button;
}

// The whole run as a thin line; where it goes round, the line is thick.
function runMap(run) {
  const picture = svg("svg", { class: "run-map", viewBox: "0 0 1000 8", preserveAspectRatio: "none", role: "img",
    "aria-label": `Position of loops in the run's ${counted(run.calls, "call")}` },
    svg("rect", { class: "track", x: 0, y: 3, width: 1000, height: 2 }));
  const place = (call) => (Math.min(call, run.calls) / Math.max(run.calls, 1)) * 1000;
  const strictLast = [...run.loops].sort((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict));
  for (const loop of strictLast) {
    if (!loop.calls.to) continue;
    const x = place(loop.calls.from - 1);
    picture.append(svg("rect", { class: `bar ${loop.verdict}`, x, y: 0, height: 8, width: Math.max(4, place(loop.calls.to) - x) }));
  }
  return picture;
}
