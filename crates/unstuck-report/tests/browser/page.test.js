// The page in a real browser. Run by `cargo xtask browser`, which makes the pages and says where they are.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const pages = resolve(process.env.UNSTUCK_PAGES);
const pictures = resolve(process.env.UNSTUCK_PICTURES);
let browser;

before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
});

after(async () => {
  await browser?.close();
});

// A page that fails the test for every console error, dialog and request for anything but itself.
async function open(name, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, timezoneId: "UTC", locale: "en-GB", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const address = pathToFileURL(join(pages, name)).href;
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
    if (url.split("#")[0] !== address && !url.startsWith("data:")) faults.push(`request: ${url}`);
  });
  await page.goto(address + hash);
  await page.locator("#list > li").first().waitFor();
  return { page, done: async () => {
    assert.deepEqual(faults, []);
    await context.close();
  } };
}

const picture = (page, name, options = {}) => page.screenshot({ path: join(pictures, `${name}.png`), ...options });
const runs = (page) => page.locator("#list > .run");
const widthOver = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.textContent);

// The browser tells of a closed dialog in a task of its own, so the address may follow what is seen.
const addressEnds = (page, hash) => page.waitForFunction((wanted) => location.hash === wanted, hash);

for (const colorScheme of ["light", "dark"]) {
  test(`draws the whole report in ${colorScheme} colours`, async () => {
    const { page, done } = await open("demo.html", { colorScheme });
    assert.equal(await page.locator("h1").textContent(), "7 of 12 runs got stuck in loops.");
    assert.equal(await page.title(), "7 of 12 runs got stuck in loops · unstuck");
    assert.equal(await runs(page).count(), 7);
    assert.ok((await page.locator(".time .bar").count()) > 4);
    assert.equal(await page.locator(".bars").count(), 3);
    assert.equal(await page.locator("#error-list li").count(), 2);
    await picture(page, `report-${colorScheme}`, { fullPage: true });
    await page.locator("#list .strip").nth(1).click();
    await page.locator(".reader .diff").first().waitFor();
    await picture(page, `loop-${colorScheme}`);
    await done();
  });
}

test("filters by text, rule, verdict and agent, and takes filters back", async () => {
  const { page, done } = await open("demo.html");
  const shown = async () => (await runs(page).locator("h3").allTextContents());
  await page.getByRole("searchbox").fill("DJANGO validator");
  await page.locator("#list > .run:only-child").waitFor();
  assert.deepEqual(await shown(), ["django__django-11099"]);
  await page.getByRole("searchbox").fill("nothing has this");
  await page.locator("#list > .empty").waitFor();
  await page.getByRole("button", { name: "Remove the filter" }).click();
  assert.equal(await runs(page).count(), 7);
  await page.getByLabel("Rule").selectOption("cycle");
  assert.deepEqual(await shown(), ["019a7b21-44de"]);
  await page.getByLabel("Rule").selectOption("");
  await page.getByLabel("Verdict").selectOption("deny");
  assert.equal(await runs(page).count(), 2);
  await page.getByLabel("Agent").selectOption("f:gemini-cli");
  assert.deepEqual(await shown(), ["session-2026-11-06T16-20"]);
  await page.getByLabel("Agent").selectOption("n:explore");
  assert.equal(await runs(page).count(), 0);
  await page.getByLabel("Verdict").selectOption("");
  assert.equal(await runs(page).count(), 1);
  await page.getByLabel("Agent").selectOption("");
  await page.getByLabel("Show runs without loops").check();
  assert.equal(await runs(page).count(), 12);
  assert.match(await page.locator("#shown").textContent(), /^12 of 12 runs/);
  await done();
});

test("charts filter, too", async () => {
  const { page, done } = await open("demo.html");
  await page.locator(".bars button", { hasText: "read_file" }).click();
  assert.equal(await runs(page).count(), 1);
  await page.getByRole("button", { name: "Remove the filter tool read_file" }).click();
  const chart = page.locator(".time").first();
  await chart.focus();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("ArrowLeft");
    if (await page.locator("#tip", { hasText: "1 nudge" }).isVisible()) break;
  }
  await page.keyboard.press("Enter");
  assert.ok((await runs(page).count()) < 7);
  assert.equal(await page.locator(".chip").count(), 1);
  await page.locator(".legend-item", { hasText: "fine" }).click();
  assert.equal(await runs(page).count(), 0);
  await page.locator(".chip").first().click();
  await page.getByRole("radio", { name: "Tokens" }).click();
  assert.match(await page.locator(".card.wide").nth(1).locator(".time").getAttribute("aria-label"), /^Tokens wasted/);
  await done();
});

test("sorts", async () => {
  const { page, done } = await open("demo.html");
  const first = () => runs(page).first().locator("h3").textContent();
  assert.equal(await first(), "fix the login of the shop");
  await page.getByLabel("Order").selectOption("calls");
  assert.equal(await first(), "deploy");
  await page.getByLabel("Order").selectOption("oldest");
  assert.equal(await first(), "deploy");
  await page.getByLabel("Order").selectOption("newest");
  assert.equal(await first(), "019a7b21-44de");
  await page.getByLabel("Order").selectOption("tokens");
  assert.equal(await first(), "django__django-11099");
  await done();
});

test("a loop opens by mouse and shows what changed between laps", async () => {
  const { page, done } = await open("demo.html");
  const strip = page.locator("#list .strip").nth(1);
  await strip.hover({ position: { x: 40, y: 12 } });
  assert.match(await page.locator("#tip").textContent(), /lap 2/);
  await strip.click({ position: { x: 6, y: 12 } });
  const reader = page.locator("dialog.reader");
  assert.equal(await reader.locator("h2").textContent(), "test-fix-cycle");
  await reader.getByRole("radio", { name: "2", exact: true }).click();
  assert.deepEqual(await reader.locator(".move .badge").allTextContents(), ["differs", "the same", "the same", "only times differ"]);
  const call = reader.locator(".diff").first();
  assert.deepEqual(await call.locator(".old mark").allTextContents(), ["403"]);
  assert.deepEqual(await call.locator(".new mark").allTextContents(), ["400"]);
  await reader.getByRole("radio", { name: "5", exact: true }).click();
  assert.deepEqual(await call.locator(".new mark").allTextContents(), ["302"]);
  await reader.getByLabel("Compare with").selectOption({ label: "lap 1" });
  assert.deepEqual(await call.locator(".old mark").allTextContents(), ["403"]);
  await reader.locator(".strip").hover({ position: { x: 40, y: 12 } });
  assert.ok(await page.locator("#tip").isVisible());
  await page.mouse.click(4, 4);
  assert.equal(await reader.isVisible(), false);
  await done();
});

test("a loop opens by keyboard, and focus comes back", async () => {
  const { page, done } = await open("demo.html");
  await page.keyboard.press("/");
  assert.equal(await focused(page), "Search");
  // Over the rest of the toolbar to the first strip.
  for (let step = 0; step < 12 && !(await focused(page)).startsWith("Open:"); step += 1) await page.keyboard.press("Tab");
  assert.match(await focused(page), /^Open: exact-repeat, 11 laps of 1 call/);
  await page.keyboard.press("End");
  assert.match(await page.locator("#tip").textContent(), /lap 11/);
  await page.keyboard.press("Enter");
  const reader = page.locator("dialog.reader");
  assert.equal(await reader.getByRole("radio", { name: "11" }).getAttribute("aria-checked"), "true");
  assert.equal(await reader.locator(".lap-bar .muted").textContent(), "only times differ");
  await addressEnds(page, "#loop=0.0");
  await page.keyboard.press("ArrowRight");
  assert.equal(await reader.locator("h2").textContent(), "test-fix-cycle");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await reader.locator("h2").textContent(), "exact-repeat");
  await reader.getByRole("radio", { name: "2", exact: true }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await reader.getByRole("radio", { name: "1", exact: true }).getAttribute("aria-checked"), "true");
  await page.keyboard.press("Escape");
  assert.equal(await reader.isVisible(), false);
  assert.match(await focused(page), /^Open: exact-repeat/);
  await addressEnds(page, "");
  await page.keyboard.press("Space");
  assert.equal(await reader.isVisible(), true);
  await done();
});

test("what has the focus is seen", async () => {
  const { page, done } = await open("demo.html");
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const active = document.activeElement;
      return active === document.body || getComputedStyle(active).outlineStyle !== "none";
    });
    assert.ok(seen, `no outline on ${await focused(page)}`);
  }
  await done();
});

test("a clock that began with the machine is no date", async () => {
  const { page, done } = await open("demo.html");
  assert.equal(await page.locator(".run", { hasText: "chant" }).locator(".about").textContent(), "shop · openhands · local-coder-30b · 1 h · 12 calls");
  assert.match(await page.locator("#subline").textContent(), /2 Nov 2026 to 12 Nov 2026$/);
  assert.doesNotMatch(await page.locator("main").innerText(), /1970/);
  await done();
});

test("a link to a loop opens it", async () => {
  const { page, done } = await open("demo.html", {}, "#loop=2.0");
  assert.equal(await page.locator("dialog.reader h2").textContent(), "cycle");
  await done();
});

test("colours can be chosen and are remembered", async () => {
  const { page, done } = await open("demo.html", { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("radio", { name: "Dark" }).click();
  const dark = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.locator("#list > li").first().waitFor();
  assert.equal(await ground(), dark);
  await page.getByRole("radio", { name: "Dark" }).focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await ground(), light);
  await done();
});

for (const name of ["demo.html", "hostile.html"]) {
  test(`${name} fits a phone`, async () => {
    for (const width of [360, 768]) {
      const { page, done } = await open(name, { viewport: { width, height: 740 } });
      assert.equal(await widthOver(page), 0);
      if (name === "demo.html" && width === 360) await picture(page, "report-phone", { fullPage: true });
      await page.locator("#list .strip").nth(1).click();
      await page.locator(".reader .moves").waitFor();
      assert.equal(await widthOver(page), 0);
      const over = await page.locator(".reader").evaluate((box) => box.scrollWidth - box.clientWidth);
      assert.equal(over, 0);
      if (name === "demo.html" && width === 360) await picture(page, "loop-phone");
      await done();
    }
  });
}

test("a hostile transcript injects nothing", async () => {
  const { page, done } = await open("hostile.html");
  const elements = () => page.evaluate(() => ({
    hacked: window.hacked,
    scripts: document.scripts.length,
    strangers: document.querySelectorAll("main img, main iframe, dialog img, [onerror], [onload], [onmouseover], a:not(.skip)").length,
  }));
  const clean = { hacked: undefined, scripts: 2, strangers: 0 };
  assert.deepEqual(await elements(), clean);
  await page.locator("#list .strip").first().hover();
  await page.locator("#list .strip").first().click();
  await page.locator(".reader .diff, .reader pre").first().waitFor();
  assert.deepEqual(await elements(), clean);
  for (const lap of await page.locator(".reader [role=radio]").all()) await lap.click();
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("<script>");
  await page.locator(".chip").waitFor();
  assert.ok((await runs(page).count()) > 0);
  assert.deepEqual(await elements(), clean);
  // Characters that turn or hide text are shown by their number.
  const text = await page.evaluate(() => document.querySelector("main").textContent);
  assert.doesNotMatch(text, /[\u0000-\u0008\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
  assert.match(text, /‹U\+202E›/);
  await picture(page, "hostile");
  await done();
});

test("an empty report says so", async () => {
  const { page, done } = await open("empty.html");
  assert.equal(await page.locator("h1").textContent(), "No agent runs were found.");
  assert.equal(await page.locator("#list > .empty").textContent(), "There is no loop to show.");
  await done();
});

test("thousands of runs are listed a page at a time", async () => {
  const { page, done } = await open("large.html");
  assert.equal(await runs(page).count(), 25);
  const more = page.getByRole("button", { name: /^Show more/ });
  await more.focus();
  await page.keyboard.press("Enter");
  assert.equal(await runs(page).count(), 50);
  assert.match(await focused(page), /^Open:/);
  await page.getByRole("searchbox").fill("deploy 3005");
  await page.locator("#list > .run:only-child").waitFor();
  assert.ok((await page.evaluate(() => document.querySelectorAll("*").length)) < 20_000);
  await picture(page, "large");
  await done();
});

test("axes say what their ticks are, and on which day", async () => {
  const { page, done } = await open("axes.html");
  const charts = page.locator(".card.wide");
  // The middle of 0.30 dollars is 0.15.
  const ticks = await charts.nth(1).locator(".tick[text-anchor=end]").allTextContents();
  assert.deepEqual(ticks, ["$0", "$0.15", "$0.30"]);
  const bar = charts.nth(1).locator(".bar").first();
  const grid = charts.nth(1).locator(".grid").nth(1);
  assert.ok(Number(await bar.getAttribute("y")) < Number(await grid.getAttribute("y1")), "20 cents are above 15");
  assert.deepEqual(await charts.first().locator(".tick.under").allTextContents(), ["11 Nov 2026"]);
  assert.equal(await charts.first().locator(".untimed").textContent(), "1 loop without a time is not shown");
  await done();
});

test("days on an axis have their year", async () => {
  const { page, done } = await open("demo.html");
  assert.deepEqual(await page.locator(".card.wide").first().locator(".tick.under").allTextContents(), ["2026"]);
  await done();
});

test("runs are named by their task and project", async () => {
  const { page, done } = await open("axes.html");
  assert.equal(await runs(page).first().locator("h3").textContent(), "Make the checkout test green");
  assert.match(await runs(page).first().locator(".about").textContent(), /^shop · claude-code/);
  await page.getByRole("searchbox").fill("checkout green");
  await page.locator("#list > .run:only-child").waitFor();
  await done();
});

test("the worst loop of a run comes first", async () => {
  const { page, done } = await open("axes.html");
  const first = runs(page).first();
  assert.equal(await first.locator(".pill").textContent(), "halt");
  assert.deepEqual(await first.locator(".loop .rule").allTextContents(), ["exact-repeat", "test-fix-cycle"]);
  await done();
});

test("nothing was stopped, and the page says so", async () => {
  const { page, done } = await open("demo.html");
  const legend = await page.locator(".legend").first().textContent();
  assert.match(legend, /would have been halted/);
  assert.match(legend, /would have been denied/);
  assert.match(await page.locator("#foot").textContent(), /× N counts every lap, the first included/);
  await done();
});

test("rules are explained where they are named", async () => {
  const { page, done } = await open("demo.html");
  const about = await page.locator("#list .loop .rule").first().getAttribute("title");
  assert.ok(about.length > 20);
  assert.ok((await page.locator(".bar-about").first().textContent()).length > 20);
  await page.locator("#list .strip").first().click();
  assert.match(await page.locator(".rule-about").textContent(), /unstuck explain exact-repeat/);
  await done();
});

test("money that is not known is unknown", async () => {
  const { page, done } = await open("unpriced.html");
  const tile = page.locator(".tile", { hasText: "Money wasted" });
  assert.match(await tile.textContent(), /unknown/);
  assert.doesNotMatch(await page.locator("main").innerText(), /\$0\.00/);
  await done();
});

test("filters are in the address, and an address brings them back", async () => {
  const { page, done } = await open("demo.html");
  await page.getByLabel("Rule").selectOption("cycle");
  await page.getByLabel("Order").selectOption("newest");
  await addressEnds(page, "#rule=cycle&sort=newest");
  await page.locator("#list .strip").first().click();
  await page.keyboard.press("Escape");
  await addressEnds(page, "#rule=cycle&sort=newest");
  await page.reload();
  await page.locator("#list > li").first().waitFor();
  assert.equal(await page.getByLabel("Rule").inputValue(), "cycle");
  assert.equal(await runs(page).count(), 1);
  await done();
  const again = await open("demo.html", {}, "#text=%3Cb%3E&verdict=deny&time=1-2");
  assert.equal(await again.page.locator(".chip").count(), 3);
  await again.done();
});

test("calls between the laps can be opened", async () => {
  const { page, done } = await open("demo.html");
  const run = page.locator(".run", { hasText: "Grep" });
  await run.locator(".strip").first().click();
  const reader = page.locator("dialog.reader");
  await reader.locator(".move.aside").first().waitFor();
  assert.match(await reader.locator(".move.aside").first().textContent(), /unrelated call before this lap/);
  await done();
});

test("without scripts there is a summary", async () => {
  for (const name of ["demo.html", "hostile.html", "empty.html"]) {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(pages, name)).href);
    const summary = page.locator(".summary");
    assert.match(await summary.locator("h1").textContent(), name === "empty.html" ? /No agent runs found/ : /7 of 12 runs got stuck in loops/);
    if (name !== "empty.html") assert.equal(await summary.locator("tbody tr").count(), 7);
    assert.equal(await summary.locator("script, img, svg, a").count(), 0);
    await context.close();
  }
});

test("text stands out from its ground", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, done } = await open("demo.html", { colorScheme });
    await page.locator("#list .strip").nth(1).click();
    const weak = await page.evaluate(contrasts);
    assert.deepEqual(weak, [], `${colorScheme}: too weak`);
    await done();
  }
});

// Elements with text of their own whose contrast is below WCAG AA.
function contrasts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const colour = rgb(getComputedStyle(each).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const weak = new Set();
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || node.closest("script, :disabled, svg, noscript") || !node.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(node).color)), light(ground(node))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) weak.add(`${node.tagName}.${node.className} ${contrast.toFixed(2)}`);
  }
  return [...weak];
}
