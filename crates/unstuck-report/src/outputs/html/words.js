// Elements, numbers and words. Text is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";

// What turns the direction of text, hides it or acts on a terminal is shown by its number: the list of `acts_unseen` and
// the controls.
const UNSEEN = /[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{34f}\u{61c}\u{115f}-\u{1160}\u{17b4}-\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{fffe}-\u{ffff}\u{e0000}-\u{e0fff}]/gu;

function clean(text) {
  return text.replace(UNSEEN, (each) => {
    const code = each.codePointAt(0);
    if (code < 0x20) return code === 13 ? "" : String.fromCodePoint(0x2400 + code);
    return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

// el("p", { class: "x", text: "…", onclick: f }, child, …)
function el(name, options = {}, ...children) {
  return build(document.createElement(name), options, children);
}

function svg(name, options = {}, ...children) {
  return build(document.createElementNS(SVG, name), options, children);
}

function build(node, options, children) {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

const byId = (id) => document.getElementById(id);

const grouped = (number) => new Intl.NumberFormat("en").format(number);
const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;

// Numbers are written as in the report for a terminal.
function scaled(number, units) {
  let unit = 0;
  while (number >= 999.95 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? number : number.toFixed(1)}${units[unit]}`;
}

const short = (number) => scaled(number, ["", "k", "M", "G", "T"]);
const bytes = (number) => scaled(number, [" B", " kB", " MB", " GB", " TB"]);

function dollars(amount) {
  if (amount > 0 && amount < 0.01) return "under 1¢";
  return new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(amount);
}

function percent(part, whole) {
  if (!whole) return "";
  return `${((part * 100) / whole).toFixed(1)} %`;
}

function cost(wasted) {
  // A loop of words wastes tokens and no call.
  const parts = wasted.calls > 0 || wasted.tokens === 0 ? [counted(wasted.calls, "call")] : [];
  if (wasted.tokens > 0) parts.push(`${short(wasted.tokens)} token${wasted.tokens === 1 ? "" : "s"}`);
  if (isPriced(wasted)) parts.push(dollars(wasted.usd));
  return parts.join(" · ");
}

// Nothing at all, in a report with models that have no price, is not known to be nothing.
function isPriced(sum) {
  return sum.usd !== null && (sum.usd > 0 || data.totals.unpriced.length === 0);
}

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const day = (time) => DAY.format(new Date(time));
const minute = (time) => MINUTE.format(new Date(time));

function duration(milliseconds) {
  const minutes = Math.round(milliseconds / 60000);
  if (minutes < 1) return "under a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.round(hours / 24)} days`;
}

// The end of a path says most.
function pathEnd(path, longest) {
  return path.length <= longest ? path : `…${path.slice(path.length - longest + 1)}`;
}

function fileName(path) {
  return path.split(/[\\/]/).pop() || path;
}

const VERDICTS = ["halt", "deny", "nudge", "allow"];
const verdictWord = (verdict) => (verdict === "allow" ? "fine" : verdict);

// A rule's name with what it looks for.
function ruleName(tag, rule) {
  return el(tag, { class: "rule", text: rule, title: data.rules[rule] });
}

// `9 laps of 1 call`; loops of words have no calls: `9 times`.
function lapsOf(loop) {
  return loop.members ? `${counted(loop.repeats, "lap")} of ${counted(loop.period, "call")}` : counted(loop.repeats, "time");
}

// The task's first words, or else the file with the session where the path does not name it.
function runTitle(run) {
  if (run.title) return run.title;
  const named = !run.session || run.session === "default" || run.path.includes(run.session);
  return named ? fileName(run.path) : `${fileName(run.path)} (${run.session})`;
}

function pill(verdict) {
  return el("span", { class: `pill ${verdict}`, text: verdictWord(verdict) });
}

// One box that follows the pointer or the focus.
const tip = {
  show(lines, x, y) {
    const box = byId("tip");
    box.replaceChildren(...lines.map((line, index) => el("div", { class: index ? "tip-rest" : "tip-first", text: line })));
    // A popover lies above a dialog.
    if (!box.matches(":popover-open")) box.showPopover();
    const { width, height } = box.getBoundingClientRect();
    const left = Math.min(Math.max(8, x - width / 2), innerWidth - width - 8);
    const top = y - height - 12 < 8 ? y + 20 : y - height - 12;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  },
  hide() {
    if (byId("tip").matches(":popover-open")) byId("tip").hidePopover();
  },
};

// A row of choices of which one holds; arrow keys move.
function segments(box, choices, chosen, choose) {
  const buttons = choices.map(([value, label]) =>
    el("button", {
      type: "button",
      role: "radio",
      text: label,
      "data-value": value,
      onclick: () => take(value),
    }),
  );
  function take(value) {
    mark(value);
    choose(value);
  }
  function mark(value) {
    for (const button of buttons) {
      const is = button.dataset.value === String(value);
      button.setAttribute("aria-checked", is);
      button.tabIndex = is ? 0 : -1;
    }
  }
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    take(next.dataset.value);
  });
  box.replaceChildren(...buttons);
  mark(chosen);
  return mark;
}

// Changes the address of the page. A page within a frame may not be allowed to.
function readdress(address) {
  try {
    history.replaceState(null, "", address);
  } catch { /* then the address stays */ }
}
