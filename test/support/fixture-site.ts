// A web site on loopback whose pages a test writes, and which tells what was asked of it.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface FixtureSite {
  url: string;
  port: number;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** Headers of the latest request. */
  headers(): IncomingMessage["headers"];
  close(): Promise<void>;
}

/** Pages by path: HTML text, or a function that answers. Other paths are 404. */
export async function startSite(pages: Record<string, string | Handler>): Promise<FixtureSite> {
  const asked: string[] = [];
  let headers: IncomingMessage["headers"] = {};
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    asked.push(path);
    headers = request.headers;
    const page = pages[path] ?? pages[path.split("?")[0] ?? ""];
    if (typeof page === "function") {
      page(request, response);
      return;
    }
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(page ?? "<title>Gone</title><h1>Nothing here</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    headers: () => headers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
