import { binding, type NativeAnswer, type NativeGuard } from "./binding.js";
import { Allowed, Answer, type CallDecision, type Decision } from "./decision.js";
import { known, throwing, UnstuckError } from "./errors.js";
import { type GuardOptions, optionsText } from "./options.js";
import { argumentsParts, nameOf, toJson, wellFormed } from "./value.js";

/** Time of an event, where it is not that of the guard's clock. */
export interface At {
  /** Milliseconds. */
  at?: number;
}

/** What is known of a call beside its tool and arguments. */
export interface CallOptions extends At {
  /** The id that the model gave the call. Without it, the guard makes one up: `callId` of the decision. */
  id?: string;
  /** Identity of the call; it takes the place of the arguments. */
  key?: string;
  /** The tool changes nothing. */
  readOnly?: boolean;
  idempotent?: boolean;
}

export interface ResultOptions extends At {
  /** `ok` unless given, and `error` where the output is an `Error`. */
  status?: "ok" | "error" | "denied" | "cancelled" | "pending";
  exitCode?: number;
}

/** Cost of a turn, for budgets. */
export interface Usage {
  tokens?: number;
  cost?: number;
}

/** An event of the wire contract. */
export interface WireEvent {
  event:
    | "call"
    | "result"
    | "step"
    | "text"
    | "turn"
    | "user"
    | "retry"
    | "compaction"
    | "resume"
    | "reset";
  session?: string;
  agent?: string;
  swarm?: string;
  at?: number;
  [field: string]: unknown;
}

/** Whose events they are. */
interface Names {
  session: string | undefined;
  agent: string | undefined;
  swarm: string | undefined;
}

/** What agents of one guard share. */
interface Shared {
  native: NativeGuard;
  now: (() => number) | undefined;
  fail: "open" | "closed" | undefined;
}

/** One agent of a guard. `Guard.agent` makes one. */
export class AgentGuard {
  readonly #native: NativeGuard;
  readonly #now: (() => number) | undefined;
  readonly #session: string | undefined;
  readonly #agent: string | undefined;
  readonly #swarm: string | undefined;
  readonly #shared: Shared;

  /** @internal */
  protected constructor(shared: Shared, names: Names) {
    this.#shared = shared;
    this.#native = shared.native;
    this.#now = shared.now;
    this.#session = named("session", names.session);
    this.#agent = named("agent", names.agent);
    this.#swarm = named("swarm", names.swarm);
  }

  /** @internal */
  protected static of(shared: Shared, names: Names): AgentGuard {
    return new AgentGuard(shared, names);
  }

  get session(): string {
    return this.#session ?? "default";
  }

  get agentName(): string {
    return this.#agent ?? "main";
  }

  /**
   * Counts a call and answers whether it may run. If the decision does not permit it, give its message to the model as the
   * result of the call; otherwise run the tool, and hand what it returned to `afterCall`.
   */
  beforeCall(tool: string, args?: unknown, options?: CallOptions): CallDecision {
    const text = checkedText("tool", tool);
    const id = options?.id;
    try {
      const { json, texts } = argumentsParts(args);
      const answer =
        options === undefined && this.#swarm === undefined && texts === undefined
          ? this.#native.beforeCall(text, json, this.#now?.(), this.#session, this.#agent)
          : this.#native.beforeCall(
              text,
              json,
              this.#time(options),
              this.#session,
              this.#agent,
              id,
              stated(options, this.#swarm),
              texts,
            );
      return this.#decision(answer, id) as CallDecision;
    } catch (error) {
      return this.#failed(error, id) as CallDecision;
    }
  }

  /**
   * Records what a call returned, and answers. A message of the decision belongs behind the result that the model sees.
   *
   * @param call the decision of `beforeCall`, or the id that was given there
   * @param output any value; an `Error` means that the call failed, and undefined that nothing is known of the output
   */
  afterCall(call: CallDecision | string, output?: unknown, options?: ResultOptions): Decision {
    const id =
      call instanceof Answer ? Answer.idOf(call) : checkedText("the id of a call", call as string);
    try {
      let status = options?.status;
      let text: string | undefined;
      let isText = true;
      if (typeof output === "string") {
        text = output;
      } else if (isError(output)) {
        status ??= "error";
        text = nameOf(output);
      } else if (output !== undefined) {
        text = toJson(output) ?? "null";
        isText = false;
      }
      const answer = this.#native.afterCall(
        id,
        text,
        isText,
        this.#time(options),
        this.#session,
        this.#agent,
        status,
        options?.exitCode,
      );
      return this.#decision(answer, undefined);
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  /** Records the end of the model's turn: all its calls ran. */
  turn(options?: Usage & At): Decision {
    if (options !== undefined) {
      return this.#event({ event: "turn", tokens: options.tokens, cost: options.cost }, options);
    }
    try {
      return this.#decision(
        this.#native.turn(this.#now?.(), this.#session, this.#agent),
        undefined,
      );
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  /** Records what the model wrote. Texts within one turn are one stream. */
  text(text: string, options?: { role?: "assistant" | "thinking" } & At): Decision {
    return this.#event(
      { event: "text", text: checkedText("text", text), role: options?.role },
      options,
    );
  }

  /** Records a message of a person. */
  user(text = "", options?: At): Decision {
    return this.#event({ event: "user", text: checkedText("text", text) }, options);
  }

  /** Records a compound action with its outcome. */
  step(code: string, output?: unknown, options?: At): Decision {
    return this.#event({ event: "step", code: checkedText("code", code), output }, options);
  }

  /** The provider replays the turn: its calls so far are forgotten. */
  retry(options?: At): Decision {
    return this.#event({ event: "retry" }, options);
  }

  /** The context was compacted. */
  compaction(options?: At): Decision {
    return this.#event({ event: "compaction" }, options);
  }

  /** The run goes on in a new process. */
  resume(options?: At): Decision {
    return this.#event({ event: "resume" }, options);
  }

  /** Forgets everything about this agent and lifts a halt. */
  reset(options?: At): Decision {
    return this.#event({ event: "reset" }, options);
  }

  /** Judges a call as if it were made now, without counting it. */
  check(tool: string, args?: unknown): Decision {
    const text = checkedText("tool", tool);
    try {
      const { json, texts } = argumentsParts(args);
      const answer = this.#native.check(text, json, this.#session, this.#agent, texts);
      return this.#decision(answer, undefined);
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  /** The state of this agent, for `restore` in another process; null if nothing is known of the agent. */
  snapshot(): Uint8Array | null {
    return throwing(() => this.#native.snapshot(this.#session, this.#agent) ?? null);
  }

  /** Replaces the state of this agent. */
  restore(snapshot: Uint8Array): void {
    if (!(snapshot instanceof Uint8Array)) {
      throw new TypeError("a snapshot is a Uint8Array");
    }
    throwing(() => this.#native.restore(snapshot, this.#session, this.#agent));
  }

  /** @internal Answers a line of the wire contract; its own names and time count. */
  protected observeLine(line: string): Decision {
    try {
      return this.#decision(this.#native.observe(line), undefined);
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  #event(event: WireEvent, options: At | undefined): Decision {
    try {
      const whole = {
        ...event,
        session: this.#session,
        agent: this.#agent,
        swarm: this.#swarm,
        at: wholeNumber(this.#time(options)),
      };
      const line = wellFormed(toJson(whole) ?? "null");
      return this.#decision(this.#native.observe(line), undefined);
    } catch (error) {
      return this.#failed(error, undefined);
    }
  }

  #time(options: At | undefined): number | undefined {
    return options?.at ?? this.#now?.();
  }

  #decision(answer: NativeAnswer, id: string | undefined): Decision {
    if (typeof answer === "number") {
      return new Allowed(id, answer, this.session, this.agentName) as unknown as Decision;
    }
    return Object.assign(new Answer(id), JSON.parse(answer)) as unknown as Decision;
  }

  /** The decision about an event that could not be judged, or else its error. */
  #failed(error: unknown, id: string | undefined): Decision {
    const cause = known(error);
    if (this.#shared.fail === undefined || !(cause instanceof UnstuckError)) {
      throw cause;
    }
    const isOpen = this.#shared.fail === "open";
    const answer = new Allowed(id ?? "unstuck-0", 0, this.session, this.agentName);
    return Object.assign(answer, {
      verdict: isOpen ? "allow" : "deny",
      error: cause.message,
      ...(isOpen ? {} : { message: `This call was not run: it could not be judged (${cause.message}).` }),
    }) as unknown as Decision;
  }
}

/** An engine with any number of agents; its own methods are about the agent of its options. */
export class Guard extends AgentGuard {
  /** @internal */
  protected readonly native: NativeGuard;
  readonly #shared: Shared;
  readonly #swarm: string | undefined;

  constructor(options: GuardOptions = {}) {
    const native = throwing(() => new binding.NativeGuard(optionsText(options)));
    const fail = native.fail() ?? undefined;
    const shared: Shared = {
      native,
      now: options.now === null ? undefined : (options.now ?? Date.now),
      fail: fail as Shared["fail"],
    };
    super(shared, { session: options.session, agent: options.agent, swarm: options.swarm });
    this.native = native;
    this.#shared = shared;
    this.#swarm = options.swarm;
  }

  /** Settings that can never have an effect. */
  get warnings(): string[] {
    return this.native.warnings();
  }

  /** Another agent of this guard, of the guard's run unless one is named. */
  agent(agent: string, session = this.session): AgentGuard {
    return AgentGuard.of(this.#shared, { session, agent, swarm: this.#swarm });
  }

  /**
   * Answers any event of the wire contract, as an object or as a line of JSON. Session, agent and time are those of the
   * event; the guard's clock is not asked.
   */
  observe(event: WireEvent | string): Decision {
    return this.observeLine(typeof event === "string" ? event : (toJson(event) ?? "null"));
  }

  /**
   * Answers lines of events with lines of decisions, as `unstuck check` does: a line that is not an event is answered by
   * its error, and blank lines by nothing.
   */
  checkLines(text: string | Uint8Array): string {
    return throwing(() => this.native.checkLines(text));
  }
}

function stated(options: CallOptions | undefined, swarm: string | undefined): string | undefined {
  const { key, readOnly, idempotent } = options ?? {};
  if (swarm === undefined && key === undefined && readOnly === undefined && idempotent === undefined) {
    return undefined;
  }
  return wellFormed(JSON.stringify({ swarm, key, read_only: readOnly, idempotent }));
}

function checkedText(what: string, text: string): string {
  if (typeof text !== "string") {
    throw new TypeError(`${what} must be a string`);
  }
  return text;
}

function named(what: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : checkedText(what, name);
}

function wholeNumber(at: number | undefined): number | undefined {
  return at === undefined ? undefined : Math.trunc(at);
}

/** `instanceof` asks a Proxy, which may throw. */
function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
