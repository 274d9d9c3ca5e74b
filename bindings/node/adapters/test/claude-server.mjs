// A server of the Messages API whose model follows a script.
import { createServer } from "node:http";

/**
 * Starts the server. The answer to a conversation is `script(turn, messages)`, a text or a list of `{ id, tool, args }`, where the
 * turn is the number of its messages of the model. `sent` has the messages of each request with tools.
 */
export async function serve(script, toolName = (name) => name) {
  const sent = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) {
      body += part;
    }
    const { messages = [], tools = [], stream } = body === "" ? {} : JSON.parse(body);
    if (!request.url.includes("/v1/messages") || request.url.includes("count_tokens")) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ input_tokens: 10 }));
      return;
    }
    const isAgent = tools.some(({ name }) => name === toolName("search") || name === toolName("delegate"));
    let now = "title";
    if (isAgent) {
      sent.push(messages.flatMap(plain));
      now = script(messages.filter(({ role }) => role === "assistant").length, sent.at(-1));
    }
    const content = Array.isArray(now)
      ? now.map(({ id, tool, args }) => ({ type: "tool_use", id, name: tool === "Task" ? tool : toolName(tool), input: args }))
      : [{ type: "text", text: now }];
    const message = {
      id: `msg_${sent.length}`,
      type: "message",
      role: "assistant",
      model: "script",
      content,
      stop_reason: Array.isArray(now) ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    if (!stream) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    write({ type: "message_start", message: { ...message, content: [], stop_reason: null } });
    content.forEach((block, index) => {
      const isText = block.type === "text";
      write({ type: "content_block_start", index, content_block: isText ? { type: "text", text: "" } : { ...block, input: {} } });
      const delta = isText ? { type: "text_delta", text: block.text } : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      write({ type: "content_block_delta", index, delta });
      write({ type: "content_block_stop", index });
    });
    write({ type: "message_delta", delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
    write({ type: "message_stop" });
    response.end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { sent, address: `http://127.0.0.1:${server.address().port}`, server, close: () => server.close() };
}

/** A message as the cases read it; text behind results is a message of its own. */
function plain({ role, content }) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const textOf = (value) => (typeof value === "string" ? value : (value ?? []).map((part) => part.text ?? "").join(""));
  const results = blocks.filter(({ type }) => type === "tool_result");
  const text = blocks.filter(({ type }) => type === "text").map((block) => block.text).join("\n");
  const calls = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  return [
    ...results.map((block) => ({ role: "tool", id: block.tool_use_id, text: textOf(block.content) })),
    ...(results.length === 0 || text !== "" ? [{ role, text, calls }] : []),
  ];
}
