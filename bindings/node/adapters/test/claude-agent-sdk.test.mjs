import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { Guard } from "unstuck";
import { guarded } from "unstuck/claude-agent-sdk";
import { z } from "zod";
import { adapterTests } from "./cases.mjs";
import { serve } from "./claude-server.mjs";

const home = mkdtempSync(join(tmpdir(), "claude-home-"));
after(() => rmSync(home, { recursive: true, force: true }));
const named = (name) => `mcp__t__${name}`;

function environment(address) {
  const own = {
    HOME: home,
    CLAUDE_CONFIG_DIR: home,
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ENABLE_TOOL_SEARCH: "false",
  };
  return { ...process.env, ...own };
}

adapterTests("query", ({ script, tools, settings }) => {
  const sent = [];
  // Keys of this test's tools are those of the server that has them.
  const loopKeys = Object.fromEntries(Object.entries(settings.loopKeys ?? {}).map(([name, key]) => [named(name), key]));
  const run = async () => {
    const server = await serve(script, named);
    const made = Object.entries(tools).map(([name, { run }]) =>
      tool(name, "d", { q: z.union([z.string(), z.number()]) }, async (args) => ({ content: [{ type: "text", text: String(await run(args)) }] })));
    const options = {
      settingSources: [],
      strictMcpConfig: true,
      cwd: home,
      allowedTools: ["search", "edit", "delegate"].map(named),
      mcpServers: { t: createSdkMcpServer({ name: "t", version: "1", tools: made }) },
      env: environment(server.address),
    };
    let answer;
    try {
      for await (const message of guarded(query, { ...settings, ...(settings.loopKeys && { loopKeys }) })({ prompt: "go", options })) {
        if (message.type === "result") {
          assert.equal(message.is_error, false, message.result);
          answer = message.result;
        }
      }
    } finally {
      server.close();
      sent.push(...server.sent);
    }
    return answer;
  };
  return { run, sent };
}, { subAgents: false, parallel: false });

test("a sub-agent is an agent of the same swarm, and its halt ends it alone", async () => {
  const of = (messages) => messages.slice(0, 2).some(({ role, text }) => role === "user" && text.includes("INNER"));
  const script = (turn, messages) => {
    if (of(messages)) {
      return [{ id: `toolu_i${turn}`, tool: "search", args: { q: "salt" } }];
    }
    const args = { description: "d", prompt: "INNER", subagent_type: "general-purpose" };
    return turn < 1 ? [{ id: `toolu_m${turn}`, tool: "Task", args }] : "outer";
  };
  const server = await serve(script, named);
  const guard = new Guard({ now: null });
  const agents = new Set();
  const agentOf = guard.agent.bind(guard);
  guard.agent = (agent, session) => (agents.add(agent), agentOf(agent, session));
  const search = tool("search", "d", { q: z.string() }, async () => ({ content: [{ type: "text", text: "no hits" }] }));
  const options = {
    settingSources: [],
    strictMcpConfig: true,
    cwd: home,
    allowedTools: [named("search"), "Task"],
    mcpServers: { t: createSdkMcpServer({ name: "t", version: "1", tools: [search] }) },
    env: environment(server.address),
  };
  const results = [];
  for await (const message of guarded(query, { guard })({ prompt: "go", options })) {
    if (message.type === "result") {
      results.push(message.result);
    }
  }
  server.close();
  assert.equal(results.at(-1), "outer");
  assert.deepEqual([...agents], ["main", "main/general-purpose-1"]);
  const inner = server.sent.filter(of);
  assert.equal(inner.length, 9);
  assert.match(inner.at(-1).at(-1).text, /8 equal calls/);
});
