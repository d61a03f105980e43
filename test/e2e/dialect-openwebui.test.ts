// Open WebUI's external hooks and reranking, as its code calls them: the real app, a search service and a site on loopback.
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { otherKey, startApp, type TestApp, testKey } from "../support/app.ts";
import { creditsUsed, startDialects } from "../support/dialects.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { page } from "../support/jobs.ts";
import type { SearchService } from "../support/search-service.ts";
import { textPdf } from "../support/text-pdf.ts";

const fixture = (name: string) => readFileSync(new URL(`../documents/files/${name}`, import.meta.url));

describe.each(bystanders)("Open WebUI on $name", (engine) => {
  const { describeOnce, itOnce } = onOneEngine(engine);
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  let asked = 0;
  beforeAll(async () => {
    const kit = await startDialects(
      engine,
      { "/one": page("Eins – 一"), "/two": page("Two") },
      { KEYLESS_DIALECTS: "rerank=acme", MAX_UPLOAD_BYTES: "2000000" },
    );
    ({ service, site, app } = kit);
    return kit.stop;
  });
  beforeEach(() => {
    service.reset();
    asked += 1;
  });

  const post = (path: string, body: unknown, key: string | null = testKey) => app.call("POST", path, { body, key });
  /** As `requests` of Python sends it: a body, and the headers given. */
  const put = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
    app.call("PUT", "/openwebui/process", { body: bytes, headers });
  const used = () => creditsUsed(app);

  it("searches, and loads pages in their order without those that fail", async () => {
    service.results = [
      { url: "https://example.com/1", title: "Ein Otter", content: "Schwimmt" },
      { url: "https://example.com/2", title: "Two" },
    ];
    const found = await post("/openwebui/search", { query: `otters ${asked}`, count: 1 });
    expect([found.status, found.body]).toEqual([
      200,
      [{ link: "https://example.com/1", title: "Ein Otter", snippet: "Schwimmt" }],
    ]);
    const urls = [`${site.url}/two`, "http://10.0.0.1/", `${site.url}/gone`, `${site.url}/one`];
    const loaded = await post("/openwebui/load", { urls });
    expect(loaded.body).toEqual([
      {
        page_content: expect.stringContaining("# Two"),
        metadata: { source: urls[0], title: "Two", description: "", language: expect.any(String) },
      },
      { page_content: expect.stringContaining("# Eins – 一"), metadata: expect.objectContaining({ source: urls[3] }) },
    ]);
    expect(loaded.headers.get("x-trawl-warning")).toMatch(
      /^Left out: http:\/\/10\.0\.0\.1\/: This URL is not allowed\.; .*\/gone: .*404/,
    );
    const { data } = (await app.get("/v2/team/activity?limit=4")).body;
    expect(new Set(data.map(({ api_version }: { api_version: string }) => api_version))).toEqual(
      new Set(["openwebui"]),
    );
    const other = (await app.get("/v2/team/activity", { key: otherKey })).body.data;
    expect(other).toEqual([]);
  });

  itOnce("reads files: a PDF page by page, office files, texts as they are", async () => {
    const before = await used();
    const pdf = await put(textPdf("The manual", "The appendix"), {
      "content-type": "application/pdf",
      "x-filename": "..%2F..%2Fetc%2Fm%C3%BCller%20manual.pdf",
    });
    const metadata = { source: "müller manual.pdf", title: expect.any(String), contentType: "application/pdf" };
    expect([pdf.status, pdf.body]).toEqual([
      200,
      [
        { page_content: "The manual", metadata: { ...metadata, page: 0 } },
        { page_content: "The appendix", metadata: { ...metadata, page: 1 } },
      ],
    ]);
    expect((await used()) - before).toBe(2);
    // The bytes say what it is, whatever the name and the type say.
    const word = await put(fixture("report.docx"), { "content-type": "text/plain", "x-filename": "report.txt" });
    expect([word.status, word.body.metadata.source, word.body.page_content.length > 100]).toEqual([
      200,
      "report.txt",
      true,
    ]);
  });

  describeOnce("files", () => {
    it.each([
      ["notes.md", "text/markdown", "# A *title*\n\n| a | b |"],
      ["data.json", "application/json", '{"a": [1, 2]}'],
      ["main.py", "application/octet-stream", "def f(x):\n    return x  # ü"],
      ["Dockerfile.dockerfile", "", "FROM node"],
      ["feed.xml", "application/xml", "<a><b>c</b></a>"],
      ["", "text/plain", "plain words"],
    ])("%s passes through as text", async (name, type, text) => {
      const answer = await put(Buffer.from(text), {
        ...(type === "" ? {} : { "content-type": type }),
        ...(name === "" ? {} : { "x-filename": name }),
      });
      expect([answer.status, answer.body?.page_content, answer.body?.metadata.source]).toEqual([200, text, name]);
    });

    it("without text are 422 in the words that Open WebUI knows; unknown kinds 415; broken ones 422; large ones 413", async () => {
      const empty = { detail: "No extractable text" };
      for (const bytes of [new Uint8Array(), Buffer.from("  \n ")]) {
        const answer = await put(bytes, { "x-filename": "empty.txt", "content-type": "text/plain" });
        expect([answer.status, answer.body]).toEqual([422, empty]);
      }
      const unknown = await put(Buffer.from([0, 1, 2, 3, 255, 254]), {
        "x-filename": "thing.xyz",
        "content-type": "application/x-thing",
      });
      expect([unknown.status, Object.keys(unknown.body)]).toEqual([415, ["detail"]]);
      const broken = await put(Buffer.from("%PDF-1.7\nnothing"), { "x-filename": "broken.pdf" });
      expect([broken.status, Object.keys(broken.body)]).toEqual([422, ["detail"]]);
      const large = await put(Buffer.alloc(2_100_000, 65), { "x-filename": "large.txt" });
      expect([large.status, Object.keys(large.body)]).toEqual([413, ["detail"]]);
    });

    it.each<[string, unknown]>([
      ["/openwebui/search", {}],
      ["/openwebui/search", { query: "a", count: 0 }],
      ["/openwebui/load", { urls: [] }],
      ["/openwebui/load", { urls: Array.from({ length: 21 }, () => "https://example.com") }],
      ["/openwebui/load", { urls: "https://example.com" }],
    ])("bad requests to %s are 400: %j", async (path, body) => {
      const answer = await post(path, body);
      expect([answer.status, answer.body]).toEqual([400, { detail: expect.any(String) }]);
    });

    it("keys, paths, methods and failed searches are in its shape; empty searches are lists", async () => {
      expect((await post("/openwebui/search", { query: "a" }, "wrong")).body).toEqual({
        detail: "Unauthorized: Invalid token",
      });
      expect((await app.get("/openwebui/nothing")).body).toEqual({ detail: expect.any(String) });
      const method = await app.get("/openwebui/process");
      expect([method.status, method.headers.get("allow")]).toEqual([405, "PUT"]);
      expect((await post("/openwebui/search", { query: `none ${asked}` })).body).toEqual([]);
      service.status = 500;
      const failed = await post("/openwebui/search", { query: `down ${asked}` });
      expect([failed.status, failed.body]).toEqual([503, { detail: expect.any(String) }]);
    });
  });

  it("reranks without reading or charging anything, the same each time", async () => {
    const before = await used();
    const body = {
      model: "any",
      query: "harbour crane",
      documents: ["bread", "the harbour crane", { text: "cranes in harbours of the world" }],
      top_n: 3,
    };
    const answer = await post("/v1/rerank", body);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      object: "list",
      model: "any",
      usage: { total_tokens: 17, prompt_tokens: 17 },
      results: [
        { index: 1, relevance_score: expect.any(Number), document: { text: "the harbour crane" } },
        { index: 2, relevance_score: expect.any(Number), document: { text: "cranes in harbours of the world" } },
        { index: 0, relevance_score: 0, document: { text: "bread" } },
      ],
      meta: { api_version: { version: "2" }, billed_units: { search_units: 1 } },
    });
    for (const { relevance_score: score } of answer.body.results) expect(score >= 0 && score <= 1).toBe(true);
    expect((await post("/rerank", body)).body.results).toEqual(answer.body.results);
    expect(await used()).toBe(before);
  });

  describeOnce("rerank", () => {
    it("as Cohere leaves texts out, cuts at top_n, and takes any model", async () => {
      const { body } = await post("/v2/rerank", {
        query: "b",
        documents: ["a", "b", "c"],
        top_n: 1,
        rank_fields: ["text"],
      });
      expect(body.results).toEqual([{ index: 1, relevance_score: expect.any(Number) }]);
      const all = await post("/v2/rerank", { query: "b", documents: ["a", "b"], top_n: 50, return_documents: true });
      expect(all.body.results).toHaveLength(2);
    });

    it("folds letters and stems, and reads scripts without spaces by words", async () => {
      const order = async (query: string, documents: string[]) =>
        (await post("/v1/rerank", { query, documents })).body.results.map(
          ({ index, relevance_score }: { index: number; relevance_score: number }) => [index, relevance_score > 0],
        );
      expect(await order("CAFÉ boats", ["nothing", "a boat", "the cafe by the boats"])).toEqual([
        [2, true],
        [1, true],
        [0, false],
      ]);
      expect(await order("机器学习", ["机器", "机器学习的书", "天气"])).toEqual([
        [1, true],
        [0, true],
        [2, false],
      ]);
    });

    it("names what is ignored, and refuses what is wrong in both shapes", async () => {
      const ignored = await post("/v1/rerank", {
        query: "a",
        documents: ["a"],
        truncation: true,
        return_embeddings: false,
        max_chunks_per_doc: 3,
      });
      expect(ignored.headers.get("x-trawl-ignored")).toBe("max_chunks_per_doc, return_embeddings, truncation");
      for (const body of [
        {},
        { query: "a" },
        { query: "a", documents: [] },
        { query: "a", documents: [1] },
        { query: "a", documents: ["a"], top_n: 0 },
        { query: "a", documents: Array.from({ length: 1001 }, () => "a") },
      ]) {
        const answer = await post("/v1/rerank", body);
        expect([answer.status, answer.body]).toEqual([
          400,
          { detail: expect.any(String), message: answer.body.detail },
        ]);
      }
      expect((await post("/v1/rerank", { query: "a", documents: ["a"] }, "wrong")).status).toBe(401);
      expect((await post("/v1/rerank", { query: "a", documents: ["a"] }, null)).status).toBe(200);
    });

    it("counts against the rate of searches", async () => {
      const limited = await startApp(engine, { RATE_LIMIT_SCRAPE: "1", TRAWL_API_KEYS: `acme:${testKey}` });
      onTestFinished(() => limited.stop());
      const ask = () => limited.call("POST", "/v2/rerank", { body: { query: "a", documents: ["a"] } });
      expect((await ask()).status).toBe(200);
      const second = await ask();
      expect([second.status, second.body]).toEqual([429, { detail: expect.any(String), message: expect.any(String) }]);
    });
  });
});
