export * from "./classic.js";
export type {
  Advice,
  Allow,
  CallDecision,
  Decision,
  Deny,
  FailedClosed,
  FailedOpen,
  Finding,
  Halt,
  Nudge,
  Phase,
  Transition,
} from "./decision.js";
export { RULES, type RuleName } from "./rules.js";
export { type ErrorCode, UnstuckError } from "./errors.js";
export type { AgentGuard, At, CallOptions, ResultOptions, Usage, WireEvent } from "./guard.js";
export { type Recording, readTranscript } from "./transcript.js";
export type { GuardOptions, Preset, RuleKey, RuleOptions, Settings } from "./options.js";
