// Prints the calls that a server sees which reads lines with `readline`.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const input = createReadStream(process.argv[2]);
for await (const line of createInterface({ input, crlfDelay: Infinity })) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    continue;
  }
  if (message?.method === "tools/call") {
    console.log(JSON.stringify([message.params?.name ?? null, message.params?.arguments ?? {}]));
  }
}
