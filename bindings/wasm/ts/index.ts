import { bind } from "./binding.js";
import start, {
  fingerprint,
  NativeClassic,
  NativeGuard as Compiled,
  readTranscript,
  ruleNames,
} from "./wasm/unstuck.js";

export * from "./common.js";
export { Guard } from "./guard.js";

/** Where the compiled part is: its address, its response, its bytes, or the module itself. */
export type Source = URL | string | Request | Response | Promise<Response> | BufferSource | WebAssembly.Module;

class NativeGuard extends Compiled {
  override checkLines(text: string | number[] | Uint8Array): string {
    return super.checkLines(typeof text === "string" ? new TextEncoder().encode(text) : text);
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
