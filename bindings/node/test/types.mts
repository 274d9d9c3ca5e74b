// Checked by tsc, as an ES module and as CommonJS; never run.
import {
  CallCircuitBreaker,
  type CallDecision,
  type Decision,
  Guard,
  type Report,
  type RuleName,
  scan,
  StepLoopDetector,
  UnstuckError,
} from "unstuck";
import { Run, type RunHalted } from "unstuck/adapter";
import { guarded } from "unstuck/ai-sdk";
import { loopGuard } from "unstuck/langchain";

const guard = new Guard({
  preset: "standard",
  mode: "observe",
  rules: { "exact-repeat": { nudge: 4 }, nearRepeat: { halt: "never" } },
  tools: [{ tool: "*__sleep", exempt: true }],
  now: () => 1,
});

// @ts-expect-error: not a preset
new Guard({ preset: "other" });
// @ts-expect-error: not a rule
new Guard({ rules: { exact: {} } });
// @ts-expect-error: a tool has a name
guard.beforeCall(1);
// @ts-expect-error: not a status
guard.afterCall("1", "", { status: "well" });

function told(decision: Decision): string {
  switch (decision.verdict) {
    case "allow": {
      const permits: true = decision.permits;
      const would: "nudge" | "deny" | "halt" | undefined = decision.would;
      return `${permits} ${would} ${decision.message ?? ""}`;
    }
    case "nudge": {
      const level: 1 | 2 | 3 = decision.level;
      return `${level} ${decision.message}`;
    }
    case "deny": {
      const permits: false = decision.permits;
      const rule: RuleName | undefined = decision.rule;
      return `${permits} ${rule} ${decision.message}`;
    }
    case "halt": {
      const status: "LOOP_DETECTED" = decision.status;
      return `${status} ${decision.rule} ${decision.wasted.calls}`;
    }
  }
}

const before: CallDecision = guard.beforeCall("read", { path: "a" }, { id: "1", readOnly: true });
if (!before.permits) {
  const verdict: "deny" | "halt" = before.verdict;
  const message: string = before.message;
  told(before) + verdict + message;
}
// @ts-expect-error: decisions do not change
before.verdict = "allow";
const after: Decision = guard.afterCall(before, new Error("no"), { exitCode: 1 });
told(after);

const report: Promise<Report> = scan(["runs"], { preset: "attocode", keepSecrets: true });
const snapshot: Uint8Array | null = guard.agent("tester").snapshot();
const verdict = new StepLoopDetector({ stuck: { warn: 2 } }).analyzeStep("code", {});
if (verdict.action !== "allow") {
  const category: "full_stagnation" | "stuck" = verdict.category;
  category.length;
}
const checked = new CallCircuitBreaker({ threshold: 2 }).check("t", {});
if (!checked.allowed) {
  checked.reason.length;
}
const code: "settings" | "value" | "event" | "snapshot" | "scan" | "fault" = new UnstuckError("value", "").code;
void [report, snapshot, code];

const model: { model: string; prompt: number } = guarded({ model: "m", prompt: 1 }, { onHalt: "throw", loopKeys: { job: ({ id }: { id: string }) => id } });
// @ts-expect-error: not a way to end a run
guarded(model, { onHalt: "stop" });
loopGuard({ preset: "standard", rules: { nearRepeat: { halt: "never" } } });
export async function own(): Promise<string> {
  const called = await new Run({ guard }).call("search", {}, async () => 7);
  const answer: string | number = called.denied ?? called.output;
  return String(answer);
}
export const verdictOf = (error: RunHalted): Decision["verdict"] => error.decision.verdict;
