/** Adapter for Strands Agents (`@strands-agents/sdk`): a plugin. */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/**
 * A plugin that guards an agent. Each invocation of the agent is one run.
 *
 * ```js
 * const agent = new Agent({ model, tools, plugins: [loopGuard()] });
 * ```
 */
export function loopGuard(settings: AdapterOptions = {}): { name: string; initAgent(agent: unknown): Promise<void> } {
  return {
    name: "unstuck",
    async initAgent(agent: Any) {
      const sdk = await import("@strands-agents/sdk");
      // One invocation has one object of this kind.
      const runs = new WeakMap<object, { run: Run; denied: Set<string>; text: string }>();
      const of = (event: Any) => runs.get(event.invocationState);

      agent.addHook(sdk.BeforeInvocationEvent, (event: Any) => {
        runs.set(event.invocationState, { run: new Run(settings), denied: new Set(), text: "" });
      });
      agent.addHook(sdk.BeforeToolsEvent, (event: Any) => {
        const now = of(event);
        if (now !== undefined) {
          now.text = event.message.content.map((block: Any) => (block.type === "textBlock" ? block.text : "")).join("");
        }
      });
      agent.addHook(sdk.BeforeToolCallEvent, (event: Any) => {
        const { name, input, toolUseId } = event.toolUse;
        const tool = event.selectedTool ?? event.tool;
        const denied = of(event)?.run.before(name, input, toolUseId, tool?.loopKey).denied;
        if (denied !== undefined) {
          of(event)?.denied.add(toolUseId);
          event.cancel = denied;
        }
      });
      agent.addHook(sdk.AfterToolCallEvent, (event: Any) => {
        const now = of(event);
        if (now !== undefined && !now.denied.has(event.toolUse.toolUseId)) {
          const { content, status } = event.result;
          now.run.after(event.toolUse.toolUseId, content.map((block: Any) => block.text ?? block), status === "error" ? "error" : "ok");
        }
      });
      agent.addHook(sdk.AfterToolsEvent, (event: Any) => {
        const now = of(event);
        now?.run.turn(now.text);
        const reason = now?.run.halted();
        const nudge = now?.run.nudge();
        if (reason !== undefined) {
          event.endTurn = reason;
        } else if (nudge !== undefined) {
          event.message.content.push(new sdk.TextBlock(nudge));
        }
      });
      // Runs that start within a tool find this one.
      agent.addMiddleware(sdk.ExecuteToolStage, async function* (context: Any, next: Any): Any {
        const run = of(context)?.run;
        const calling = next(context);
        for (;;) {
          const step: Any = await (run === undefined ? calling.next() : run.within(() => calling.next()));
          if (step.done) {
            return step.value;
          }
          yield step.value;
        }
      });
    },
  };
}
