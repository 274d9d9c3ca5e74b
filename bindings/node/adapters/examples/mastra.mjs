import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { loopGuard } from "unstuck/mastra";
import { z } from "zod";
import { model } from "./mastra.model.mjs"; // in your program: the name of a model

const search = createTool({
  id: "search",
  description: "Searches the shop.",
  inputSchema: z.object({ q: z.string() }),
  execute: async ({ q }) => `no hits for ${q}`,
});
const agent = new Agent({ id: "shopper", name: "Shopper", instructions: "Shop.", model, tools: { search }, inputProcessors: [loopGuard()] });
console.log((await agent.generate("Find the salt.", { maxSteps: 50 })).text);
