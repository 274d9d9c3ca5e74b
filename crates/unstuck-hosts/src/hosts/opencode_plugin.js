// Written by `unstuck install opencode`; `unstuck uninstall opencode` removes it.
//
// Hands every call of a tool to unstuck and does what it answers: adds its words to a result, refuses a call, or ends
// the run. Whatever goes wrong here, the agent goes on.

import { spawn } from "node:child_process"

const PROGRAM = "unstuck" /* PROGRAM */
const TIMEOUT_MS = 10_000
const ALLOW = { verdict: "allow" }

const ask = (told) =>
  new Promise((resolve) => {
    let answer = ""
    try {
      const hook = spawn(PROGRAM, ["hook", "opencode"], {
        stdio: ["pipe", "pipe", "ignore"],
        timeout: TIMEOUT_MS,
        windowsHide: true,
      })
      hook.on("error", () => resolve(ALLOW))
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (text) => (answer += text))
      hook.on("close", () => {
        try {
          resolve(JSON.parse(answer))
        } catch {
          resolve(ALLOW)
        }
      })
      hook.stdin.end(JSON.stringify(told))
    } catch {
      resolve(ALLOW)
    }
  })

export const Unstuck = async ({ client, directory }) => {
  const end = async (session) => {
    try {
      await client.session.abort({ path: { id: session } })
    } catch {
      // Calls are refused from here on, so the run ends anyway.
    }
  }
  return {
    "chat.message": async (input) => {
      await ask({ hook: "chat.message", directory, input: { sessionID: input.sessionID } })
    },
    "tool.execute.before": async (input, output) => {
      const { verdict, text } = await ask({
        hook: "tool.execute.before",
        directory,
        input,
        output: { args: output.args },
      })
      if (verdict === "halt") await end(input.sessionID)
      if (verdict === "deny" || verdict === "halt") throw new Error(text)
    },
    "tool.execute.after": async (input, output) => {
      const { verdict, text } = await ask({ hook: "tool.execute.after", directory, input, output })
      if (verdict !== "allow" && text) output.output += `\n\n${text}`
      if (verdict === "halt") await end(input.sessionID)
    },
    event: async ({ event }) => {
      const failed =
        event.type === "message.part.updated" && event.properties?.part?.state?.status === "error"
      if (!failed && event.type !== "session.compacted") return
      const { verdict } = await ask({ hook: "event", directory, input: event })
      if (verdict === "halt" && event.properties?.sessionID) await end(event.properties.sessionID)
    },
  }
}
