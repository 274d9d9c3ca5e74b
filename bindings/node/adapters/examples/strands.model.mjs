// A model that makes one call again and again.
import { Model } from "@strands-agents/sdk";

let calls = 0;
class Looping extends Model {
  updateConfig() {}

  getConfig() {
    return { modelId: "looping" };
  }

  async *stream() {
    const start = { type: "toolUseStart", name: "search", toolUseId: `call-${(calls += 1)}` };
    yield { type: "modelMessageStartEvent", role: "assistant" };
    yield { type: "modelContentBlockStartEvent", start };
    yield { type: "modelContentBlockDeltaEvent", delta: { type: "toolUseInputDelta", input: '{"q":"salt"}' } };
    yield { type: "modelContentBlockStopEvent" };
    yield { type: "modelMessageStopEvent", stopReason: "toolUse" };
  }
}
export const model = new Looping();
