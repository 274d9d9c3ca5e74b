import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { guarded } from "unstuck/claude-agent-sdk";
import { z } from "zod";
import { env } from "./claude-agent-sdk.model.mjs"; // in your program: not needed

const search = tool("search", "Searches the shop.", { q: z.string() }, async ({ q }) => ({
  content: [{ type: "text", text: `no hits for ${q}` }],
}));
const shop = createSdkMcpServer({ name: "shop", version: "1.0.0", tools: [search] });
const options = { mcpServers: { shop }, allowedTools: ["mcp__shop__search"], env };
for await (const message of guarded(query)({ prompt: "Find the salt.", options })) {
  if (message.type === "result") console.log(message.result);
}
