// What the programs of the recipes ask on loopback: embeddings that are near where texts share words, and a model that calls the tool
// for the URL of its question and then answers with the prices that the tool has returned.
import { startSite } from "./site-server.ts";

interface Message {
  role: string;
  content: string;
}

const size = 256;

/** One place for each word. */
function embeddingOf(text: string): number[] {
  const vector = Array.from({ length: size }, () => 0.001);
  for (const [word] of text.toLowerCase().matchAll(/\p{L}{3,}/gu)) {
    const place = [...word].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % size, 7);
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

function messageFor(messages: readonly Message[], tools: readonly string[]): object {
  const last = messages.at(-1) as Message;
  if (last.role === "tool") return { role: "assistant", content: `It costs ${/€\d+/.exec(last.content)?.[0]}.` };
  if (!tools.includes("scrape")) return { role: "assistant", content: "I cannot read pages." };
  const call = { name: "scrape", arguments: JSON.stringify({ url: /http\S+/.exec(last.content)?.[0] }) };
  return { role: "assistant", content: null, tool_calls: [{ id: "call-1", type: "function", function: call }] };
}

export async function startSmallModel() {
  return startSite(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { input, messages, tools = [] } = JSON.parse(text);
    const names = tools.map((tool: { function: { name: string } }) => tool.function.name);
    const answer = request.url?.endsWith("/embeddings")
      ? { data: input.map((each: string) => ({ embedding: embeddingOf(each) })) }
      : { choices: [{ message: messageFor(messages, names) }] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
}
