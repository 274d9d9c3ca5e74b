import { createAgent, tool } from "langchain";
import { loopGuard } from "unstuck/langchain";
import { z } from "zod";
import { model } from "./langchain.model.mjs"; // in your program: the name of a model

const search = tool(({ q }) => `no hits for ${q}`, {
  name: "search",
  description: "Searches the shop.",
  schema: z.object({ q: z.string() }),
});
const agent = createAgent({ model, tools: [search], middleware: [loopGuard()] });
const input = { messages: [{ role: "user", content: "Find the salt." }] };
const { messages } = await agent.invoke(input, { recursionLimit: 100 });
console.log(messages.at(-1).text);
