/**
 * Kind of an {@link UnstuckError}.
 *
 * - `settings`: the options have a mistake.
 * - `value`: a value has no canonical JSON; it nests too deep or is too long.
 * - `event`: not an event of the wire contract.
 * - `snapshot`: not a snapshot or checkpoint of this version.
 * - `scan`: recordings cannot be looked for.
 * - `fault`: a fault in unstuck.
 */
export type ErrorCode = "settings" | "value" | "event" | "snapshot" | "scan" | "fault";

const CODES: readonly string[] = ["settings", "value", "event", "snapshot", "scan", "fault"];

/** Any error of this package, apart from the `TypeError` for an argument of a wrong type. */
export class UnstuckError extends Error {
  override readonly name = "UnstuckError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error of the compiled part with its kind. What has none, such as a trap of WebAssembly, is a fault. */
export function known(error: unknown): unknown {
  if (error instanceof UnstuckError || error instanceof TypeError) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  const colon = message.indexOf(": ");
  const code = message.slice(0, Math.max(colon, 0));
  if (CODES.includes(code)) {
    return new UnstuckError(code as ErrorCode, message.slice(colon + 2));
  }
  return new UnstuckError("fault", `fault in unstuck: ${message}`, { cause: error });
}

/** Runs `work`, and throws its errors with their kinds. */
export function throwing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw known(error);
  }
}
