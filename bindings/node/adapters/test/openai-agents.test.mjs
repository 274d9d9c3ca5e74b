import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, Runner, setTracingDisabled, tool, Usage } from "@openai/agents";
import { guarded } from "unstuck/openai-agents";
import { adapterTests } from "./cases.mjs";

setTracingDisabled(true);

/** A model that follows a script by the number of its turns in the conversation. Keeps what it was sent. */
function scripted(script) {
  const sent = [];
  const next = ({ input }) => {
    const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
    sent.push(plain(items));
    const now = script(sent.at(-1).filter(({ role }) => role === "assistant").length);
    const output = Array.isArray(now)
      ? now.map(({ id, tool: name, args, raw }) => ({ type: "function_call", callId: id, name, arguments: raw ?? JSON.stringify(args), status: "completed" }))
      : [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: now }] }];
    return { usage: new Usage(), output };
  };
  const model = {
    getResponse: async (request) => next(request),
    async *getStreamedResponse(request) {
      const { output } = next(request);
      yield { type: "response_done", response: { id: "1", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, output } };
    },
  };
  return { model, sent };
}

/** Items as messages: consecutive calls are one message. */
function plain(items) {
  const messages = [];
  for (const item of items) {
    if (item.type === "function_call") {
      const last = messages.at(-1);
      if (last?.calls === undefined) {
        messages.push({ role: "assistant", text: "", calls: [] });
      }
      messages.at(-1).calls.push(item.callId);
    } else if (item.type === "function_call_result") {
      messages.push({ role: "tool", id: item.callId, text: item.output?.text ?? item.output });
    } else {
      const text = typeof item.content === "string" ? item.content : item.content.map((part) => part.text).join("");
      messages.push({ role: item.role, text });
    }
  }
  return messages;
}

function agentOf({ script, tools }) {
  const { model, sent } = scripted(script);
  const made = Object.entries(tools).map(([name, { run }]) =>
    tool({ name, description: "d", parameters: { type: "object", properties: { q: {} }, required: ["q"], additionalProperties: true }, strict: false, execute: (args) => run(args), errorFunction: (_, error) => `Error: ${error.message}` }));
  return { agent: new Agent({ name: "a", model, tools: made }), sent };
}

const options = { maxTurns: 100, toolNotFoundBehavior: "return_error_to_model" };

adapterTests("run", ({ script, tools, settings }) => {
  const { agent, sent } = agentOf({ script, tools });
  const runner = guarded(new Runner(), settings);
  return { run: async () => (await runner.run(agent, "go", options)).finalOutput, sent };
});

adapterTests("streamed run", ({ script, tools, settings }) => {
  const { agent, sent } = agentOf({ script, tools });
  const runner = guarded(new Runner(), settings);
  const run = async () => {
    const result = await runner.run(agent, "go", { ...options, stream: true });
    await result.completed;
    return result.finalOutput;
  };
  return { run, sent };
});

test("agents that hand off to each other are one run", async () => {
  const { model, sent } = scripted((turn) => [{ id: `c${turn}`, tool: turn % 2 === 0 ? "transfer_to_b" : "transfer_to_a", args: {} }]);
  const a = new Agent({ name: "a", model });
  const b = new Agent({ name: "b", model, handoffs: [a] });
  a.handoffs = [b];
  const { finalOutput } = await guarded(new Runner(), { now: null }).run(a, "go", options);
  assert.match(finalOutput, /\[unstuck\]/);
  assert.ok(sent.length < 40, `${sent.length} requests`);
});

test("without a guarded runner, the same agent runs as ever", async () => {
  const { agent, sent } = agentOf({ script: (turn) => (turn < 9 ? [{ id: `c${turn}`, tool: "search", args: { q: 1 } }] : "done"), tools: { search: { run: () => "no hits" } } });
  assert.match((await guarded(new Runner(), { now: null }).run(agent, "go", options)).finalOutput, /\[unstuck\]/);
  const before = sent.length;
  assert.equal((await new Runner().run(agent, "go", options)).finalOutput, "done");
  assert.doesNotMatch(JSON.stringify(sent.slice(before)), /unstuck/);
});
