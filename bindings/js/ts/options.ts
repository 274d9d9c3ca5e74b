import type { RuleName } from "./rules.js";
import { UnstuckError } from "./errors.js";
import { toJson } from "./value.js";

export type Preset = "standard" | "ironcurtain" | "attractor" | "attocode" | "tool-loop-detector";

/** Options of a rule: its thresholds are numbers of occurrences. Others are listed in the configuration reference. */
export interface RuleOptions {
  enabled?: boolean;
  nudge?: number | "never";
  deny?: number | "never";
  halt?: number | "never";
  [option: string]: unknown;
}

type Kebab<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Kebab<Tail>>}`
  : Name;

/** A rule as it is called, or in camel case: `exact-repeat` or `exactRepeat`. */
export type RuleKey = RuleName | Kebab<RuleName>;

/**
 * The keys of `unstuck.toml`. Names may be written in camel case: `nudgePercent` is `nudge_percent`, and the rule
 * `exactRepeat` is `exact-repeat`. What is undefined or null is as if it were not there.
 */
export interface Settings {
  preset?: Preset;
  /** `observe`: decide and record, but allow everything. `off`: do nothing. */
  mode?: "enforce" | "observe" | "off";
  attendance?: "unattended" | "attended";
  rules?: { [Rule in RuleKey]?: RuleOptions };
  /** The first entry that matches a tool's name counts. */
  tools?: ReadonlyArray<{ tool: string; [option: string]: unknown }>;
  /**
   * What becomes of an event that cannot be judged, because its values nest too deep or unstuck has a fault: `open`
   * permits it, `closed` denies it. Without this, the method throws an `UnstuckError`.
   */
  fail?: "open" | "closed";
  [setting: string]: unknown;
}

export interface GuardOptions extends Settings {
  /** Text of an `unstuck.toml`; the other options win over it. */
  config?: string;
  /** The run that events belong to; `default` unless given. */
  session?: string;
  /** The agent that events belong to; `main` unless given. */
  agent?: string;
  /** The group in which repeated calls are counted together; the session unless given. */
  swarm?: string;
  /** Milliseconds on any clock; `Date.now` unless given. With `null`, time stands still. */
  now?: (() => number) | null;
}

/** Members of the options that are not settings. */
const OWN = new Set(["config", "session", "agent", "swarm", "now"]);

/** The options as the compiled part reads them. */
export function optionsText(options: GuardOptions): string {
  const settings: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (!OWN.has(name)) {
      const key = snake(name);
      settings[key] = key === "rules" || key === "texts" ? keyed(value, kebab) : keyed(value, snake);
    }
  }
  const index_key = [...globalThis.crypto.getRandomValues(new Uint8Array(16))];
  const text = toJson({ config: options.config, settings, index_key });
  if (text === undefined) {
    throw new UnstuckError("settings", "the options are not an object");
  }
  return text;
}

/** The same value with keys as in `unstuck.toml`; those at the top are spelt by `spelling`. */
function keyed(value: unknown, spelling: (name: string) => string, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 16) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((element) => keyed(element, snake, depth + 1));
  }
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [spelling(name), keyed(member, snake, depth + 1)]),
  );
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
