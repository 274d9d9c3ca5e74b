/** Adapter for the OpenAI Agents SDK (`@openai/agents`). */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/** Ids of the calls that were seen, and names of handoffs, which are calls too. */
const seen = new WeakMap<Run, { calls: Set<string>; handoffs: Set<string> }>();
const prepared = new WeakSet<object>();

/**
 * Guards what a `Runner` runs, and returns the runner. Each `run` is one run of an agent with all its handoffs.
 *
 * ```js
 * const runner = guarded(new Runner());
 * const result = await runner.run(agent, "Find the salt.");
 * ```
 */
export function guarded<T extends object>(runner: T, settings: AdapterOptions = {}): T {
  const target = runner as Any;
  const original = target.run.bind(target);
  target.run = (agent: Any, input: Any, options: Any = {}) => {
    const run = new Run(settings);
    // Calls of an earlier run of the same session are not of this one.
    let isFirst = true;
    seen.set(run, { calls: new Set(), handoffs: new Set() });
    prepare(agent);
    const filter = options.callModelInputFilter ?? target.config?.callModelInputFilter;
    const callModelInputFilter = async (data: Any) => {
      const modelData = filter === undefined ? data.modelData : await filter(data);
      finishStep(run, modelData.input, isFirst);
      isFirst = false;
      const message = (text: string): Any => ({ type: "message", role: "user", content: text });
      return { ...modelData, input: run.placed(modelData.input, message) };
    };
    return run.within(() => original(agent, input, { ...options, callModelInputFilter }));
  };
  return runner;
}

/** Records the calls that no tool answered, and the end of the step. */
function finishStep(run: Run, items: Any[], isFirst: boolean): void {
  const { calls, handoffs } = seen.get(run)!;
  for (const { callId, name, arguments: args } of items.filter(({ type, callId }) => type === "function_call" && !calls.has(callId))) {
    calls.add(callId);
    const result = items.find((item) => item.type === "function_call_result" && item.callId === callId);
    const output = result?.output?.text ?? result?.output;
    if (!isFirst && handoffs.has(name)) {
      run.answered(name, parsed(args), output, callId);
    } else if (!isFirst) {
      run.rejected(name, parsed(args), output ?? "no such tool", callId);
    }
  }
  if (!isFirst) {
    run.turn(items.findLast((item) => item.role === "assistant")?.content?.[0]?.text);
  }
}

/** Has an agent's tools judged, and those of the agents that it hands off to, in every guarded run. */
function prepare(agent: Any): void {
  if (prepared.has(agent)) {
    return;
  }
  prepared.add(agent);
  const [getAllTools, getEnabledHandoffs] = [agent.getAllTools, agent.getEnabledHandoffs];
  agent.getAllTools = async function (...args: Any[]) {
    const tools = await getAllTools.apply(this, args);
    tools.forEach(prepareTool);
    return tools;
  };
  agent.getEnabledHandoffs = async function (...args: Any[]) {
    const handoffs = await getEnabledHandoffs.apply(this, args);
    for (const handoff of handoffs) {
      seen.get(Run.current()!)?.handoffs.add(handoff.toolName);
      if (prepared.has(handoff)) {
        continue;
      }
      prepared.add(handoff);
      prepare(handoff.agent);
      const onInvokeHandoff = handoff.onInvokeHandoff;
      handoff.onInvokeHandoff = async (context: Any, input: Any) => {
        const next = await onInvokeHandoff(context, input);
        prepare(next);
        return next;
      };
    }
    return handoffs;
  };
  let model = agent.model;
  Object.defineProperty(agent, "model", {
    configurable: true,
    enumerable: true,
    get: () => {
      const reason = Run.current()?.halted();
      return reason === undefined ? model : answering(reason);
    },
    set: (value) => (model = value),
  });
}

function prepareTool(tool: Any): void {
  if (tool.type !== "function" || prepared.has(tool)) {
    return;
  }
  prepared.add(tool);
  const invoke = tool.invoke;
  tool.invoke = async (context: Any, input: string, details: Any) => {
    const run = Run.current();
    if (run === undefined) {
      return invoke.call(tool, context, input, details);
    }
    const callId = details?.toolCall?.callId;
    seen.get(run)?.calls.add(callId);
    const called = await run.call(tool.name, parsed(input), () => invoke.call(tool, context, input, details), callId, tool.loopKey);
    return called.denied ?? called.output;
  };
}

/** A model that answers with one text. */
function answering(text: string): Any {
  const response = {
    usage: { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0, inputTokensDetails: [], outputTokensDetails: [] },
    output: [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text }] }],
  };
  return {
    getResponse: async () => response,
    async *getStreamedResponse() {
      yield { type: "response_done", response: { id: "unstuck", ...response } };
    },
  };
}

function parsed(args: unknown): unknown {
  try {
    return JSON.parse(args as string);
  } catch {
    return { arguments: args };
  }
}
