import { Agent, FunctionTool, Model } from "@strands-agents/sdk";
import { loopGuard } from "unstuck/strands";
import { adapterTests } from "./cases.mjs";

/** A model that follows a script by the number of its turns in the conversation. Keeps what it was sent. */
class Scripted extends Model {
  sent = [];

  constructor(script) {
    super();
    this.script = script;
  }

  updateConfig() {}

  getConfig() {
    return { modelId: "script" };
  }

  async *stream(messages) {
    this.sent.push(messages.flatMap(plain));
    const now = this.script(messages.filter(({ role }) => role === "assistant").length);
    yield { type: "modelMessageStartEvent", role: "assistant" };
    const blocks = Array.isArray(now)
      ? now.map(({ id, tool, args, raw }) => [
          { type: "toolUseStart", name: tool, toolUseId: id },
          { type: "toolUseInputDelta", input: raw ?? JSON.stringify(args) },
        ])
      : [[undefined, { type: "textDelta", text: now }]];
    for (const [start, delta] of blocks) {
      yield { type: "modelContentBlockStartEvent", ...(start && { start }) };
      yield { type: "modelContentBlockDeltaEvent", delta };
      yield { type: "modelContentBlockStopEvent" };
    }
    yield { type: "modelMessageStopEvent", stopReason: Array.isArray(now) ? "toolUse" : "endTurn" };
  }
}

/** A message as the cases read it; text behind results is a message of its own. */
function plain({ role, content }) {
  const results = content.filter((block) => block.type === "toolResultBlock");
  const text = content.map((block) => (block.type === "textBlock" ? block.text : "")).join("");
  const calls = content.filter((block) => block.type === "toolUseBlock").map((block) => block.toolUseId);
  const rest = results.length === 0 || text !== "" ? [{ role, text, calls }] : [];
  if (results.length > 0 && content.at(0).type !== "toolResultBlock") {
    throw new Error("something is before the results");
  }
  return [
    ...results.map((block) => ({ role: "tool", id: block.toolUseId, text: block.content.map((part) => part.text ?? JSON.stringify(part.json)).join("") })),
    ...rest,
  ];
}

function agentOf({ script, tools, settings }) {
  const model = new Scripted(script);
  const made = Object.entries(tools).map(([name, { run }]) => new FunctionTool({
    name,
    description: "d",
    inputSchema: { type: "object", properties: { q: {} } },
    callback: (input) => run(input),
  }));
  return { model, agent: () => new Agent({ model, tools: made, plugins: [loopGuard(settings)], printer: false }) };
}

const text = (result) => result.lastMessage.content.map((block) => block.text ?? "").join("");

adapterTests("invoke", (what) => {
  const { model, agent } = agentOf(what);
  return { run: async () => text(await agent().invoke("go")), sent: model.sent };
}, { invalid: false });

adapterTests("stream", (what) => {
  const { model, agent } = agentOf(what);
  const run = async () => {
    const events = agent().stream("go");
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        return text(value);
      }
    }
  };
  return { run, sent: model.sent };
}, { invalid: false });
