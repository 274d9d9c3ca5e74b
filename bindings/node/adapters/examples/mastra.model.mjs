// A model that makes one call again and again.
let calls = 0;
const call = () => ({ type: "tool-call", toolCallId: `call-${(calls += 1)}`, toolName: "search", input: '{"q":"salt"}' });
const finish = { finishReason: "tool-calls", usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } };
export const model = {
  specificationVersion: "v2",
  provider: "looping",
  modelId: "looping",
  supportedUrls: {},
  doGenerate: async () => ({ content: [call()], ...finish, warnings: [] }),
  doStream: async () => ({ stream: ReadableStream.from([{ type: "stream-start", warnings: [] }, call(), { type: "finish", ...finish }]) }),
};
