// POST /v1/llmstxt: a site as llms.txt and llms-full.txt.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

const page = (title: string, body: string, description = "") =>
  `<title>${title}</title><meta name="description" content="${description}"><main><h1>${title}</h1>${body}</main>`;

let site: FixtureSite;
let app: TestApp;
beforeAll(async () => {
  site = await startSite({
    "/": page(
      "Home",
      `<p>Welcome to the site of nets.</p><a href="/nets">Nets</a> <a href="/private">Private</a>`,
      "All about nets",
    ),
    "/nets": page("Nets [of rope]", "<p>Nets are made of rope.</p>"),
    "/private": page("Private", "<p>Not for machines.</p>"),
    "/listed": page("Listed", "<p>Only the sitemap names it.</p>", "Named nowhere else"),
    "/robots.txt": (_request, response) =>
      response.end(`User-agent: *\nDisallow: /private\nSitemap: ${site.url}/sitemap.xml`),
    "/sitemap.xml": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/xml" })
        .end(
          `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}/listed</loc></url></urlset>`,
        ),
  });
  app = await useApp(anyEngine, withoutBrowser);
});
afterAll(async () => {
  await app.stop();
  await site.close();
});

async function generate(body: object) {
  const { status, body: started } = await app.call("POST", "/v1/llmstxt", { body });
  expect([status, started]).toEqual([
    200,
    {
      success: true,
      id: expect.any(String),
      warnings: [expect.stringContaining("deprecated")],
      replacement: "/v2/crawl",
    },
  ]);
  const read = () => app.get(`/v1/llmstxt/${started.id}`).then((answer) => answer.body);
  await expect.poll(async () => (await read()).status).not.toBe("processing");
  return { id: started.id, found: await read() };
}

describe("llms.txt of v1", () => {
  it("lists the pages that the map names and robots.txt allows, and with showFullText what they say, for a credit a page", async () => {
    const { id, found } = await generate({ url: site.url, showFullText: true });
    expect(found).toMatchObject({ success: true, status: "completed", replacement: "/v2/crawl" });
    expect(found.expiresAt).toMatch(/Z$/);
    const { host } = new URL(site.url);
    expect(found.data.llmstxt).toBe(
      `# ${host} llms.txt\n\n- [Home](${site.url}/): All about nets\n- [Listed](${site.url}/listed): Named nowhere else\n` +
        `- [Nets \\[of rope\\]](${site.url}/nets)\n`,
    );
    expect(found.data.llmsfulltxt).toMatch(
      /^# [^\n]+ llms-full\.txt\n\n<\|page-1\|>\n# Home\n[\s\S]+<\|page-3\|>\n# Nets/,
    );
    expect(found.data.llmsfulltxt).not.toContain("Not for machines");
    const [line] = (await app.get("/v2/team/activity?endpoint=llmstxt")).body.data;
    expect(line).toMatchObject({ id, endpoint: "llmstxt", api_version: "v1", target: `${site.url}/` });
    expect((await app.get("/v2/team/credit-usage/historical")).body.periods.at(-1).totalCredits).toBe(3);
    expect((await app.get(`/v2/batch/scrape/${id}`)).body.data).toHaveLength(3);
    expect((await app.get(`/v1/llmstxt/${id}`, { key: app.otherKey })).status).toBe(404);
  });

  it("reads no more than maxUrls pages", async () => {
    const { found } = await generate({ url: site.url, maxUrls: 1 });
    expect(found.data).toEqual({ llmstxt: expect.stringMatching(/^# \S+ llms\.txt\n\n- \[[^\n]+\n$/) });
  });

  it("fails with the reason when the site cannot be read", async () => {
    const gone = await startSite({});
    await gone.close();
    const { found } = await generate({ url: gone.url });
    expect([found.status, found.data]).toEqual(["failed", { llmstxt: "" }]);
    expect(found.error.length).toBeGreaterThan(10);
  });

  it("names the field that is wrong, and knows its own jobs only", async () => {
    for (const [sent, field] of [
      [{}, "url"],
      [{ url: site.url, maxUrls: 5001 }, "maxUrls"],
      [{ url: site.url, showFullText: "yes" }, "showFullText"],
    ] as const) {
      const { status, body } = await app.call("POST", "/v1/llmstxt", { body: sent });
      expect([sent, status, body.details[0].path[0]]).toEqual([sent, 400, field]);
    }
    const { status, body } = await app.get("/v1/llmstxt/0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01");
    expect([status, body.error]).toEqual([404, "LLMs.txt generation job not found"]);
  });
});
