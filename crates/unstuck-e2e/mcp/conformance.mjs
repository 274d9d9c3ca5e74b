// What the conformance suite of the protocol asks of a server, with the official SDK; listens on PORT.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

const port = Number(process.env.PORT);
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const audio = Buffer.concat([Buffer.from("RIFF"), Buffer.from([36, 0, 0, 0]), Buffer.from("WAVEfmt ")]).toString("base64");
const text = (text) => ({ content: [{ type: "text", text }] });
const asked = ({ action, content }) => text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
const nothing = { type: "object", properties: {} };
const words = (...names) => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), required: names });
const titled = (first, ...rest) => [first, ...rest].map((title, index) => ({ const: `value${index + 1}`, title }));
const elicit = (extra, message, properties) =>
  extra.sendRequest({ method: "elicitation/create", params: { message, requestedSchema: { type: "object", properties } } }, types.ElicitResultSchema);

const tools = {
  test_simple_text: [nothing, () => text("This is a simple text response for testing.")],
  test_image_content: [nothing, () => ({ content: [{ type: "image", data: image, mimeType: "image/png" }] })],
  test_audio_content: [nothing, () => ({ content: [{ type: "audio", data: audio, mimeType: "audio/wav" }] })],
  test_embedded_resource: [
    nothing,
    () => ({ content: [{ type: "resource", resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." } }] }),
  ],
  test_multiple_content_types: [
    nothing,
    () => ({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: image, mimeType: "image/png" },
        { type: "resource", resource: { uri: "test://mixed-content-resource", mimeType: "application/json", text: '{"test":"data","value":123}' } },
      ],
    }),
  ],
  test_tool_with_logging: [
    nothing,
    async (_, extra) => {
      for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
        await pause(50);
      }
      return text("logged");
    },
  ],
  test_tool_with_progress: [
    nothing,
    async (_, extra) => {
      const progressToken = extra._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
        await pause(50);
      }
      return text("done");
    },
  ],
  test_error_handling: [nothing, () => ({ ...text("This tool intentionally returns an error for testing"), isError: true })],
  test_sampling: [
    words("prompt"),
    async ({ prompt }, extra) => {
      const messages = [{ role: "user", content: { type: "text", text: prompt } }];
      const answer = await extra.sendRequest({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } }, types.CreateMessageResultSchema);
      return text(`LLM response: ${answer.content.text}`);
    },
  ],
  test_elicitation: [
    words("message"),
    async ({ message }, extra) => {
      const { action, content } = await elicit(extra, message, { username: { type: "string" }, email: { type: "string" } });
      return text(`User response: <action: ${action}, content: ${JSON.stringify(content)}>`);
    },
  ],
  test_elicitation_sep1034_defaults: [
    nothing,
    async (_, extra) =>
      asked(
        await elicit(extra, "Please confirm", {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        }),
      ),
  ],
  test_elicitation_sep1330_enums: [
    nothing,
    async (_, extra) => {
      const plain = ["option1", "option2", "option3"];
      return asked(
        await elicit(extra, "Please choose", {
          untitledSingle: { type: "string", enum: plain },
          titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
          legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
          untitledMulti: { type: "array", items: { type: "string", enum: plain } },
          titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
        }),
      );
    },
  ],
  test_reconnection: [
    nothing,
    async (_, extra) => {
      extra.closeSSEStream?.();
      await pause(100);
      return text("Reconnection test completed successfully");
    },
  ],
  json_schema_2020_12_tool: [
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    () => text("validated"),
  ],
};

const resources = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: image },
  "test://watched-resource": { mimeType: "text/plain", text: "watched" },
};

const said = (...content) => ({ messages: content.map((one) => ({ role: "user", content: one })) });
const prompts = {
  test_simple_prompt: [[], () => said({ type: "text", text: "This is a simple prompt for testing." })],
  test_prompt_with_arguments: [
    ["arg1", "arg2"],
    ({ arg1, arg2 }) => said({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  ],
  test_prompt_with_embedded_resource: [
    ["resourceUri"],
    ({ resourceUri }) =>
      said(
        { type: "resource", resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." } },
        { type: "text", text: "Please process the embedded resource above." },
      ),
  ],
  test_prompt_with_image: [[], () => said({ type: "image", data: image, mimeType: "image/png" }, { type: "text", text: "Please analyze the image above." })],
};

function server() {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} };
  const server = new Server({ name: "conformance", version: "1.0.0" }, { capabilities });
  const on = (schema, answer) => server.setRequestHandler(schema, async (request, extra) => answer(request.params ?? {}, extra));
  on(types.ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, [inputSchema]]) => ({ name, description: `The tool ${name}`, inputSchema })),
  }));
  on(types.CallToolRequestSchema, ({ name, arguments: given }, extra) => {
    if (!(name in tools)) throw new types.McpError(types.ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return tools[name][1](given ?? {}, extra);
  });
  on(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, description: `The resource ${uri}`, mimeType })),
  }));
  on(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", description: "By an id", mimeType: "application/json" }],
  }));
  on(types.ReadResourceRequestSchema, ({ uri }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    if (id) return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] };
    if (!(uri in resources)) throw new types.McpError(-32002, "Resource not found", { uri });
    return { contents: [{ uri, ...resources[uri] }] };
  });
  on(types.SubscribeRequestSchema, () => ({}));
  on(types.UnsubscribeRequestSchema, () => ({}));
  on(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, [names]]) => ({
      name,
      description: `The prompt ${name}`,
      arguments: names.map((argument) => ({ name: argument, description: `The argument ${argument}`, required: true })),
    })),
  }));
  on(types.GetPromptRequestSchema, ({ name, arguments: given }) => prompts[name][1](given ?? {}));
  on(types.CompleteRequestSchema, () => ({ completion: { values: ["paris", "park", "party"], total: 3, hasMore: false } }));
  on(types.SetLevelRequestSchema, () => ({}));
  return server;
}

/** Events in the order they were sent, so that a stream can go on where it was cut. */
class Events {
  #events = [];
  async storeEvent(streamId, message) {
    this.#events.push({ streamId, message });
    return String(this.#events.length);
  }
  async replayEventsAfter(last, { send }) {
    const { streamId } = this.#events[Number(last) - 1] ?? {};
    for (const [index, event] of this.#events.entries()) {
      if (index >= Number(last) && event.streamId === streamId && Object.keys(event.message).length > 0) await send(String(index + 1), event.message);
    }
    return streamId;
  }
}

const sessions = new Map();
const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
createServer(async (request, response) => {
  const origin = request.headers.origin;
  if (!local.test(request.headers.host ?? "") || (origin && !local.test(new URL(origin).host))) {
    response.writeHead(403).end();
    return;
  }
  let transport = sessions.get(request.headers["mcp-session-id"]);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new Events(),
      retryInterval: 500,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await server().connect(transport);
  }
  await transport.handleRequest(request, response);
}).listen(port, "127.0.0.1");
