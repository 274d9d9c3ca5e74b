// A client that makes one call again and again.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";

export async function loop(server) {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "looping", version: "1.0.0" });
  await Promise.all([server.connect(one), client.connect(other)]);
  for (let turn = 0; turn < 8; turn += 1) {
    const { content } = await client.callTool({ name: "search", arguments: { q: "salt" } });
    console.log(content.map(({ text }) => text).join("\n"));
  }
  await client.close();
}
