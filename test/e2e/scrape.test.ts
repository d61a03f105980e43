// POST /v2/scrape through every room: the real app, a real site on loopback, both store engines.
import type { ServerResponse } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { type CallOptions, createTestClock, otherKey, startApp, type TestApp, testKey } from "../support/app.ts";
import { startCpuTimer } from "../support/cpu-timer.ts";
import { bystanders, engines, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { withLightCalls } from "../support/light-calls.ts";
import { useApp } from "../support/shared-app.ts";

const article = `<!doctype html><html lang="en"><head><title>Nets and knots</title>
<meta name="description" content="How nets are made"><meta property="og:title" content="Nets, knots">
<link rel="icon" href="/icon.png"></head><body>
<nav><a href="/">Home</a><a href="/about">About us</a></nav>
<main><h1>Nets and knots</h1><p>A net is <b>made of knots</b>, see <a href="/knots">the knots page</a>.</p>
<ul><li>Trawl</li><li>Seine</li></ul><img src="/net.jpg" alt="A net">
<p>Nets have been made for a very long time, from many fibres, by many hands, and for many kinds of fish.</p></main>
<footer>Copyright by nobody</footer></body></html>`;

describe.each(bystanders)("scrape on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  const clock = createTestClock("2026-11-15T12:00:00Z");
  let site: FixtureSite;
  let app: TestApp;
  let counter = 0;

  beforeAll(async () => {
    site = await startSite({
      "/article": article,
      "/empty": "",
      "/nothing": (_request, response) => response.writeHead(204).end(),
      "/broken": (_request, response) => response.writeHead(500, { "content-type": "text/html" }).end("<h1>Oops</h1>"),
      "/moved": (_request, response) => response.writeHead(302, { location: "/article" }).end(),
      "/inside": (_request, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end(),
      "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
      "/slow": () => {},
      "/series": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", link: '</all>; rel="up"' });
        response.end('<title>Part one</title><main><p>One of many.</p><a rel="next" href="?page=2">Next</a></main>');
      },
      "/drip": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<h1>Slow</h1>");
      },
      "/late": (_request, response) => setTimeout(() => response.end("<h1>Late</h1>"), 300),
      "/cut": (_request, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write("<h1>Cut");
        setImmediate(() => response.destroy());
      },
      "/binary": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(Buffer.from(Array.from({ length: 4000 }, (_, index) => index % 256)));
      },
      "/bomb": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
        // Thirty packed pieces behind one another unpack as one.
        const piece = gzipSync(Buffer.alloc(10 * 1024 * 1024), { level: 9 });
        response.end(Buffer.concat(Array.from({ length: 30 }, () => piece)));
      },
      "/large": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const piece = Buffer.alloc(1024 * 1024, "x");
        let sent = 0;
        const more = () => {
          while (sent < 60 && !response.destroyed) {
            sent += 1;
            if (!response.write(piece)) {
              response.once("drain", more);
              return;
            }
          }
          response.end();
        };
        more();
      },
      "/deep": `<h1>Deep</h1>${"<div>".repeat(100_000)}bottom`,
      "/unclosed": `<h1>Unclosed</h1>${"<".repeat(300_000)}`,
      "/latin": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(
          Buffer.from([0x3c, 0x70, 0x3e, 0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x20, 0x80, 0x3c, 0x2f, 0x70, 0x3e]),
        );
      },
      "/pdf": (_request, response) => {
        response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF-1.4\n%%EOF");
      },
      "/counter": (_request, response) => {
        counter += 1;
        response.writeHead(200, { "content-type": "text/html" }).end(`<main><h1>Count ${counter}</h1></main>`);
      },
      "/refresh": '<meta http-equiv="refresh" content="0; url=/article"><h1>Stay here</h1>',
      "/headers": (request, response) => {
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(request.headers));
      },
    });
    clock.set("2026-11-15T12:00:00Z");
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}` }, clock);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    site.asked.length = 0;
  });

  const scrape = (path: string, options: object = {}, call: CallOptions = {}) => {
    // Activity is listed by time, and this clock does not move otherwise.
    clock.advance(1);
    return app.call("POST", "/v2/scrape", { body: { url: `${site.url}${path}`, maxAge: 0, ...options }, ...call });
  };

  it("gives markdown and what is known about the page", async () => {
    const { status, body } = await scrape("/article");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["success", "data"]);
    expect(body.data.markdown).toContain("# Nets and knots");
    expect(body.data.markdown).toContain(`A net is **made of knots**, see [the knots page](${site.url}/knots).`);
    expect(body.data.markdown).toMatch(/^[-*] Trawl\n[-*] Seine$/m);
    expect(body.data.markdown).not.toMatch(/About us|Copyright/);
    expect(Object.keys(body.data).toSorted()).toEqual(["markdown", "metadata"]);
    expect(body.data.metadata).toMatchObject({
      title: "Nets and knots",
      description: "How nets are made",
      language: "en",
      ogTitle: "Nets, knots",
      favicon: `${site.url}/icon.png`,
      sourceURL: `${site.url}/article`,
      url: `${site.url}/article`,
      statusCode: 200,
      contentType: "text/html; charset=utf-8",
      scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      proxyUsed: "basic",
      cacheState: "miss",
      creditsUsed: 1,
      concurrencyLimited: false,
    });
    expect(body.data.metadata.error).toBeUndefined();
  });

  it("says who it is, with an address only where the operator has one (PUBLIC_URL)", async () => {
    await scrape("/article");
    expect(site.headers()["user-agent"]).toMatch(/^Mozilla\/5\.0 \(compatible; TrawlBot\/[\d.]+\)$/);
    const env = { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`, PUBLIC_URL: "https://trawl.example.com" };
    const known = await startApp(engine, env);
    await known.call("POST", "/v2/scrape", { body: { url: `${site.url}/article` } });
    await known.stop();
    expect(site.headers()["user-agent"]).toMatch(/TrawlBot\/[\d.]+; \+https:\/\/trawl\.example\.com\)$/);
  });

  it("gives exactly the outputs that were asked for", async () => {
    const formats = [
      "html",
      "rawHtml",
      "links",
      "images",
      { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
    ];
    const { body } = await scrape("/article", { formats, onlyMainContent: false });
    expect(Object.keys(body.data).toSorted()).toEqual(["attributes", "html", "images", "links", "metadata", "rawHtml"]);
    expect(body.data.rawHtml).toBe(article);
    expect(body.data.html).toContain(`href="${site.url}/knots"`);
    expect(body.data.html).not.toMatch(/<script|<meta|<head/);
    expect(body.data.links).toEqual([`${site.url}/`, `${site.url}/about`, `${site.url}/knots`]);
    expect(body.data.images).toContain(`${site.url}/net.jpg`);
    expect(body.data.attributes).toEqual([{ selector: "a", attribute: "href", values: ["/", "/about", "/knots"] }]);
  });

  it("keeps and removes elements by selector, and names a bad one", async () => {
    expect((await scrape("/article", { includeTags: ["ul"] })).body.data.markdown.trim()).toMatch(
      /^[-*] Trawl\n[-*] Seine$/,
    );
    expect((await scrape("/article", { excludeTags: ["ul", "h1"] })).body.data.markdown).not.toMatch(/Seine|# Nets/);
    const bad = await scrape("/article", { includeTags: ["main", "a[href"] });
    expect([bad.status, bad.body.details[0].path]).toEqual([400, ["includeTags", 1]]);
    const attributes = { type: "attributes", selectors: [{ selector: "::", attribute: "href" }] };
    expect((await scrape("/article", { formats: [attributes] })).body.details[0].path).toEqual([
      "formats",
      0,
      "selectors",
      0,
      "selector",
    ]);
    expect(site.asked).toEqual(["/article", "/article"]);
  });

  it("refuses selectors that only cost time, at once", async () => {
    const nested = `${":is(a,".repeat(140)}a${")".repeat(140)}`;
    const readCpu = startCpuTimer();
    const deep = await scrape("/article", { includeTags: [nested] });
    expect([deep.status, deep.body.details[0].path]).toEqual([400, ["includeTags", 0]]);
    const many = await scrape("/article", { excludeTags: Array(1000).fill("a".repeat(40)) });
    expect(many.status).toBe(400);
    expect((await scrape("/article", { includeTags: [":HAS(a):has(b):Has(c)"] })).status).toBe(400);
    expect(readCpu()).toBeLessThan(5000);
    expect(site.asked).toEqual([]);
  });

  it("names unknown fields in the warning", async () => {
    const { status, body } = await scrape("/article", {
      onlyMainContnt: true,
      formats: [{ type: "markdown", depth: 1 }],
    });
    expect(status).toBe(200);
    expect(body.warning).toBe("Unknown fields were ignored: formats.0.depth, onlyMainContnt.");
  });

  describeOnce("what this server cannot do", () => {
    it("onlyCleanContent is 501, names it, and fetches nothing", async () => {
      const { status, body } = await scrape("/article", { onlyCleanContent: true });
      expect(status).toBe(501);
      expect(body.error).toContain("onlyCleanContent");
      expect(site.asked).toEqual([]);
    });

    it("is left out and named in the warning where clients always ask for it", async () => {
      const formats = ["markdown"];
      const { status, body } = await scrape("/article", {
        formats,
        redactPII: true,
        threatProtection: { mode: "manual-only" },
        proxy: "stealth",
      });
      expect(status).toBe(200);
      expect(Object.keys(body.data).toSorted()).toEqual(["markdown", "metadata", "warning"]);
      for (const name of ["redactPII", "threatProtection", "proxy"]) {
        expect(body.warning).toContain(name);
      }
    });

    it("is the hosted service's exchange", async () => {
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { alexandria: [] } });
      expect([status, body.error]).toEqual([403, "Exchange is not enabled for this team."]);
    });
  });

  describeOnce("addresses", () => {
    const ask = (address: string) => {
      const url = address.replace("PORT", String(site.port));
      return app.call("POST", "/v2/scrape", { body: { url, maxAge: 0 } });
    };

    it.each([
      "http://localhost:PORT/article",
      "http://app.localhost:PORT/article",
      "http://2130706433:PORT/article",
      "http://0x7f.1:PORT/article",
      "http://0177.0.0.1:PORT/article",
      "http://127.1:PORT/article",
      "http://user@127.0.0.1:PORT/article",
      "http://[::ffff:127.0.0.1]:PORT/article",
    ])("such as %s are the one that the operator allowed", async (address) => {
      const { status, body } = await ask(address);
      expect([status, body.data?.metadata.statusCode]).toEqual([200, 200]);
    });

    it.each([
      "http://127.0.0.2:PORT/",
      "http://127.0.0.1/",
      "http://[::1]:PORT/",
      "http://[::ffff:127.0.0.2]:PORT/",
      "http://user@127.0.0.2:PORT/",
      "http://10.0.0.1/",
      "http://169.254.169.254/latest/meta-data/",
      "http://192.168.1.1./",
    ])("such as %s stay closed", async (address) => {
      const { status, body } = await ask(address);
      expect(status).toBe(403);
      expect(body).toEqual({ success: false, code: "URL_NOT_ALLOWED", error: "This URL is not allowed." });
      expect(site.asked).toEqual([]);
    });

    it("lose their credentials before anything is kept, answered or logged", async () => {
      const secret = "pa55word";
      const withSecret = (path: string) => `http://me:${secret}@127.0.0.1:${site.port}${path}`;
      clock.advance(1);
      const formats = ["rawHtml"];
      const read = await app.call("POST", "/v2/scrape", {
        body: { url: withSecret("/headers"), formats, trace: true },
      });
      expect(JSON.parse(read.body.data.rawHtml).authorization).toBe(
        `Basic ${Buffer.from(`me:${secret}`).toString("base64")}`,
      );
      expect(read.body.data.metadata.sourceURL).toBe(`${site.url}/headers`);
      clock.advance(1);
      const failed = await app.call("POST", "/v2/scrape", { body: { url: withSecret("/loop") } });
      expect(failed.status).toBe(500);
      clock.advance(1);
      const plain = await app.get(`/r/${withSecret("/article")}`);
      expect(plain.status).toBe(200);
      const activity = await app.get("/v2/team/activity?limit=3");
      const rows: { id: string; target: string }[] = activity.body.data;
      expect(rows.map(({ target }) => target)).toEqual(
        ["/article", "/loop", "/headers"].map((path) => `${site.url}${path}`),
      );
      const records = rows.map(({ id }) => app.get(`/v2/scrape/${id}`));
      const trace = await app.get(`/v2/jobs/${read.body.data.metadata.scrapeId}/trace`);
      const answers = [read, failed, plain, activity, trace, ...(await Promise.all(records))];
      expect(answers.filter(({ text }) => text.includes(secret))).toEqual([]);
      expect(app.logLines.filter((line) => line.includes(secret))).toEqual([]);
    });

    it("of the server itself stay closed although the machine is allowed, by whatever name", async () => {
      const own = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "0.0.0.0/0,::/0,localhost,a.localhost" });
      const { port } = new URL(own.url);
      const hosts =
        "127.0.0.1 localhost a.localhost localhost. 127.1 2130706433 0x7f.1 0.0.0.0 [::1] [::ffff:127.0.0.1]";
      for (const host of hosts.split(" ")) {
        const { status, body } = await own.call("POST", "/v2/scrape", { body: { url: `http://${host}:${port}/` } });
        expect([host, status, body.code]).toEqual([host, 403, "URL_NOT_ALLOWED"]);
      }
      await own.stop();
    });

    it("of the database stay closed although the machine is allowed", async () => {
      const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", DATABASE_URL: `postgres://127.0.0.1:${site.port}/trawl` };
      const own = await startApp(engine, env);
      const { status, body } = await own.call("POST", "/v2/scrape", { body: { url: `${site.url}/article` } });
      expect([status, body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
      await own.stop();
    });

    it("behind a redirect are judged too", async () => {
      const { status, body } = await scrape("/inside");
      expect([status, body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
      expect(body.error).not.toContain("10.0.0.1");
    });

    it.each([
      "ftp://example.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "http://",
      "notaurl::",
      "http://exa mple.com",
      "nodots",
    ])("such as %s are 400 and name the field", async (url) => {
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { url } });
      expect([status, body.details[0].path]).toEqual([400, ["url"]]);
    });

    it("that do not exist are the target's fault and free", async () => {
      const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: "http://no-such-host.invalid/" } });
      expect([status, body.code]).toEqual([500, "SCRAPE_DNS_RESOLUTION_ERROR"]);
    });
  });

  describeOnce("pages of every kind", () => {
    it("a target's 404 and 500 are successes with their status", async () => {
      expect((await scrape("/missing")).body.data.metadata).toMatchObject({
        statusCode: 404,
        error: expect.any(String),
      });
      const broken = await scrape("/broken");
      expect(broken.status).toBe(200);
      expect(broken.body.data).toMatchObject({
        markdown: expect.stringContaining("# Oops"),
        metadata: { statusCode: 500 },
      });
    });

    it("a PDF is answered as base64 when parsers has none for it, for one credit", async () => {
      const { status, body } = await scrape("/pdf", { parsers: [], formats: ["markdown", "links"] });
      expect(status).toBe(200);
      expect(Buffer.from(body.data.markdown, "base64").toString()).toMatch(/^%PDF-1\.4/);
      expect(body.warning).toContain("so there is no links");
      const summary = await scrape("/pdf", { parsers: [], formats: ["summary"] });
      expect(Object.keys(summary.body.data)).toEqual(["warning", "metadata"]);
      expect(body.data.metadata).toMatchObject({ title: "", description: "", statusCode: 200, creditsUsed: 1 });
      expect((await scrape("/pdf")).body).toMatchObject({ success: false, code: "PARSE_FILE_BROKEN" });
      const { body: old } = await app.call("POST", "/v1/scrape", { body: { url: `${site.url}/pdf`, parsePDF: false } });
      expect(old.data.markdown).toBe(body.data.markdown);
      expect((await scrape("/article", { parsers: [] })).body.data.markdown).toContain("# Nets and knots");
    });

    it("a redirect shows where it led", async () => {
      const { body } = await scrape("/moved");
      expect(body.data.metadata).toMatchObject({ sourceURL: `${site.url}/moved`, url: `${site.url}/article` });
    });

    it.each(["/empty", "/nothing"])("%s is a success whose warning says that there is nothing", async (path) => {
      const { status, body } = await scrape(path);
      expect(status).toBe(200);
      expect(body.data.markdown).toBe("");
      expect(body.warning).toMatch(/empty|no text|nothing/i);
    });

    it.each([
      ["links", { links: [] }, "The page has no links."],
      ["images", { images: [] }, "The page has no images."],
      ["html", { html: "" }, "The page is empty."],
      ["rawHtml", { rawHtml: "" }, "The page is empty."],
      [
        { type: "attributes", selectors: [{ selector: "img", attribute: "alt" }] },
        { attributes: [{ selector: "img", attribute: "alt", values: [] }] },
        "No element of the page has these attributes: alt of img.",
      ],
      [{ type: "question", question: "Why?" }, { answer: "" }, "The page has no text."],
    ])("an empty page has an empty %j, and its warning says so", async (format, outputs, warning) => {
      const { status, body } = await scrape("/empty", { formats: [format] });
      expect([status, body.warning]).toEqual([200, warning]);
      expect(body.data).toMatchObject(outputs);
    });

    it("has hints for agents where the header asks for them, and URLs of the page's series", async () => {
      const hinted = async (value: string, path = "/missing") =>
        (
          await app.call("POST", "/v2/scrape", {
            body: { url: site.url + path },
            headers: { "x-firecrawl-agent-hints": value },
          })
        ).body;
      expect((await hinted("true")).agent_hints).toEqual([expect.stringContaining("POST /v2/search")]);
      expect((await hinted("mcp")).agent_hints).toEqual([expect.stringContaining("firecrawl_search")]);
      expect(await hinted("yes")).not.toHaveProperty("agent_hints");
      const series = await hinted("true", "/series");
      expect(series.data.metadata.relations).toEqual({ next: `${site.url}/series?page=2`, up: `${site.url}/all` });
      expect(series.agent_hints).toEqual([expect.stringContaining(`${site.url}/series?page=2`)]);
    });

    it.each([
      ["/loop", "SCRAPE_TOO_MANY_REDIRECTS", 500],
      ["/cut", "SCRAPE_SITE_ERROR", 500],
      ["/binary", "SCRAPE_UNSUPPORTED_FILE_ERROR", 500],
      ["/bomb", "SCRAPE_PAGE_TOO_LARGE", 500],
      ["/large", "SCRAPE_PAGE_TOO_LARGE", 500],
    ])("%s ends with %s", async (path, code, expected) => {
      const before = process.memoryUsage().rss;
      const { status, body } = await scrape(path);
      expect([status, body.code]).toEqual([expected, code]);
      expect(body.error).toMatch(/^[A-Z].*\.$/);
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    });

    it("a file without text is refused in words that say what can be had of it", async () => {
      const { body } = await scrape("/binary");
      expect(body.error).toMatch(/^The file is .*\. It has no text that can be read here; the format rawBase64/);
      expect((await scrape("/binary", { formats: ["rawBase64"] })).body.data.rawBase64).toMatch(/^AAEC/);
    });

    it.each(["/slow", "/drip"])("%s ends with 408 when its time is over", async (path) => {
      const { status, body } = await scrape(path, { timeout: 1000 });
      expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
    });

    it.each([
      ["/deep", "# Deep"],
      ["/unclosed", "# Unclosed"],
    ])("%s is read within its limits", async (path, text) => {
      const { status, body } = await scrape(path);
      expect(status).toBe(200);
      expect(body.data.markdown).toContain(text);
    });

    it("a meta refresh is not followed", async () => {
      expect((await scrape("/refresh")).body.data.markdown).toContain("# Stay here");
      expect(site.asked).toEqual(["/refresh"]);
    });

    it("a collected garbage does not keep a scrape from its deadline", async () => {
      setFlagsFromString("--expose-gc");
      const collect = runInNewContext("gc") as () => void;
      // Twice while the answer is waited for: each takes long in a process that many files share.
      const timers = [200, 600].map((ms) => setTimeout(collect, ms));
      const { status, body } = await scrape("/slow", { timeout: 1000 });
      timers.forEach(clearTimeout);
      expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
    });

    it("reads legacy text as browsers do", async () => {
      expect((await scrape("/latin")).body.data.markdown.trim()).toBe("“café” €");
    });

    it("sends what the options say", async () => {
      const sent = async (options: object) => {
        const { body } = await scrape("/headers", { formats: ["rawHtml"], ...options });
        return { headers: JSON.parse(body.data.rawHtml), warning: body.warning };
      };
      expect((await sent({})).headers["accept-language"]).toMatch(/^en-US/);
      expect(
        (await sent({ location: { country: "DE", languages: ["de-AT", "fr"] } })).headers["accept-language"],
      ).toMatch(/^de-AT/);
      expect((await sent({ mobile: true })).headers["user-agent"]).toMatch(/Mobile/);
      const own = await sent({
        headers: { "x-mine": "1", "User-Agent": "me", Host: "evil.example", Connection: "close" },
      });
      expect(own.headers).toMatchObject({ "x-mine": "1", "user-agent": "me", host: `127.0.0.1:${site.port}` });
      expect(own.warning).toMatch(/host/i);
      for (const value of ["a\r\nb", "日本", "a\u0001b", "\u007f"]) {
        expect((await scrape("/headers", { headers: { "x-bad": value } })).status).toBe(400);
      }
    });
  });

  describe("stored copies", () => {
    let key = 0;
    const fresh = () => `/article?copy=${++key}`;
    const state = async (path: string, options: object = {}, call: CallOptions = {}) => {
      const { status, body } = await scrape(path, options, call);
      return status === 200 ? body.data.metadata.cacheState : body.code;
    };
    const twoDays = 172_800_000;

    it("serve the same request again, and show their age", async () => {
      const path = fresh();
      const first = await scrape(path, { maxAge: twoDays });
      const fetchedAt = new Date(clock.now()).toISOString();
      clock.advance(60_000);
      const second = await scrape(path, { maxAge: twoDays });
      expect(site.asked).toEqual([path]);
      expect(second.body.data.markdown).toBe(first.body.data.markdown);
      expect(second.body.data.metadata).toMatchObject({
        cacheState: "hit",
        cachedAt: fetchedAt,
        creditsUsed: 1,
      });
      expect(second.body.data.metadata.scrapeId).not.toBe(first.body.data.metadata.scrapeId);
    });

    it("serve other outputs of the same page without asking for it again", async () => {
      const path = fresh();
      await scrape(path, { maxAge: twoDays });
      const { body } = await scrape(path, { maxAge: twoDays, formats: ["links", "html"], onlyMainContent: false });
      expect(body.data.metadata.cacheState).toBe("hit");
      expect(body.data.links).toHaveLength(3);
      expect(site.asked).toEqual([path]);
    });

    it("are used by default for two days, v1 never", async () => {
      const path = fresh();
      const body = { url: `${site.url}${path}` };
      await app.call("POST", "/v2/scrape", { body });
      clock.advance(twoDays - 1);
      expect((await app.call("POST", "/v2/scrape", { body })).body.data.metadata.cacheState).toBe("hit");
      expect((await app.call("POST", "/v1/scrape", { body })).body.data.metadata.cacheState).toBe("miss");
      clock.advance(2 * twoDays);
      expect((await app.call("POST", "/v2/scrape", { body })).body.data.metadata.cacheState).toBe("miss");
    });

    it("obey maxAge and minAge", async () => {
      const path = fresh();
      await scrape(path);
      clock.advance(10_000);
      expect(await state(path, { maxAge: 9_000 })).toBe("miss");
      clock.advance(20_000);
      expect(await state(path, { maxAge: 21_000 })).toBe("hit");
      expect(await state(path, { maxAge: undefined, minAge: 19_000 })).toBe("hit");
      expect(await state(path, { maxAge: undefined, minAge: 1 })).toBe("hit");
      const asked = site.asked.length;
      expect(await state(path, { maxAge: undefined, minAge: 60_000 })).toBe("SCRAPE_NO_CACHED_DATA");
      expect(await state(fresh(), { maxAge: undefined, minAge: 1 })).toBe("SCRAPE_NO_CACHED_DATA");
      expect(site.asked).toHaveLength(asked);
    });

    it("that are newer replace older ones, whatever was asked for when they were made", async () => {
      const path = "/counter";
      const count = async (options: object) =>
        /Count (\d+)/.exec((await scrape(path, options)).body.data.markdown)?.[1];
      const first = await count({ maxAge: twoDays });
      expect(await count({ maxAge: twoDays })).toBe(first);
      expect(await count({ maxAge: twoDays })).toBe(first);
      const second = await count({ maxAge: 0 });
      expect(second).not.toBe(first);
      expect(await count({ maxAge: twoDays })).toBe(second);
      const third = /Count (\d+)/.exec((await scrape(path, { formats: ["rawHtml"] })).body.data.rawHtml)?.[1];
      expect(await count({ maxAge: twoDays })).toBe(third);
    });

    it("can be asked for by their age under v1 too", async () => {
      const url = `${site.url}${fresh()}`;
      await app.call("POST", "/v1/scrape", { body: { url } });
      clock.advance(10);
      const { body } = await app.call("POST", "/v1/scrape", { body: { url, minAge: 1 } });
      expect(body.data.metadata.cacheState).toBe("hit");
    });

    it("are all there is under lockdown, for 5 credits a hit and none a miss", async () => {
      const path = fresh();
      expect(await state(path, { maxAge: undefined, lockdown: true })).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
      expect(site.asked).toEqual([]);
      await scrape(path);
      clock.advance(29 * 86_400_000);
      const { body } = await scrape(path, { maxAge: undefined, lockdown: true });
      expect(body.data.metadata).toMatchObject({ cacheState: "hit", creditsUsed: 5 });
      expect(site.asked).toEqual([path]);
    });

    it("are neither made nor used where a request says so or is personal", async () => {
      const path = fresh();
      await scrape(path, { storeInCache: false });
      expect(await state(path, { maxAge: twoDays })).toBe("miss");
      expect(await state(path, { maxAge: twoDays })).toBe("hit");
      expect(await state(path, { maxAge: twoDays, headers: { "x-me": "1" } })).toBe("miss");
      const personal = fresh();
      await scrape(personal, { headers: { cookie: "me" } });
      expect(await state(personal, { maxAge: twoDays })).toBe("miss");
    });

    it("differ by what changes the page", async () => {
      const path = fresh();
      await scrape(path);
      expect(await state(path, { maxAge: twoDays, mobile: true })).toBe("miss");
      expect(await state(path, { maxAge: twoDays, location: { country: "DE" } })).toBe("miss");
      expect(await state(path, { maxAge: twoDays, skipTlsVerification: false })).toBe("miss");
      expect(await state(path, { maxAge: twoDays })).toBe("hit");
    });

    it("of failed answers are not kept", async () => {
      await scrape("/broken", { maxAge: twoDays });
      expect(await state("/broken", { maxAge: twoDays })).toBe("miss");
    });

    it("belong to their team", async () => {
      const path = fresh();
      await scrape(path);
      expect(await state(path, { maxAge: twoDays }, { key: otherKey })).toBe("miss");
    });
  });

  describe("afterwards", () => {
    it("the answer can be read again by its team, under v2 and v1, for 24 hours", async () => {
      const { body } = await scrape("/article", { formats: ["markdown", "links"] });
      const id = body.data.metadata.scrapeId;
      expect((await app.get(`/v2/scrape/${id}`)).body).toEqual({ success: true, data: body.data });
      expect((await app.get(`/v1/scrape/${id}`)).body.data).toEqual(body.data);
      const foreign = await app.get(`/v2/scrape/${id}`, { key: otherKey });
      expect([foreign.status, foreign.body.error]).toEqual([404, "Job not found"]);
      clock.advance(24 * 3_600_000);
      expect((await app.get(`/v2/scrape/${id}`)).status).toBe(404);
    });

    it.each<[path: string, options: object]>([
      ["/article", { formats: ["markdown", "html", "rawHtml", "links", "images"], onlyMainContent: false }],
      ["/article", { formats: ["html"], includeTags: ["p"], excludeTags: ["a"], removeBase64Images: false }],
      ["/article", { formats: [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }] }],
      ["/article", { storeInCache: false }],
      ["/article", { maxAge: 1000 }],
      ["/article?signed", { headers: { "x-team": "blue" } }],
      ["/deep", { formats: ["markdown", "links"] }],
      ["/latin", {}],
      ["/moved", {}],
      ["/broken", {}],
      ["/empty", { formats: ["markdown", "html"] }],
      ["/headers", {}],
    ])("the answer for %s with %j is the same when it is read again", async (path, options) => {
      const { status, body } = await scrape(path, options);
      expect(status).toBe(200);
      const again = await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`);
      expect(again.body).toEqual(body);
    });

    it("a failed scrape answers its failure again", async () => {
      const failed = await scrape("/loop");
      const { body } = await app.get("/v2/team/activity?limit=1");
      expect(body.data[0]).toMatchObject({ endpoint: "scrape", api_version: "v2", target: `${site.url}/loop` });
      const again = await app.get(`/v2/scrape/${body.data[0].id}`);
      expect(again.status).toBe(failed.status);
      expect(again.body).toEqual(failed.body);
    });

    it("each scrape is one activity and one charge; failures are free", async () => {
      const used = async () => (await app.get("/v2/team/credit-usage/historical")).body.periods.at(-1).totalCredits;
      const before = await used();
      await scrape("/article");
      const succeededAt = new Date(clock.now()).toISOString();
      expect(await used()).toBe(before + 1);
      await scrape("/loop");
      await scrape("/article", { onlyCleanContent: true });
      expect(await used()).toBe(before + 1);
      const status = await app.get("/v2/team/queue-status");
      expect(status.body).toMatchObject({
        activeJobsInQueue: 0,
        mostRecentSuccess: succeededAt,
      });
    });

    it("zero data retention keeps nothing but the bill", async () => {
      const path = `/article?zdr=${newId()}`;
      const { body } = await scrape(path, { zeroDataRetention: true });
      expect(body.data.metadata.creditsUsed).toBe(2);
      expect((await app.get(`/v2/scrape/${body.data.metadata.scrapeId}`)).status).toBe(404);
      const [row] = (await app.get("/v2/team/activity?limit=1")).body.data;
      expect(row).toMatchObject({ id: body.data.metadata.scrapeId, target: "" });
      expect((await scrape(path, { maxAge: 86_400_000 })).body.data.metadata.cacheState).toBe("miss");
    });

    it("a trace says of each block why it was kept or dropped", async () => {
      const { body } = await scrape("/article", { trace: true, maxAge: 0 });
      const { blocks } = body.trace.find(({ step }: { step: string }) => step === "content").detail;
      const verdicts: { text: string; isKept: boolean; reason: string }[] = blocks;
      expect(verdicts.every(({ reason }) => reason.length > 0)).toBe(true);
      const plain = body.data.markdown.replace(/\*/g, "");
      const kept = verdicts.filter(({ isKept }) => isKept);
      expect(kept.length).toBeGreaterThan(0);
      for (const { text } of kept) expect(plain).toContain(text.slice(0, 10));
      const left = verdicts.filter(({ isKept }) => !isKept);
      expect(left.length).toBeGreaterThan(0);
      for (const { text } of left) expect(plain).not.toContain(text);
      expect(body.data.metadata.quality).toMatchObject({
        pageType: expect.any(String),
        confidence: expect.any(Number),
      });
    });

    it("a trace tells what was tried, in the answer and later", async () => {
      const { body } = await scrape(`/moved?${newId()}`, {
        trace: true,
        maxAge: 1000,
        formats: ["markdown", "images"],
      });
      expect(body.trace.map((step: { step: string; outcome: string }) => [step.step, step.outcome])).toEqual([
        ["cache", "miss"],
        ["choose", "http"],
        ["fetch", "200"],
        ["content", "read"],
      ]);
      expect(body.trace[1]).toMatchObject({ engine: "http", detail: { reason: "HTTP first" } });
      expect(body.trace[2]).toMatchObject({ engine: "http", url: `${site.url}/article`, ms: expect.any(Number) });
      const stored = await app.get(`/v2/jobs/${body.data.metadata.scrapeId}/trace`);
      expect(stored.body).toEqual({ success: true, trace: body.trace });
      const other = await scrape("/article");
      expect(other.body.trace).toBeUndefined();
      expect((await app.get(`/v2/jobs/${other.body.data.metadata.scrapeId}/trace`)).status).toBe(404);
    });
  });

  describeOnce("other ways to ask", () => {
    it("v1 takes its own options and answers its own way", async () => {
      const body = { url: `${site.url}/article`, formats: ["markdown", "links"], onlyMainContent: true };
      clock.advance(1);
      const { status, body: answer } = await app.call("POST", "/v1/scrape", { body });
      expect(status).toBe(200);
      expect(answer).toMatchObject({
        success: true,
        data: { markdown: expect.stringContaining("# Nets"), metadata: { statusCode: 200 } },
      });
      const [row] = (await app.get("/v2/team/activity?limit=1")).body.data;
      expect(row).toMatchObject({ id: answer.data.metadata.scrapeId, api_version: "v1" });
    });

    it("v1 names options of outputs that were not asked for", async () => {
      const body = { url: `${site.url}/article`, extract: { prompt: "names" } };
      const { status, body: answer } = await app.call("POST", "/v1/scrape", { body });
      expect([status, answer.warning]).toEqual([200, "Unknown fields were ignored: extract."]);
    });

    it("the official SDK's marker brings success into the document", async () => {
      expect((await scrape("/article", { origin: "js-sdk@4.42.0" })).body.data.success).toBe(true);
    });

    it("/r/ answers markdown as text, with the key as bearer or as password", async () => {
      const path = `/article?a=1&b=${newId()}`;
      const plain = await app.get(`/r/${site.url}${path}`);
      expect(plain.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(plain.text).toContain("# Nets and knots");
      expect(site.asked.at(-1)).toBe(path);
      const basic = `Basic ${Buffer.from(`anybody:${testKey}`).toString("base64")}`;
      expect((await app.get(`/r/${site.url}/article`, { key: null, headers: { authorization: basic } })).status).toBe(
        200,
      );
      const encoded = await app.get(`/r/${encodeURIComponent(`${site.url}/article`)}`);
      expect(encoded.status).toBe(200);
      const nobody = await app.get(`/r/${site.url}/article`, { key: null });
      expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringMatching(/^Basic realm="Trawl", charset="UTF-8", Bearer resource_metadata=/),
      ]);
      const elsewhere = await app.get("/v2/team/activity", { key: null, headers: { authorization: basic } });
      expect(elsewhere.status).toBe(401);
      expect((await app.get("/r/file:///etc/passwd")).status).toBe(400);
    });

    it.each([
      ["/article", "200", null],
      ["/empty", "200", /empty|no text|nothing/i],
      ["/missing", "404", /^The page's server answered 404\. The site reports that this page does not exist\.$/],
      ["/broken", "500", /^The page's server answered 500\. This is an error page or default page/],
    ])("/r/ tells in headers what its text cannot: %s is %s", async (path, targetStatus, warning) => {
      const { status, headers } = await app.get(`/r/${site.url}${path}`);
      expect([status, headers.get("x-target-status")]).toEqual([200, targetStatus]);
      if (warning) expect(headers.get("x-trawl-warning")).toMatch(warning);
      else expect(headers.get("x-trawl-warning")).toBeNull();
    });
  });
});

describe.each(engines)("scrapes at once on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let site: FixtureSite;
  let open = 0;
  const held: ServerResponse[] = [];
  beforeAll(async () => {
    site = await startSite({
      "/late": (_request, response) => setTimeout(() => response.end("<h1>Late</h1>"), 200),
      "/held": (_request, response) => void held.push(response),
      "/hang": (_request, response) => {
        open += 1;
        response.on("close", () => {
          open -= 1;
        });
      },
    });
  });
  afterAll(() => site.close());

  it("beyond the team's limit wait their turn, and their time runs", async () => {
    const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", TEAM_CONCURRENCY: "1" });
    const scrape = (path: string, timeout = 10_000) =>
      app.call("POST", "/v2/scrape", { body: { url: `${site.url}${path}`, maxAge: 0, timeout } });
    const calls = ["/held?1", "/held?2", "/held?3"].map((path) => scrape(path));
    const queue = async () => (await app.get("/v2/team/queue-status")).body;
    await expect.poll(queue).toMatchObject({ activeJobsInQueue: 1, waitingJobsInQueue: 2 });
    for (let answered = 0; answered < calls.length; answered += 1) {
      await expect.poll(() => held.length).toBe(1);
      held.pop()?.end("<h1>Held</h1>");
    }
    const facts = (await Promise.all(calls)).map(({ body }) => body.data.metadata);
    expect(facts.map((each) => each.concurrencyLimited).toSorted()).toEqual([false, true, true]);
    const waits = facts.filter((each) => each.concurrencyLimited).map((each) => each.concurrencyQueueDurationMs);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    const hanging = scrape("/hang", 8000);
    await expect.poll(() => open).toBe(1);
    const waiting = await scrape("/late?4", 1000);
    expect([waiting.status, waiting.body.code]).toEqual([408, "CONCURRENCY_QUEUE_TIMEOUT"]);
    expect((await hanging).status).toBe(408);
    await app.stop();
  });

  it("end when their caller hangs up", async () => {
    const app = await useApp(engine);
    const impatient = new AbortController();
    const call = fetch(`${app.url}/v2/scrape`, {
      method: "POST",
      signal: impatient.signal,
      headers: { authorization: `Bearer ${app.key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: `${site.url}/hang` }),
    });
    await expect.poll(() => open).toBe(1);
    impatient.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => open).toBe(0);
    await app.stop();
  });

  it("eighty get eighty right answers while a light call is answered throughout", async () => {
    const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", HOST_CONCURRENCY: "20" });
    const many = await startSite(
      Object.fromEntries(
        Array.from({ length: 80 }, (_, index) => [
          `/${index}`,
          `<title>T</title><main><h1>Page number ${index}</h1></main>`,
        ]),
      ),
    );
    const { result: answers, heldMs } = await withLightCalls(app, () =>
      Promise.all(
        Array.from({ length: 80 }, (_, index) =>
          app.call("POST", "/v2/scrape", { body: { url: `${many.url}/${index}` } }),
        ),
      ),
    );
    expect(answers.map(({ body }) => body.data?.markdown?.trim())).toEqual(
      Array.from({ length: 80 }, (_, index) => `# Page number ${index}`),
    );
    expect(heldMs).toBeLessThan(2000);
    await many.close();
    await app.stop();
  });

  describeOnce("of 2 MB with fifty selectors made to hurt leave light calls their answer within 2 s", () => {
    const hurting = (count: number) => [
      `div:has(p:nth-child(${count}) ~ span u) b`,
      `section div p:nth-last-child(${count}n + 1) ~ span:not(:has(i))`,
      `main section:nth-child(${count}n) div div p b`,
      `* * * * :nth-of-type(${count}n + 2)`,
      `:is(section, div):not(:has(a:nth-child(${count}))) > p + p ~ span`,
    ];
    const selectors = Array.from({ length: 10 }, (_, index) => hurting(index + 1)).flat();

    /** Twice as many as there are threads: so all are busy, and a page waits. */
    async function scrapeTwice(page: string, env: Record<string, string>, options: object) {
      const large = await startSite({ "/": page });
      const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CONTENT_THREADS: "1", ...env });
      const body = { url: `${large.url}/`, maxAge: 0, formats: ["markdown", "html", "rawHtml", "links"], ...options };
      const { result, heldMs } = await withLightCalls(app, () =>
        Promise.all(Array.from({ length: 2 }, () => app.call("POST", "/v2/scrape", { body }))),
      );
      await app.stop();
      await large.close();
      expect(heldMs).toBeLessThan(2000);
      return result;
    }

    it("while they are stopped", async () => {
      const row = '<div class="a"><p>one <b>two</b></p><p><i>three</i> four</p><span><u>five</u></span></div>';
      const page = `<main>${`<section>${row.repeat(20)}</section>`.repeat(1200)}</main>`;
      const tags = { includeTags: selectors.slice(0, 25), excludeTags: selectors.slice(25) };
      for (const { status, body } of await scrapeTwice(page, { CONTENT_TIMEOUT_MS: "500" }, tags)) {
        expect([status, body.code]).toEqual([500, "SCRAPE_CONTENT_ERROR"]);
        expect(body.error).toBe("Reading the page's content took too long.");
      }
    });

    it("while they are read, answered and stored", async () => {
      const page = `<main>${`<p>${"Nets are made of knots. ".repeat(40)}</p>`.repeat(2100)}</main>`;
      // Time for a machine that is busy: the promise is about the light calls.
      const patient = { excludeTags: selectors, timeout: 300_000 };
      for (const { status, body } of await scrapeTwice(page, {}, patient)) {
        expect([status, body.data?.rawHtml.length]).toEqual([200, page.length]);
        expect(body.data.markdown.length).toBeGreaterThan(2_000_000);
      }
    });
  });

  it("are refused with 402 when the month's credits are used up", async () => {
    const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "1" });
    const path = `/late?${newId()}`;
    const scrape = () => app.call("POST", "/v2/scrape", { body: { url: site.url + path } });
    expect((await scrape()).status).toBe(200);
    const { status, body } = await scrape();
    expect([status, body.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect(site.asked.filter((asked) => asked === path)).toHaveLength(1);
    await app.stop();
  });
});
