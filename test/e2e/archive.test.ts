// Keeping what servers send, sending it out, and reading it again.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ZipArchive } from "../../src/zip/index.ts";
import type { TestApp } from "../support/app.ts";
import { engines } from "../support/engines.ts";
import { runJob } from "../support/jobs.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";
import { loadWarcio, readWarc } from "../support/warc-tools.ts";

const long = "A page with words of its own, many of them, one after the other. ".repeat(12);
const html = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main>${body}</main></body></html>`;

/** A site with a redirect, packed, repeated, foreign and missing pages; counts its requests. */
async function openMixedSite() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const send = (body: string | Buffer, headers: Record<string, string | string[]> = {}, status = 200) =>
      response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);
    const { pathname } = new URL(request.url ?? "/", "http://x");
    if (pathname === "/") {
      const links = ["/packed", "/moved", "/twice", "/latin", "/missing"].map(
        (each) => `<a href="${each}">${each}</a>`,
      );
      return send(html("Start", `<p>${long}</p>${links.join(" ")}`), {
        "set-cookie": ["sid=topsecret1", "b=topsecret2"],
      });
    }
    if (pathname === "/robots.txt") return send("User-agent: *\nAllow: /\n", { "content-type": "text/plain" });
    if (pathname === "/packed") return send(gzipSync(html("Packed", `<p>${long}</p>`)), { "content-encoding": "gzip" });
    if (pathname === "/moved") return send("gone there", { location: "/target" }, 302);
    if (pathname === "/target" || pathname === "/twice")
      return send(html("Same", `<p>${long}</p>`), { "X-Twice": ["a", "b"] });
    if (pathname === "/latin")
      return send(Buffer.from(html("Latin", `<p>Größe ${long}</p>`), "latin1"), {
        "content-type": "text/html; charset=iso-8859-1",
      });
    return send(html("Missing", "<p>No such page</p>"), {}, 404);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, close: () => server.close() };
}

describe.each(engines)("an archive on $name", (engine) => {
  let app: TestApp;
  let site: Awaited<ReturnType<typeof openMixedSite>>;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
    site = await openMixedSite();
  });
  afterAll(async () => {
    site.close();
    await app.stop();
  });

  async function download(path: string, key = app.key) {
    const response = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }

  it("of a crawl is valid WARC and WACZ, the same twice, and answers the crawl again without a request", async () => {
    const formats = ["markdown", "html", "rawHtml", "links"];
    const headers = {
      Authorization: "Bearer topsecret3",
      Cookie: "c=topsecret4",
      "X-Key": "topsecret5",
      "Accept-Language": "fr",
    };
    const body = { url: site.url.replace("http://", "http://user:topsecret6@"), scrapeOptions: { formats, headers } };
    const { id, data } = await runJob(app, "/v2/crawl", { ...body, archive: true });
    expect(data.length).toBe(6);
    expect(data.map(({ metadata }) => metadata.archiveId)).toEqual(data.map(() => id));

    const { archive } = (await app.get(`/v2/archive/${id}`)).body;
    expect(archive).toMatchObject({ id, source: "crawl", status: "ready", pages: 6, missing: 0 });
    expect((await app.get("/v2/archive")).body.archives).toContainEqual(archive);
    const warc = await download(`/v2/archive/${id}/export?format=warc`);
    expect([warc.status, warc.type]).toEqual([200, "application/warc"]);
    expect((await download(`/v2/crawl/${id}/export?format=warc`)).bytes.equals(warc.bytes)).toBe(true);
    const records = await readWarc(warc.bytes);
    expect(records.length).toBe(archive.records + 1);
    expect(records[0]?.type).toBe("warcinfo");
    for (const { record, raw } of records) {
      const digest = createHash("sha256").update(raw).digest("hex");
      expect(record.warcHeaders.headers.get("WARC-Block-Digest")).toBe(`sha256:${digest}`);
      const text = Buffer.from(raw).toString("latin1");
      expect(text).not.toMatch(/topsecret[1-6]/);
      expect(text.toLowerCase()).not.toContain("set-cookie");
    }
    const revisits = records.filter(({ type }) => type === "revisit").map(({ url }) => new URL(url).pathname);
    expect(revisits.filter((path) => path === "/target" || path === "/twice")).toHaveLength(1);
    expect(records.some(({ url }) => url.endsWith("/robots.txt"))).toBe(true);

    const wacz = await download(`/v2/archive/${id}/export`);
    expect(wacz.type).toBe("application/wacz");
    expect((await download(`/v2/crawl/${id}/export?format=wacz`)).bytes.equals(wacz.bytes)).toBe(true);
    const zip = new ZipArchive(wacz.bytes, { entries: 100, totalBytes: 1e9 }, (_kind, message) => new Error(message));
    const { getSurt } = await loadWarcio();
    const datafile = zip.read("archive/data.warc.gz") as Buffer;
    const lines = (zip.read("indexes/index.cdxj") as Buffer).toString().trimEnd().split("\n");
    expect(lines).toEqual([...lines].sort((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two))));
    for (const line of lines) {
      const [key, time, ...json] = line.split(" ");
      const facts = JSON.parse(json.join(" "));
      expect(key).toBe(getSurt(facts.url));
      expect(time).toMatch(/^\d{17}$/);
      const member = datafile.subarray(Number(facts.offset), Number(facts.offset) + Number(facts.length));
      const [found] = await readWarc(member);
      expect(found?.url).toBe(facts.url);
    }
    const described = JSON.parse((zip.read("datapackage.json") as Buffer).toString());
    for (const { path, hash } of described.resources)
      expect(
        `sha256:${createHash("sha256")
          .update(zip.read(path) as Buffer)
          .digest("hex")}`,
      ).toBe(hash);

    const before = site.requests();
    const again = await runJob(app, "/v2/crawl", {
      url: site.url,
      scrapeOptions: { formats },
      replay: { archive: id },
    });
    expect(site.requests()).toBe(before);
    const outputs = (each: (typeof data)[number]) => [
      each.metadata.url,
      each.markdown,
      each.html,
      each.rawHtml,
      each.links,
    ];
    const byUrl = (list: typeof data) => list.map(outputs).sort();
    expect(byUrl(again.data)).toEqual(byUrl(data));
    expect(again.data.every(({ metadata }) => metadata.replayed === true && metadata.creditsUsed === 0)).toBe(true);
  });

  it("of a scrape is its team's own, and gone once it is deleted", async () => {
    const scraped = (await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/moved`, archive: true } })).body;
    const { scrapeId, archiveId, archivedAt } = scraped.data.metadata;
    expect([archiveId, typeof archivedAt]).toEqual([scrapeId, "string"]);
    const { pages } = (await app.get(`/v2/archive/${archiveId}/pages`)).body;
    expect(pages).toMatchObject([{ url: `${site.url}/moved`, status: 200, mime: "text/html", title: "Same" }]);
    const replay = { archive: archiveId };
    const found = (await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/moved`, replay } })).body;
    expect(found.data.markdown).toBe(scraped.data.markdown);
    expect(found.data.metadata).toMatchObject({
      replayed: true,
      archivedAt,
      creditsUsed: 0,
      url: `${site.url}/target`,
    });
    const missed = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/other`, replay } });
    expect([missed.status, missed.body.code]).toEqual([404, "SCRAPE_REPLAY_MISS"]);
    expect((await download(`/v2/archive/${archiveId}`, app.otherKey)).status).toBe(404);
    expect((await app.call("DELETE", `/v2/archive/${archiveId}`)).status).toBe(200);
    expect((await app.call("DELETE", `/v2/archive/${archiveId}`)).status).toBe(404);
    expect((await app.call("POST", "/v2/scrape", { body: { url: site.url, replay } })).status).toBe(404);
  });
});
