// A model that makes one call again and again.
import { Usage } from "@openai/agents";

let calls = 0;
const call = () => ({ type: "function_call", callId: `call-${(calls += 1)}`, name: "search", arguments: '{"q":"salt"}', status: "completed" });
export const model = { getResponse: async () => ({ usage: new Usage(), output: [call()] }) };
