// The documents of a job that has ended, as one file in each format.
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveLimits, openZip } from "../../src/documents/packages/open-zip.ts";
import type { TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { openSite, page, runJob, startJob } from "../support/jobs.ts";
import { openGate } from "../support/page-gate.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

describe.each(bystanders)("export on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
  });
  afterAll(() => app.stop());

  async function download(path: string) {
    const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${app.key}` } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { status, headers } = response;
    return { status, bytes, text: Buffer.from(bytes).toString(), type: headers.get("content-type"), headers };
  }

  it.each(["/v2/crawl", "/v2/batch/scrape"])("of %s has every document, in each format", async (path) => {
    const paths = Array.from({ length: 70 }, (_, index) => `/p/${index}`);
    const site = await openSite({
      "/": page('Start, with "quotes", commas', paths),
      "/p/0": page("=HYPERLINK(1)"),
      ...Object.fromEntries(paths.slice(1).map((each) => [each, page(`Ünïcode ${each}`)])),
    });
    const urls = ["/", ...paths].map((each) => site.url + each);
    const scrapeOptions = { formats: ["markdown", "html"] };
    const body = path === "/v2/crawl" ? { url: site.url, sitemap: "skip", scrapeOptions } : { urls, ...scrapeOptions };
    const { id, data } = await runJob(app, path, body);
    const file = (format: string) => download(`${path}/${id}/export?format=${format}`);

    const lines = await file("jsonl");
    expect([lines.status, lines.type]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
    expect(lines.headers.get("content-disposition")).toMatch(
      /^attachment; filename="(crawl|batch)-[0-9a-f-]{36}\.jsonl"$/,
    );
    expect(
      lines.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(data);
    expect((await download(`${path}/${id}/export`)).text).toBe(lines.text);

    const table = await file("csv");
    const rows = readCsv(table.text);
    expect([table.type, rows.length]).toEqual(["text/csv; charset=utf-8", data.length + 1]);
    const [head = [], ...cells] = rows;
    expect(cells.map((row) => row[head.indexOf("url")])).toEqual(data.map(({ metadata }) => metadata.url));
    const formula = cells.find((row) => row[head.indexOf("url")]?.endsWith("/p/0"));
    expect(formula?.[head.indexOf("title")]).toBe("'=HYPERLINK(1)");
    expect(cells[0]?.[head.indexOf("markdown")]).toBe(data[0].markdown);

    const zip = await file("md.zip");
    const archive = openZip(zip.bytes, archiveLimits);
    const { names } = archive;
    expect([zip.type, names.length]).toEqual(["application/zip", data.length]);
    expect(names[0]).toMatch(/^000001-127-0-0-1.*\.md$/);
    const text = archive.read(names[0] ?? "")?.toString();
    expect(text).toContain(`url: "${data[0].metadata.url}"`);
    expect(text).toContain(data[0].markdown);

    const parquet = await file("parquet");
    expect(parquet.type).toBe("application/vnd.apache.parquet");
    const read = await parquetReadObjects({ file: parquet.bytes.buffer as ArrayBuffer });
    expect(read.map(({ json }) => JSON.parse(String(json)))).toEqual(data);
    expect(read[0]).toMatchObject({ url: data[0].metadata.url, statusCode: 200, unchanged: false });

    const llms = await file("llmstxt");
    expect([llms.type, llms.text.split("\n")[0]?.startsWith("# ")]).toEqual(["text/markdown; charset=utf-8", true]);
    const listed = llms.text.split("\n").filter((line) => line.startsWith("- ["));
    expect(listed).toHaveLength(data.length);
    for (const { metadata } of data) expect(llms.text).toContain(`](${metadata.sourceURL})`);
    const full = await file("llms-full");
    expect(full.text.split("\n\n---\n\n# ")).toHaveLength(data.length);
    for (const { markdown, metadata } of data) {
      expect(full.text).toContain(`Source: ${metadata.sourceURL}\n\n${markdown}`);
    }
  });

  it("is 409 while the job runs, 404 for others, 400 for an unknown format; a cancelled job has what it read", async () => {
    const gate = openGate();
    const site = await openSite({ "/": page("Start", ["/held"]), "/held": gate.page("/held") });
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip" });
    await gate.asked(1);
    const asked = async (query = "", key = app.key) => (await app.get(`/v2/crawl/${id}/export${query}`, { key })).body;
    expect((await asked()).code).toBe("JOB_STILL_RUNNING");
    expect((await asked("", app.otherKey)).code).toBe("JOB_NOT_FOUND");
    expect((await asked("?format=xml")).details[0].path).toEqual(["format"]);
    await app.call("DELETE", `/v2/crawl/${id}`);
    gate.open();
    const { text } = await download(`/v2/crawl/${id}/export`);
    expect(text.trimEnd().split("\n")).toHaveLength(1);
  });

  it("of a job without documents is an empty file of its format", async () => {
    const site = await openSite({ "/": page("Start") });
    const { id } = await runJob(app, "/v2/crawl", { url: site.url, includePaths: ["^/none"], sitemap: "skip" });
    const file = async (format: string) => (await download(`/v2/crawl/${id}/export?format=${format}`)).bytes;
    expect(await file("jsonl")).toHaveLength(0);
    expect(Buffer.from(await file("csv")).toString()).toMatch(/^url,[\w,]+\r\n$/);
    // Nothing but the end of a directory.
    expect(Buffer.from(await file("md.zip")).readUInt32LE(0)).toBe(0x06054b50);
    expect(await parquetReadObjects({ file: (await file("parquet")).buffer as ArrayBuffer })).toEqual([]);
    expect(Buffer.from(await file("llmstxt")).toString()).toBe("# No pages\n\n## Pages\n\n\n");
  });
});

/** By RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end !== "\r\n") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
