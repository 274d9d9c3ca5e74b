// Charts, drawn as SVG.

const HOUR = 3_600_000;
const year = (time) => String(new Date(time).getFullYear());

// Buckets of one kind between the first and the last time, so that there are neither three nor three hundred bars.
function bucketing(first, last) {
  const span = last - first;
  const floor = (time, change) => {
    const date = new Date(time);
    date.setMinutes(0, 0, 0);
    change(date);
    return date.getTime();
  };
  const kinds = [
    { upTo: 2 * 24 * HOUR, start: (time) => floor(time, () => {}), next: (date) => date.setHours(date.getHours() + 1),
      label: (time) => new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(time), under: day, full: minute },
    { upTo: 80 * 24 * HOUR, start: (time) => floor(time, (date) => date.setHours(0)), next: (date) => date.setDate(date.getDate() + 1),
      label: (time) => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }).format(time), under: year, full: day },
    { upTo: 500 * 24 * HOUR, start: (time) => floor(time, (date) => { date.setHours(0); date.setDate(date.getDate() - ((date.getDay() + 6) % 7)); }),
      next: (date) => date.setDate(date.getDate() + 7),
      label: (time) => new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }).format(time), under: year, full: (time) => `week of ${day(time)}` },
    { upTo: Infinity, start: (time) => floor(time, (date) => { date.setHours(0); date.setDate(1); }), next: (date) => date.setMonth(date.getMonth() + 1),
      label: (time) => new Intl.DateTimeFormat("en-GB", { month: "short" }).format(time), under: year,
      full: (time) => new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" }).format(time) },
  ];
  const kind = kinds.find((each) => span <= each.upTo);
  const starts = [];
  const date = new Date(kind.start(first));
  // A wrong clock in one transcript must not make a million bars.
  while (date.getTime() <= last && starts.length < 400) {
    starts.push(date.getTime());
    kind.next(date);
  }
  const ends = [...starts.slice(1), date.getTime()];
  return { starts, ends, label: kind.label, under: kind.under, full: kind.full };
}

function niceTop(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= value);
}

// An amount of money on an axis, with as many decimals as it has.
function tickDollars(value) {
  if (value >= 1000) return `$${short(value)}`;
  const decimals = [0, 2, 3, 4, 5, 6].find((count) => Math.abs(Number(value.toFixed(count)) - value) < 1e-9);
  return `$${value.toFixed(decimals ?? 6)}`;
}

// Bars over time. `series` are [class, values]; they are stacked. Arrow keys go from bar to bar.
function timeChart(box, { buckets, series, format, describe, choose, label }) {
  const height = 184;
  const margin = { top: 10, right: 4, bottom: 40, left: 52 };
  const totals = buckets.starts.map((_, index) => series.reduce((sum, [, values]) => sum + values[index], 0));
  const whole = series.every(([, values]) => values.every(Number.isInteger));
  let top = niceTop(Math.max(...totals, 0));
  if (whole) top = Math.max(top, 2);
  let current = -1;

  function draw() {
    const width = Math.max(240, box.clientWidth);
    const inner = width - margin.left - margin.right;
    const tall = height - margin.top - margin.bottom;
    const step = inner / totals.length;
    const y = (value) => margin.top + tall - (value / top) * tall;
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "time", tabindex: 0 });
    for (const tick of [0, top / 2, top]) {
      picture.append(
        svg("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick) }),
        svg("text", { class: "tick", x: margin.left - 8, y: y(tick) + 4, "text-anchor": "end", text: format(tick) }),
      );
    }
    const every = Math.max(1, Math.ceil(76 / step));
    let under = "";
    const wide = Math.max(1, Math.min(28, step * 0.72));
    const hover = svg("rect", { class: "hover", y: margin.top, height: tall, width: step, x: -9999 });
    picture.append(hover);
    totals.forEach((total, index) => {
      const x = margin.left + step * index + (step - wide) / 2;
      let base = 0;
      for (const [name, values] of series) {
        if (!values[index]) continue;
        const high = Math.max(1.5, (values[index] / top) * tall);
        picture.append(svg("rect", { class: `bar ${name}`, x, width: wide, y: y(base) - high, height: high, rx: Math.min(2, wide / 3) }));
        base += values[index];
      }
      if (index % every === 0 && margin.left + step * (index + 0.5) + 18 < width) {
        const x = margin.left + step * (index + 0.5);
        const start = buckets.starts[index];
        picture.append(svg("text", { class: "tick", x, y: height - 22, "text-anchor": "middle", text: buckets.label(start) }));
        // The date of hours, the year of days: at the first label and where it changes.
        if (buckets.under(start) !== under) {
          under = buckets.under(start);
          picture.append(svg("text", { class: "tick under", x, y: height - 6, "text-anchor": "middle", text: under }));
        }
      }
    });
    const point = (index, x, top) => {
      current = index;
      hover.setAttribute("x", margin.left + step * index);
      tip.show([buckets.full(buckets.starts[index]), ...describe(index)], x, top);
    };
    const leave = () => {
      hover.setAttribute("x", -9999);
      tip.hide();
    };
    const at = (event) => {
      const x = event.clientX - picture.getBoundingClientRect().left - margin.left;
      const index = Math.floor(x / step);
      return index >= 0 && index < totals.length ? index : -1;
    };
    picture.addEventListener("pointermove", (event) => {
      const index = at(event);
      if (index < 0) leave();
      else point(index, event.clientX, event.clientY);
    });
    picture.addEventListener("pointerleave", leave);
    picture.addEventListener("blur", leave);
    picture.addEventListener("click", (event) => {
      const index = at(event);
      if (index >= 0 && totals[index] > 0) choose(index);
    });
    picture.addEventListener("keydown", (event) => {
      const moves = { ArrowRight: current + 1, ArrowLeft: current < 0 ? totals.length - 1 : current - 1, Home: 0, End: totals.length - 1 };
      if (event.key in moves) {
        event.preventDefault();
        const index = Math.min(Math.max(0, moves[event.key]), totals.length - 1);
        const frame = picture.getBoundingClientRect();
        point(index, frame.left + margin.left + step * (index + 0.5), frame.top + y(totals[index]));
      } else if ((event.key === "Enter" || event.key === " ") && totals[current] > 0) {
        event.preventDefault();
        choose(current);
      } else if (event.key === "Escape") {
        leave();
      }
    });
    box.replaceChildren(picture);
  }

  let drawnFor = 0;
  new ResizeObserver(() => {
    if (box.clientWidth === drawnFor) return;
    drawnFor = box.clientWidth;
    draw();
  }).observe(box);
}

// Names with bars; each is a button that filters. `parts` are [class, value], `whole` what they are a part of.
function barList(rows, { choose, empty }) {
  if (!rows.length) return el("p", { class: "muted", text: empty });
  const most = Math.max(...rows.map((row) => row.whole ?? row.value), 1);
  return el("ul", { class: "bars" }, ...rows.map((row) => {
    const wide = (value) => (value / most) * 100;
    const bar = svg("svg", { class: "hbar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": true });
    if (row.whole) bar.append(svg("rect", { class: "bar allow", width: wide(row.whole), height: 6 }));
    let x = 0;
    for (const [name, value] of row.parts) {
      if (value) bar.append(svg("rect", { class: `bar ${name}`, x, width: wide(value), height: 6 }));
      x += wide(value);
    }
    return el("li", {}, el("button", { type: "button", onclick: () => choose(row), title: row.title },
      el("span", { class: "bar-name", text: row.name }),
      el("span", { class: "bar-value", text: row.label }),
      row.about ? el("span", { class: "bar-about", text: row.about, title: row.about }) : null,
      bar));
  }));
}

// All runs in one bar, by verdict.
function verdictBar(counts, total, choose) {
  let x = 0;
  const picture = svg("svg", { class: "verdict-bar", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": true });
  for (const verdict of VERDICTS) {
    const wide = total ? (counts[verdict] / total) * 1000 : 0;
    if (wide) picture.append(svg("rect", { class: `bar ${verdict}`, x, y: 0, height: 10, width: Math.max(4, wide) }));
    x += wide;
  }
  const legend = el("div", { class: "legend" }, ...VERDICTS.map((verdict) =>
    el("button", { type: "button", class: "legend-item", onclick: () => choose(verdict), disabled: !counts[verdict] },
      el("i", { class: `dot ${verdict}` }),
      el("b", { text: grouped(counts[verdict]) }),
      ` ${{ allow: "fine", nudge: "would have been nudged", deny: "would have been denied a call", halt: "would have been halted" }[verdict]}`)));
  return [picture, legend];
}
