import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Binding, NativeGuard } from "./binding.js";
import { UnstuckError } from "./errors.js";

/** The addon has what the classes need, and scans. */
export interface Addon extends Binding {
  NativeGuard: new (options: string) => NativeScanner;
  ScanStop: new () => ScanStop;
}

/** Stops a scan that it was given to. */
export interface ScanStop {
  stop(): void;
}

export interface NativeScanner extends NativeGuard {
  scan(
    what: string[] | Uint8Array | undefined,
    name: string | undefined,
    keepSecrets: boolean,
    stop: ScanStop | undefined,
  ): Promise<string>;
}

/** Name of the package with the addon and the command for this platform. */
export function platformPackage(): string {
  return `@unstuck/${process.platform}-${process.arch}${libc()}`;
}

/** Loads the addon: that of UNSTUCK_ADDON, that of the package for this platform, or one beside this package. */
export function load(): Addon {
  const load = createRequire(__filename);
  const named = process.env["UNSTUCK_ADDON"];
  if (named !== undefined && named !== "") {
    return load(named) as Addon;
  }
  const found = platformDirectory();
  if (found === undefined) {
    throw new UnstuckError(
      "fault",
      `the package ${platformPackage()} is not installed; npm installs it with \`unstuck\` unless optional dependencies are left out (--omit=optional), and there may be none for this platform`,
    );
  }
  return load(join(found, "unstuck.node")) as Addon;
}

/** Where the package for this platform is. */
export function platformDirectory(): string | undefined {
  try {
    const manifest = createRequire(__filename).resolve(`${platformPackage()}/package.json`);
    const directory = dirname(manifest);
    return existsSync(join(directory, "unstuck.node")) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** On Linux, `-gnu` or `-musl`. */
function libc(): string {
  if (process.platform !== "linux") {
    return "";
  }
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? "-musl" : "-gnu";
}
