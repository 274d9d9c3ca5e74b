import { binding } from "./binding.js";
import { throwing } from "./errors.js";

/** A recording of an agent as events. */
export interface Recording {
  /** Name of the format; null if it is not known. */
  readonly format: string | null;
  /** Events of the wire contract, one a line, for `Guard.checkLines`. */
  readonly events: string;
  /** What could not be read. */
  readonly problems: readonly { readonly line: number | null; readonly message: string }[];
}

/** Reads a recording in any of the formats that `unstuck scan` reads, unpacked. The name is that of its file. */
export function readTranscript(name: string, bytes: Uint8Array): Recording {
  if (typeof name !== "string" || !(bytes instanceof Uint8Array)) {
    throw new TypeError("a recording is a name and a Uint8Array");
  }
  const file = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const session = file.replace(/\.[^.]*$/, "");
  return JSON.parse(throwing(() => binding.readTranscript(session, bytes))) as Recording;
}
