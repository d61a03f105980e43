// A site whose pages have versions: it answers 304 to whoever has the latest one, and tests change it while it runs.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { openSite, page } from "./jobs.ts";

export interface VersionedPage {
  /** The whole HTML. */
  html: string;
  /** Which of both the page tells; none: neither. */
  tells?: "etag" | "modified" | "none";
  modified?: string;
  status?: number;
  /** Leads there instead. */
  movedTo?: string;
}

type Reply = (status: number, headers?: object, body?: string) => void;

interface Answered {
  path: string;
  status: number;
}

/** `pages` may be changed by the test. Answers are noted, except those of robots.txt and sitemaps. */
export async function openVersionedSite(pages: Record<string, VersionedPage>, sitemap?: () => string) {
  const answered: Answered[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "/";
    if (path === "/sitemap.xml" && sitemap) {
      response.writeHead(200, { "content-type": "application/xml" }).end(sitemap());
      return;
    }
    const found = pages[path];
    const reply: Reply = (status, headers = {}, body = "") => {
      if (path !== "/robots.txt" && !path.includes("sitemap")) answered.push({ path, status });
      response.writeHead(status, { ...headers }).end(body);
    };
    if (!found) reply(404, { "content-type": "text/html" }, "<h1>Not here</h1>");
    else if (found.movedTo !== undefined) reply(301, { location: found.movedTo });
    else answerPage(request, found, reply);
  }

  function answerPage({ headers: asked }: IncomingMessage, found: VersionedPage, reply: Reply): void {
    const { html, tells = "etag", modified = "Mon, 02 Nov 2026 10:00:00 GMT", status = 200 } = found;
    const etag = `"${createHash("sha1").update(html).digest("hex")}"`;
    const { "if-none-match": match, "if-modified-since": since } = asked;
    const isMatch = tells === "etag" && match === etag;
    const isOld = tells === "modified" && since !== undefined && Date.parse(modified) <= Date.parse(since);
    const version = tells === "etag" ? { etag } : tells === "modified" ? { "last-modified": modified } : {};
    if (status === 200 && (isMatch || isOld)) reply(304, version);
    else reply(status, { "content-type": "text/html", ...version }, html);
  }

  const site = await openSite(() => answer);
  return {
    ...site,
    /** What was answered since the last call. */
    take: () => answered.splice(0).toSorted((one, two) => (one.path < two.path ? -1 : 1)),
  };
}

export const version = (title: string, links: readonly string[] = [], more: Partial<VersionedPage> = {}) => ({
  html: page(title, links),
  ...more,
});
