import { AIMessage, AIMessageChunk, createAgent, tool } from "langchain";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { loopGuard } from "unstuck/langchain";
import { adapterTests } from "./cases.mjs";

/** A model that follows a script by the number of its messages in the conversation. Keeps what it was sent. */
class Scripted extends BaseChatModel {
  sent = [];

  constructor(script) {
    super({});
    this.script = script;
  }

  _llmType() {
    return "script";
  }

  bindTools() {
    return this;
  }

  next(messages) {
    this.sent.push(messages.map(plain));
    const now = this.script(messages.filter((message) => message.getType() === "ai").length);
    return Array.isArray(now)
      ? { content: "", tool_calls: now.map(({ id, tool: name, args }) => ({ id, name, args, type: "tool_call" })) }
      : { content: now };
  }

  async _generate(messages) {
    const message = new AIMessage(this.next(messages));
    return { generations: [{ text: message.text, message }] };
  }

  async *_streamResponseChunks(messages) {
    const { content, tool_calls: calls = [] } = this.next(messages);
    const tool_call_chunks = calls.map(({ id, name, args }, index) => ({ id, name, args: JSON.stringify(args), index, type: "tool_call_chunk" }));
    yield new ChatGenerationChunk({ text: content, message: new AIMessageChunk({ content, tool_call_chunks }) });
  }
}

function plain(message) {
  const type = message.getType();
  if (type === "tool") {
    return { role: "tool", id: message.tool_call_id, text: message.text };
  }
  return { role: type, text: message.text, calls: (message.tool_calls ?? []).map(({ id }) => id) };
}

const schema = { type: "object", properties: { q: { type: ["string", "number"] } }, required: ["q"] };

function agentOf({ script, tools, settings }) {
  const model = new Scripted(script);
  const made = Object.entries(tools).map(([name, { run }]) => tool((args) => run(args), { name, description: "d", schema }));
  return { model, agent: createAgent({ model, tools: made, middleware: [loopGuard(settings)] }) };
}

const input = { messages: [{ role: "user", content: "go" }] };
const options = { recursionLimit: 400 };

adapterTests("invoke", (what) => {
  const { model, agent } = agentOf(what);
  return { run: async () => (await agent.invoke(input, options)).messages.at(-1).text, sent: model.sent };
});

adapterTests("stream", (what) => {
  const { model, agent } = agentOf(what);
  const run = async () => {
    let last;
    for await (const { messages } of await agent.stream(input, { ...options, streamMode: "values" })) {
      last = messages.at(-1).text;
    }
    return last;
  };
  return { run, sent: model.sent };
});
