// A small shop whose front page comes in several forms: as it was recorded, changed in all that flows do not depend on, reworded, with a
// button that does harm in the place of the one that was clicked, and with the same button twice.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageServer {
  url: string;
  /** Paths of what must never be clicked. */
  clicks(): string[];
  close(): Promise<void>;
}

const search = (inner: string) => `<search aria-label="Products"><form action="/found">${inner}</form></search>`;
const field = `<label>Search <input name="q" type="search"></label>`;

const pages: Record<string, string> = {
  "/": `<h1>Shop</h1>${search(`${field}<button>Find</button>`)}`,
  "/mutated": `<nav aria-label="Menu"><button onclick="fetch('/wrong')">Find</button></nav>
    <input name="trap" type="search" aria-label="Search" style="position:absolute;left:-9999px">
    <div class="x91"><div>${search(`<div><button id="b-77f" class="zz"><span>Find</span></button></div><p>${field.replace('name="q"', 'name="q" id="f-1"')}</p>`)}</div></div>`,
  "/reworded": search(`${field}<button>Find now</button>`),
  "/dangerous": search(`${field}<button type="button" onclick="fetch('/wrong')">Delete find</button>`),
  "/twice": `${field}<button onclick="fetch('/wrong')">Find</button><button onclick="fetch('/wrong')">Find</button>`,
};

export async function fixtureSite(): Promise<PageServer> {
  const wrong: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/wrong") wrong.push(pathname);
    response.setHeader("content-type", "text/html; charset=utf-8");
    const query = (searchParams.get("q") ?? "").replace(/&/g, "&amp;");
    if (pathname === "/found") {
      response.setHeader("set-cookie", `last=${encodeURIComponent(query)}`);
      return void response.end(`<title>Found</title><p>You looked for ${query}</p>`);
    }
    if (pathname === "/last") {
      const last = /last=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? "nothing";
      return void response.end(`<p>Last search: ${decodeURIComponent(last)}</p>`);
    }
    const page = pages[pathname];
    response.statusCode = page === undefined ? 404 : 200;
    response.end(`<!doctype html><title>Shop</title>${page ?? ""}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clicks: () => wrong,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
