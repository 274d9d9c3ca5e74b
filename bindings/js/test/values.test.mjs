import assert from "node:assert/strict";
import { test } from "node:test";
import { still, verdicts } from "./module.mjs";

/** Whether two calls with these arguments are the same call. */
function areEqual(one, other) {
  const guard = still();
  const seen = [one, other, one].map((args) => verdicts(guard, 1, args)[0]);
  return seen[2] === "nudge";
}

/** What a value is written as: the JSON that it is equal to, and not only to anything. */
function isWritten(value, json) {
  assert.ok(areEqual(value, JSON.parse(json)), `not equal to ${json}`);
  assert.ok(!areEqual(value, { quite: "different" }));
}

const cyclic = () => {
  const value = { name: "a", children: [] };
  value.children.push(value);
  return value;
};

test("what JSON can write is compared as JSON", () => {
  isWritten({ b: 1, a: [1.0, -0, 1e3] }, '{"a":[1,0,1000],"b":1}');
  isWritten({ a: 1, b: undefined, c: () => 1, d: Symbol("d") }, '{"a":1}');
  isWritten([undefined, () => 1, NaN, Infinity], "[null,null,null,null]");
  isWritten({ at: new Date(0), url: new URL("http://a/b") }, '{"at":"1970-01-01T00:00:00.000Z","url":"http://a/b"}');
  isWritten({ at: new Date(NaN) }, '{"at":null}');
  isWritten([new Number(1), new String("a"), new Boolean(false)], '[1,"a",false]');
  isWritten(new Uint8Array([1, 2]), '{"0":1,"1":2}');
  isWritten(Object.create(null), "{}");
  isWritten({ nested: {}, text: "a {} b" }, '{"nested":{},"text":"a {} b"}');
});

test("arguments that are undefined are no arguments, and a function is null", () => {
  isWritten(undefined, "{}");
  isWritten(() => 1, "null");
  isWritten(Symbol("s"), "null");
  isWritten(null, "null");
});

test("sets, maps, errors and patterns have their content", () => {
  isWritten({ set: new Set([1, 2]) }, '{"set":[1,2]}');
  assert.ok(!areEqual(new Set([1]), new Set([2])));
  isWritten(new Map([["a", 1]]), '[["a",1]]');
  assert.ok(!areEqual(new Map([["a", 1]]), new Map([["a", 2]])));
  isWritten({ error: new RangeError("far") }, '{"error":"RangeError: far"}');
  isWritten([/a+/g], '["/a+/g"]');
  isWritten([new WeakMap(), Promise.resolve(1)], "[{},{}]");
});

test("a BigInt is a number of all its digits, or their text", () => {
  isWritten({ n: 12n }, '{"n":12}');
  assert.ok(!areEqual({ n: 9007199254740993n }, { n: 9007199254740992n }));
  isWritten({ n: 2n ** 64n }, '{"n":"18446744073709551616"}');
  isWritten({ n: -(2n ** 63n) - 1n }, '{"n":"-9223372036854775809"}');
});

test("cycles end", () => {
  isWritten(cyclic(), '{"name":"a","children":["[circular]"]}');
  const shared = { a: 1 };
  isWritten([shared, shared, 1n], '[{"a":1},{"a":1},1]');
});

test("what throws is named", () => {
  const thrower = {
    get bad() {
      throw new Error("no");
    },
    good: 1,
  };
  isWritten(thrower, '{"bad":"[throws Error: no]","good":1}');
  const toJSON = {
    toJSON() {
      throw "a text";
    },
  };
  isWritten([toJSON], '["[throws a text]"]');
  const nameless = {
    get bad() {
      throw { toString: null };
    },
  };
  isWritten(nameless, '{"bad":"[throws something without a name]"}');
});

test("proxies are asked, and may refuse", () => {
  isWritten(new Proxy({ a: 1 }, {}), '{"a":1}');
  const refusing = new Proxy({ a: 1 }, { ownKeys: () => { throw new Error("mine"); } });
  isWritten([refusing], '["[throws Error: mine]"]');
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.ok(areEqual([proxy], [proxy]));
  assert.doesNotThrow(() => verdicts(still(), 1, {}, proxy));
  const endless = new Proxy({}, {
    ownKeys: () => ["a", "b"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, key) => (key === "toJSON" ? undefined : endless),
  });
  isWritten([endless], '[{"a":"[circular]","b":"[circular]"}]');
});

test("values without an end are refused", () => {
  const wide = () => new Proxy({}, {
    ownKeys: () => ["a", "b"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, key) => (key === "toJSON" ? undefined : wide()),
  });
  assert.throws(() => still().beforeCall("t", wide()), { code: "value" });
  let deep = 1n;
  for (let level = 0; level < 100_000; level += 1) {
    deep = [deep];
  }
  assert.throws(() => still().beforeCall("t", deep), { code: "value" });
  const long = "x".repeat(65 * 1024 * 1024);
  assert.throws(() => still().beforeCall("t", { long }), { code: "value" });
});

test("half of a surrogate pair is U+FFFD", () => {
  isWritten({ text: "a\ud83d" }, '{"text":"a\ufffd"}');
  isWritten({ "\udc00": 1n }, '{"\ufffd":1}');
  assert.deepEqual(verdicts(still(), 3, {}, "\ud83d"), ["allow", "allow", "nudge"]);
  isWritten({ text: "\\ud83d" }, '{"text":"\\\\ud83d"}');
});

test("results may be any value", () => {
  const values = [undefined, null, NaN, 1n, cyclic(), () => 1, Symbol("s"), new Map(), [new Set([1])], Buffer.from("a")];
  for (const value of values) {
    const seen = verdicts(still(), 3, {}, value);
    assert.ok(seen.every((verdict) => verdict === "allow" || verdict === "nudge"), String(seen));
  }
});

test("long strings of the arguments go their own way, and are compared as JSON", () => {
  const long = "line \"one\"\n\u0001\u2028 \ud83d\ude00 é".repeat(100);
  // An object with `toJSON` is written as JSON as a whole.
  const whole = (args) => ({ toJSON: () => args });
  for (const args of [
    { text: long },
    { text: long, a: 1, z: { b: [1.5, {}], a: null }, u: undefined, f: () => 1 },
    { b: long, a: `${long}a`, é: long, "\u{10000}": long, "\uff00": 1, "\n": long },
    { text: `${long}\ud800`, "\udc00x": "\ud800".repeat(2_000) },
    { text: long, big: 12n, set: new Set([1]), date: new Date(0) },
    Object.assign(Object.create(null), { text: long, a: 1 }),
    JSON.parse(`{"__proto__":${JSON.stringify(long)},"a":1}`),
    { text: long, get getter() { return "x".repeat(3_000); } },
    new (class { text = long; })(),
    [long, { long }],
    long,
  ]) {
    assert.ok(areEqual(args, whole(args)), Object.keys(args).join().slice(0, 40));
    assert.ok(!areEqual(args, { text: "another" }));
  }
  assert.ok(!areEqual({ a: long }, { b: long }));
  assert.ok(!areEqual({ a: long, b: 1 }, { a: long, b: 2 }));
  isWritten({ text: long, toJSON: () => ({ b: 1 }) }, '{"b":1}');
  const thrower = { text: long, get bad() { throw new Error("no"); } };
  isWritten(thrower, JSON.stringify({ text: long, bad: "[throws Error: no]" }));
  const guard = still();
  assert.ok(guard.check("t", { text: long }).permits);
});

test("getters may have effects", () => {
  let reads = 0;
  const args = {
    get text() {
      reads += 1;
      return "x".repeat(reads % 2 === 0 ? 10 : 2_000);
    },
  };
  for (let n = 0; n < 10; n += 1) {
    assert.ok(["allow", "nudge"].includes(still().beforeCall("t", args).verdict));
  }
  const clearing = { get a() { delete clearing.text; return 1; }, text: "x".repeat(2_000) };
  assert.ok(still().beforeCall("t", clearing).permits);
});
