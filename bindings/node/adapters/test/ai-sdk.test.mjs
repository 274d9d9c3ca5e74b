import * as ai from "ai";
import { guarded, guardedAgent } from "unstuck/ai-sdk";
import { z } from "zod";
import { adapterTests } from "./cases.mjs";

const { generateText, streamText, tool, ToolLoopAgent } = ai;
const usage = { inputTokens: { total: 5 }, outputTokens: { total: 5 } };
// The name in version 7, and that in version 6.
const steps = ai.isStepCount ?? ai.stepCountIs;

/** A model that follows a script by the number of its messages in the conversation. Keeps what it was sent. */
function scripted(script) {
  const sent = [];
  const next = (options) => {
    sent.push(options.prompt.map(plain).flat());
    const now = script(options.prompt.filter(({ role }) => role === "assistant").length);
    const calls = Array.isArray(now) ? now : [];
    return {
      content: calls.length === 0
        ? [{ type: "text", text: now }]
        : calls.map(({ id, tool: toolName, args, raw }) => ({ type: "tool-call", toolCallId: id, toolName, input: raw ?? JSON.stringify(args) })),
      finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: "" },
      usage,
      warnings: [],
    };
  };
  const model = {
    specificationVersion: ai.isStepCount === undefined ? "v3" : "v4",
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

/** A message as the cases read it. */
function plain({ role, content }) {
  if (role === "tool") {
    return content.map((part) => ({ role, id: part.toolCallId, text: String(part.output.value ?? part.output.reason) }));
  }
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    role,
    text: parts.map((part) => part.text ?? "").join(""),
    calls: parts.filter((part) => part.type === "tool-call").map((part) => part.toolCallId),
  };
}

function toolsOf(tools) {
  return Object.fromEntries(Object.entries(tools).map(([name, { run, loopKey }]) => [
    name,
    Object.assign(tool({ inputSchema: z.object({ q: z.any() }), execute: (args) => run(args) }), { loopKey }),
  ]));
}

const common = { prompt: "go", stopWhen: steps(100), maxRetries: 0 };

adapterTests("generateText", ({ script, tools, settings }) => {
  const { model, sent } = scripted(script);
  const run = async () => (await generateText(guarded({ model, tools: toolsOf(tools), ...common }, settings))).text;
  return { run, sent };
});

adapterTests("streamText", ({ script, tools, settings }) => {
  const { model, sent } = scripted(script);
  const run = async () => {
    let failure;
    const onError = ({ error }) => (failure = error);
    const result = streamText(guarded({ model, tools: toolsOf(tools), ...common, onError }, settings));
    let answer = "";
    for await (const part of result.fullStream) {
      if (part.type === "start-step") {
        answer = "";
      }
      answer += part.type === "text-delta" ? part.text : "";
    }
    if (failure) {
      throw failure;
    }
    return answer;
  };
  return { run, sent };
});

adapterTests("ToolLoopAgent", ({ script, tools, settings }) => {
  const { model, sent } = scripted(script);
  const { prompt, ...rest } = common;
  const agent = new ToolLoopAgent(guardedAgent({ model, tools: toolsOf(tools), ...rest }, settings));
  return { run: async () => (await agent.generate({ prompt })).text, sent };
});
