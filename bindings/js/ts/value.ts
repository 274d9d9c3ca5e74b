import { UnstuckError } from "./errors.js";

/** Levels of arrays and objects within one another. */
const DEEPEST = 128;
/** Characters of the JSON of one value. */
const LONGEST = 64 * 1024 * 1024;
/** Characters from which a string of the arguments goes into the engine on its own. */
const LONG = 1_024;
/** Characters of all these strings; longer ones may be too long as JSON. */
const MOST_APART = LONGEST / 8;
/** Values within one value that is written with care. */
const MOST = 1_000_000;

/**
 * The JSON text that a value is compared by; `undefined` for undefined, functions and symbols.
 *
 * It is what `JSON.stringify` writes, where that writes anything and loses nothing. Otherwise:
 *
 * - an object within itself is `"[circular]"`;
 * - a BigInt is a number with all its digits, or a string of them if it has more than 64 bits;
 * - a Map is an array of pairs, a Set an array, in their order;
 * - an Error without members is its name and message, a RegExp its source;
 * - what a getter or `toJSON` throws, and what a Proxy refuses, is `"[throws …]"`;
 * - other objects without enumerable members, such as a Promise or a WeakMap, are `{}`.
 */
export function toJson(value: unknown): string | undefined {
  if (typeof value === "string") {
    return checked(JSON.stringify(value));
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
    if (text === undefined) {
      return undefined;
    }
    if (!text.includes("{}") || !hasOpaque(value, 0)) {
      return checked(text);
    }
  } catch {
    // A BigInt, a cycle, an exception, more levels than the stack has, or more text than fits a string.
  }
  return checked(new Writer().write(value, "", 0));
}

/** Arguments of a call as JSON: none where they are undefined, `null` where they have no JSON. */
export function argumentsText(args: unknown): string | undefined {
  return args === undefined ? undefined : (toJson(args) ?? "null");
}

/** Arguments of a call on their way into the engine. */
export interface ArgumentsParts {
  json: string | undefined;
  /** Names and values in turn of members that are left out of the JSON. */
  texts: string[] | undefined;
}

/**
 * Arguments of a call as JSON, with the long strings of an object on their own: the engine writes these as JSON anyway, so
 * that writing and reading them as JSON here would be done in vain.
 */
export function argumentsParts(args: unknown): ArgumentsParts {
  return withTextsApart(args) ?? { json: argumentsText(args), texts: undefined };
}

/** The parts, where the arguments are a plain object with long strings. */
function withTextsApart(args: unknown): ArgumentsParts | undefined {
  try {
    if (typeof args !== "object" || args === null || Array.isArray(args)) {
      return undefined;
    }
    const members = args as Record<string, unknown>;
    const keys = Object.keys(members);
    const isLong = (value: unknown) => typeof value === "string" && value.length >= LONG;
    if (!keys.some((key) => isLong(members[key])) || !isPlain(args, keys)) {
      return undefined;
    }
    const rest: Record<string, unknown> = {};
    const texts: string[] = [];
    let length = 0;
    for (const key of keys) {
      const value = members[key];
      if (isLong(value)) {
        texts.push(key, value as string);
        length += (value as string).length;
      } else {
        rest[key] = value;
      }
    }
    return length > MOST_APART ? undefined : { json: argumentsText(rest), texts };
  } catch (error) {
    if (error instanceof UnstuckError) {
      throw error;
    }
    // What throws here is written with care.
    return undefined;
  }
}

/** Whether `JSON.stringify` writes the members of an object and nothing else, and so it does for a copy. */
function isPlain(args: object, keys: string[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(args);
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (args as { toJSON?: unknown }).toJSON !== "function" &&
    !keys.includes("__proto__")
  );
}

/** JSON in which each half of a surrogate pair without its other half is U+FFFD. */
export function wellFormed(json: string): string {
  if (!json.includes("\\ud")) {
    return json;
  }
  // `JSON.stringify` writes whole pairs as they are, so a surrogate that is escaped is alone.
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.startsWith("\\ud") ? "\ufffd" : escape,
  );
}

function checked<T extends string | undefined>(text: T): T {
  if (text !== undefined && text.length > LONGEST) {
    throw tooMuch(`the value has ${text.length} characters, at most ${LONGEST} are read`);
  }
  return text;
}

function tooMuch(why: string): UnstuckError {
  return new UnstuckError("value", why);
}

/** Whether `JSON.stringify` writes `{}` for something that is not an empty plain object. */
function hasOpaque(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth > DEEPEST) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.some((element) => hasOpaque(element, depth + 1));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype !== Object.prototype && prototype !== null;
  }
  const members = value as Record<string, unknown>;
  return keys.some((key) => hasOpaque(members[key], depth + 1));
}

/** Writes what `JSON.stringify` cannot write. */
class Writer {
  #ancestors: unknown[] = [];
  #values = 0;
  #length = 0;

  write(value: unknown, key: string, depth: number): string | undefined {
    this.#values += 1;
    if (this.#values > MOST) {
      throw tooMuch(`the value has more than ${MOST} values within it`);
    }
    let text: string | undefined;
    try {
      text = this.#any(value, key, depth);
    } catch (error) {
      if (error instanceof UnstuckError) {
        throw error;
      }
      text = JSON.stringify(`[throws ${nameOf(error)}]`);
    }
    this.#length += text?.length ?? 0;
    // Each level adds what is within it once more.
    if (this.#length > LONGEST * 4) {
      throw tooMuch(`the value has too many characters, at most ${LONGEST} are read`);
    }
    return text;
  }

  #any(given: unknown, key: string, depth: number): string | undefined {
    let value = given;
    if ((typeof value === "object" && value !== null) || typeof value === "bigint") {
      const toJSON: unknown = (value as { toJSON?: unknown }).toJSON;
      if (typeof toJSON === "function") {
        value = toJSON.call(value, key);
      }
    }
    switch (typeof value) {
      case "bigint":
        return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value
          ? String(value)
          : `"${value}"`;
      case "object":
        return value === null ? "null" : this.#object(value, depth + 1);
      default:
        return JSON.stringify(value);
    }
  }

  #object(value: object, depth: number): string | undefined {
    if (this.#ancestors.includes(value)) {
      return '"[circular]"';
    }
    if (depth > DEEPEST) {
      throw tooMuch(`nesting over ${DEEPEST} levels`);
    }
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return JSON.stringify(value);
    }
    this.#ancestors.push(value);
    try {
      return this.#members(value, depth);
    } finally {
      this.#ancestors.pop();
    }
  }

  #members(value: object, depth: number): string {
    if (Array.isArray(value)) {
      return this.#array(value, depth);
    }
    if (value instanceof Map || value instanceof Set) {
      return this.#array([...value], depth);
    }
    const keys = Object.keys(value);
    if (keys.length === 0 && value instanceof Error) {
      return JSON.stringify(nameOf(value));
    }
    if (keys.length === 0 && value instanceof RegExp) {
      return JSON.stringify(String(value));
    }
    const written: string[] = [];
    for (const key of keys) {
      const member = this.#member(value, key, depth);
      if (member !== undefined) {
        written.push(`${JSON.stringify(key)}:${member}`);
      }
    }
    return `{${written.join(",")}}`;
  }

  #array(elements: unknown[], depth: number): string {
    const written: string[] = [];
    for (let index = 0; index < elements.length; index += 1) {
      written.push(this.#member(elements, String(index), depth) ?? "null");
    }
    return `[${written.join(",")}]`;
  }

  #member(holder: object, key: string, depth: number): string | undefined {
    let member: unknown;
    try {
      member = (holder as Record<string, unknown>)[key];
    } catch (error) {
      return JSON.stringify(`[throws ${nameOf(error)}]`);
    }
    return this.write(member, key, depth);
  }
}

/** Name and message of anything that was thrown. */
export function nameOf(thrown: unknown): string {
  try {
    return String(thrown).slice(0, 10_000);
  } catch {
    return "something without a name";
  }
}
