/** Adapter for Mastra (`@mastra/core`): a processor of the input. */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/**
 * A processor that guards an agent. Each `generate` or `stream` is one run.
 *
 * ```js
 * const agent = new Agent({ id, name, instructions, model, tools, inputProcessors: [loopGuard()] });
 * ```
 */
export function loopGuard(settings: AdapterOptions = {}): Any {
  return {
    id: "unstuck",
    name: "unstuck",
    /** Before each request to the model: what the step before did, and tools that are judged. */
    processInputStep({ state, steps, tools, model }: Any) {
      state.run ??= new Run(settings);
      state.seen ??= new Set();
      const { run, seen } = state;
      const last = steps.at(-1);
      if (last !== undefined) {
        for (const call of last.toolCalls ?? []) {
          const { toolName, toolCallId, args, input } = call.payload ?? call;
          if (!seen.has(toolCallId)) {
            seen.add(toolCallId);
            run.rejected(toolName, args ?? input, errorOf(last, toolCallId), toolCallId);
          }
        }
        run.turn(last.text, last.usage?.totalTokens);
      }
      const reason = run.halted();
      if (reason !== undefined) {
        return { model: answering(reason, model), toolChoice: "none" };
      }
      const judged = Object.entries(tools ?? {}).map(([name, tool]) => [name, judgedTool(run, seen, name, tool)]);
      return { tools: Object.fromEntries(judged) };
    },
    /** The request itself: nudges are a part of it, and not of the memory. */
    processLLMRequest({ prompt, state }: Any) {
      const message = (text: string): Any => ({ role: "user", content: [{ type: "text", text }] });
      return state.run === undefined ? undefined : { prompt: state.run.placed(prompt, message) };
    },
  };
}

function judgedTool(run: Run, seen: Set<string>, name: string, tool: Any): Any {
  if (typeof tool?.execute !== "function") {
    return tool;
  }
  const execute = (input: unknown, context: Any) => {
    const { id, denied } = run.before(name, input, context?.toolCallId ?? context?.agent?.toolCallId, tool.loopKey);
    seen.add(id);
    if (denied !== undefined) {
      throw new Error(denied);
    }
    return run.watched(id, () => tool.execute(input, context));
  };
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute });
}

/** What the framework answered to a call that no tool answered. */
function errorOf(step: Any, id: string): unknown {
  const parts = [...(step.toolResults ?? []), ...(step.content ?? [])].map((part: Any) => part.payload ?? part);
  const part = parts.find((one: Any) => one.toolCallId === id && ("result" in one || "output" in one || "error" in one));
  const text = part?.error ?? part?.result ?? part?.output ?? "no such tool, or invalid arguments";
  return text instanceof Error ? text : typeof text === "string" ? text : JSON.stringify(text);
}

/** A model that answers with one text. */
function answering(text: string, model: Any): Any {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const finish = { finishReason: "stop", usage };
  const parts = [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: text }, { type: "text-end", id: "1" }];
  const stream = () => new ReadableStream({
    start(controller) {
      for (const part of [{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", ...finish }]) {
        controller.enqueue(part);
      }
      controller.close();
    },
  });
  return {
    specificationVersion: "v2",
    provider: model?.provider ?? "unstuck",
    modelId: "unstuck",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text }], ...finish, warnings: [] }),
    doStream: async () => ({ stream: stream() }),
  };
}
