// The limits that a caller sets for a crawl: credits, seconds, bytes, and words that end it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { handmadePdf, pdfStream } from "../support/handmade-pdf.ts";
import { openSite, page, pagesFor, runJob, startJob, untilEnded } from "../support/jobs.ts";
import { openGate } from "../support/page-gate.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

const paths = Array.from({ length: 20 }, (_, index) => `/p/${index}`);
const tree = { "/": page("Start", paths), ...pagesFor(paths) };

function fivePages(): Uint8Array {
  const numbers = [3, 4, 5, 6, 7];
  const pageObject =
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 8 0 R /Resources << /Font << /F 9 0 R >> >> >>";
  return handmadePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}] /Count 5 >>`,
    ...numbers.map(() => pageObject),
    pdfStream("", "BT /F 12 Tf 20 100 Td (Some text of a page.) Tj ET"),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
}

describe.each(bystanders)("limits of a crawl on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
  });
  afterAll(() => app.stop());
  const crawl = (body: object) => runJob(app, "/v2/crawl", { sitemap: "skip", ...body });
  const chargedFor = async () => (await app.get("/v2/team/credit-usage/historical")).body.periods[0]?.totalCredits ?? 0;

  it.each([1, 2, 7])("maxCredits %d is used up and not exceeded, however many pages are read at once", async (most) => {
    const before = await chargedFor();
    const site = await openSite(tree);
    const { status, data } = await crawl({ url: site.url, maxCredits: most });
    expect(status).toMatchObject({ status: "completed", completed: most, creditsUsed: most });
    expect(status.stopReason).toMatch(/credit/);
    expect(data).toHaveLength(most);
    expect((await chargedFor()) - before).toBe(most);
    // Nothing was read that could not be paid.
    expect(site.asked.filter((path) => path === "/" || path.startsWith("/p/"))).toHaveLength(most);
  });

  it("maxCredits counts a page at its price, and no page that would cost more than is left", async () => {
    const pdf = fivePages();
    const file = (_request: unknown, response: import("node:http").ServerResponse) =>
      response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
    const site = await openSite({
      "/": page("Start", ["/five.pdf", "/a", "/b"]),
      "/five.pdf": file,
      ...pagesFor(["/a", "/b"]),
    });
    const tight = await crawl({ url: site.url, maxCredits: 4, maxConcurrency: 1 });
    expect(tight.paths).toEqual(["/", "/a", "/b"]);
    expect(tight.status).toMatchObject({ status: "completed", creditsUsed: 3 });
    expect(tight.errors).toMatchObject([{ url: `${site.url}/five.pdf`, code: "CRAWL_BUDGET_EXCEEDED" }]);
    const wide = await crawl({ url: site.url, maxCredits: 8, maxConcurrency: 1 });
    expect(wide.status).toMatchObject({ status: "completed", completed: 4, creditsUsed: 8 });
  });

  it("maxCredits below the price of one page reads nothing", async () => {
    const site = await openSite(tree);
    const { status } = await crawl({ url: site.url, maxCredits: 1, zeroDataRetention: true });
    expect(status).toMatchObject({ status: "completed", completed: 0, creditsUsed: 0 });
    expect(status.stopReason).toMatch(/credit/);
    expect(site.asked.filter((path) => path === "/")).toEqual([]);
  });

  it("maxCredits that are not reached change nothing", async () => {
    const site = await openSite(tree);
    const { status } = await crawl({ url: site.url, maxCredits: 21, maxSeconds: 600, maxBytes: 100_000_000 });
    expect(status).toMatchObject({ status: "completed", completed: 21, creditsUsed: 21 });
    expect(status).not.toHaveProperty("stopReason");
  });

  it("maxSeconds cuts off the active pages, which are not charged, and starts no other", async () => {
    const gate = openGate();
    const site = await openSite({
      "/": page("Start", paths),
      ...Object.fromEntries(paths.map((path) => [path, gate.page(path)])),
    });
    const before = await chargedFor();
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", maxSeconds: 3, maxConcurrency: 2 });
    await gate.asked(2);
    const status = await untilEnded(app, `/v2/crawl/${id}`);
    expect(status).toMatchObject({ status: "completed", completed: 1, creditsUsed: 1 });
    expect(status.stopReason).toMatch(/second/);
    const asked = gate.count();
    gate.open();
    expect((await app.get(`/v2/crawl/${id}`)).body.completed).toBe(1);
    expect([(await chargedFor()) - before, gate.count()]).toEqual([1, asked]);
  });

  it("maxBytes lets the active pages finish and starts no other", async () => {
    const long = `<main><p>${"word ".repeat(4000)}</p></main>`;
    const site = await openSite({ ...tree, ...Object.fromEntries(paths.map((path) => [path, long])) });
    const { status } = await crawl({ url: site.url, maxBytes: 50_000, maxConcurrency: 1 });
    // The start page is small; each other one has 20 KB.
    expect(status).toMatchObject({ status: "completed", completed: 4 });
    expect(status.stopReason).toMatch(/byte/);
  });

  it("stopOnContent ends the crawl with the page that holds one of the words", async () => {
    const site = await openSite({ ...tree, "/p/3": page("The Needle in a haystack") });
    const { status, paths: read } = await crawl({
      url: site.url,
      stopOnContent: ["no such word", "needle"],
      maxConcurrency: 1,
    });
    expect(status).toMatchObject({ status: "completed", completed: 5, creditsUsed: 5 });
    expect(status.stopReason).toContain('"needle"');
    expect(read).toContain("/p/3");
    const unreadable = { url: site.url, stopOnContent: ["needle"], scrapeOptions: { formats: ["links"] } };
    const { status: code, body } = await app.call("POST", "/v2/crawl", { body: unreadable });
    expect([code, body.details?.[0]?.path]).toEqual([400, ["stopOnContent"]]);
  });

  it.each([{ maxCredits: 0 }, { maxSeconds: 0.5 }, { maxBytes: "many" }, { stopOnContent: [""] }])(
    "%j is 400 and names its field",
    async (options) => {
      const { status, body } = await app.call("POST", "/v2/crawl", {
        body: { url: "https://example.com", ...options },
      });
      expect([status, body.details?.[0]?.path[0]]).toEqual([400, Object.keys(options)[0]]);
    },
  );
});
