import assert from "node:assert/strict";
import { test } from "node:test";
import { guarded } from "unstuck/mcp";
import { z } from "zod";
import { adapterTests } from "./cases.mjs";

// Version 2 of the SDK has packages of its own for servers and clients.
const isVersion2 = process.env.UNSTUCK_ADAPTER === "mcp-2";
const path = (old, now) => (isVersion2 ? `@modelcontextprotocol/${now}` : `@modelcontextprotocol/sdk/${old}.js`);
const { Client } = await import(path("client/index", "client"));
const { InMemoryTransport } = await import(path("inMemory", "client"));
const { McpServer } = await import(path("server/mcp", "server"));
const { Server } = await import(path("server/index", "server"));
const types = await import(path("types", "server"));
const callTool = isVersion2 ? "tools/call" : types.CallToolRequestSchema;
const listTools = isVersion2 ? "tools/list" : types.ListToolsRequestSchema;

/** A server with tools, and a client that is connected to it. */
async function connected(tools, settings, server = guarded(new McpServer({ name: "s", version: "1" }), settings)) {
  for (const [name, { run }] of Object.entries(tools)) {
    const work = async (args) => ({ content: [{ type: "text", text: String(await run(args)) }] });
    server.registerTool(name, { description: "d", inputSchema: z.object({ q: z.union([z.string(), z.number()]) }) }, work);
  }
  const [one, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "c", version: "1" });
  await Promise.all([server.connect(one), client.connect(other)]);
  return { server, client };
}

/** An agent that follows a script, and gives up after 15 calls with the refusal of the last one. */
function agent({ script, tools, settings }) {
  const sent = [];
  const run = async () => {
    const { client } = await connected(tools, settings);
    const history = [{ role: "user", text: "go" }];
    for (let turn = 0; ; turn += 1) {
      sent.push([...history]);
      const now = script(turn);
      if (!Array.isArray(now)) {
        return now;
      }
      history.push({ role: "assistant", text: "", calls: now.map(({ id }) => id) });
      const call = ({ tool, args }) => client.callTool({ name: tool, arguments: typeof args === "object" ? args : { other: args } });
      const results = await Promise.all(now.map(call));
      const texts = results.map(({ content }) => content.map(({ text }) => text));
      history.push(...texts.map(([text], index) => ({ role: "tool", id: now[index].id, text })));
      history.push(...texts.flatMap(([, ...nudges]) => nudges.map((text) => ({ role: "behind", text }))));
      const last = results.at(-1);
      if (turn >= 15 && last.isError) {
        return last.content[0].text;
      }
    }
  };
  return { run, sent };
}

// In version 2, a tool that does not exist is an error of the protocol, which models do not see.
adapterTests("client", agent, { throws: false, subAgents: false, unknown: !isVersion2 });

test("a server of requests is guarded as well, and each session by itself", async () => {
  const server = guarded(new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } }), { now: null });
  let ran = 0;
  server.setRequestHandler(listTools, () => ({ tools: [] }));
  server.setRequestHandler(callTool, () => (ran += 1, { content: [{ type: "text", text: "no hits" }] }));
  const handler = server._requestHandlers.get("tools/call");
  const request = { method: "tools/call", params: { name: "search", arguments: { q: 1 } } };
  // What version 2 asks of its context.
  const mcpReq = { requestState: () => undefined };
  const texts = [];
  for (let turn = 0; turn < 12; turn += 1) {
    texts.push((await handler(request, { sessionId: "a", mcpReq })).content.at(-1).text);
  }
  assert.match(texts.at(-1), /\[unstuck\]/);
  assert.ok(ran < 12);
  assert.equal((await handler(request, { sessionId: "b", mcpReq })).content.at(-1).text, "no hits");
});

test("a new connection starts afresh", async () => {
  const tools = { search: { run: () => "no hits" } };
  const { server, client } = await connected(tools, { now: null });
  const call = (by) => by.callTool({ name: "search", arguments: { q: 1 } });
  for (let turn = 0; turn < 15; turn += 1) {
    await call(client);
  }
  assert.equal((await call(client)).isError, true);
  await client.close();
  const again = await connected({}, {}, server);
  assert.deepEqual(await call(again.client), { content: [{ type: "text", text: "no hits" }] });
});
