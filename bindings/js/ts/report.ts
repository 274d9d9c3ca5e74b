/** Calls, tokens and dollars; `usd` is null where nothing has a price. */
export interface Cost {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | null;
}

export type ReportVerdict = "allow" | "nudge" | "deny" | "halt";

/** One loop of a run. */
export interface Loop {
  readonly rule: string;
  readonly verdict: ReportVerdict;
  readonly repeats: number;
  readonly period: number;
  /** First and last line of the file; left out where a file has no lines. */
  readonly from?: number;
  readonly to?: number;
  readonly pattern: readonly string[];
  /** Other rules that found the same stretch. */
  readonly also?: readonly string[];
  readonly tool: string;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** First and last call of the run that the loop spans, counted from one. */
  readonly calls: { readonly from: number; readonly to: number };
  readonly members?: readonly number[];
  readonly unchanged: string;
  readonly last_result?: string;
  readonly wasted: Cost;
}

/** One agent of one session. */
export interface Run {
  readonly title: string;
  readonly project: string;
  readonly path: string;
  readonly format: string;
  readonly session: string;
  readonly agent: string;
  readonly models: readonly string[];
  readonly started?: number;
  readonly ended?: number;
  readonly calls: number;
  readonly results: number;
  readonly verdict: ReportVerdict;
  readonly loops: readonly Loop[];
  readonly wasted: Cost;
  readonly spent: Cost;
  readonly tools: readonly { readonly tool: string; readonly calls: number }[];
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
  readonly skipped: number;
  readonly repeated: number;
  readonly runs: number;
  readonly stuck: number;
  readonly loops: number;
  readonly calls: number;
  readonly results: number;
  readonly wasted: Cost;
  readonly spent: Cost;
  readonly unpriced: readonly string[];
  readonly interrupted: boolean;
  readonly redacted: boolean;
}

/** What `unstuck scan --format json` writes; `unstuck schema scan` prints its schema. */
export interface Report {
  readonly $schema: string;
  readonly schema_version: number;
  readonly tool_version: string;
  /** Every run that was read, worst first. */
  readonly runs: readonly Run[];
  readonly errors: readonly {
    readonly path: string;
    readonly kind: "unreadable" | "incomplete" | "bad-lines";
    readonly line: number | null;
    readonly error: string;
    readonly more?: number;
  }[];
  readonly skipped: readonly {
    readonly reason: string;
    readonly count: number;
    readonly advice: string;
    readonly files: readonly { readonly path: string; readonly detail?: string }[];
  }[];
  readonly totals: Totals;
}
