import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type AgentGuard, type Decision, Guard, type GuardOptions } from "./index.js";

/** Identity of a call, from its arguments. It takes their place where calls are compared. */
export type LoopKey = string | ((args: never) => string | undefined);

/** Options of every adapter: the settings of a `Guard`, and how a run is ended. */
export interface AdapterOptions extends GuardOptions {
  /** The guard to use. Without one every run has its own, with these settings. */
  guard?: Guard;
  /** After a halt the run ends with its reason as the final answer (`answer`, the default), or a `RunHalted` is thrown. */
  onHalt?: "answer" | "throw";
  /** Identities of calls by the name of their tool. A tool may also have a member `loopKey`. */
  loopKeys?: Readonly<Record<string, LoopKey>>;
}

/** Thrown where a run is halted and `onHalt` is `throw`. */
export class RunHalted extends Error {
  override readonly name = "RunHalted";

  constructor(readonly decision: Decision) {
    super(decision.message ?? "the run was halted");
  }
}

/** Text for the model, and the part of the conversation that it follows. */
interface Placed {
  at: number;
  behind: string;
  text: string;
}

/** A call that was recorded. */
export interface Begun {
  readonly id: string;
  readonly denied: string | undefined;
}

/** What a call returned, or the text that takes the place of its result. */
export type Called<T> = { readonly denied: string } | { readonly denied?: undefined; readonly output: T };

const runs = new AsyncLocalStorage<Run>();

/**
 * One run of one agent. A run that starts within a tool of another run is a sub-agent of it: both are agents of one session
 * and one swarm.
 */
export class Run {
  readonly agent: AgentGuard;
  readonly #guard: Guard;
  readonly #options: AdapterOptions;
  readonly #placed: Placed[] = [];
  #nudges: string[] = [];
  #children = 0;
  #halt: Decision | undefined;

  /** The run that the present code is a part of. */
  static current(): Run | undefined {
    return runs.getStore();
  }

  constructor(options: AdapterOptions = {}) {
    const { guard, onHalt: _, loopKeys: __, ...settings } = options;
    const parent = runs.getStore();
    this.#options = options;
    this.#guard = parent === undefined ? (guard ?? new Guard({ fail: "open", ...settings })) : parent.#guard;
    const session = parent?.agent.session ?? options.session ?? randomUUID();
    const name = options.agent ?? "main";
    this.agent = this.#guard.agent(parent === undefined ? name : parent.#childName(options.agent), session);
  }

  /** Records a call, and returns its id. Where it may not run, `denied` is the text that takes the place of its result. */
  before(tool: string, args: unknown, id?: string, loopKey?: unknown): Begun {
    const key = keyOf(loopKey ?? this.#options.loopKeys?.[tool], args);
    const decision = this.agent.beforeCall(tool, args ?? {}, {
      ...(id === undefined ? {} : { id }),
      ...(key === undefined ? {} : { key }),
    });
    this.#follow(decision);
    return {
      id: decision.callId,
      denied: decision.permits ? undefined : (decision.message ?? "This call was not run."),
    };
  }

  /** Records what a call returned; an `Error` is a failed call. */
  after(id: string, output: unknown, status?: "ok" | "error" | "denied" | "cancelled"): void {
    this.#follow(this.agent.afterCall(id, output, status === undefined ? {} : { status }));
  }

  /** Records a call that the framework answered by itself: its tool does not exist, or its arguments are invalid. */
  rejected(tool: string, args: unknown, error: unknown, id?: string): void {
    this.answered(tool, args, error instanceof Error ? error : String(error), id, "error");
  }

  /** Records a call that ran unseen, with its result. */
  answered(tool: string, args: unknown, output: unknown, id?: string, status?: "ok" | "error"): void {
    const begun = this.before(tool, args, id);
    if (begun.denied === undefined) {
      this.after(begun.id, output, status);
    }
  }

  /** Judges a call, runs it and records what it returned or threw. */
  async call<T>(tool: string, args: unknown, work: () => T, id?: string, loopKey?: unknown): Promise<Called<Awaited<T>>> {
    const begun = this.before(tool, args, id, loopKey);
    return begun.denied === undefined ? { output: await this.watched(begun.id, work) } : { denied: begun.denied };
  }

  /** Runs a call that was recorded, and records what it returned, threw or, where it yields values, yielded last. */
  watched<T>(id: string, work: () => T): T {
    const failed = (error: unknown): never => {
      this.after(id, error instanceof Error ? error : new Error(String(error)));
      throw error;
    };
    const done = <R>(output: R): R => {
      this.after(id, output);
      return output;
    };
    let result: T;
    try {
      result = this.within(work);
    } catch (error) {
      return failed(error);
    }
    if (isObject(result) && Symbol.asyncIterator in result) {
      return this.#yielding(result as AsyncIterable<unknown>, done, failed) as T;
    }
    return isObject(result) && "then" in result ? (Promise.resolve(result).then(done, failed) as T) : done(result);
  }

  /** Runs `work` as a part of this run: runs that start within it are sub-agents. */
  within<T>(work: () => T): T {
    return runs.run(this, work);
  }

  /** Records the end of a step, all calls of which have run, and what the model wrote in it. */
  turn(text?: string, tokens?: number): void {
    if (text) {
      this.#follow(this.agent.text(text));
    }
    this.#follow(this.agent.turn(tokens === undefined ? undefined : { tokens }));
  }

  /** Records what a person wrote. */
  user(text?: string): void {
    this.#follow(this.agent.user(text));
  }

  /** Reason of the halt, where the run is halted. */
  get reason(): string | undefined {
    return this.#halt?.message;
  }

  /** Reason of the halt, as the final answer; undefined unless the run is halted. Throws if the options say so. */
  halted(): string | undefined {
    if (this.#halt !== undefined && this.#options.onHalt === "throw") {
      throw new RunHalted(this.#halt);
    }
    return this.reason;
  }

  /** What the model is to be shown behind the results of the last step; undefined if nothing. Returned once. */
  nudge(): string | undefined {
    const texts = [...new Set(this.#nudges)];
    this.#nudges = [];
    return texts.length === 0 ? undefined : texts.join("\n\n");
  }

  /**
   * A conversation with all nudges of the run, for frameworks that do not keep what is added to it. A nudge follows the part
   * that was last when it was given, and is left out where that part has gone.
   */
  placed<T>(conversation: readonly T[], message: (text: string) => T): T[] {
    const own = conversation.length;
    const text = this.nudge();
    if (text !== undefined && own > 0) {
      this.#placed.push({ at: own, behind: fingerprint(conversation[own - 1]), text });
    }
    const whole = [...conversation];
    for (const { at, behind, text } of this.#placed.toReversed()) {
      if (at <= own && fingerprint(conversation[at - 1]) === behind) {
        whole.splice(at, 0, message(text));
      }
    }
    return whole;
  }

  async *#yielding(values: AsyncIterable<unknown>, done: (last: unknown) => unknown, failed: (error: unknown) => never) {
    const iterator = values[Symbol.asyncIterator]();
    let last: unknown;
    try {
      for (;;) {
        const next = await this.within(() => iterator.next());
        if (next.done) {
          break;
        }
        last = next.value;
        yield last;
      }
    } catch (error) {
      failed(error);
    } finally {
      await iterator.return?.();
    }
    done(last);
  }

  #follow(decision: Decision): Decision {
    if (decision.verdict === "nudge") {
      this.#nudges.push(decision.message);
    } else if (decision.verdict === "halt") {
      this.#halt ??= decision;
    }
    return decision;
  }

  #childName(name: string | undefined): string {
    this.#children += 1;
    return `${this.agent.agentName}/${name ?? "agent"}-${this.#children}`;
  }
}

function keyOf(loopKey: unknown, args: unknown): string | undefined {
  const key: unknown = typeof loopKey === "function" ? loopKey(args) : loopKey;
  return typeof key === "string" ? key : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function fingerprint(part: unknown): string {
  return JSON.stringify(part) ?? "";
}
