/** Adapter for servers of the MCP TypeScript SDK (`@modelcontextprotocol/sdk`). */
import { type AdapterOptions, Run } from "./adapter.js";

export { type AdapterOptions, RunHalted } from "./adapter.js";

// The framework's types are not installed here.
type Any = any;

/** Sessions that a server remembers. */
const SESSIONS = 1_000;

/**
 * Guards the tools of an `McpServer` or `Server`, and returns the server. Each session is one run; without session ids, as on
 * stdio, each connection is.
 *
 * ```js
 * const server = guarded(new McpServer({ name: "search", version: "1.0.0" }));
 * ```
 */
export function guarded<T extends object>(server: T, settings: AdapterOptions = {}): T {
  const low = (server as Any).server ?? server;
  const runs = new Map<string, Run>();
  const setRequestHandler = low.setRequestHandler;
  low.setRequestHandler = function (...args: Any[]) {
    const answer = setRequestHandler.apply(this, args);
    const handlers: Map<string, Any> = low._requestHandlers;
    const handler = handlers.get("tools/call");
    if (handler !== undefined && !guardedHandlers.has(handler)) {
      const own = (request: Any, extra: Any) => call(runOf(runs, extra?.sessionId, settings), request, () => handler(request, extra));
      guardedHandlers.add(own);
      handlers.set("tools/call", own);
    }
    return answer;
  };
  const connect = low.connect;
  low.connect = function (...args: Any[]) {
    runs.delete("");
    return connect.apply(this, args);
  };
  return server;
}

const guardedHandlers = new WeakSet<object>();

/** The run of a session. The session that was used longest ago gives way. */
function runOf(runs: Map<string, Run>, session = "", settings: AdapterOptions): Run {
  const run = runs.get(session) ?? new Run(settings);
  runs.delete(session);
  runs.set(session, run);
  for (const oldest of runs.size > SESSIONS ? [...runs.keys()].slice(0, 1) : []) {
    runs.delete(oldest);
  }
  return run;
}

async function call(run: Run, request: Any, work: () => Promise<Any>): Promise<Any> {
  const { name, arguments: args } = request.params;
  const begun = run.before(name, args);
  if (begun.denied !== undefined) {
    run.halted();
    return { content: [{ type: "text", text: begun.denied }], isError: true };
  }
  const failed = (error: unknown): never => {
    run.after(begun.id, error instanceof Error ? error : String(error), "error");
    throw error;
  };
  const result = await run.within(work).catch(failed);
  run.after(begun.id, result.structuredContent ?? result.content, result.isError ? "error" : "ok");
  const nudge = run.nudge();
  return nudge === undefined ? result : { ...result, content: [...(result.content ?? []), { type: "text", text: nudge }] };
}
