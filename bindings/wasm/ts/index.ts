import { bind } from "./binding.js";
import { known } from "./errors.js";
import { Guard as CommonGuard } from "./guard.js";
import type { Report } from "./report.js";
import start, {
  fingerprint,
  NativeClassic,
  NativeGuard as Compiled,
  readTranscript,
  ruleNames,
} from "./wasm/unstuck.js";

export * from "./common.js";
export type { Loop, Report, Run, Totals } from "./report.js";

/** Where the compiled part is: its address, its response, its bytes, or the module itself. */
export type Source = URL | string | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

class NativeGuard extends Compiled {
  override checkLines(text: string | number[] | Uint8Array): string {
    return super.checkLines(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }
}

/** How a recording is reported. */
export interface ScanOptions {
  /** Leave in the report what looks like a password, key or token. */
  keepSecrets?: boolean;
}

/** Outputs of `unstuck scan`. */
export type OutputName = "html" | "json" | "jsonl" | "junit" | "markdown" | "sarif" | "terminal";

/** Watches agents, and reports recordings. */
export class Guard extends CommonGuard {
  /** Reports one recording, packed or not. The name is what the report calls it. */
  scanBytes(name: string, bytes: Uint8Array, options: ScanOptions = {}): Report {
    return JSON.parse(this.render(name, bytes, ["json"], options)[0] as string) as Report;
  }

  /** Reports one recording, as texts: one for each of these outputs, as `unstuck scan --format` writes it. */
  render(name: string, bytes: Uint8Array, outputs: readonly OutputName[], options: ScanOptions = {}): string[] {
    try {
      const compiled = this.native as NativeGuard;
      return compiled.scanBytes(name, bytes, [...outputs], options.keepSecrets ?? false, Date.now());
    } catch (error) {
      throw known(error);
    }
  }
}

/**
 * Loads the compiled part. It is called once, before anything else of this module.
 *
 * ```js
 * import { Guard, init } from "./unstuck/index.js";
 * await init();
 * const guard = new Guard({ preset: "standard" });
 * ```
 *
 * @param source `wasm/unstuck_bg.wasm` beside this module unless given. Runtimes without `fetch` for such an address, such
 * as Node.js, pass its bytes or the module.
 */
export async function init(source?: Source): Promise<void> {
  await start({ module_or_path: source ?? new URL("./wasm/unstuck_bg.wasm", import.meta.url) });
  bind({ NativeGuard, NativeClassic, ruleNames, fingerprint, readTranscript });
}
