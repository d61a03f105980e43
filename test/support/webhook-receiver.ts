// A receiver of webhooks on loopback that keeps what it gets.
import type { IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { startSite } from "./site-server.ts";

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  body: any;
}

/** `statusOf`: what it answers to a message, by those that came before with the same id. */
export async function startReceiver(statusOf: (before: number) => number = () => 200) {
  const received: ReceivedWebhook[] = [];
  const site = await startSite(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const before = received.filter((other) => other.body.webhookId === body.webhookId).length;
    received.push({ headers: request.headers, text, body });
    response.writeHead(statusOf(before)).end();
  });
  onTestFinished(() => site.close());
  return { url: `${site.url}/in`, received, types: () => received.map(({ body }): string => body.type) };
}
