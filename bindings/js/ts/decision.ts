import type { RuleName } from "./rules.js";

/** A pattern that one rule detected. */
export interface Finding {
  readonly rule: RuleName;
  /** Occurrences, the first one included. */
  readonly repeats: number;
  /** Calls per lap; 1 for a plain repeat. */
  readonly period: number;
  /** Line of the first event that belongs to it. */
  readonly from: number;
  /** Line of the last event that belongs to it. */
  readonly to: number;
  /** One readable line per member of the pattern. */
  readonly pattern: readonly string[];
}

/** A change of the run or of a circuit breaker. */
export interface Transition {
  readonly from: Phase;
  readonly to: Phase;
  /** `run`, or the rule that has the breaker. */
  readonly of: string;
}

export type Phase = "running" | "halted" | "closed" | "open" | "half-open";

/** What the host may do beside following the verdict. */
export type Advice = "escalate" | "ask_user" | "summarise" | "collapse";

/** Members of every decision. */
interface Common {
  /** Number of the event; 0 if the event could not be judged. */
  readonly line: number;
  readonly session: string;
  readonly agent: string;
  /** What the rules found, also below their first threshold. */
  readonly findings?: readonly Finding[];
  /** Milliseconds after which the same call is worth another try. */
  readonly retry_after?: number;
  /** What the host may do. */
  readonly advice?: Advice;
  readonly transitions?: readonly Transition[];
  /** Whether the call may run and the run may go on: true for `allow` and `nudge`. Not a part of the decision's JSON. */
  readonly permits: boolean;
}

/** Why a decision is more than `allow`. */
interface Reason {
  readonly rule: RuleName;
  /** Occurrences, the first one included. */
  readonly repeats: number;
  /** Calls per lap. */
  readonly period: number;
  /** Text for the model: facts first, then what to do. */
  readonly message: string;
  /** One readable line per member of the pattern. */
  readonly pattern: readonly string[];
  readonly wasted: { readonly calls: number };
}

/** Go on. In the mode `observe`, `would` is the verdict that would have been given, with its reason. */
export interface Allow extends Common, Partial<Reason> {
  readonly verdict: "allow";
  readonly would?: "nudge" | "deny" | "halt";
  readonly level?: 1 | 2 | 3 | null;
  readonly status?: "LOOP_DETECTED" | null;
  readonly permits: true;
  readonly error?: undefined;
}

/** Go on, and give the message to the model. */
export interface Nudge extends Common, Reason {
  readonly verdict: "nudge";
  /** Urgency: 3 is the last nudge before a denial or a halt. */
  readonly level: 1 | 2 | 3;
  readonly status: null;
  readonly would?: undefined;
  readonly permits: true;
  readonly error?: undefined;
}

/** Do not run this call; the message is its result for the model. */
export interface Deny extends Common, Reason {
  readonly verdict: "deny";
  readonly level: null;
  readonly status: null;
  readonly would?: undefined;
  readonly permits: false;
  readonly error?: undefined;
}

/** End the run. */
export interface Halt extends Common, Reason {
  readonly verdict: "halt";
  readonly level: null;
  readonly status: "LOOP_DETECTED";
  readonly would?: undefined;
  readonly permits: false;
  readonly error?: undefined;
}

/** An event that could not be judged, in a guard that fails open: it is permitted, and was not counted. */
export interface FailedOpen extends Common {
  readonly verdict: "allow";
  readonly error: string;
  readonly message?: undefined;
  readonly rule?: undefined;
  readonly would?: undefined;
  readonly permits: true;
}

/** An event that could not be judged, in a guard that fails closed: it is denied, and was not counted. */
export interface FailedClosed extends Common {
  readonly verdict: "deny";
  readonly error: string;
  readonly message: string;
  readonly rule?: undefined;
  readonly would?: undefined;
  readonly permits: false;
}

/**
 * The answer to an event, told apart by `verdict`. Its own members are those of the wire contract, so
 * `JSON.stringify(decision)` is the line that `unstuck check` writes.
 */
export type Decision = Allow | Nudge | Deny | Halt | FailedOpen | FailedClosed;

/** The answer to a call, with the id that pairs it with its result. */
export type CallDecision = Decision & {
  /** The id of the call. Not a part of the decision's JSON. */
  readonly callId: string;
};

/** What a decision is made of: members of the wire as its own, the rest on its prototype. */
export class Answer {
  declare readonly verdict: string;
  declare readonly line: number;
  readonly #id: string | undefined;

  constructor(id: string | undefined) {
    this.#id = id;
  }

  get permits(): boolean {
    return this.verdict === "allow" || this.verdict === "nudge";
  }

  get callId(): string {
    return this.#id ?? `unstuck-${this.line}`;
  }

  /** The number or the id that the compiled part knows a call by. */
  static idOf(call: Answer): number | string {
    return call.#id ?? call.line;
  }
}

/** A decision that only allows. */
export class Allowed extends Answer {
  override readonly line: number;
  readonly session: string;
  readonly agent: string;
  override readonly verdict: string;

  constructor(id: string | undefined, line: number, session: string, agent: string) {
    super(id);
    this.line = line;
    this.session = session;
    this.agent = agent;
    this.verdict = "allow";
  }
}
