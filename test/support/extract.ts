// Short ways to run extracts and agents through the API, and pages that hold data.

import { expect } from "vitest";
import type { Answer, CallOptions, TestApp } from "./app.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";
import { idOf, untilAnswered } from "./jobs.ts";

interface Product {
  name: string;
  sku?: string;
  links?: readonly string[];
}

/** A page about a product, whose data stands in JSON-LD, with links. */
export function productPage({ name, sku, links = [] }: Product): string {
  const data = { "@context": "https://schema.org", "@type": "Product", name, ...(sku === undefined ? {} : { sku }) };
  const script = `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
  return `<!doctype html><html lang="en"><head><title>${name}</title>${script}</head>
    <body><main><h1>${name}</h1><p>All about ${name}.</p>${listOf(links)}</main></body></html>`;
}

/** A page that says nothing about any product. */
export function emptyPage(links: readonly string[] = []): string {
  return `<!doctype html><html lang="en"><body><main><p>Nothing is said here.</p>${listOf(links)}</main></body></html>`;
}

function listOf(links: readonly string[]): string {
  const wordsOf = (link: string) => link.slice(link.lastIndexOf("/") + 1).replaceAll("-", " ");
  return `<ul>${links.map((link) => `<li><a href="${link}">${wordsOf(link)}</a></li>`).join("")}</ul>`;
}

/** A page about the same product that says nothing but its number, without a title. */
export function skuPage(sku: string): string {
  return `<!doctype html><html lang="en"><body><main><p>Order by our number.</p><dl><dt>SKU</dt><dd>${sku}</dd></dl></main></body></html>`;
}

export const productSchema = {
  type: "object",
  properties: { name: { type: "string" }, sku: { type: "string" } },
  required: ["name"],
};

/** Resolves with an extract or agent when it has ended. */
export function untilOver(app: TestApp, path: string, call: CallOptions = {}): Promise<Answer["body"]> {
  return untilAnswered(app, idOf(path), async () => {
    const { status, body } = await app.get(path, call);
    expect(status).toBe(200);
    return body.status === "processing" ? null : body;
  });
}

export interface Ended {
  id: string;
  started: Answer["body"];
  ended: Answer["body"];
}

async function run(app: TestApp, path: string, body: object, call: CallOptions = {}): Promise<Ended> {
  const { status, body: started } = await app.call("POST", path, { body, ...call });
  expect([status, started.error]).toEqual([200, undefined]);
  return { id: started.id, started, ended: await untilOver(app, `${path}/${started.id}`, call) };
}

export const runExtract = (app: TestApp, body: object, call?: CallOptions) => run(app, "/v2/extract", body, call);
export const runAgent = (app: TestApp, body: object, call?: CallOptions) => run(app, "/v2/agent", body, call);

/** A search service that finds what it is told to, all on its first page. */
export function startSearchService(
  find: () => { url: string; title: string; content: string }[],
): Promise<FixtureSite> {
  return startSite(() => (request, response) => {
    const isFirst = new URL(request.url ?? "", "http://service").searchParams.get("pageno") === "1";
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: isFirst ? find() : [], unresponsive_engines: [] }));
  });
}
