import { load, type NativeScanner } from "./addon.js";
import { bind } from "./binding.js";
import { known } from "./errors.js";
import { Guard as CommonGuard } from "./guard.js";
import type { GuardOptions } from "./options.js";
import type { Report } from "./report.js";

const addon = load();
bind(addon);

export * from "./common.js";
export type { Loop, Report, Run, Totals } from "./report.js";

export interface ScanOptions {
  /** Leave in the report what looks like a password, key or token. */
  keepSecrets?: boolean;
  /** Ends the scan when it is aborted: the promise is rejected with its reason. */
  signal?: AbortSignal;
}

/**
 * Watches agents: it gets what they call and what the calls return, and answers each with allow, nudge, deny or halt.
 *
 * ```js
 * const guard = new Guard({ preset: "standard" });
 * const before = guard.beforeCall("read_file", { path: "src/auth.py" });
 * if (before.permits) {
 *   const after = guard.afterCall(before, "def login(): ...");
 *   if (!after.permits) throw new Error(after.message);
 * }
 * ```
 */
export class Guard extends CommonGuard {
  /**
   * Reads recordings and reports which runs went in circles: the object that `unstuck scan --format json` writes. The work
   * is done on another thread.
   *
   * @param paths files or directories; without any, what agents keep on this machine is read
   */
  async scan(paths?: string | readonly string[], options: ScanOptions = {}): Promise<Report> {
    const named = paths === undefined || Array.isArray(paths) ? paths : [paths];
    return this.#report(named as string[] | undefined, undefined, options);
  }

  /** Reports one recording. The name is what the report calls it. */
  async scanBytes(name: string, bytes: Uint8Array, options: ScanOptions = {}): Promise<Report> {
    return this.#report(bytes, name, options);
  }

  async #report(
    what: string[] | Uint8Array | undefined,
    name: string | undefined,
    options: ScanOptions,
  ): Promise<Report> {
    const { keepSecrets = false, signal } = options;
    signal?.throwIfAborted();
    const stop = signal === undefined ? undefined : new addon.ScanStop();
    const abort = () => stop?.stop();
    signal?.addEventListener("abort", abort);
    try {
      const scanner = this.native as NativeScanner;
      const report = await scanner.scan(what, name, keepSecrets, stop);
      signal?.throwIfAborted();
      return JSON.parse(report) as Report;
    } catch (error) {
      throw signal?.aborted === true ? error : known(error);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }
}

/** Reports recordings under the settings of these options. */
export async function scan(
  paths?: string | readonly string[],
  options: GuardOptions & ScanOptions = {},
): Promise<Report> {
  const { keepSecrets, signal, ...rest } = options;
  const chosen: ScanOptions = { keepSecrets: keepSecrets ?? false };
  return new Guard(rest).scan(paths, signal === undefined ? chosen : { ...chosen, signal });
}
