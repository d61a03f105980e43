// Files that have pages, and images: PDFs, scans and pictures through parse, scrape, crawl, search and extract.
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { runExtract } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";

const fixtures = new URL("../../src/documents/pdf/fixtures/", import.meta.url);
const files = new URL("../documents/files/", import.meta.url);
const pdf = (name: string) => readFileSync(new URL(`${name}.pdf`, fixtures));
const file = (name: string) => readFileSync(new URL(name, files));
const title = "Tides of the Northern Strait";

interface Block {
  type: string;
  bbox: number[] | null;
  content: string;
  markdownSpan: [number, number] | null;
  readingOrder: number;
  source: string;
  confidence: { ocr: number | null };
}

describe("files with pages", () => {
  let app: TestApp;
  let site: FixtureSite;

  beforeAll(async () => {
    const serve = (bytes: Buffer, type: string) => (_request: unknown, response: ServerResponse) =>
      response.writeHead(200, { "content-type": type }).end(bytes);
    site = await startSite({
      "/": '<h1>Harbour</h1><p>The office of the harbour.</p><a href="/report.pdf">Report</a> <a href="/title.png">Title</a>',
      "/report.pdf": serve(pdf("report"), "application/pdf"),
      "/columns.pdf": serve(pdf("columns"), "application/octet-stream"),
      "/locked.pdf": serve(pdf("encrypted"), "application/pdf"),
      "/title.png": serve(file("title.png"), "image/png"),
      "/slides.pptx": serve(file("slides.pptx"), "application/octet-stream"),
    });
    app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: new URL(site.url).host, DOCUMENT_PROCESSES: "1" });
  });
  afterAll(async () => {
    await app?.stop();
    await site?.close();
  });

  const parse = (name: string, bytes: Uint8Array, options: object = {}) => {
    const body = new FormData();
    body.append("options", JSON.stringify({ timeout: 120_000, ...options }));
    body.append("file", new Blob([Uint8Array.from(bytes)]), name);
    return app.call("POST", "/v2/parse", { body });
  };
  const scrape = (path: string, options: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: site.url + path, ...options } });

  it("reads a PDF with its pages, blocks and markers, and costs a credit a page", async () => {
    const parsers = [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }];
    const { status, body } = await parse("report.pdf", pdf("report"), {
      parsers,
      formats: ["markdown", "html", "links"],
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const { markdown, html, links, pages, blocks, metadata } = body.data;
    expect(metadata).toMatchObject({ title: "Harbour Report", author: "Ada Quay", contentType: "application/pdf" });
    const { numPages, totalPages, creditsUsed } = metadata;
    expect([totalPages, creditsUsed]).toEqual([numPages, numPages]);
    expect(numPages).toBeGreaterThan(2);
    expect(pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual(
      Array.from({ length: numPages }, (_, index) => index + 1),
    );
    expect(markdown).toContain("\n\n---\n\n<!-- page 2 -->\n\n");
    expect(markdown).not.toContain("<!-- page 1 -->");
    expect(markdown).toContain('<th rowspan="2">Quay</th><th colspan="2">Ships</th>');
    expect(html).not.toMatch(/data-(?:page|box|file|source)/);
    expect(links).toEqual(["https://example.org/harbour"]);
    const [first] = blocks;
    expect(first).toMatchObject({ pageNumber: 1, width: expect.closeTo(419.5, 0), height: expect.closeTo(595.3, 0) });
    const items: Block[] = blocks.flatMap(({ items }: { items: Block[] }) => items);
    expect(items.every(({ bbox, source }) => bbox?.length === 4 && source === "text")).toBe(true);
    const heading = items.find(({ content }) => content === "Introduction");
    expect(heading).toMatchObject({ type: "heading" });
    expect(markdown.slice(...(heading?.markdownSpan ?? []))).toMatch(/^#+ Introduction$/);

    const some = await parse("report.pdf", pdf("report"), { parsers: [{ type: "pdf", maxPages: 1 }] });
    expect(some.body.data.metadata).toMatchObject({ numPages: 1, totalPages, creditsUsed: 1 });
  });

  it("recognizes pages without text, unless it should be fast", async () => {
    const parsers = [{ type: "pdf", blocks: true }];
    const { body } = await parse("scan.pdf", pdf("scanned"), { parsers });
    expect(body.data.markdown).toContain("Omega the right column closes the story");
    const [page] = body.data.blocks;
    expect(page.items[0]).toMatchObject({ source: "ocr", confidence: { ocr: expect.any(Number) } });
    expect(page.items[0].confidence.ocr).toBeGreaterThan(0.5);
    const fast = await parse("scan.pdf", pdf("scanned"), { parsers: [{ type: "pdf", mode: "fast" }] });
    expect(fast.body.data.markdown).toBe("");
    expect(fast.body.warning).toContain('mode "fast" does not recognize text in images');
    const forced = await parse("form.pdf", pdf("form"), { parsers: [{ type: "pdf", mode: "ocr", blocks: true }] });
    expect(forced.body.data.blocks[0].items[0].source).toBe("ocr");
    expect(forced.body.data.markdown).toContain("Name of the ship");
  });

  it.each(["png", "jpg", "webp", "tiff", "gif", "bmp", "avif", "jp2"])("reads text in %s images", async (kind) => {
    const { status, body } = await parse(`title.${kind}`, file(`title.${kind}`));
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.markdown).toContain(title);
    expect(body.data.metadata).toMatchObject({ numPages: 1, creditsUsed: 1 });
  });

  it("names why a PDF or an image cannot be read: 400 of the caller's, 500 of a page's", async () => {
    const locked = await parse("locked.pdf", pdf("encrypted"));
    expect(locked).toMatchObject({ status: 400, body: { code: "PARSE_FILE_ENCRYPTED" } });
    expect(await scrape("/locked.pdf")).toMatchObject({ status: 500, body: { code: "PARSE_FILE_ENCRYPTED" } });
    const broken = await parse("broken.pdf", Buffer.from("%PDF-1.7\nnothing of the kind"));
    const error = expect.stringMatching(/^The PDF cannot be read: .*[^.]\.$/);
    expect(broken).toMatchObject({ status: 400, body: { code: "PARSE_FILE_BROKEN", error } });
    const cut = await parse("cut.png", file("title.png").subarray(0, 60));
    expect(cut).toMatchObject({ status: 400, body: { code: "PARSE_FILE_BROKEN" } });
    const noImage = await parse("a.jp2", Buffer.from("\0\0\0\x0cjP  \r\n\x87\n", "latin1"));
    expect(noImage).toMatchObject({ status: 400, body: { code: "PARSE_FILE_BROKEN" } });
    const { body } = await app.get("/v2/parse/formats");
    const available = Object.fromEntries(
      body.data.formats.map((row: { format: string; available: boolean }) => [row.format, row.available]),
    );
    expect(available).toMatchObject({ pdf: true, tiff: true, jp2: true });
    const asked = await parse("scan.pdf", pdf("scanned"), { parsers: [{ type: "pdf", recognizer: "model" }] });
    expect(asked).toMatchObject({ status: 501, body: { code: "MODEL_NOT_CONFIGURED" } });
  });

  it("reads the PDFs and images that a scrape meets; without the parser a PDF is base64, and an image is refused", async () => {
    const { body } = await scrape("/report.pdf");
    expect(body.data.markdown).toContain("Figures of the harbour office.");
    const { numPages, creditsUsed, cacheState } = body.data.metadata;
    expect([creditsUsed, cacheState]).toEqual([numPages, "miss"]);
    const again = await scrape("/report.pdf");
    expect(again.body.data).toMatchObject({ markdown: body.data.markdown, metadata: { cacheState: "hit", numPages } });
    const raw = await scrape("/report.pdf", { parsers: [] });
    expect(Buffer.from(raw.body.data.markdown, "base64").equals(pdf("report"))).toBe(true);
    expect(raw.body.data.metadata.creditsUsed).toBe(1);
    for (const parsers of [[], ["pdf"]])
      expect((await scrape("/title.png", { parsers })).body.code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
    const { data } = (await scrape("/title.png")).body;
    expect([data.markdown, data.metadata.creditsUsed]).toEqual([expect.stringContaining(title), 1]);
    const v1 = await app.call("POST", "/v1/scrape", { body: { url: `${site.url}/title.png` } });
    expect(v1.body.code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
  });

  it("takes PDFs through crawl, batch and the local index", async () => {
    const crawl = await runJob(app, "/v2/crawl", { url: site.url, limit: 5 });
    expect(crawl.paths).toEqual(["/", "/report.pdf"]);
    const parsers = ["pdf", "image"];
    const seen = await runJob(app, "/v2/crawl", { url: site.url, limit: 5, scrapeOptions: { parsers } });
    expect(seen.paths.toSorted()).toEqual(["/", "/report.pdf", "/title.png"]);
    const batch = await runJob(app, "/v2/batch/scrape", {
      urls: [`${site.url}/columns.pdf`, `${site.url}/slides.pptx`],
    });
    const texts = batch.data.map(({ markdown }) => markdown).join("\n");
    for (const words of ["Omega the right", "Thank the crew"]) expect(texts).toContain(words);
    const search = async (query: string) =>
      (await app.call("POST", "/v2/search", { body: { query, limit: 1 } })).body.data.web;
    await expect
      .poll(() => search("granite quarries ferries"))
      .toMatchObject([{ url: `${site.url}/report.pdf`, title: "Harbour Report" }]);
    const scrapeOptions = { formats: ["markdown"] };
    const read = await app.call("POST", "/v2/search", {
      body: { query: "granite quarries ferries", limit: 1, scrapeOptions },
    });
    expect(read.body.data.web[0].markdown).toContain("Figures of the harbour office.");
    await expect.poll(() => search("herring arctic cod")).toMatchObject([{ url: `${site.url}/slides.pptx` }]);
  });

  it("adds files to the local index", async () => {
    const base64 = (name: string, bytes: Buffer) => ({ name, encoding: "base64", content: bytes.toString("base64") });
    const files = [base64("plans/tagged.pdf", pdf("tagged")), base64("report.docx", file("report.docx"))];
    const { body } = await app.call("POST", "/v2/search/index", {
      body: { files: [...files, base64("a.docx", Buffer.from("PK"))] },
    });
    expect(body).toMatchObject({ added: 2, refused: [{ name: "a.docx" }] });
    const search = async (query: string) =>
      (await app.call("POST", "/v2/search", { body: { query, limit: 1 } })).body.data.web;
    expect(await search("granite inurl:plans")).toMatchObject([
      { url: "file:///plans/tagged.pdf", title: "Harbour Report" },
    ]);
    expect(await search("borealis herring register")).toMatchObject([{ url: "file:///report.docx" }]);
  });

  it("says of each value on which page of the file it is", async () => {
    const schema = {
      type: "object",
      properties: { name_of_the_ship: { type: "string" }, home_port: { type: "string" } },
    };
    const formats = [{ type: "json", schema, evidence: true }];
    const form = readFileSync(new URL("form.pdf", fixtures));
    const { status, body } = await parse("form.pdf", form, { formats });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.json).toEqual({ name_of_the_ship: "Marie Celeste", home_port: "Norwich" });
    const { page, bbox } = body.data.evidence.name_of_the_ship;
    expect([page, bbox.length]).toEqual([1, 4]);
    const { ended } = await runExtract(app, {
      urls: [`${site.url}/columns.pdf`],
      schema: { type: "object", properties: { title: { type: "string" } } },
      evidence: true,
    });
    expect(ended).toMatchObject({ status: "completed", data: { title }, evidence: { title: { page: 1 } } });
  });
});
