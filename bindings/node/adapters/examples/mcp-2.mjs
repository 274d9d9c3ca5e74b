import { McpServer } from "@modelcontextprotocol/server";
import { guarded } from "unstuck/mcp";
import { z } from "zod";
import { loop } from "./mcp-2.model.mjs"; // in your program: StdioServerTransport

const server = guarded(new McpServer({ name: "shop", version: "1.0.0" }));
server.registerTool(
  "search",
  { description: "Searches the shop.", inputSchema: z.object({ q: z.string() }) },
  async ({ q }) => ({ content: [{ type: "text", text: `no hits for ${q}` }] }),
);
await loop(server); // in your program: server.connect(new StdioServerTransport())
