import { generateText, tool } from "ai";
import { guarded } from "unstuck/ai-sdk";
import { z } from "zod";
import { model } from "./ai-sdk.model.mjs"; // in your program: openai("…")

const search = tool({ inputSchema: z.object({ q: z.string() }), execute: async ({ q }) => `no hits for ${q}` });

const { text, steps } = await generateText(guarded({
  model,
  tools: { search },
  prompt: "Find the salt.",
  stopWhen: ({ steps }) => steps.length >= 50,
}));
console.log(steps.length, text);
