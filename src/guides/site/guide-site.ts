// The site at /docs: which request gets what. Pages are rendered with the first request for them and kept packed.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { createGuideSearch, type FindGuides, type GuideHit, type OpenTextIndex } from "../lookup/guide-search.ts";
import { renderGuide } from "../pages/guide-html.ts";
import type { KnownFiles } from "../pages/guide-links.ts";
import { readGuidePack, readPicture } from "../pages/guide-pack.ts";
import { frontFile, type GuidePage, makePage, twinOf, urlOf } from "../pages/guide-page.ts";
import { toHtmlText } from "../pages/html-text.ts";
import { openDescription } from "../reference/open-api.ts";
import { makeReference } from "../reference/reference-pages.ts";
import { renderTryForm } from "../reference/try-form.ts";
import { type FramedPage, renderFrame } from "./guide-frame.ts";
import { writeFullText, writePageList } from "./guide-lists.ts";
import { makeMenu } from "./guide-menu.ts";

export interface GuideSiteDeps {
  version: string;
  hasDashboard: boolean;
  openTextIndex: OpenTextIndex;
  /** The API as this server speaks it: its groups, and all of it. */
  listApiTags(): readonly string[];
  buildOpenApi(): object;
}

export interface GuideRequest {
  /** As requested, decoded. */
  path: string;
  /** What to search for. */
  query: string;
  acceptEncoding: string;
  ifNoneMatch: string;
  /** Where this server is reached. */
  baseUrl: string;
}

export interface GuideAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface PackedFile {
  type: string;
  etag: string;
  gzipped: Buffer;
}

interface MadeFile {
  type: string;
  body: string | Buffer;
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Nothing comes from elsewhere, and nothing runs that is not a file of ours. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const types = {
  html: "text/html; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
  plain: "text/plain; charset=utf-8",
  json: "application/json; charset=utf-8",
};
const typesByEnding: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};
const resultsPath = "/docs/search";
const searchLimit = 20;
const suggestions = 5;

export async function createGuideSite({
  version,
  hasDashboard,
  openTextIndex,
  listApiTags,
  buildOpenApi,
}: GuideSiteDeps) {
  const packed = await readGuidePack();
  const guides = Object.entries(packed.pages).map(([file, text]) =>
    makePage(file === frontFile ? "" : file.replace(/\.md$/, ""), text),
  );
  const api = openDescription(buildOpenApi);
  const reference = makeReference(listApiTags(), api);
  const pages = [...guides, ...reference];
  const byUrl = new Map(pages.map((page) => [urlOf(page.path), page]));
  const byTwin = new Map(pages.map((page) => [`/docs/${twinOf(page)}`, page]));
  const known: KnownFiles = {
    hasPage: (path) => byUrl.has(urlOf(path)),
    hasPicture: (name) => Object.hasOwn(packed.pictures, name),
  };
  const menu = makeMenu(guides, reference, known);
  const find = createGuideSearch(() => pages, openTextIndex);
  const assetUrls = new Map(
    Object.entries(packed.assets).map(([name, text]) => [name, `/docs/assets/${name}?v=${hashOf(text).slice(0, 12)}`]),
  );
  const assetUrl = (name: string) => assetUrls.get(name) ?? "";
  const frame = (page: FramedPage) => renderFrame(page, { menu, version, assetUrl, hasDashboard });
  /** Of what can be requested, so it has an end. */
  const kept = new Map<string, Promise<PackedFile>>();

  function showPage(page: GuidePage): string {
    const { html, headings } = renderGuide(page, known, (comment) => renderTryForm(comment, api));
    const { title, description } = page;
    return frame({ title, description, url: urlOf(page.path), twinUrl: `/docs/${twinOf(page)}`, headings, html });
  }

  /** What has the same content for everybody; null when there is no such path. */
  function make(path: string): MadeFile | null | Promise<MadeFile | null> {
    const page = byUrl.get(path);
    if (page) return { type: types.html, body: showPage(page) };
    const source = byTwin.get(path);
    if (source) return { type: types.markdown, body: source.markdown };
    const name = path.slice("/docs/".length);
    const type = typesByEnding[name.slice(name.lastIndexOf(".") + 1)] ?? types.plain;
    const asset = name.startsWith("assets/") ? packed.assets[name.slice("assets/".length)] : undefined;
    if (asset !== undefined) return { type, body: asset };
    if (!known.hasPicture(name)) return null;
    return readPicture(packed, name).then((body) => (body === null ? null : { type, body }));
  }

  async function keep(path: string): Promise<PackedFile | null> {
    const known = kept.get(path);
    if (known) return known;
    const made = await make(path);
    if (made === null) return null;
    const file = packFile(made);
    kept.set(path, file);
    return file;
  }

  async function makeOnce({ path, query, baseUrl }: GuideRequest): Promise<MadeFile & { status?: number }> {
    if (path === "/llms.txt" || path === "/docs/llms.txt")
      return { type: types.plain, body: writePageList(menu, byUrl, baseUrl) };
    if (path === "/llms-full.txt" || path === "/docs/llms-full.txt")
      return { type: types.plain, body: writeFullText(menu, byUrl, baseUrl) };
    if (path === "/docs/search.json")
      return { type: types.json, body: JSON.stringify({ results: await find(query, searchLimit) }) };
    if (path === resultsPath) return { type: types.html, body: frame(await showResults(query, find)) };
    return { type: types.html, body: frame(await showMissing(path, find)), status: 404 };
  }

  return {
    async answer(request: GuideRequest): Promise<GuideAnswer> {
      const { path, query, acceptEncoding, ifNoneMatch } = request;
      // The page of that name is about searching the web.
      const file = path === resultsPath && query !== "" ? null : await keep(path);
      const { status = 200, ...made } = file ? {} : await makeOnce(request);
      const { type, etag, gzipped } = file ?? (await packFile(made as MadeFile));
      const headers = {
        etag,
        vary: "accept-encoding",
        "content-security-policy": path.startsWith("/docs/") && /\.(?:svg|png)$/.test(path) ? picturePolicy : policy,
        "cache-control": path.startsWith("/docs/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      };
      if (status === 200 && ifNoneMatch.includes(etag)) return { status: 304, headers, body: Buffer.alloc(0) };
      const takesGzip = /\bgzip\b/.test(acceptEncoding);
      return {
        status,
        headers: { ...headers, "content-type": type, ...(takesGzip ? { "content-encoding": "gzip" } : {}) },
        body: takesGzip ? gzipped : await unpack(gzipped),
      };
    },
  };
}

async function packFile({ type, body }: MadeFile): Promise<PackedFile> {
  return { type, etag: `"${hashOf(body).slice(0, 22)}"`, gzipped: await pack(body, { level: 9 }) };
}

function hashOf(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("base64url");
}

async function showResults(query: string, find: FindGuides): Promise<FramedPage> {
  const hits = await find(query, searchLimit);
  const count = hits.length === 0 ? "Nothing found" : `${hits.length} section${hits.length === 1 ? "" : "s"}`;
  const about =
    query.trim() === ""
      ? "<p>Type what you are looking for into the search box.</p>"
      : `<p>${count} for <b>${toHtmlText(query)}</b>.</p>`;
  const html = `<h1>Search</h1>${about}${listHits(hits)}`;
  return { title: "Search", description: "Search the docs", url: null, twinUrl: null, headings: [], html, query };
}

async function showMissing(path: string, find: FindGuides): Promise<FramedPage> {
  const words = path.replace(/^\/docs\/|\.\w+$/g, "").replace(/[^\p{L}\p{N}]+/gu, " ");
  const hits = await find(words, suggestions);
  const html = `<h1>Page not found</h1><p>There is no page <code>${toHtmlText(path)}</code>. Search, or go to the <a href="/docs">front page</a>.</p>
${hits.length === 0 ? "" : `<h2>Perhaps</h2>${listHits(hits)}`}`;
  return { title: "Page not found", description: "", url: null, twinUrl: null, headings: [], html, query: words };
}

function listHits(hits: readonly GuideHit[]): string {
  const items = hits.map(({ url, page, heading, excerpt }) => {
    const text = excerpt.map((piece) =>
      piece.isMatch ? `<mark>${toHtmlText(piece.text)}</mark>` : toHtmlText(piece.text),
    );
    const place = heading === page ? "" : `<span class="faint">${toHtmlText(page)}</span>`;
    return `<li><a href="${toHtmlText(url)}">${toHtmlText(heading)}</a>${place}<p>${text.join("")}</p></li>`;
  });
  return hits.length === 0 ? "" : `<ul class="found">${items.join("\n")}</ul>`;
}
