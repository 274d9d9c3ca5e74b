/** Adapter for the AI SDK (`ai` 6 and 7): `generateText`, `streamText` and `ToolLoopAgent`. */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// biome-ignore lint/suspicious/noExplicitAny: the types of two major versions of the framework
type Any = any;

/**
 * Options of `generateText` or `streamText`, guarded. Each call of this function is one run.
 *
 * ```js
 * const { text } = await generateText(guarded({ model, tools, prompt, stopWhen: stepCountIs(50) }));
 * ```
 */
export function guarded<T extends object>(options: T, settings: AdapterOptions = {}): T {
  const run = new Run(settings);
  const { tools, prepareStep } = options as Any;
  return {
    ...options,
    ...(tools && { tools: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardedTool(run, name, tool)])) }),
    async prepareStep(step: Any) {
      const own = await prepareStep?.(step);
      const last = step.steps.at(-1);
      if (last !== undefined) {
        for (const { toolName, input, error, toolCallId } of last.toolCalls.filter((call: Any) => call.invalid)) {
          run.rejected(toolName, input, error, toolCallId);
        }
        run.turn(last.text, last.usage?.totalTokens);
      }
      const reason = run.halted();
      if (reason !== undefined) {
        return { ...own, model: answering(reason, step.model), toolChoice: "none" };
      }
      return { ...own, messages: run.placed(own?.messages ?? step.messages, (text): Any => ({ role: "user", content: text })) };
    },
  };
}

/** Settings of a `ToolLoopAgent`, guarded. Each call of the agent is one run. */
export function guardedAgent<T extends object>(options: T, settings: AdapterOptions = {}): T {
  const { prepareCall } = options as Any;
  return { ...options, prepareCall: async (call: Any) => guarded((await prepareCall?.(call)) ?? call, settings) };
}

function guardedTool(run: Run, name: string, tool: Any): Any {
  if (typeof tool?.execute !== "function") {
    return tool;
  }
  return {
    ...tool,
    execute: (input: unknown, call: Any) => {
      const { id, denied } = run.before(name, input, call.toolCallId, tool.loopKey);
      if (denied !== undefined) {
        throw new Error(denied);
      }
      return run.watched(id, () => tool.execute(input, call));
    },
  };
}

/** A model that answers with one text, in the form of the version in use. */
function answering(text: string, model: Any) {
  const finish = {
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
  };
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
    specificationVersion: model?.specificationVersion ?? "v3",
    provider: "unstuck",
    modelId: "halt",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text }], ...finish, warnings: [] }),
    doStream: async () => ({ stream: stream() }),
  };
}
