import { Agent, Runner, tool } from "@openai/agents";
import { guarded } from "unstuck/openai-agents";
import { z } from "zod";
import { model } from "./openai-agents.model.mjs"; // in your program: the name of a model

const search = tool({
  name: "search",
  description: "Searches the shop.",
  parameters: z.object({ q: z.string() }),
  execute: async ({ q }) => `no hits for ${q}`,
});
const agent = new Agent({ name: "Shopper", model, tools: [search] });
const result = await guarded(new Runner()).run(agent, "Find the salt.", { maxTurns: 50 });
console.log(result.finalOutput);
