import { Agent, tool } from "@strands-agents/sdk";
import { loopGuard } from "unstuck/strands";
import { z } from "zod";
import { model } from "./strands.model.mjs"; // in your program: new BedrockModel()

const search = tool({
  name: "search",
  description: "Searches the shop.",
  inputSchema: z.object({ q: z.string() }),
  callback: ({ q }) => `no hits for ${q}`,
});
const agent = new Agent({ model, tools: [search], plugins: [loopGuard()], printer: false });
const result = await agent.invoke("Find the salt.");
console.log(result.toString());
