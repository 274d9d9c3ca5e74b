// What changed between two texts, by lines and inside them by words.

// Beyond this many comparisons the texts are shown as replaced as a whole.
const MOST_WORK = 1_500_000;
const CONTEXT = 3;

// Longest common subsequence: [["same" | "old" | "new", item], …]
function compare(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) end += 1;
  const same = (items) => items.map((item) => ["same", item]);
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

function middle(before, after) {
  const [rows, columns] = [before.length, after.length];
  if (!rows || !columns || rows * columns > MOST_WORK) {
    return [...before.map((item) => ["old", item]), ...after.map((item) => ["new", item])];
  }
  const wide = columns + 1;
  const table = new Uint32Array((rows + 1) * wide);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      table[row * wide + column] =
        before[row] === after[column]
          ? table[(row + 1) * wide + column + 1] + 1
          : Math.max(table[(row + 1) * wide + column], table[row * wide + column + 1]);
    }
  }
  const out = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (before[row] === after[column]) {
      out.push(["same", before[row]]);
      row += 1;
      column += 1;
    } else if (table[(row + 1) * wide + column] >= table[row * wide + column + 1]) {
      out.push(["old", before[row]]);
      row += 1;
    } else {
      out.push(["new", after[column]]);
      column += 1;
    }
  }
  while (row < rows) out.push(["old", before[row++]]);
  while (column < columns) out.push(["new", after[column++]]);
  return out;
}

const words = (line) => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) || [];

// A line with its changed words marked.
function marked(line, other, side) {
  const [mine, theirs] = [words(line), words(other)];
  if (mine.length * theirs.length > 250_000) return [document.createTextNode(line)];
  const steps = side === "old" ? compare(mine, theirs) : compare(theirs, mine);
  return steps
    .filter(([kind]) => kind === "same" || kind === side)
    .map(([kind, word]) => (kind === "same" ? document.createTextNode(word) : el("mark", { text: word })));
}

// The new text with what it took away and added; long stretches without a change are folded.
function diffBlock(before, after) {
  const steps = compare(before.split("\n"), after.split("\n"));
  const box = el("div", { class: "diff", role: "group", "aria-label": "Changes", tabindex: 0 });
  for (let index = 0; index < steps.length; ) {
    let end = index;
    if (steps[index][0] === "same") {
      while (end < steps.length && steps[end][0] === "same") end += 1;
      box.append(...kept(steps.slice(index, end), index === 0, end === steps.length));
    } else {
      while (end < steps.length && steps[end][0] !== "same") end += 1;
      box.append(...changed(steps.slice(index, end)));
    }
    index = end;
  }
  return box;
}

function row(kind, ...children) {
  const sign = { old: "−", new: "+", same: " " }[kind];
  const label = { old: "before: ", new: "after: ", same: "" }[kind];
  return el(
    "div",
    { class: `row ${kind}` },
    el("span", { class: "sign", "aria-hidden": true, text: sign }),
    label ? el("span", { class: "unseen", text: label }) : null,
    el("span", { class: "line" }, ...children),
  );
}

function kept(steps, isFirst, isLast) {
  const line = ([, text]) => row("same", document.createTextNode(text));
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  if (steps.length <= head + tail + 2) return steps.map(line);
  const hidden = steps.slice(head, steps.length - tail);
  const fold = el("button", {
    type: "button",
    class: "fold",
    text: `${counted(hidden.length, "line")} the same`,
    onclick: () => fold.replaceWith(...hidden.map(line)),
  });
  return [...steps.slice(0, head).map(line), fold, ...steps.slice(steps.length - tail).map(line)];
}

function changed(steps) {
  const before = steps.filter(([kind]) => kind === "old").map(([, text]) => text);
  const after = steps.filter(([kind]) => kind === "new").map(([, text]) => text);
  const rows = (side, mine, theirs) =>
    mine.map((text, index) =>
      row(side, ...(theirs[index] === undefined ? [document.createTextNode(text)] : marked(text, theirs[index], side))),
    );
  return [...rows("old", before, after), ...rows("new", after, before)];
}
