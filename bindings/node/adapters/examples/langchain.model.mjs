// A model that makes one call again and again.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";

let calls = 0;
class Looping extends BaseChatModel {
  _llmType() {
    return "looping";
  }

  bindTools() {
    return this;
  }

  async _generate() {
    const tool_calls = [{ id: `call-${(calls += 1)}`, name: "search", args: { q: "salt" }, type: "tool_call" }];
    return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls }) }] };
  }
}
export const model = new Looping({});
