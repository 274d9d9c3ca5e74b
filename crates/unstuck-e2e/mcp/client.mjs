// Runs the steps of a scenario with an official TypeScript client and prints what came of each, one JSON object a line.
//   node client.mjs CLIENT SCENARIO URL
//   node client.mjs CLIENT SCENARIO -- COMMAND ARGS...
// CLIENT is ts-1 (the SDK of the handshake), ts-2 (the SDK after it) or ts-2-modern (the same, without handshake).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [kind, scenario, target, ...command] = process.argv.slice(2);
const directory = process.env.PEERS_DIRECTORY;
const era = kind === "ts-2-modern" ? "modern" : "legacy";
const overHttp = target !== "--";
// Whether one of the two runs that are compared goes over HTTP.
const compared = process.env.PEERS_TRANSPORT !== "stdio";
const roots = [{ uri: pathToFileURL(directory).href, name: "work" }];

rmSync(directory, { recursive: true, force: true });
mkdirSync(`${directory}/notes`, { recursive: true });
writeFileSync(`${directory}/notes/dot.png`, Buffer.from("iVBORw0KGgo=", "base64"));

const asked = [];
const notes = [];
let calls = 0;

/** What a server asks is answered in the same way each time, and recorded. */
function answer(request) {
  asked.push({ method: request.method, params: request.params });
  switch (request.method) {
    case "roots/list":
      return { roots };
    case "sampling/createMessage":
      return { role: "assistant", content: { type: "text", text: "five, seven, five" }, model: "none", stopReason: "endTurn" };
    default:
      return request.params.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada", check: true, choice: "second" } };
  }
}

async function connect() {
  const capabilities = { sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } };
  const about = { name: "peers", version: "1.0.0" };
  const env = { ...process.env };
  const asks = ["roots/list", "sampling/createMessage", "elicitation/create"];
  let client, transport;
  if (kind === "ts-1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    client = new Client(about, { capabilities });
    const schemas = [types.ListRootsRequestSchema, types.CreateMessageRequestSchema, types.ElicitRequestSchema];
    for (const schema of schemas) client.setRequestHandler(schema, async (request) => answer(request));
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    transport = overHttp ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: "ignore" });
    client.any = (method, params) => client.request({ method, params }, types.ResultSchema);
    client.tool = (params, options) => client.callTool(params, undefined, options);
  } else {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
    client = new Client(about, { capabilities, versionNegotiation: { mode } });
    for (const method of asks) client.setRequestHandler(method, async (request) => answer(request));
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    transport = overHttp ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: command[0], args: command.slice(1), env, stderr: "ignore" });
    client.tool = (params, options) => client.callTool(params, options);
  }
  client.fallbackNotificationHandler = async (notification) => void notes.push(notification);
  await client.connect(transport);
  return client;
}

function perform(client, { method, params, rounds }, options) {
  switch (method) {
    case "ping": return client.ping();
    case "tools/list": return client.listTools();
    case "tools/call": calls += rounds ?? 1; return client.tool(params, options);
    case "resources/list": return client.listResources();
    case "resources/templates/list": return client.listResourceTemplates();
    case "resources/read": return client.readResource(params);
    case "resources/subscribe": return client.subscribeResource(params);
    case "resources/unsubscribe": return client.unsubscribeResource(params);
    case "prompts/list": return client.listPrompts();
    case "prompts/get": return client.getPrompt(params);
    case "completion/complete": return client.complete(params);
    case "logging/setLevel": return client.setLoggingLevel(params.level);
    case "notifications/roots/list_changed": return client.sendRootsListChanged().then(() => null);
    default: return client.any(method, params);
  }
}

const filled = (value, number) =>
  typeof value === "string" ? value.replaceAll("$DIR", directory).replaceAll("$N", String(number)).replaceAll("$LARGE", "0123456789abcdeé".repeat(1 << 16))
  : Array.isArray(value) ? value.map((one) => filled(one, number))
  : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, number)]))
  : value;

async function one(client, step, number) {
  const progress = [];
  const stop = new AbortController();
  const onprogress = (update) => {
    if (step.cancel) stop.abort("enough");
    // The last one may come together with the result, and is then not told any more.
    else if (update.progress < update.total) progress.push(update);
  };
  const options = { signal: stop.signal, ...(step.progress ? { onprogress } : {}) };
  try {
    return { result: await perform(client, { ...step, params: filled(step.params, number) }, options), progress };
  } catch (error) {
    if (step.cancel) return { cancelled: true };
    return { error: { code: error.code, message: error.message ?? String(error), data: error.data }, progress };
  }
}

const print = (check, outcome) => console.log(JSON.stringify({ check, outcome }));
const client = await connect();
print("connected", { capabilities: client.getServerCapabilities(), about: client.getServerVersion(), instructions: client.getInstructions() });
for (const step of JSON.parse(readFileSync(scenario, "utf8"))) {
  if ((step.era ?? era) !== era || (step.client ?? kind) !== kind || (step.only === "stdio" && overHttp)) continue;
  const outcome = await Promise.all(Array.from({ length: step.times ?? 1 }, (_, number) => one(client, step, number)));
  print(step.check, outcome);
}
// What comes by itself comes when it likes: the order is not compared.
await new Promise((resolve) => setTimeout(resolve, 500));
// Over HTTP it is lost before the client's stream is open, and how much that is depends on who is faster; and what came
// already comes again where a client resumes a stream, which it does now and then, without a proxy as well.
const early = /list_changed|roots\/list|Roots updated/;
const told = (all) => {
  const texts = all.map((one) => JSON.stringify(one)).sort();
  return compared ? [...new Set(texts.filter((one) => !early.test(one)))] : texts;
};
print("what the server asked", told(asked));
print("notifications", told(notes));
console.log(JSON.stringify({ calls, scenario: basename(scenario) }));
await client.close();
