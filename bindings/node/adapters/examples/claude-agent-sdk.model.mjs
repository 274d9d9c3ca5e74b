// A server of the Messages API whose model makes one call again and again.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../test/claude-server.mjs";

const { address, server } = await serve((turn) => [{ id: `toolu_${turn}`, tool: "search", args: { q: "salt" } }], (name) => `mcp__shop__${name}`);
server.unref();
const home = mkdtempSync(join(tmpdir(), "claude-home-"));
export const env = {
  ...process.env,
  HOME: home,
  CLAUDE_CONFIG_DIR: home,
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: "none",
  ENABLE_TOOL_SEARCH: "false",
};
