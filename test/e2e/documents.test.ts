// Files through every door: POST /v2/parse, uploads in two steps, scrape, crawl and extract. The real app and real files.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

const folder = new URL("../documents/files/", import.meta.url);
const sheetRow = "<td>Aurora</td><td>2026-03-01</td><td>412</td><td>34.2%</td>";
const read = (name: string) => readFileSync(new URL(name, folder));

describe.each(bystanders)("files on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let app: TestApp;
  let site: FixtureSite;

  beforeAll(async () => {
    const serve = (name: string, type: string) => (_request: unknown, response: import("node:http").ServerResponse) =>
      response.writeHead(200, { "content-type": type }).end(read(name));
    site = await startSite({
      "/": '<h1>Harbour</h1><p>Files of the harbour.</p><a href="/report.docx">Report</a> <a href="/catch.xlsx">Catch</a>',
      "/report.docx": serve("report.docx", "application/octet-stream"),
      "/catch.xlsx": serve("catch.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
      "/boats.csv": serve("boats.csv", "text/csv"),
      "/boat.docx": serve("boat.docx", "application/octet-stream"),
      "/broken.docx": (_request, response) =>
        response.end(Buffer.from("PK\x03\x04 word/ [Content_Types].xml", "latin1")),
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: new URL(site.url).host, DOCUMENT_PROCESSES: "1" });
  });
  afterAll(async () => {
    await app?.stop();
    await site?.close();
  });

  /** The parts in the order of the official SDK, or the other way round. */
  function form(name: string, bytes: Uint8Array, options: object = {}, isFileFirst = false): FormData {
    const data = new FormData();
    const file = new Blob([Uint8Array.from(bytes)]);
    if (isFileFirst) data.append("file", file, name);
    data.append("options", JSON.stringify(options));
    if (!isFileFirst) data.append("file", file, name);
    return data;
  }
  const parse = (name: string, options: object = {}, bytes: Uint8Array = read(name)) =>
    app.call("POST", "/v2/parse", { body: form(name, bytes, options) });

  it("parses a file in either order of parts, charges it, lists it, and stores its answer for a day", async () => {
    const { status, body } = await parse("report.docx", { formats: ["markdown", "links"] });
    expect(status).toBe(200);
    expect(body.data.markdown).toContain("# Catch of the year");
    expect(body.data.links).toEqual(["https://harbour.example/register"]);
    expect(body.data.metadata).toMatchObject({
      title: "Harbour report",
      author: "Ada Tide",
      creditsUsed: 1,
      statusCode: 200,
      sourceURL: "report.docx",
      contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    });
    const other = await app.call("POST", "/v2/parse", { body: form("report.docx", read("report.docx"), {}, true) });
    expect(other.body.data.markdown).toBe(body.data.markdown);
    const again = await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`);
    expect(again.body.data.markdown).toBe(body.data.markdown);
    const { body: activity } = await app.get("/v2/team/activity");
    expect(activity.data[0]).toMatchObject({ endpoint: "scrape", target: "report.docx" });
  });

  it("takes a file that was uploaded before, for its team only", async () => {
    const { body } = await app.call("POST", "/v2/parse/upload-url", {
      body: { filename: "boats.csv", contentType: "text/csv" },
    });
    expect(body.data).toMatchObject({
      method: "PUT",
      maxSizeBytes: 52_428_800,
      headers: { "Content-Type": "text/csv" },
    });
    const path = new URL(body.data.uploadUrl).pathname;
    const early = await app.call("POST", "/v2/parse", { body: { uploadRef: body.data.uploadRef } });
    expect(early).toMatchObject({ status: 404, body: { code: "UPLOAD_NOT_FOUND" } });
    const sent = await fetch(app.url + path, {
      method: "PUT",
      body: read("boats.csv"),
      headers: { "content-type": "text/csv" },
    });
    expect([sent.status, await sent.json()]).toEqual([200, { success: true }]);
    const parsed = await app.call("POST", "/v2/parse", {
      body: { uploadRef: body.data.uploadRef, formats: ["markdown"] },
    });
    expect(parsed.body.data.markdown).toContain("| Aurora; the old one | 412 |");
    const stolen = await app.call("POST", "/v2/parse", { key: otherKey, body: { uploadRef: body.data.uploadRef } });
    expect(stolen).toMatchObject({ status: 404, body: { code: "UPLOAD_NOT_FOUND" } });
    const nowhere = await fetch(`${app.url}/v2/parse/upload/00000000-0000-4000-8000-000000000000`, {
      method: "PUT",
      body: "x",
    });
    expect(nowhere.status).toBe(404);
  });

  it("reads files that a scrape or a crawl meets, and serves them from the cache", async () => {
    const scrape = (path: string, options: object = {}) =>
      app.call("POST", "/v2/scrape", { body: { url: site.url + path, ...options } });
    const { body } = await scrape("/report.docx");
    expect(body.data.markdown).toContain("| Borealis | 792 | South |");
    expect(body.data.metadata).toMatchObject({ cacheState: "miss", title: "Harbour report" });
    const hit = await scrape("/report.docx");
    expect(hit.body.data).toMatchObject({
      markdown: body.data.markdown,
      metadata: { cacheState: "hit", author: "Ada Tide" },
    });
    expect((await scrape("/boats.csv")).body.data.markdown).toContain("| Borealis | 792 |");
    const broken = await scrape("/broken.docx");
    expect(broken).toMatchObject({ status: 500, body: { code: "PARSE_FILE_BROKEN" } });

    const { body: started } = await app.call("POST", "/v2/crawl", { body: { url: site.url, limit: 10 } });
    await expect.poll(async () => (await app.get(`/v2/crawl/${started.id}`)).body.status).toBe("completed");
    const { body: crawl } = await app.get(`/v2/crawl/${started.id}`);
    const texts = Object.fromEntries(
      crawl.data.map((page: { markdown: string; metadata: { sourceURL: string } }) => [
        new URL(page.metadata.sourceURL).pathname,
        page.markdown,
      ]),
    );
    expect(Object.keys(texts).sort()).toEqual(["/", "/catch.xlsx", "/report.docx"]);
    expect(texts["/catch.xlsx"]).toContain('<td colspan="2">Together</td><td>1204</td>');
  });

  it("shows the pictures of files by URLs that work for a day, from the cache as well", async () => {
    const formats = ["markdown", "images", { type: "changeTracking" }];
    const scrape = async (options: object = {}) =>
      (await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/boat.docx`, ...options } })).body.data;
    const first = await scrape({ formats: ["markdown", "images"] });
    const [image] = first.images;
    expect(image).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\/[\w-]{43}\.png$/);
    expect(first.markdown).toContain(`![The Aurora at the pier](${image})`);
    expect(first.metadata.pictures).toBe(1);
    const served = await fetch(image);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await served.arrayBuffer()).equals(read("title.png"))).toBe(true);
    const hit = await scrape({ formats: ["markdown", "images"] });
    expect([hit.metadata.cacheState, hit.images]).toEqual(["hit", [image]]);
    // Other outputs are made of the cached file, with their own pictures.
    const other = await scrape({ formats: ["html"] });
    const [, shown = ""] = /<img[^>]* src="([^"]+)"/.exec(other.html) ?? [];
    expect([other.metadata.cacheState, (await fetch(shown)).status]).toEqual(["hit", 200]);
    await scrape({ formats, maxAge: 0 });
    expect((await scrape({ formats, maxAge: 0 })).changeTracking.changeStatus).toBe("same");
  });

  describeOnce("what is the same on both", () => {
    it("finds the pictures of every kind of office file", async () => {
      const kinds = ["docx", "odt", "pptx", "epub", "rtf", "xlsx", "ods", "doc"];
      for (const name of [...kinds.map((kind) => `boat.${kind}`), "slides.ppt"]) {
        const { status, body } = await parse(name, { formats: ["markdown", "images"] });
        expect([name, status, body.data?.images.length, body.data?.metadata.pictures]).toEqual([name, 200, 1, 1]);
        expect([name, (await fetch(body.data.images[0])).status]).toEqual([name, 200]);
        expect(body.data.markdown).toContain(`](${body.data.images[0]})`);
      }
      const picture = read("title.png").toString("base64");
      const mail = `Subject: Boat\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p><img src="cid:a@b" alt="Boat"></p>\n--b\nContent-Type: image/png\nContent-ID: <a@b>\nContent-Transfer-Encoding: base64\n\n${picture}\n--b--\n`;
      expect((await parse("boat.eml", { formats: ["images"] }, Buffer.from(mail))).body.data.images).toHaveLength(1);
      const cell = {
        cell_type: "code",
        source: "plot()",
        outputs: [{ output_type: "display_data", data: { "image/png": picture } }],
      };
      const notebook = Buffer.from(JSON.stringify({ cells: [cell] }));
      expect((await parse("boat.ipynb", { formats: ["images"] }, notebook)).body.data.images).toHaveLength(1);
    });

    it("keeps places right beside pictures, and no picture where nothing may be kept", async () => {
      const parsers = [{ type: "pdf", blocks: true }];
      const { body } = await parse("boat.pptx", { parsers });
      const { blocks, markdown } = body.data;
      const items = blocks.flatMap(
        (page: { items: { content: string; markdownSpan: [number, number] }[] }) => page.items,
      );
      const last = items.findLast(({ content }: { content: string }) => content.includes("Back at noon"));
      expect(markdown.slice(...last.markdownSpan)).toContain("Back at noon.");
      const forgotten = await parse("boat.docx", { zeroDataRetention: true, formats: ["markdown", "images"] });
      expect(forgotten.body.data).toMatchObject({
        markdown: expect.stringContaining("![The Aurora at the pier](<Base64-Image-Removed>)"),
        images: [],
      });
    });

    it.each([
      ["report.docx", "# Catch of the year", "| Aurora | 412 | North |"],
      ["report.odt", "# Catch of the year", "| Aurora | 412 | North |"],
      ["report.doc", "# Catch of the year", "| Aurora | 412 | North |"],
      ["report.rtf", "# Catch of the year", "| Aurora | 412 | North |"],
      ["report.epub", "# Catch of the year", "Aurora"],
      ["report.html", "# Catch of the year", "Aurora"],
      ["report.md", "# Catch of the year", "Aurora"],
      ["catch.xlsx", "## Catch", sheetRow],
      ["catch.xls", "## Catch", sheetRow],
      ["catch.ods", "## Catch", sheetRow],
      ["catch.xlsm", "## Catch", sheetRow],
      ["catch.xlsb", "## Catch", sheetRow],
      ["report.docm", "# Catch of the year", "| Aurora | 412 | North |"],
      ["slides.pptm", "## Catch", "Thank the crew."],
      ["mail.msg", "# The catch of March", "- boats.csv (23 bytes)"],
      ["boats.csv", "| Boat | Tonnes |", "| Aurora; the old one | 412 |"],
      ["slides.pptx", "## Catch", "Thank the crew."],
      ["slides.odp", "## Catch", "Thank the crew."],
      ["slides.ppt", "## Catch", "Thank the crew."],
      ["mail.eml", "# The catch – March", "- boats.csv (23 bytes)"],
      ["page.mhtml", "# Harbour", "Saved for later."],
      ["notebook.ipynb", "# Catch", "1204"],
      ["all.zip", "# boats.csv", "# The catch – March"],
    ])("reads %s", async (name, first, second) => {
      const { status, body } = await parse(name);
      expect([status, body.error]).toEqual([200, undefined]);
      expect(body.data.markdown).toContain(first);
      expect(body.data.markdown).toContain(second);
    });

    it("reads texts by their kind, whatever type a client declares", async () => {
      const markdownOf = async (name: string, text: string) =>
        (await parse(name, {}, Buffer.from(text))).body.data.markdown;
      expect(await markdownOf("notes.txt", "<p>plain</p>")).toBe("<p>plain</p>");
      expect(await markdownOf("data.json", '{"a":1}')).toBe('```json\n{\n  "a": 1\n}\n```');
      const feed = "<rss><channel><title>News</title><item><title>One</title></item></channel></rss>";
      expect(await markdownOf("feed.xml", feed)).toBe("# News\n\n## One");
      expect(await markdownOf("table.tsv", "a\tb\n1\t2\n")).toBe("| a | b |\n| --- | --- |\n| 1 | 2 |");
    });

    it("reads what is attached to a mail when asked to", async () => {
      for (const name of ["mail.eml", "mail.msg"]) {
        const { body } = await parse(name, { parsers: ["attachments"] });
        expect(body.data.markdown).toContain("## boats.csv\n\n| Boat | Tonnes |\n| --- | --- |\n| Aurora | 412 |");
      }
      const mail = [
        "Subject: Two\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n",
        "--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=a.bin\n\nx",
        "--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nInside\n--b--\n",
      ];
      const { body } = await parse("two.eml", { parsers: ["attachments"] }, Buffer.from(mail.join("\n")));
      expect(body.data.markdown).toContain("## a.txt\n\nInside");
      expect(body.warning).toContain("Attachments that were not read: a.bin");
    });

    it("names the cause for each file that cannot be read, and goes on", async () => {
      const codeOf = async (name: string, bytes: Uint8Array | string, options: object = {}) => {
        const { status, body } = await parse(name, options, typeof bytes === "string" ? Buffer.from(bytes) : bytes);
        return [status, body.code];
      };
      const docx = read("report.docx");
      expect(await codeOf("empty.docx", "")).toEqual([400, "PARSE_FILE_EMPTY"]);
      expect(await codeOf("cut.docx", docx.subarray(0, 600))).toEqual([400, "PARSE_FILE_BROKEN"]);
      expect(await codeOf("what.xyz", "\0\x01\x02")).toEqual([400, "UNSUPPORTED_FILE_TYPE"]);
      const { body } = await parse("what.xyz", {}, Buffer.from("\0\x01"));
      expect(body.error).toContain("docx, docm, doc");
      expect(await codeOf("a.docx", docx, { waitFor: 5 })).toEqual([400, "PARSE_UNSUPPORTED_OPTIONS"]);
      expect(await codeOf("a.docx", docx, { formats: ["screenshot"] })).toEqual([400, "PARSE_UNSUPPORTED_OPTIONS"]);
      expect(await codeOf("a.docx", docx, { formats: ["poem"] })).toEqual([400, "BAD_REQUEST"]);
      const renamed = await parse("report.pdf", {}, docx);
      expect(renamed.body.warning).toContain("its bytes are those of a Word document");
      expect((await parse("report.docx")).status).toBe(200);
    });

    it("refuses what is larger than the limit, and what no form carries", async () => {
      const huge = await app.call("POST", "/v2/parse", { body: form("a.txt", Buffer.alloc(51 * 1024 * 1024, 97)) });
      expect(huge.status).toBe(413);
      const none = await app.call("POST", "/v2/parse", { body: {} });
      expect(none).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    });

    it("lists the kinds of files, and takes no other method there", async () => {
      const { status, headers, body } = await app.get("/v2/parse/formats");
      expect([status, headers.get("cache-control")]).toEqual([200, "private, max-age=3600"]);
      const docx = body.data.formats.find(({ format }: { format: string }) => format === "docx");
      expect(docx).toMatchObject({ kind: "document", extensions: [".docx", ".dotx"], available: true });
      const refused = await app.call("DELETE", "/v2/parse/formats");
      expect(refused).toMatchObject({
        status: 405,
        body: { code: "METHOD_NOT_ALLOWED", details: { allowed_methods: ["GET"] } },
      });
    });

    it("keeps running heads and comments for those who ask for the whole file", async () => {
      const { body } = await parse("slides.pptx", { formats: ["markdown", "html"], includeTags: ["table"] });
      expect(body.data.markdown).toBe("| Boat | Tonnes |\n| --- | --- |\n| Aurora | 412 |");
      expect(body.data.html).not.toContain("data-page");
    });

    it("splits a file that has pages", async () => {
      const parsers = [{ type: "pdf", pages: true, blocks: true, pageMarkers: true }];
      const { body } = await parse("slides.pptx", { parsers });
      expect(body.data.metadata).toMatchObject({ numPages: 3, totalPages: 3, creditsUsed: 1 });
      expect(body.data.pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual([1, 2, 3]);
      expect(body.data.markdown).toContain("\n\n---\n\n<!-- page 2 -->\n\n");
      const [item] = body.data.blocks[1].items;
      expect(body.data.markdown.slice(...item.markdownSpan)).toContain("## Catch");
    });

    it("survives the loss of the process in the middle of a file", async () => {
      const rows = Array.from({ length: 60_000 }, (_, index) => `boat ${index},${index},north`).join("\n");
      const work = parse("many.csv", { timeout: 60_000 }, Buffer.from(rows));
      // One that waits for work may be lost first; the file is then read by another.
      const killing = setInterval(() => {
        for (const pid of app.pools.files.pids()) process.kill(pid, "SIGKILL");
      }, 50);
      await work.finally(() => clearInterval(killing));
      expect(await work).toMatchObject({ status: 400, body: { code: "PARSE_FILE_BROKEN" } });
      expect((await parse("report.docx")).status).toBe(200);
    });
  });
});
