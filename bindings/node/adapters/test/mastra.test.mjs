import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { loopGuard } from "unstuck/mastra";
import { z } from "zod";
import { adapterTests } from "./cases.mjs";

const usage = { inputTokens: 5, outputTokens: 5, totalTokens: 10 };

/** A model that follows a script by the number of its calls in the conversation. Keeps what it was sent. */
function scripted(script) {
  const sent = [];
  const next = ({ prompt }) => {
    sent.push(prompt.flatMap(plain));
    const now = script(turns(sent.at(-1)));
    const calls = Array.isArray(now) ? now : [];
    return {
      content: calls.length === 0
        ? [{ type: "text", text: now }]
        : calls.map(({ id, tool: toolName, args, raw }) => ({ type: "tool-call", toolCallId: id, toolName, input: raw ?? JSON.stringify(args) })),
      finishReason: calls.length === 0 ? "stop" : "tool-calls",
      usage,
      warnings: [],
    };
  };
  const model = {
    specificationVersion: "v2",
    provider: "script",
    modelId: "script",
    supportedUrls: {},
    doGenerate: async (options) => next(options),
    async doStream(options) {
      const { content, ...finish } = next(options);
      const text = (part) => [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: part.text }, { type: "text-end", id: "1" }];
      const parts = content.flatMap((part) => (part.type === "text" ? text(part) : [part]));
      return { stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", ...finish }]) };
    },
  };
  return { model, sent };
}

/** Turns of a script that were made: the number in the id of the last call, and one. */
function turns(messages) {
  const ids = messages.flatMap(({ calls = [] }) => calls);
  return ids.length === 0 ? 0 : Number(/\d+/.exec(ids.at(-1))[0]) + 1;
}

function plain({ role, content }) {
  if (role === "tool") {
    return content.map((part) => ({ role, id: part.toolCallId, text: typeof part.output.value === "string" ? part.output.value : JSON.stringify(part.output.value) }));
  }
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return [{
    role,
    text: parts.map((part) => part.text ?? "").join(""),
    calls: parts.filter((part) => part.type === "tool-call").map((part) => part.toolCallId),
  }];
}

function agentOf({ script, tools, settings }) {
  const { model, sent } = scripted(script);
  const made = Object.fromEntries(Object.entries(tools).map(([name, { run }]) => [
    name,
    createTool({ id: name, description: "d", inputSchema: z.object({ q: z.union([z.string(), z.number()]) }), execute: async (input) => run(input) }),
  ]));
  const agent = new Agent({ id: "a", name: "a", instructions: "i", model, tools: made, inputProcessors: [loopGuard(settings)] });
  return { agent, sent };
}

const options = { maxSteps: 100 };

adapterTests("generate", (what) => {
  const { agent, sent } = agentOf(what);
  return { run: async () => (await agent.generate("go", options)).text, sent };
}, { throws: "Error" });

adapterTests("stream", (what) => {
  const { agent, sent } = agentOf(what);
  const run = async () => {
    const result = await agent.stream("go", options);
    let text = "";
    for await (const part of result.fullStream) {
      if (part.type === "step-start") {
        text = "";
      }
      if (part.type === "error") {
        throw part.payload.error;
      }
      text += part.type === "text-delta" ? part.payload.text : "";
    }
    return text;
  };
  return { run, sent };
}, { throws: "Error" });
