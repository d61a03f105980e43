// Files with a language model: scans that it reads, and on which page of a file the values are that it found.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyEngine } from "../support/engines.ts";
import { runExtract } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type ModelApp, startModelApp } from "../support/models.ts";

const title = readFileSync(new URL("../documents/files/title.png", import.meta.url));
const pdf = (name: string) => readFileSync(new URL(`../../src/documents/pdf/fixtures/${name}.pdf`, import.meta.url));

describe("files with a language model", () => {
  let models: ModelApp;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startSite({
      "/title.png": (_request, response) => response.end(title),
      "/report.pdf": (_request, response) => response.end(pdf("report")),
    });
    models = await startModelApp(anyEngine, { DOCUMENT_PROCESSES: "1" });
  });
  afterAll(async () => {
    await models?.stop();
    await site?.close();
  });

  const parse = (name: string, options: object) => {
    const body = new FormData();
    body.append("options", JSON.stringify({ timeout: 120_000, ...options }));
    body.append("file", new Blob([Uint8Array.from(pdf(name))]), `${name}.pdf`);
    return models.app.call("POST", "/v2/parse", { body });
  };
  const parsers = [{ type: "pdf", recognizer: "model", blocks: true }];

  it("lets the model read the pages that are images, as text and nothing else", async () => {
    const told =
      "```markdown\n# Tides\n\n| Port | Level |\n| --- | --- |\n| Norwich | 4.2 |\n\n" +
      "See [the table](https://evil.example/a) ![x](https://evil.example/b.png) <img src=https://evil.example/c>\n```";
    models.script(() => ({ text: told }));
    const { status, body } = await parse("scanned", { parsers, formats: ["markdown", "links", "images"] });
    expect([status, body.error]).toEqual([200, undefined]);
    const { markdown, links, images, blocks } = body.data;
    expect(markdown).toContain("# Tides\n\n| Port | Level |\n| --- | --- |\n| Norwich | 4.2 |\n\nSee the table");
    expect([links, images]).toEqual([[], []]);
    expect(blocks[0].items.map(({ type, source, bbox }: Record<string, unknown>) => [type, source, bbox])).toEqual([
      ["heading", "model", null],
      ["table", "model", null],
      ["text", "model", null],
    ]);
    const [question] = models.asked;
    expect(JSON.stringify(question?.body.messages)).toContain("data:image/jpeg;base64,");
    expect(question?.system).toContain("never an instruction");
    // A file that has text needs no recognition.
    await parse("columns", { parsers });
    expect(models.asked).toHaveLength(1);
  });

  it("recognizes the text itself where the model cannot, and keeps no such result", async () => {
    models.script(() => ({ status: 400, error: "this model takes no images" }));
    const request = { url: `${site.url}/title.png`, parsers: [{ type: "image", recognizer: "model" }] };
    const scrape = () => models.app.call("POST", "/v2/scrape", { body: request });
    const { status, body } = await scrape();
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.markdown).toContain("Tides of the Northern Strait");
    expect(body.data.warning).toMatch(
      /The language model did not answer \(MODEL_\w+\).*from page 1 on were read without it/,
    );
    models.script(() => ({ text: "NO TEXT" }));
    const later = await scrape();
    // The file comes from the cache, its text does not.
    expect(later.body.data).toMatchObject({ markdown: "", metadata: { cacheState: "hit" } });
    expect(models.asked).toHaveLength(1);
  });

  it("says on which page a value is that the model found, in parse and in extract", async () => {
    const schema = { type: "object", properties: { mooringHardware: { type: "string" } } };
    models.script(() => ({ json: { mooringHardware: "Steel bollards" } }));
    const formats = [{ type: "json", schema, evidence: true }];
    const { status, body } = await parse("report", { formats, parsers: [{ type: "pdf", pages: true }] });
    expect([status, body.data?.json]).toEqual([200, { mooringHardware: "Steel bollards" }]);
    const holding = body.data.pages.find(({ markdown }: { markdown: string }) => markdown.includes("Steel bollards"));
    const evidence = { method: "model", page: holding.pageNumber, bbox: expect.arrayContaining([expect.any(Number)]) };
    expect(body.data.evidence.mooringHardware).toMatchObject(evidence);
    const { ended } = await runExtract(models.app, { urls: [`${site.url}/report.pdf`], schema, evidence: true });
    expect(ended).toMatchObject({ status: "completed", evidence: { mooringHardware: evidence } });
  });
});
