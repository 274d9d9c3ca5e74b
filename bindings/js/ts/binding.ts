import { UnstuckError } from "./errors.js";

/** What the compiled part has to offer: the addon of Node.js, or the module of WebAssembly. */
export interface Binding {
  NativeGuard: new (options: string) => NativeGuard;
  NativeClassic: new (name: string, numbers: string) => NativeClassic;
  ruleNames(): string[];
  fingerprint(tool: string, args: string): string;
  readTranscript(session: string, bytes: Uint8Array): string;
}

/** A line number where a decision is `allow` and nothing else; the text of the decision otherwise. */
export type NativeAnswer = number | string;

type Text = string | undefined;

export interface NativeGuard {
  beforeCall(
    tool: string,
    args: Text,
    at: number | undefined,
    session: Text,
    agent: Text,
    id?: Text,
    stated?: Text,
    texts?: string[],
  ): NativeAnswer;
  afterCall(
    id: number | string,
    output: Text,
    isText: boolean,
    at: number | undefined,
    session: Text,
    agent: Text,
    status?: Text,
    exitCode?: number,
  ): NativeAnswer;
  turn(at: number | undefined, session: Text, agent: Text): NativeAnswer;
  observe(line: string): string;
  check(tool: string, args: Text, session: Text, agent: Text, texts?: string[]): NativeAnswer;
  checkLines(text: string | Uint8Array): string;
  snapshot(session: Text, agent: Text): Uint8Array | null | undefined;
  restore(snapshot: Uint8Array, session: Text, agent: Text): void;
  warnings(): string[];
  fail(): string | null | undefined;
}

export interface NativeClassic {
  invoke(method: string, first?: Text, second?: Text, now?: number): string | null | undefined;
}

/** Set once, before any class is used. */
export let binding: Binding = new Proxy({} as Binding, {
  get() {
    throw new UnstuckError("fault", "the module is not loaded: `await init()` comes first");
  },
});

export function bind(compiled: Binding): void {
  binding = compiled;
}
