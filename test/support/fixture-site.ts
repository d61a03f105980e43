// A web site on loopback whose pages a test writes, and which tells what was asked of it.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listenOnNewPort } from "./fixture-ports.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface FixtureSite {
  url: string;
  port: number;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** The same with the name of the host before them. */
  askedAt: string[];
  /** Headers of the latest request. */
  headers(): IncomingMessage["headers"];
  /** Most requests that were open at the same time. */
  most(): number;
  close(): Promise<void>;
}

type Page = string | Handler | undefined;

/** A client that was killed in the middle of its request is no error of the site. */
export async function answerWith(handle: Handler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await handle(request, response);
  } catch (error) {
    if (!request.destroyed) throw error;
  }
}

/** Pages by path, or by host name and path: HTML text, or a function that answers. Other paths are 404. */
export async function startSite(pages: Record<string, Page> | ((path: string) => Page)): Promise<FixtureSite> {
  const asked: string[] = [];
  const askedAt: string[] = [];
  let headers: IncomingMessage["headers"] = {};
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    asked.push(path);
    askedAt.push(host + path);
    headers = request.headers;
    open += 1;
    most = Math.max(most, open);
    response.once("close", () => {
      open -= 1;
    });
    const page =
      typeof pages === "function"
        ? pages(path)
        : (pages[host + path] ?? pages[path] ?? pages[path.split("?")[0] ?? ""]);
    if (typeof page === "function") {
      void answerWith(page, request, response);
      return;
    }
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(page ?? "<title>Gone</title><h1>Nothing here</h1>");
  });
  await listenOnNewPort(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    askedAt,
    headers: () => headers,
    most: () => most,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
