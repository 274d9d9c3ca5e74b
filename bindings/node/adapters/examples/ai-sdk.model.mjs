// A model that makes one call again and again.
import * as test from "ai/test";

const Model = test.MockLanguageModelV4 ?? test.MockLanguageModelV3;
let calls = 0;
export const model = new Model({
  doGenerate: async () => ({
    content: [{ type: "tool-call", toolCallId: `call-${(calls += 1)}`, toolName: "search", input: '{"q":"salt"}' }],
    finishReason: { unified: "tool-calls", raw: "tool_calls" },
    usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
    warnings: [],
  }),
});
