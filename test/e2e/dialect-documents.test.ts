// docling-serve and Tika, as Open WebUI, `requests` of Python and curl call them: the real app and a site on loopback, both engines.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { otherKey, type TestApp, testKey } from "../support/app.ts";
import { creditsUsed, startDialects } from "../support/dialects.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { page } from "../support/jobs.ts";
import { sendRaw } from "../support/raw.ts";
import { textPdf } from "../support/text-pdf.ts";

const fixture = (name: string) => readFileSync(new URL(`../documents/files/${name}`, import.meta.url));
const manual = textPdf("The manual", "The appendix", "The index");
/** Read faster than a PDF, where the kind does not matter. */
const book = Buffer.from(
  '<!doctype html><html lang="en"><title>Book</title><main><p>The manual</p><p>The appendix</p></main></html>',
);

describe.each(bystanders)("documents on $name", (engine) => {
  const { describeOnce, itOnce } = onOneEngine(engine);
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    const kit = await startDialects(
      engine,
      {
        "/page": page("Seite – 页"),
        "/manual.pdf": (_request, response) =>
          response.writeHead(200, { "content-type": "application/pdf" }).end(manual),
      },
      { KEYLESS_DIALECTS: "tika=acme" },
    );
    ({ site, app } = kit);
    return kit.stop;
  });

  const form = (bytes: Uint8Array, name: string, fields: Record<string, string | string[]> = {}) => {
    const data = new FormData();
    data.append("files", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
    for (const [key, values] of Object.entries(fields)) for (const value of [values].flat()) data.append(key, value);
    return data;
  };
  const convert = (data: FormData, path = "file") =>
    app.call("POST", `/docling/v1/convert/${path}`, { key: null, headers: { "x-api-key": testKey }, body: data });
  const source = (body: unknown, path = "source") => app.call("POST", `/docling/v1/convert/${path}`, { body });
  const used = () => creditsUsed(app);
  /** As programs send it that name no type. */
  const put = (path: string, bytes: Uint8Array, headers: Record<string, string> = {}, key: string | null = testKey) =>
    app.call("PUT", path, { body: bytes, key, headers });

  itOnce("docling: converts a file as Open WebUI asks for it, page by page", async () => {
    const before = await used();
    const answer = await convert(
      form(manual, "/tmp/upload/manual.pdf", { md_page_break_placeholder: "\f", do_table_structure: "true" }),
    );
    expect([answer.status, answer.headers.get("x-trawl-ignored")]).toEqual([200, "do_table_structure"]);
    expect(answer.body).toEqual({
      document: {
        filename: "manual.pdf",
        md_content: "The manual\n\n\f\n\nThe appendix\n\n\f\n\nThe index",
        html_content: null,
        text_content: null,
        json_content: null,
        doctags_content: null,
      },
      status: "success",
      errors: [],
      processing_time: expect.any(Number),
      timings: {},
    });
    expect((await used()) - before).toBe(3);
    expect((await app.get("/v2/team/activity?limit=1")).body.data[0]).toMatchObject({
      endpoint: "scrape",
      api_version: "docling",
      target: "manual.pdf",
    });
  });

  it("docling: converts URLs and base64, and answers tasks at once, for their team alone", async () => {
    const url = await source({
      sources: [{ kind: "http", url: `${site.url}/page` }],
      options: { to_formats: ["md", "html", "text"] },
    });
    expect(url.body.document).toMatchObject({
      md_content: expect.stringContaining("# Seite – 页"),
      html_content: expect.stringContaining("<h1"),
      text_content: expect.stringContaining("Seite – 页\n"),
    });
    const older = await source({ http_sources: [{ url: `${site.url}/manual.pdf` }], options: { page_range: [2, 2] } });
    expect(older.body.document.md_content).toBe("The appendix");
    expect(older.headers.get("x-trawl-ignored")).toBeNull();
    const task = await source(
      { file_sources: [{ base64_string: Buffer.from(manual).toString("base64"), filename: "manual.pdf" }] },
      "source/async",
    );
    expect(task.body).toEqual({
      task_id: expect.any(String),
      task_type: "convert",
      task_status: "success",
      task_position: null,
      task_meta: null,
      error_message: null,
    });
    const id = task.body.task_id;
    expect((await app.get(`/docling/v1/status/poll/${id}?wait=5`)).body).toEqual(task.body);
    const result = await app.get(`/docling/v1/result/${id}`);
    expect([result.body.status, result.body.document.md_content]).toEqual([
      "success",
      expect.stringContaining("The appendix"),
    ]);
    for (const path of [`status/poll/${id}`, `result/${id}`, "result/unknown"]) {
      const foreign = await app.get(`/docling/v1/${path}`, { key: otherKey });
      expect([foreign.status, foreign.body]).toEqual([404, { detail: "Task not found." }]);
    }
  });

  describeOnce("docling", () => {
    it("takes formats and page ranges in every form, and says what it does not make", async () => {
      const partial = await convert(
        form(manual, "m.pdf", {
          to_formats: ["md", "json"],
          page_range: ["1", "2"],
          do_ocr: "false",
          document_timeout: "60",
        }),
      );
      expect(partial.body).toMatchObject({
        status: "partial_success",
        errors: [
          {
            component_type: "user_input",
            module_name: expect.any(String),
            error_message: expect.stringContaining("json"),
          },
        ],
        document: { md_content: "The manual\n\nThe appendix", json_content: null },
      });
      // The result of a task is what the options of its request ask for.
      const fields = { to_formats: '["text","html","json"]', page_range: "[2,3]", image_export_mode: "embedded" };
      const task = await convert(form(manual, "/tmp/m.pdf", fields), "file/async");
      expect(task.body.task_status).toBe("success");
      const result = await app.get(`/docling/v1/result/${task.body.task_id}`);
      expect(result.body).toMatchObject({
        status: "partial_success",
        errors: [{ error_message: expect.stringContaining("json") }],
        document: {
          filename: "m.pdf",
          md_content: null,
          text_content: "The appendix\nThe index",
          html_content: expect.stringContaining("The appendix"),
        },
      });
      expect(result.body.document.html_content).not.toContain("The manual");
      const ranged = { to_formats: ["md", "html"], page_range: ["2", "2"] };
      const slides = await convert(form(fixture("slides.pptx"), "s.pptx", ranged));
      const all = await convert(form(fixture("slides.pptx"), "s.pptx", { ...ranged, page_range: [] }));
      for (const part of ["md_content", "html_content"] as const) {
        expect(slides.body.document[part].length).toBeGreaterThan(10);
        expect(slides.body.document[part].length).toBeLessThan(all.body.document[part].length);
      }
      // A file without pages is read whole, and the range is named as the request has it.
      const whole = await convert(form(book, "b.html", { page_range: ["1", "1"] }));
      expect(whole.headers.get("x-trawl-ignored")).toBe("page_range");
      const page = await source({
        sources: [{ kind: "http", url: `${site.url}/page` }],
        options: { page_range: [1, 1] },
      });
      expect(page.headers.get("x-trawl-ignored")).toBe("options.page_range");
      const beyond = await convert(form(manual, "m.pdf", { page_range: ["4", "5"] }));
      expect([beyond.status, beyond.body]).toEqual([422, { detail: expect.stringContaining("no page 4") }]);
      // Another scrape of the team is no task, and what a task keeps is not shown elsewhere.
      const { body } = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/page` } });
      expect((await app.get(`/docling/v1/result/${body.data.metadata.scrapeId}`)).status).toBe(404);
      expect((await app.get(`/v2/scrape/${task.body.task_id}`)).text).not.toContain("to_formats");
      const commas = await convert(form(fixture("report.docx"), "r.docx", { to_formats: "text,html" }));
      expect([
        commas.body.document.md_content,
        typeof commas.body.document.text_content,
        typeof commas.body.document.html_content,
      ]).toEqual([null, "string", "string"]);
    });

    it("health, readiness and version need no key; what is not served is 501", async () => {
      for (const path of ["health", "ready"])
        expect((await app.get(`/docling/${path}`, { key: null })).body).toEqual({ status: "ok" });
      expect(Object.keys((await app.get("/docling/version", { key: null })).body)).toContain("docling-serve");
      expect((await app.call("POST", "/docling/v1/chunk/hybrid/file", { body: {} })).status).toBe(501);
      const { status, text } = await sendRaw(
        app.url,
        "GET /docling/v1/status/ws/one HTTP/1.1\r\nHost: trawl\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      expect([status, text.split("\r\n\r\n")[1]]).toEqual([501, expect.stringContaining('{"detail":"')]);
    });

    it.each<[string, unknown, number, unknown]>([
      [
        "no source",
        { sources: [] },
        422,
        [{ loc: ["body", "sources"], msg: "takes exactly one source", type: "value_error" }],
      ],
      [
        "two sources",
        {
          sources: [
            { kind: "http", url: "https://a.example" },
            { kind: "http", url: "https://b.example" },
          ],
        },
        422,
        expect.any(Array),
      ],
      [
        "another target",
        { sources: [{ kind: "http", url: "https://a.example" }], target: { kind: "zip" } },
        422,
        [expect.objectContaining({ loc: ["body", "target"] })],
      ],
      [
        "an unknown format",
        { sources: [{ kind: "http", url: "https://a.example" }], options: { to_formats: ["docx"] } },
        422,
        [expect.objectContaining({ loc: ["body", "options", "to_formats"] })],
      ],
      [
        "a bad range",
        { sources: [{ kind: "http", url: "https://a.example" }], options: { page_range: [0, 2] } },
        422,
        [expect.objectContaining({ loc: ["body", "options", "page_range"] })],
      ],
      [
        "a source that is no URL",
        { sources: [{ kind: "http", url: "not a url" }] },
        422,
        [expect.objectContaining({ loc: ["body", "sources", 0, "url"] })],
      ],
      [
        "an older source that is no URL",
        { http_sources: [{ url: "ftp://example.com/x" }] },
        422,
        [expect.objectContaining({ loc: ["body", "http_sources", 0, "url"] })],
      ],
      ["a refused address", { sources: [{ kind: "http", url: "http://10.0.0.1/" }] }, 403, "This URL is not allowed."],
      [
        "a broken file",
        { sources: [{ kind: "file", base64_string: Buffer.from("%PDF-1.7 x").toString("base64"), filename: "a.pdf" }] },
        422,
        expect.any(String),
      ],
      [
        "an unknown kind",
        { sources: [{ kind: "file", base64_string: "AAEC", filename: "a.xyz" }] },
        415,
        expect.any(String),
      ],
    ])("%s is refused", async (_, body, status, detail) => {
      const answer = await source(body);
      expect([answer.status, answer.body]).toEqual([status, { detail }]);
    });

    it("refuses kinds that from_formats leaves out, forms without a file, and wrong keys", async () => {
      expect((await convert(form(manual, "m.pdf", { from_formats: ["docx", "image"] }))).status).toBe(415);
      expect((await convert(form(manual, "m.pdf", { from_formats: ["pdf"] }))).status).toBe(200);
      const empty = new FormData();
      empty.append("to_formats", "md");
      expect((await convert(empty)).status).toBe(422);
      const two = form(book, "one.html");
      two.append("files", new Blob(["two"]), "two.txt");
      expect((await convert(two)).body.detail[0]).toMatchObject({ loc: ["body", "files"] });
      const named = (kinds: string[]) =>
        source({ sources: [{ kind: "http", url: `${site.url}/page` }], options: { from_formats: kinds } });
      expect([(await named(["pdf"])).status, (await named(["html"])).status]).toEqual([415, 200]);
      const pdf = { sources: [{ kind: "http", url: `${site.url}/manual.pdf` }], options: { from_formats: ["pdf"] } };
      expect((await source(pdf)).status).toBe(200);
      expect((await convert(form(manual, "m.pdf", { target_type: "zip" }))).status).toBe(422);
      const wrong = await app.call("POST", "/docling/v1/convert/file", { key: "wrong", body: form(manual, "m.pdf") });
      expect([wrong.status, wrong.body]).toEqual([401, { detail: "Unauthorized: Invalid token" }]);
    });
  });

  itOnce("Tika: reads a file as Open WebUI asks for it, below its prefix and at the root", async () => {
    const before = await used();
    const answer = await put(
      "/tika/tika/text",
      manual,
      { "content-disposition": 'attachment; filename="manual.pdf"' },
      null,
    );
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        "X-TIKA:content": "The manual\nThe appendix\nThe index",
        "Content-Type": "application/pdf",
        "Content-Length": String(manual.byteLength),
        "X-TIKA:Parsed-By": ["trawl"],
        "X-TIKA:parse_time_millis": expect.stringMatching(/^\d+$/),
        resourceName: "manual.pdf",
        "xmpTPg:NPages": "3",
        ...(answer.body["dc:title"] === undefined ? {} : { "dc:title": expect.any(String) }),
        ...(answer.body["dc:language"] === undefined ? {} : { "dc:language": expect.any(String) }),
      },
    ]);
    expect((await put("/tika/text", manual)).body["X-TIKA:content"]).toBe(answer.body["X-TIKA:content"]);
    expect((await used()) - before).toBe(6);
    expect((await app.get("/v2/team/activity?limit=1")).body.data[0].api_version).toBe("tika");
  });

  describeOnce("Tika", () => {
    it("greets, tells a version, and detects types for nothing", async () => {
      for (const path of ["/tika", "/tika/tika"]) expect((await app.get(path, { key: null })).text).toContain("Tika");
      expect((await app.get("/tika/version", { key: null })).text).toMatch(/Tika \d/);
      const before = await used();
      expect((await put("/tika/detect/stream", fixture("report.docx"))).text).toMatch(/wordprocessingml/);
      expect((await put("/tika/detect", Buffer.from("x"), { "file-name": "a.csv" })).text).toBe("text/csv");
      expect((await put("/tika/detect", Buffer.from([0, 1, 2]))).text).toBe("application/octet-stream");
      expect(await used()).toBe(before);
    });

    it.each<[string, string | null, string, RegExp]>([
      ["/tika", "text/plain", "text/plain", /^The manual\nThe appendix/],
      ["/tika", "application/json", "application/json", /"X-TIKA:content":"<html/],
      [
        "/tika",
        null,
        "text/html",
        /^<html xmlns="http:\/\/www.w3.org\/1999\/xhtml"><head><title>.*<\/title><\/head><body>[\s\S]*The manual/,
      ],
      ["/tika/tika", "text/xml", "text/xml", /<body>/],
      ["/tika/text", "text/plain", "text/plain", /^The manual/],
      ["/tika/html", "application/json, */*", "application/json", /"X-TIKA:content":"<html/],
      ["/tika/html", "text/html", "text/html", /^<html/],
      ["/tika/xml", null, "application/json", /"X-TIKA:content":"<html/],
      ["/tika/md", null, "text/markdown", /The manual\n\nThe appendix/],
      ["/tika/json", null, "application/json", /"X-TIKA:content":"The manual/],
      ["/tika/main", null, "text/plain", /^The manual/],
      ["/tika/rmeta", null, "application/json", /^\[\{"X-TIKA:content":"<html/],
      ["/tika/rmeta/text", null, "application/json", /^\[\{"X-TIKA:content":"The manual/],
      ["/tika/rmeta/ignore", null, "application/json", /^\[\{"Content-Type"/],
      ["/tika/meta", null, "text/csv", /^"Content-Type","text\/html/m],
      ["/tika/meta", "application/json", "application/json", /"dc:title":"Book"/],
    ])("PUT %s with Accept %s is %s", async (path, accept, type, text) => {
      // fetch adds its own Accept when none is given, which takes anything.
      const answer = await put(path, book, { "file-name": "book.html", ...(accept === null ? {} : { accept }) });
      expect([answer.status, answer.headers.get("content-type"), answer.text]).toEqual([
        200,
        expect.stringContaining(type),
        expect.stringMatching(text),
      ]);
    });

    it("takes a form, cuts at writeLimit, and names what has no effect", async () => {
      const answer = await app.call("POST", "/tika/form", {
        body: form(book, "book.html"),
        headers: { accept: "text/plain" },
      });
      expect(answer.text).toMatch(/^The manual/);
      const cut = await put("/tika/text", manual, {
        writeLimit: "3",
        "X-Tika-PDFOcrStrategy": "no_ocr",
        "X-Tika-OCRLanguage": "eng",
        maxEmbeddedResources: "1",
      });
      expect([cut.body["X-TIKA:content"], cut.headers.get("x-trawl-ignored")]).toEqual([
        "The",
        "maxembeddedresources, x-tika-ocrlanguage",
      ]);
      const ignored = async (path: string, strategy: string) => {
        const headers = { writeLimit: "3", "X-Tika-PDFOcrStrategy": strategy, "file-name": "book.html" };
        return (await put(path, book, headers)).headers.get("x-trawl-ignored");
      };
      expect(await ignored("/tika/text", "ocr_and_text_extraction")).toBe("x-tika-pdfocrstrategy");
      expect(await ignored("/tika/text", "AUTO")).toBeNull();
      expect(await ignored("/tika/rmeta/ignore", "no_ocr")).toBe("writelimit");
      expect(await ignored("/tika/meta", "no_ocr")).toBe("writelimit");
      expect(await ignored("/tika/detect", "no_ocr")).toBe("writelimit, x-tika-pdfocrstrategy");
    });

    it("passes warnings on", async () => {
      const named = { "file-name": "report.pdf" };
      const answer = await put("/tika/text", fixture("report.docx"), named);
      expect(answer.headers.get("x-trawl-warning")).toContain("named report.pdf");
    });

    it.each<[string, Uint8Array, Record<string, string>, number]>([
      ["/tika/text", manual, { fileUrl: "http://10.0.0.1/" }, 400],
      ["/tika/text", manual, { fetcherName: "http", fetchKey: "http://169.254.169.254/" }, 400],
      ["/tika/detect", manual, { fileUrl: "file:///etc/passwd" }, 400],
      ["/tika/nothing", manual, {}, 400],
      ["/tika/rmeta/nothing", manual, {}, 400],
      ["/tika/text", manual, { writeLimit: "x" }, 400],
      ["/tika/text", Buffer.from([0, 1, 2]), { "file-name": "a.xyz" }, 415],
      ["/tika/text", new Uint8Array(), { "file-name": "a.txt" }, 422],
      ["/tika/text", Buffer.from("%PDF-1.7 x"), {}, 422],
    ])("PUT %s is refused in a sentence", async (path, bytes, headers, status) => {
      const answer = await put(path, bytes, headers);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/plain; charset=utf-8"]);
      expect(answer.text.length).toBeGreaterThan(5);
    });

    it.each(["", " ", "nonsense", "*/*", "application/json", "text/plain; charset"])(
      "takes a file of the type %j",
      async (type) => {
        const headers = { "content-type": type, "file-name": "notes.txt" };
        const answer = await put("/tika/text", Buffer.from("Plain words"), headers);
        expect([answer.status, answer.body?.["X-TIKA:content"]]).toEqual([200, "Plain words"]);
      },
    );

    it("takes the key of Basic, refuses a wrong one, and other methods by Allow", async () => {
      const authorization = `Basic ${Buffer.from(`any:${testKey}`).toString("base64")}`;
      expect((await put("/tika/text", book, { authorization }, null)).status).toBe(200);
      expect((await put("/tika/text", manual, {}, "wrong")).status).toBe(401);
      const method = await app.call("DELETE", "/tika/meta");
      expect([method.status, method.headers.get("allow")]).toEqual([405, "PUT"]);
    });
  });
});
