// Jina Reader and its search through every room: the real app, a search service and a site on loopback, both engines.
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { CallOptions, TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { creditsUsed, startDialects, startPoorApp } from "../support/dialects.ts";
import { anyEngine, bystanders, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import type { SearchService } from "../support/search-service.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";
import { textPdf } from "../support/text-pdf.ts";

const article = `<!doctype html><html lang="en"><head><title>Otters – 獭</title><meta name="description" content="About otters">
<meta property="article:published_time" content="2026-05-06T07:08:09Z"></head><body><nav><a href="/menu">Menu entry</a></nav>
<main><h1>Otters</h1><p>An otter lives by the river and eats fish. It sleeps in a <a href="/holt">holt</a> under the bank, far from the road.</p>
<p class="aside">Beside the river grows reed, which hides the otter.</p><p><img src="/otter.jpg" alt="An otter"></p></main></body></html>`;

const json = { accept: "application/json" };
const jinaError = (
  code: number,
  name: string,
  status: number,
  message: unknown = expect.any(String),
  path?: string,
) => ({
  data: null,
  ...(path === undefined ? {} : { path }),
  code,
  name,
  status,
  message,
  readableMessage: expect.stringContaining(`${name}: `),
});

describe.each(bystanders)("Jina on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  let service: SearchService;
  let site: FixtureSite;
  let app: TestApp;
  let seen: IncomingMessage["headers"] = {};
  let asked = 0;
  beforeAll(async () => {
    const kit = await startDialects(engine, (path) => {
      if (path === "/robots.txt")
        return (_request, response) => response.writeHead(200).end("User-agent: *\nDisallow: /private");
      if (path === "/framed") return article.replace(/<img[^>]*>/, '<a href="/big">$&</a>');
      if (path === "/empty") return "<!doctype html><title>Empty</title><main></main>";
      if (path === "/with-icon") return article.replace("<head>", '<head><link rel="icon" href="/icon.png">');
      if (path.startsWith("/article") || path.startsWith("/private")) return article;
      if (path.startsWith("/echo")) {
        return (request: IncomingMessage, response: ServerResponse) => {
          seen = request.headers;
          response.writeHead(200, { "content-type": "text/html" }).end(article);
        };
      }
      if (path === "/file.pdf")
        return (_request, response) =>
          response.writeHead(200, { "content-type": "application/pdf" }).end(textPdf("First page", "Second page"));
      return undefined;
    });
    ({ service, site, app } = kit);
    return kit.stop;
  });
  beforeEach(() => {
    service.reset();
    asked += 1;
  });

  const read = (path: string, headers: Record<string, string> = {}, options: CallOptions = {}) =>
    app.get(`/jina/${site.url}${path}`, { headers, ...options });
  const used = () => creditsUsed(app);

  it("reads a page as text and as JSON, charges a scrape and lists it under its name", async () => {
    const before = await used();
    const text = await read("/article");
    expect([text.status, text.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text.text).toMatch(
      /^Title: Otters – 獭\n\nURL Source: http:\/\/127.0.0.1:\d+\/article\n\nPublished Time: 2026-05-06T07:08:09Z\n\nMarkdown Content:\n# Otters\n\nAn otter lives/,
    );
    expect(text.text).not.toContain("Menu entry");
    expect((await used()) - before).toBe(1);
    const { body, headers } = await read("/article", json);
    expect(body).toEqual({
      code: 200,
      status: 20000,
      data: {
        title: "Otters – 獭",
        description: "About otters",
        url: `${site.url}/article`,
        content: expect.stringContaining("[holt]("),
        publishedTime: "2026-05-06T07:08:09Z",
        metadata: { lang: "en" },
        external: {},
        usage: { tokens: Math.ceil(body.data.content.length / 4) },
      },
      meta: { usage: body.data.usage },
    });
    expect(headers.get("x-usage-tokens")).toBe(String(body.data.usage.tokens));
    const [row] = (await app.get("/v2/team/activity?limit=1")).body.data;
    expect(row).toMatchObject({ endpoint: "scrape", api_version: "jina", target: `${site.url}/article` });
    expect((await app.get(`/v2/scrape/${row.id}`, { key: app.otherKey })).status).toBe(404);
  });

  it("searches, with the contents of pages, and an empty list for nothing found", async () => {
    service.results = [
      { url: `${site.url}/article`, title: "Otters", content: "Found", publishedDate: "2026-03-04" },
      { url: `${site.url}/gone`, title: "Gone", content: "Lost" },
    ];
    const { status, body } = await app.get(`/jina/s?q=otters${asked}`, { headers: json });
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        title: "Otters",
        url: `${site.url}/article`,
        description: expect.any(String),
        content: expect.stringContaining("# Otters"),
        date: "2026-03-04T00:00:00.000Z",
        usage: { tokens: expect.any(Number) },
      },
      { title: "Gone", url: `${site.url}/gone`, description: expect.any(String), content: "", usage: { tokens: 0 } },
    ]);
    service.results = [];
    const empty = await app.get(`/jina/s/nothing%20${asked}`, { headers: json });
    expect([empty.status, empty.body.data]).toEqual([200, []]);
  });

  describeOnce("addresses", () => {
    it("are taken encoded or not, with one slash or two, without a scheme, with their query", async () => {
      const host = site.url.replace("http://", "");
      for (const path of [
        `http://${host}/article?a=b&c`,
        `http:/${host}/article?a=b&c`,
        `${host}/article?a=b&c`,
        encodeURIComponent(`http://${host}/article?a=b&c`),
      ]) {
        site.asked.length = 0;
        const answer = await app.get(`/jina/${path}`, { headers: { "x-no-cache": "true" } });
        expect([path, answer.status, site.asked, answer.headers.get("x-trawl-ignored")]).toEqual([
          path,
          200,
          ["/article?a=b&c"],
          null,
        ]);
      }
    });

    it("come from a JSON body or a form, the options too, and the header wins", async () => {
      const url = `${site.url}/article`;
      const posted = await app.call("POST", "/jina/", { body: { url, respondWith: "text", zeta: 1 }, headers: json });
      expect(posted.body.data.text).toMatch(/^Menu entry|^Otters/);
      expect(posted.headers.get("x-trawl-ignored")).toBe("zeta");
      const form = { "content-type": "application/x-www-form-urlencoded" };
      expect(
        (await app.call("POST", "/jina", { body: `url=${encodeURIComponent(url)}`, headers: form })).text,
      ).toContain("# Otters");
      const won = await app.call("POST", `/jina/${url}`, {
        body: { respondWith: "text" },
        headers: { ...json, "x-respond-with": "content" },
      });
      expect(Object.keys(won.body.data)).toContain("content");
      expect((await app.get("/jina", { key: null })).text.split("\n")).toHaveLength(3);
    });

    it.each<[string, number, string, number, string | undefined]>([
      ["http://10.0.0.1/", 451, "SecurityCompromiseError", 45102, "url"],
      ["http://169.254.169.254/latest/meta-data/", 451, "SecurityCompromiseError", 45102, "url"],
      ["http://[::1]:80/", 451, "SecurityCompromiseError", 45102, "url"],
      ["file:///etc/passwd", 400, "ParamValidationError", 40001, "url"],
      ["http://no-such-host.invalid/", 400, "ParamValidationError", 40001, "url"],
    ])("%s is %i", async (url, code, name, status, path) => {
      const answer = await app.get(`/jina/${url}`);
      expect([answer.status, answer.body]).toEqual([code, jinaError(code, name, status, undefined, path)]);
    });

    it("that answer with an error are 200 with a warning", async () => {
      const { body } = await read("/gone", json);
      expect(body.data.warning).toContain("Target URL returned error 404: Not Found");
      expect((await read("/gone")).text).toContain("\n\nWarning: Target URL returned error 404: Not Found");
    });

    it("that cannot be reached are 422, unknown methods 405, wrong keys 401", async () => {
      const closed = await startSite({});
      await closed.close();
      expect((await app.get(`/jina/${closed.url}`)).body).toEqual(jinaError(422, "AssertionFailureError", 42206));
      const method = await app.call("DELETE", "/jina");
      expect([method.status, method.headers.get("allow"), method.body.code]).toEqual([405, "GET, POST", 405]);
      expect((await read("/article", {}, { key: null })).body).toEqual(
        jinaError(401, "AuthenticationRequiredError", 40103),
      );
      expect((await read("/article", {}, { key: "wrong" })).body).toEqual(
        jinaError(401, "AuthenticationFailedError", 40102),
      );
      // Open WebUI sends the bare key.
      expect((await read("/article", { authorization: app.key }, { key: null })).status).toBe(200);
    });
  });

  describeOnce("forms", () => {
    it.each([
      ["text/plain", "text/plain"],
      ["*/*", "text/plain"],
      ["application/json, text/plain, */*", "text/plain"],
      ["text/markdown", "text/plain"],
      ["text/json", "application/json"],
      ["text/event-stream", "text/event-stream"],
    ])("Accept: %s gets %s", async (accept, type) => {
      const { headers } = await read("/article", { accept });
      expect(headers.get("content-type")).toContain(type);
    });

    it("a stream has one event, and failures as events once it has begun", async () => {
      const accept = "text/event-stream";
      const [event = "", data = "", ...end] = (await read("/article", { accept })).text.split("\n");
      expect([event, end]).toEqual(["event: data", ["", ""]]);
      expect(JSON.parse(data.replace("data: ", ""))).toMatchObject({
        title: "Otters – 獭",
        content: expect.any(String),
      });
      const failed = await app.get("/jina/http://10.0.0.1/", { headers: { accept } });
      expect([failed.status, failed.text]).toEqual([
        200,
        expect.stringMatching(/^event: error\ndata: \{.*"status":45102/),
      ]);
      expect((await read("/article", { accept }, { key: "wrong" })).status).toBe(401);
    });

    it("html and text are that body alone; lists need JSON; what is not served is 501", async () => {
      const html = await read("/article", { "x-respond-with": "html" });
      expect([html.headers.get("content-type"), html.text]).toEqual([
        "text/html; charset=utf-8",
        expect.stringContaining("<nav>"),
      ]);
      const text = await read("/article", { "x-return-format": "text" });
      expect(text.text).toContain("Menu entry");
      expect(text.text).not.toContain("#");
      expect((await read("/article", { "x-respond-with": "markdown" })).text).toContain("Menu entry");
      const both = await read("/article", { ...json, "x-respond-with": "content, html" });
      expect(both.body.data).toMatchObject({ content: expect.any(String), html: expect.any(String) });
      const list = await read("/article", { "x-respond-with": "content, html" });
      expect(list.body).toEqual(jinaError(400, "ParamValidationError", 40001, undefined, "respondWith"));
      expect((await read("/article", { "x-respond-with": "nonsense" })).status).toBe(400);
      for (const headers of [
        { "x-respond-with": "readerlm-v2" },
        { "x-respond-with": "screenshot" },
        { "x-wait-for-selector": "h1" },
        { "x-engine": "browser" },
      ] as Record<string, string>[]) {
        expect((await read("/article", headers)).body).toEqual(jinaError(501, "NotImplementedError", 50101));
      }
    });
  });

  describeOnce("options", () => {
    it("selectors keep and remove; a target that matches nothing is 422", async () => {
      expect((await read("/article", { "x-target-selector": ".aside" })).text).toMatch(
        /Markdown Content:\nBeside the river grows reed, which hides the otter\.$/,
      );
      expect((await read("/article", { "x-remove-selector": ".aside, h1" })).text).not.toContain("reed");
      const html = { "x-respond-with": "html" };
      for (const headers of [{}, html] as Record<string, string>[]) {
        const nothing = await read("/article", { ...headers, "x-target-selector": ".nothing" });
        expect(nothing.body).toEqual(jinaError(422, "AssertionFailureError", 42206));
      }
      const kept = (await read("/article", { ...html, "x-target-selector": ".aside" })).text;
      expect([kept.includes("reed"), kept.includes("eats fish")]).toEqual([true, false]);
      const left = (await read("/article", { ...html, "x-remove-selector": ".aside" })).text;
      expect([left.includes("reed"), left.includes("eats fish"), left.includes("Menu entry")]).toEqual([
        false,
        true,
        true,
      ]);
    });

    it("links and images are kept, named, dropped and listed", async () => {
      const summary = await read("/article", {
        ...json,
        "x-with-links-summary": "true",
        "x-with-images-summary": "true",
      });
      expect(summary.body.data.links.holt).toBe(`${site.url}/holt`);
      expect(summary.body.data.images).toEqual({ "Image 1: An otter": `${site.url}/otter.jpg` });
      const all = await read("/article", { "x-with-links-summary": "all", "x-with-images-summary": "true" });
      expect(all.text).toContain(
        `\n\nImages:\n- ![Image 1: An otter](${site.url}/otter.jpg)\n\nLinks/Buttons:\n- [holt](${site.url}/holt)`,
      );
      const alt = (await read("/article", { "x-retain-images": "alt", "x-retain-links": "text" })).text;
      expect(alt).toContain("(Image 1: An otter)");
      expect(alt).toContain("sleeps in a holt under");
      const none = (await read("/article", { "x-retain-images": "none", "x-retain-links": "none" })).text;
      expect(none).not.toMatch(/otter\.jpg|holt/);
      const around = (await read("/framed", { "x-retain-links": "none" })).text;
      expect([around.includes("![An otter]("), around.includes("/big")]).toEqual([true, false]);
      expect((await read("/framed", { "x-retain-links": "text", "x-retain-images": "alt" })).text).toContain(
        "(Image 1: An otter)",
      );
      expect((await read("/article", { "x-retain-links": "maybe" })).body).toEqual(
        jinaError(400, "ParamValidationError", 40001, undefined, "retainLinks"),
      );
    });

    it("a budget refuses uncharged, a maximum cuts", async () => {
      const before = await used();
      expect((await read("/article", { "x-token-budget": "5" })).body).toEqual(
        jinaError(409, "BudgetExceededError", 40904),
      );
      expect(await used()).toBe(before);
      expect((await read("/article", { "x-token-budget": "5000" })).status).toBe(200);
      expect((await read("/article", { ...json, "x-max-tokens": "5" })).body.data.content).toHaveLength(20);
    });

    it("headers, cookies and languages are sent; robots.txt is obeyed where asked for", async () => {
      await read("/echo", {
        "x-set-cookie": "a=b; Path=/",
        "x-user-agent": "Otter/1",
        "x-referer": "https://example.com/",
        "x-locale": "de-DE",
      });
      expect(seen).toMatchObject({ cookie: "a=b", "user-agent": "Otter/1", referer: "https://example.com/" });
      expect(seen["accept-language"]).toContain("de");
      expect((await read("/private")).status).toBe(200);
      expect((await read("/private", { "x-robots-txt": "true" })).body).toEqual(
        jinaError(451, "SecurityCompromiseError", 45102, undefined, "url"),
      );
    });

    it("copies are used by their age, and not kept with DNT", async () => {
      const ask = async (headers: Record<string, string>) => {
        site.asked.length = 0;
        await read(`/article?${asked}`, headers);
        return site.asked.length;
      };
      expect(await ask({ dnt: "1" })).toBe(1);
      expect(await ask({})).toBe(1);
      expect(await ask({})).toBe(0);
      expect(await ask({ "x-cache-tolerance": "0" })).toBe(1);
      expect(await ask({ "x-no-cache": "true" })).toBe(1);
      expect((await read("/article", { "x-timeout": "soon" })).status).toBe(400);
      expect((await read("/article", { "x-timeout": "999" })).status).toBe(200);
    });

    it("what has no effect is named, headers in lower case", async () => {
      const answer = await read("/article", {
        "X-Proxy": "auto",
        "X-With-Iframe": "true",
        "X-Md-Heading-Style": "atx",
        "x-unrelated": "1",
      });
      expect(answer.headers.get("x-trawl-ignored")).toBe("x-md-heading-style, x-proxy, x-with-iframe");
      expect((await read("/empty")).headers.get("x-trawl-warning")).toContain("The page has no text");
      // Of several that say the same, the first counts.
      const outdone = await app.call("POST", "/jina", {
        body: { html: article, file: "AAAA", respondWith: "text", returnFormat: "html" },
      });
      expect(outdone.headers.get("x-trawl-ignored")).toBe("file, returnFormat");
      const cached = await read("/article", { "x-no-cache": "true", "x-cache-tolerance": "5" });
      expect(cached.headers.get("x-trawl-ignored")).toBe("x-cache-tolerance");
    });
  });

  describeOnce("files", () => {
    it("are read from HTML, a PDF or base64 in the body, and from a URL", async () => {
      const html = await app.call("POST", "/jina", {
        body: { html: '<h1>Own</h1><p>Text with <a href="/x">a link</a> in it.</p>', url: "https://example.com/base" },
        headers: json,
      });
      expect(html.body.data.content).toContain("[a link](https://example.com/x)");
      const pdf = Buffer.from(textPdf("First page", "Second page")).toString("base64");
      for (const body of [{ pdf }, { file: pdf }]) {
        const { body: answer } = await app.call("POST", "/jina", { body, headers: json });
        expect(answer.data).toMatchObject({ content: expect.stringContaining("Second page"), numPages: 2 });
      }
      expect((await read("/file.pdf")).text).toContain("\n\nNumber of Pages: 2\n\n");
      // Options hold for files as far as they mean something there, and are named otherwise.
      const own = async (body: object, headers: Record<string, string> = {}) =>
        app.call("POST", "/jina", { body: { html: article, ...body }, headers: { ...json, ...headers } });
      const some = await own(
        { targetSelector: ".aside", respondWith: "content, html", noCache: true, locale: "de" },
        { "x-set-cookie": "a=b", "x-user-agent": "Otter/1" },
      );
      expect(some.headers.get("x-trawl-ignored")).toBe("locale, noCache, x-set-cookie, x-user-agent");
      expect(some.body.data.content).toBe("Beside the river grows reed, which hides the otter.");
      expect(some.body.data.html).not.toContain("eats fish");
      const before = await used();
      expect((await own({ tokenBudget: 5 })).body).toEqual(jinaError(409, "BudgetExceededError", 40904));
      expect(await used()).toBe(before);
      expect((await own({ maxTokens: 2 })).body.data.content).toHaveLength(8);
      expect((await own({ respondWith: "screenshot" })).status).toBe(501);
      const page = await app.call("POST", "/jina", { body: { pdf, respondWith: "html" }, headers: json });
      expect(page.body.data.html).toContain("First page");
      expect((await app.call("POST", "/jina", { body: { file: "???" } })).body.path).toBe("file");
      expect((await app.call("POST", "/jina", { body: {} })).body).toEqual(
        jinaError(400, "ParamValidationError", 40001, undefined, "url"),
      );
    });
  });

  describeOnce("search", () => {
    const hits = (...paths: string[]) =>
      paths.map((path) => ({ url: `https://example.com${path}`, title: `Title ${path}`, content: "C" }));
    const find = (query: string, headers: Record<string, string> = {}) =>
      app.get(`/jina/s?q=otters${asked}${query}`, { headers: { ...json, "x-respond-with": "no-content", ...headers } });

    it("takes count, page, type, sites, types and titles, with no page read for no-content", async () => {
      service.results = hits("/a.pdf", "/b.doc", "/c", "/d");
      const urls = async (query: string, headers?: Record<string, string>) =>
        (await find(query, headers)).body.data.map(({ url }: { url: string }) => new URL(url).pathname);
      expect(await urls("&count=2")).toEqual(["/a.pdf", "/b.doc"]);
      expect(await urls("&num=2&page=2")).toEqual(["/c", "/d"]);
      expect(await urls("&count=0")).toEqual([]);
      expect(await urls("&filetype=doc&ext=pdf")).toEqual(["/a.pdf", "/b.doc"]);
      expect(await urls("&intitle=/c&intitle=/d")).toEqual(["/c", "/d"]);
      expect(await urls("&site=other.example&site=example.com/c")).toEqual(["/c"]);
      expect(await urls("", { "x-site": "example.com/d" })).toEqual(["/d"]);
      await find("&gl=ch&hl=de&location=Bern");
      expect(service.query().get("language")).toBe("de-CH");
      const ignored = await find("&provider=google&nfpr=1&fallback=true&engine=bing");
      expect(ignored.headers.get("x-trawl-ignored")).toBe("engine, fallback, nfpr, provider");
    });

    it("reads the pages of results as the reader's headers say, and names what has no effect there", async () => {
      service.results = [{ url: `${site.url}/article`, title: "Otters", content: "Found" }];
      const search = (headers: Record<string, string>, path = `s?q=reader${asked}`) =>
        app.get(`/jina/${path}`, { headers: { ...json, ...headers } });
      const asRead = await search({
        "x-respond-with": "content, html, text",
        "x-target-selector": "p",
        "x-with-links-summary": "true",
        "x-with-images-summary": "true",
        "x-retain-links": "text",
        "x-token-budget": "5",
        "x-robots-txt": "true",
      });
      expect(asRead.headers.get("x-trawl-ignored")).toBe("x-robots-txt, x-token-budget");
      expect(asRead.body.data[0]).toMatchObject({
        content: expect.stringMatching(/^An otter lives.*sleeps in a holt under/),
        html: expect.stringContaining("<p"),
        text: expect.stringContaining("An otter lives"),
        links: { holt: `${site.url}/holt` },
        images: { "Image 1: An otter": `${site.url}/otter.jpg` },
      });
      const html = await search({ "x-respond-with": "html" });
      expect(html.body.data[0].content).toContain("<nav>");
      const text = await app.get(`/jina/s?q=reader${asked}`, { headers: { "x-with-images-summary": "true" } });
      expect(text.text).toContain("\n\nImages:\n- ![Image 1: An otter](");
      const unread = await search({ "x-respond-with": "no-content", "x-no-cache": "true" });
      expect(unread.headers.get("x-trawl-ignored")).toBe("x-no-cache");
      expect((await search({}, `s/${"a".repeat(2001)}`)).body).toEqual(
        jinaError(400, "ParamValidationError", 40001, undefined, "q"),
      );
    });

    it("takes repeated fields of a form, and types of files among news and images", async () => {
      service.results = hits("/a.pdf", "/b.doc").map((hit, at) => ({
        ...hit,
        img_src: `https://example.com/${at}.png`,
      }));
      const headers = { ...json, "x-respond-with": "no-content", "content-type": "application/x-www-form-urlencoded" };
      const post = async (form: string) =>
        (await app.call("POST", "/jina/s", { body: `q=form${asked}&${form}`, headers })).body.data.map(
          ({ url }: { url: string }) => new URL(url).pathname,
        );
      expect(await post("site=other.example&site=example.com/b.doc")).toEqual(["/b.doc"]);
      expect(await post("type=news&filetype=pdf")).toEqual(["/a.pdf"]);
      expect(await post("type=images&filetype=png")).toEqual(["/a.pdf", "/b.doc"]);
      expect(await post("type=images&filetype=jpg")).toEqual([]);
    });

    it("answers as text, with icons where asked for", async () => {
      service.results = [{ url: `${site.url}/article`, title: "Otters", content: "Found" }];
      const text = await app.call("POST", "/jina/search", {
        body: { q: `otters ${asked}` },
        headers: { accept: "*/*" },
      });
      expect(text.text).toMatch(
        /^\[1\] Title: Otters\n\[1\] URL Source: http\S+\/article\n\[1\] Description: .+\n\n# Otters/,
      );
      service.results = [{ url: `${site.url}/with-icon`, title: "Otters", content: "Found" }];
      const icons = { "x-with-favicons": "true" };
      const read = await app.get(`/jina/s?q=icons${asked}`, { headers: { ...json, ...icons } });
      expect(read.body.data[0].favicon).toBe(`${site.url}/icon.png`);
      expect((await app.get(`/jina/s?q=icons${asked}`, { headers: json })).body.data[0]).not.toHaveProperty("favicon");
      const unread = await find("", icons);
      expect([unread.body.data[0].favicon, unread.headers.get("x-trawl-ignored")]).toEqual([
        undefined,
        "x-with-favicons",
      ]);
    });

    it.each(["&count=21", "&count=x", "&page=0", "&type=videos", "&gl=nowhere"])("refuses %s", async (query) => {
      const { body } = await find(query);
      expect(body).toEqual(jinaError(400, "ParamValidationError", 40001, undefined, expect.any(String) as never));
    });

    it("needs a query, and is 503 when no service answers", async () => {
      expect((await app.get("/jina/s", { headers: json })).body).toEqual(
        jinaError(400, "ParamValidationError", 40001, undefined, "q"),
      );
      service.status = 500;
      const failed = await find("");
      expect(failed.body).toEqual(jinaError(503, "ServiceDisabledError", 50301));
      expect(failed.headers.get("retry-after")).not.toBeNull();
    });
  });

  describeOnce("limits", () => {
    it("are 402 and 429 in Jina's shape", async () => {
      const poor = await startPoorApp(anyEngine, 2);
      onTestFinished(() => poor.stop());
      expect((await poor.get(`/jina/${site.url}/article`)).status).toBe(200);
      expect((await poor.get(`/jina/${site.url}/article`)).body).toEqual(
        jinaError(402, "InsufficientBalanceError", 40203),
      );
      const third = await poor.get(`/jina/${site.url}/article`);
      expect(third.body).toEqual(jinaError(429, "RateLimitTriggeredError", 42903));
      expect(third.headers.get("retry-after")).not.toBeNull();
    });
  });
});

describe.skipIf(lacksChromium)("Jina with a browser", () => {
  it("takes pictures, and waits for what scripts add", async () => {
    const site = await startSite({
      "/late": `<title>Late</title><main id="m"><h1>Late</h1></main><script>setTimeout(() => { document.querySelector("#m").innerHTML += '<p class="late">Here at last, after all the others.</p>'; }, 300)</script>`,
    });
    const app = await useApp(anyEngine, withQuickBrowser);
    onTestFinished(async () => {
      await app.stop();
      await site.close();
    });
    const ask = (headers: Record<string, string>) =>
      fetch(`${app.url}/jina/${site.url}/late`, {
        redirect: "manual",
        headers: { authorization: `Bearer ${app.key}`, ...headers },
      });
    const waited = await ask({ "x-wait-for-selector": ".late" });
    expect(await waited.text()).toContain("Here at last");
    const picture = await ask({ "x-respond-with": "screenshot" });
    expect(picture.status).toBe(302);
    const image = await fetch(picture.headers.get("location") ?? "");
    expect([image.status, image.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^image\//)]);
    const whole = await (await ask({ ...json, "x-respond-with": "pageshot" })).json();
    expect(whole).toMatchObject({ data: { pageshotUrl: expect.stringContaining("/media/") } });
  });
});
