import { binding, type NativeClassic } from "./binding.js";
import { throwing } from "./errors.js";
import { argumentsText, toJson } from "./value.js";

/** An object of the compiled part. What it answers is JSON. */
class Behind {
  readonly #object: NativeClassic;

  constructor(name: string, numbers: object) {
    this.#object = throwing(() => new binding.NativeClassic(name, JSON.stringify(numbers)));
  }

  ask(method: string, first?: string, second?: string, now?: number): unknown {
    const answer = throwing(() => this.#object.invoke(method, first, second, now));
    return answer === null || answer === undefined ? null : JSON.parse(answer);
  }
}

export interface StepThresholds {
  stagnation?: { warn?: number; block?: number };
  stuck?: { warn?: number; block?: number };
}

export type StepCategory = "full_stagnation" | "stuck";

export interface StepBlock {
  readonly action: "block";
  readonly category: StepCategory;
  readonly message: string;
}

export type StepVerdict =
  | { readonly action: "allow" }
  | { readonly action: "warn"; readonly category: StepCategory; readonly message: string }
  | StepBlock;

/** IronCurtain: steps with old code or old results. */
export class StepLoopDetector {
  readonly #behind: Behind;

  constructor(config: StepThresholds = {}) {
    this.#behind = new Behind("StepLoopDetector", config);
  }

  /** The verdict that blocked, until `reset`. */
  isBlocked(): StepBlock | null {
    return this.#behind.ask("isBlocked") as StepBlock | null;
  }

  /** Records a step that ran. An undefined result is an outcome of its own, different from null. */
  analyzeStep(code: string, result?: unknown): StepVerdict {
    const answer = this.#behind.ask("analyzeStep", String(code), toJson(result));
    return (answer as StepVerdict | null) ?? { action: "allow" };
  }

  reset(): void {
    this.#behind.ask("reset");
  }
}

export interface CircuitBreakerConfig {
  /** 60,000 unless given. */
  windowMs?: number;
  /** Identical calls within the window; 20 unless given. */
  threshold?: number;
  /** Workers that share the breaker; 1 unless given. */
  workerCount?: number;
}

export type CircuitBreakerVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string };

/** IronCurtain: too many identical calls within a sliding window of time. */
export class CallCircuitBreaker {
  readonly #behind: Behind;

  constructor(config: CircuitBreakerConfig = {}) {
    const { windowMs, threshold, workerCount } = config;
    this.#behind = new Behind("CallCircuitBreaker", {
      windowMs: count(windowMs),
      threshold: count(threshold),
      workerCount: count(workerCount),
    });
  }

  /** Whether the call may be made now. It is counted if so. */
  check(toolName: string, args?: unknown, now: number = Date.now()): CircuitBreakerVerdict {
    const answer = this.#behind.ask("check", toolName, argumentsText(args), now);
    return (answer as CircuitBreakerVerdict | null) ?? { allowed: true };
  }

  reset(): void {
    this.#behind.ask("reset");
  }
}

export interface LoopDetectionState {
  doomLoopDetected: boolean;
  lastTool: string | null;
  consecutiveCount: number;
  threshold: number;
  fuzzyThreshold: number;
  lastWarningTime: number;
}

export interface LoopDetectorTuning {
  /** Consecutive equal calls; 3 unless given. */
  threshold?: number;
  /** Consecutive similar calls; one more than `threshold` unless given. */
  fuzzyThreshold?: number;
}

export type ResultStatus = "ok" | "error" | "denied" | "cancelled" | "pending";

/** attocode: consecutive equal or similar calls, failing tests and commands, turns without a call. */
export class LoopDetector {
  readonly #behind: Behind;

  constructor(tuning: LoopDetectorTuning = {}) {
    this.#behind = new Behind("LoopDetector", {
      threshold: count(tuning.threshold),
      fuzzyThreshold: count(tuning.fuzzyThreshold),
    });
  }

  /**
   * Records a call, given with the JSON of its arguments. Returns true if a doom loop begins with it.
   *
   * The detector keeps the last ten calls itself: `recentToolCalls` is taken as in the original and not read.
   */
  updateDoomLoopState(tool: string, argsJson: string, recentToolCalls?: readonly unknown[]): boolean {
    void recentToolCalls;
    return this.#behind.ask("recordToolCall", tool, jsonOrText(argsJson)) === "detected";
  }

  /** Records a call. Returns true if a doom loop begins with it. */
  recordToolCall(tool: string, args?: unknown): boolean {
    return this.#behind.ask("recordToolCall", tool, argumentsText(args)) === "detected";
  }

  /** Records the result of the last call. Returns a message for the model if one is due. */
  recordResult(status: ResultStatus, output?: unknown): string | null {
    return this.#behind.ask("recordResult", status, toJson(output)) as string | null;
  }

  /** Records a turn without a call. Returns a message for the model if one is due. */
  recordTextOnlyTurn(): string | null {
    return this.#behind.ask("recordTextOnlyTurn") as string | null;
  }

  /** Message for the model about the present doom loop. */
  prompt(): string | null {
    return this.#behind.ask("prompt") as string | null;
  }

  getState(): LoopDetectionState {
    return this.#behind.ask("getState") as LoopDetectionState;
  }

  /** Failing test runs and shell commands since the last good one, and turns of text since the last call. */
  getCounters(): { testFailures: number; bashFailures: number; textOnlyTurns: number } {
    return this.#behind.ask("counters") as ReturnType<LoopDetector["getCounters"]>;
  }

  /** Forgets everything but the thresholds. */
  reset(): void {
    this.#behind.ask("reset");
  }
}

/** attocode: what similar calls are compared by, from the JSON of the arguments. */
export function computeToolFingerprint(tool: string, argsJson: string): string {
  return throwing(() => {
    const args = jsonOrText(argsJson);
    const isText = args !== argsJson && argsJson !== "";
    return isText ? `${tool}:${argsJson}` : binding.fingerprint(tool, args);
  });
}

export interface SharedEconomicsConfig {
  /** Calls of all workers together; 10 unless given. */
  globalDoomLoopThreshold?: number;
  /** Workers that must have made the call; 2 unless given. The original does not ask for more than 1. */
  workers?: number;
}

export interface SharedEconomicsCheckpoint {
  fingerprints?: { fingerprint: string; count: number; workers: string[] }[];
}

/** attocode: one call repeated across the workers of a swarm. */
export class SharedEconomicsState {
  readonly #behind: Behind;

  constructor(config: SharedEconomicsConfig = {}) {
    this.#behind = new Behind("SharedEconomicsState", {
      calls: count(config.globalDoomLoopThreshold),
      workers: count(config.workers),
    });
  }

  /** Counts a call of a worker by its fingerprint, which `computeToolFingerprint` makes. */
  record(workerId: string, fingerprint: string): void {
    this.#behind.ask("record", workerId, fingerprint);
  }

  isGlobalDoomLoop(fingerprint: string): boolean {
    return this.#behind.ask("isGlobalDoomLoop", fingerprint) === true;
  }

  getGlobalLoopInfo(fingerprint: string): { count: number; workerCount: number } | null {
    return this.#behind.ask("getGlobalLoopInfo", fingerprint) as ReturnType<
      SharedEconomicsState["getGlobalLoopInfo"]
    >;
  }

  /** Fingerprints of all global loops. */
  getGlobalLoops(): string[] {
    return this.#behind.ask("getGlobalLoops") as string[];
  }

  getStats(): { fingerprints: number; globalLoops: number } {
    return this.#behind.ask("getStats") as ReturnType<SharedEconomicsState["getStats"]>;
  }

  /** Message for a worker that has just made this call; null if it is not a global loop. */
  prompt(fingerprint: string): string | null {
    return this.#behind.ask("prompt", fingerprint) as string | null;
  }

  clear(): void {
    this.#behind.ask("reset");
  }

  toJSON(): SharedEconomicsCheckpoint {
    return this.#behind.ask("toJSON") as SharedEconomicsCheckpoint;
  }

  /** Listed calls get the counts of the checkpoint, others keep theirs. */
  restoreFrom(checkpoint: SharedEconomicsCheckpoint): void {
    this.#behind.ask("restoreFrom", toJson(checkpoint) ?? "null");
  }
}

/** HackEurope26: any call that occurs too often among the last ones. */
export class ToolLoopDetector {
  readonly #behind: Behind;

  constructor(repeatThreshold = 3, historySize = 20) {
    this.#behind = new Behind("ToolLoopDetector", {
      repeatThreshold: count(repeatThreshold),
      historySize: count(historySize),
    });
  }

  record(toolName: string, toolArgs?: unknown): void {
    this.#behind.ask("record", toolName, argumentsText(toolArgs));
  }

  isStuck(): boolean {
    return this.#behind.ask("isStuck") === true;
  }

  reset(): void {
    this.#behind.ask("reset");
  }
}

export interface CycleWarning {
  readonly action: "warn" | "warn_strongly" | "force_stop";
  /** `LOOP_DETECTED` where the session is to be stopped. */
  readonly status: "LOOP_DETECTED" | null;
  /** Calls in one lap: 1, 2 or 3. */
  readonly period: number;
  readonly pattern: readonly string[];
  /** How often this pattern has been found. */
  readonly occurrence: number;
  /** Consecutive laps, including the first. */
  readonly count: number;
  readonly message: string;
}

/** attractor: repeated sequences of one, two or three calls. */
export class CycleDetector {
  readonly #behind = new Behind("CycleDetector", {});

  /** Records a call. Returns a warning if the call completes a lap. */
  record(tool: string, args?: unknown): CycleWarning | null {
    return this.#behind.ask("record", tool, argumentsText(args)) as CycleWarning | null;
  }

  /** Records a message of the user: occurrences are forgotten, calls are not. */
  userMessage(): void {
    this.#behind.ask("userMessage");
  }

  reset(): void {
    this.#behind.ask("reset");
  }
}

/** The specification behind attractor: a window of calls that is one repeated sequence. */
export class SpecWindow {
  readonly #behind: Behind;

  constructor(window = 10) {
    this.#behind = new Behind("SpecWindow", { window: count(window) });
  }

  record(tool: string, args?: unknown): void {
    this.#behind.ask("record", tool, argumentsText(args));
  }

  windowIsLoop(): boolean {
    return this.#behind.ask("windowIsLoop") === true;
  }

  reset(): void {
    this.#behind.ask("reset");
  }
}

/** A whole number that the compiled part can read. */
function count(number: number | undefined): number | undefined {
  if (number === undefined) {
    return undefined;
  }
  if (typeof number !== "number" || Number.isNaN(number)) {
    throw new TypeError("a threshold must be a number");
  }
  return Math.min(Math.max(Math.floor(number), 0), 0xffff_ffff);
}

/** Arguments as they were written, or as a string if they are not JSON. An empty text has no arguments. */
function jsonOrText(text: string): string {
  if (text === "") {
    return "{}";
  }
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
