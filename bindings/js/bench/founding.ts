// The founding classes as their documents and sources describe them, without any engine: what `bench-bindings` compares
// with. Written for this comparison; the behaviour is that of the originals with default settings.
import { createHash } from "node:crypto";

/** IronCurtain: JSON with sorted keys, by recursion. */
export function stableStringify(value: unknown): string | undefined {
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((element) => stableStringify(element) ?? "").join(",")}]`;
  }
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${stableStringify(members[key]) ?? ""}`).join(",")}}`;
}

export function computeHash(value: unknown): string {
  return createHash("sha256").update(stableStringify(value) ?? "").digest("hex");
}

export class StepLoopDetector {
  approaches = new Set<string>();
  outcomes = new Set<string>();
  stagnation = 0;
  stuck = 0;

  analyzeStep(code: unknown, result: unknown): "allow" | "warn" | "block" {
    const approach = computeHash(code);
    const outcome = computeHash(result);
    const isOldApproach = this.approaches.has(approach);
    const isOldOutcome = this.outcomes.has(outcome);
    this.approaches.add(approach);
    this.outcomes.add(outcome);
    if (!isOldOutcome) {
      this.stagnation = 0;
      this.stuck = 0;
    } else if (isOldApproach) {
      this.stagnation += 1;
      this.stuck = 0;
    } else {
      this.stuck += 1;
      this.stagnation = 0;
    }
    if (this.stagnation >= 5 || this.stuck >= 8) {
      return "block";
    }
    return this.stagnation >= 3 || this.stuck >= 5 ? "warn" : "allow";
  }
}

export class CallCircuitBreaker {
  calls = new Map<string, number[]>();

  check(tool: string, args: unknown): { allowed: boolean } {
    const key = `${tool}:${computeHash(args)}`;
    const now = Date.now();
    const cutoff = now - 60_000;
    const times = this.calls.get(key) ?? [];
    const live = times.findIndex((time) => time > cutoff);
    const kept = live === -1 ? [] : times.slice(live);
    if (kept.length >= 20) {
      this.calls.set(key, kept);
      return { allowed: false };
    }
    kept.push(now);
    this.calls.set(key, kept);
    return { allowed: true };
  }
}

/** attocode: `JSON.stringify` with a replacer that sorts keys. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (member === null || typeof member !== "object" || Array.isArray(member)) {
      return member;
    }
    const members = member as Record<string, unknown>;
    const sorted: Record<string, unknown> = {};
    for (const key of Object.keys(members).sort()) {
      sorted[key] = members[key];
    }
    return sorted;
  });
}

const PRIMARY = ["path", "file_path", "command", "pattern", "query", "url", "content", "filename", "offset", "limit"];
const FILE_READ = /^\s*(?:cat|head|tail|wc|less|more|file|stat|md5sum|sha256sum)(?:\s+-\S+)*\s+([\w.\-@/]+)\s*$/;

function computeToolFingerprint(tool: string, argsJson: string): string {
  let args: Record<string, unknown>;
  try {
    args = JSON.parse(argsJson === "" ? "{}" : argsJson) as Record<string, unknown>;
  } catch {
    return `${tool}:${argsJson}`;
  }
  const command = args["command"];
  if (tool === "bash" && typeof command === "string" && !/[|;&<>]/.test(command)) {
    const file = FILE_READ.exec(command)?.[1];
    if (file !== undefined) {
      return `bash:file_read:${file}`;
    }
  }
  const primary: Record<string, unknown> = {};
  for (const key of PRIMARY) {
    if (key in args) {
      primary[key] = args[key];
    }
  }
  return `${tool}:${sortedJson(Object.keys(primary).length > 0 ? primary : args)}`;
}

export class LoopDetector {
  recent: { tool: string; args: string }[] = [];
  isDetected = false;

  recordToolCall(tool: string, value: unknown): boolean {
    const args = sortedJson(value);
    this.recent.push({ tool, args });
    if (this.recent.length > 10) {
      this.recent.shift();
    }
    let count = 0;
    for (let at = this.recent.length - 1; at >= 0; at -= 1) {
      const call = this.recent[at];
      if (call === undefined || `${call.tool}:${call.args}` !== `${tool}:${args}`) {
        break;
      }
      count += 1;
    }
    if (count < 3) {
      const print = computeToolFingerprint(tool, args);
      let similar = 0;
      for (let at = this.recent.length - 1; at >= 0; at -= 1) {
        const call = this.recent[at];
        if (call === undefined || computeToolFingerprint(call.tool, call.args) !== print) {
          break;
        }
        similar += 1;
      }
      count = similar >= 4 ? Math.max(count, similar) : count;
    }
    const wasDetected = this.isDetected;
    this.isDetected = count >= 3;
    return this.isDetected && !wasDetected;
  }
}

/** HackEurope26, from Python. */
export class ToolLoopDetector {
  hashes: string[] = [];

  record(tool: string, args: unknown): void {
    this.hashes.push(createHash("md5").update(`${tool}:${sortedJson(args)}`).digest("hex"));
    if (this.hashes.length > 20) {
      this.hashes.shift();
    }
  }

  isStuck(): boolean {
    const counts = new Map<string, number>();
    for (const hash of this.hashes) {
      const count = (counts.get(hash) ?? 0) + 1;
      if (count >= 3) {
        return true;
      }
      counts.set(hash, count);
    }
    return false;
  }
}
