// Made by `cargo xtask generate`.

/** Names of all rules. */
export const RULES = [
  "exact-repeat",
  "near-repeat",
  "cycle",
  "stagnation",
  "stuck-outcome",
  "failure-cascade",
  "test-fix-cycle",
  "unknown-tool",
  "invalid-call",
  "no-op",
  "edit-revert",
  "poll",
  "chant",
  "summary-loop",
  "call-burst",
  "aimless",
  "swarm-loop",
  "relay",
  "budget",
  "reworded-query",
  "same-target",
] as const;

export type RuleName = (typeof RULES)[number];
