/** Adapter for the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`): hooks. */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/** Sessions that are remembered. */
const SESSIONS = 1_000;

interface Known {
  run: Run;
  seen: Set<string>;
}

/**
 * `query`, guarded. What a message of a person sets off is one run; sub-agents are agents of it.
 *
 * ```js
 * for await (const message of guarded(query)({ prompt, options })) { … }
 * ```
 */
export function guarded<Q extends (parameters: never) => object>(query: Q, settings: AdapterOptions = {}): Q {
  const sessions = new Map<string, { main: Known; agents: Map<string, Known> }>();
  const begin = (session: string) => {
    sessions.delete(session);
    const begun = { main: { run: new Run(settings), seen: new Set<string>() }, agents: new Map<string, Known>() };
    sessions.set(session, begun);
    for (const oldest of sessions.size > SESSIONS ? [...sessions.keys()].slice(0, 1) : []) {
      sessions.delete(oldest);
    }
    return begun;
  };
  const of = ({ session_id, agent_id, agent_type }: Any): Known => {
    const { main, agents } = sessions.get(session_id) ?? begin(session_id);
    if (agent_id === undefined) {
      return main;
    }
    const run = () => new Run({ ...settings, agent: agent_type ?? "agent" });
    const known = agents.get(agent_id) ?? { run: main.run.within(run), seen: new Set<string>() };
    agents.set(agent_id, known);
    return known;
  };
  const stop = (run: Run) => (run.reason === undefined ? {} : { continue: false, stopReason: run.reason });
  const own: Record<string, (input: Any) => unknown> = {
    UserPromptSubmit: ({ session_id }) => {
      begin(session_id);
    },
    PreToolUse: (input) => {
      const { run, seen } = of(input);
      seen.add(input.tool_use_id);
      const { denied } = run.before(input.tool_name, input.tool_input, input.tool_use_id);
      const hookSpecificOutput = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: denied };
      return denied === undefined ? {} : { ...stop(run), hookSpecificOutput };
    },
    PostToolUse: (input) => of(input).run.after(input.tool_use_id, input.tool_response),
    PostToolUseFailure: (input) => of(input).run.after(input.tool_use_id, new Error(input.error)),
    PostToolBatch: (input) => {
      const { run, seen } = of(input);
      for (const call of input.tool_calls.filter((call: Any) => !seen.has(call.tool_use_id))) {
        run.rejected(call.tool_name, call.tool_input, textOf(call.tool_response), call.tool_use_id);
      }
      seen.clear();
      run.turn();
      const nudge = run.nudge();
      const hookSpecificOutput = { hookEventName: "PostToolBatch", additionalContext: nudge };
      return { ...stop(run), ...(nudge !== undefined && { hookSpecificOutput }) };
    },
  };
  /** The result of a run that was ended has the reason as its text. */
  const finished = (step: Any) => {
    if (step.value?.type !== "result") {
      return step;
    }
    const reason = sessions.get(step.value.session_id)?.main.run.halted();
    return reason === undefined ? step : { ...step, value: { ...step.value, result: step.value.result || reason } };
  };
  return ((parameters: Any) => {
    const hooks: Record<string, Any[]> = { ...parameters.options?.hooks };
    for (const [event, hook] of Object.entries(own)) {
      hooks[event] = [...(hooks[event] ?? []), { hooks: [async (input: Any) => hook(input) ?? {}] }];
    }
    const messages: Any = query({ ...parameters, options: { ...parameters.options, hooks } } as never);
    const watched: Any = new Proxy(messages, {
      get(_, key) {
        if (key === "next") {
          return async (...values: unknown[]) => finished(await messages.next(...values));
        }
        const member = messages[key];
        return key === Symbol.asyncIterator ? () => watched : typeof member === "function" ? member.bind(messages) : member;
      },
    });
    return watched;
  }) as unknown as Q;
}

function textOf(response: Any): string {
  return typeof response === "string" ? response : JSON.stringify(response ?? "the call did not run");
}
