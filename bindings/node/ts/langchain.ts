/** Adapter for LangChain.js (`langchain`): a middleware for `createAgent`, also of deep agents. */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/** Runs that are remembered where they did not end. */
const RUNS = 1_000;

/** Marks what this middleware adds to a conversation. */
const OWN = { unstuck: true };

/**
 * A middleware that guards an agent. What a person's message sets off is one run.
 *
 * ```js
 * const agent = createAgent({ model, tools, middleware: [loopGuard()] });
 * ```
 */
export function loopGuard(settings: AdapterOptions = {}): Any {
  const runs = new Map<string, { run: Run; turns: number }>();
  const of = (state: Any, runtime: Any) => {
    const key = keyOf(state, runtime);
    const known = runs.get(key) ?? { run: new Run(settings), turns: state.messages.filter(isAnswer).length };
    runs.delete(key);
    runs.set(key, known);
    for (const oldest of runs.size > RUNS ? [...runs.keys()].slice(0, 1) : []) {
      runs.delete(oldest);
    }
    return known;
  };
  return {
    name: "unstuck",
    beforeModel: {
      canJumpTo: ["end"],
      hook(state: Any, runtime: Any) {
        const now = of(state, runtime);
        const answers = state.messages.filter(isAnswer);
        if (answers.length > now.turns) {
          now.turns = answers.length;
          const { text, content, usage_metadata, invalid_tool_calls } = answers.at(-1);
          for (const { name, args, error, id } of invalid_tool_calls ?? []) {
            now.run.rejected(name, { arguments: args }, error, id);
          }
          now.run.turn(text ?? content, usage_metadata?.total_tokens);
        }
        const reason = now.run.halted();
        if (reason !== undefined) {
          return { jumpTo: "end", messages: [{ role: "assistant", content: reason }] };
        }
        const nudge = now.run.nudge();
        return nudge === undefined ? undefined : { messages: [{ role: "user", content: nudge, additional_kwargs: OWN }] };
      },
    },
    async wrapToolCall(request: Any, handler: Any) {
      const { ToolMessage } = await import("@langchain/core/messages");
      const { id, name, args } = request.toolCall;
      const { run } = of(request.state, request.runtime);
      const message = (content: string) => new ToolMessage({ content, name, tool_call_id: id, status: "error" });
      const begun = run.before(name, args, id, request.tool?.loopKey);
      if (begun.denied !== undefined) {
        return message(begun.denied);
      }
      try {
        const result = await run.within(() => handler(request));
        run.after(begun.id, result.content, result.status === "error" ? "error" : "ok");
        return result;
      } catch (error) {
        const { cause, message: why } = error as Any;
        const interrupts = [error, cause].some((one: Any) => one?.name === "GraphInterrupt" || one?.name === "AbortError");
        run.after(begun.id, interrupts ? undefined : (error as Error), interrupts ? "cancelled" : "error");
        // Of invalid arguments the framework makes a result itself. Of other errors it does so only without a middleware.
        if (interrupts || (error as Any).name === "ToolInvocationError") {
          throw error;
        }
        return message(`Error: ${why}\n Please fix your mistakes.`);
      }
    },
    afterAgent(state: Any, runtime: Any) {
      runs.delete(keyOf(state, runtime));
    },
  };
}

function isAnswer(message: Any): boolean {
  return message.getType() === "ai";
}

/** The message of the person that the run answers, in its thread. */
function keyOf(state: Any, runtime: Any): string {
  const asked = state.messages.findLast((message: Any) => message.getType() === "human" && !message.additional_kwargs?.unstuck);
  return JSON.stringify([runtime?.configurable?.thread_id, asked?.id]);
}
