// POST /v2/map through every room: the real app, sites of several hosts on loopback, both store engines.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Answer, type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

type Pages = Parameters<typeof startSite>[0];
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;
const links = (...urls: string[]) => urls.map((url) => `<a href="${url}">To ${url}</a>`).join("");
const text =
  (make: (port: string) => string | Buffer, status = 200, type = "text/plain"): Handler =>
  (request, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(make(request.headers.host?.split(":")[1] ?? ""));
  };
const home = `<title>The shop</title><meta name="description" content="All things">${links("/about", "/contact")}`;

describe.each(bystanders)("map on $name", (engine) => {
  const { describeOnce } = onOneEngine(engine);
  const clock = createTestClock("2026-11-15T12:00:00Z");
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "100000" }, clock);
  });
  afterAll(() => app.stop());

  async function open(pages: Pages): Promise<FixtureSite & { shop: string }> {
    const site = await startSite(pages);
    onTestFinished(() => site.close());
    return { ...site, shop: `http://shop.localhost:${site.port}` };
  }
  const call = (path: string, body: object, options: CallOptions = {}) => {
    clock.advance(1);
    return app.call("POST", path, { body, ...options });
  };
  const map = (url: string, body: object = {}, options: CallOptions = {}) => call("/v2/map", { url, ...body }, options);
  const urlsOf = ({ body }: Answer): string[] => body.links.map(({ url }: { url: string }) => url);
  const pathsOf = (answer: Answer) => urlsOf(answer).map((url) => url.replace(/^http:\/\/[^/]+/, ""));
  const used = async () => 100_000 - (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;

  describe("the answer", () => {
    it("lists the start page, the sitemaps, then its links, each once, with the words known for them", async () => {
      const site = await open({
        "/": `${home}<link rel="canonical" href="/home"><link rel="alternate" hreflang="de" href="/de"><a href="/a">A</a>`,
        "/sitemap.xml": urlset("/a", "/b", "/a#part", "/a/"),
      });
      const answer = await map(site.shop);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        success: true,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        links: [
          { url: `${site.shop}/`, title: "The shop", description: "All things" },
          { url: `${site.shop}/a`, title: "A" },
          { url: `${site.shop}/b` },
          { url: `${site.shop}/home` },
          { url: `${site.shop}/de` },
          { url: `${site.shop}/about`, title: "To /about" },
          { url: `${site.shop}/contact`, title: "To /contact" },
        ],
      });
      expect((await map(site.shop)).body.links).toEqual(answer.body.links);
    });

    it("is strings under v1, which has its own words for sitemaps", async () => {
      const site = await open({ "/": home, "/sitemap.xml": urlset("/listed") });
      const v1 = async (body: object) => (await call("/v1/map", { url: site.shop, ...body })).body.links;
      const [start, listed, about, contact] = ["/", "/listed", "/about", "/contact"].map((path) => site.shop + path);
      expect(await v1({})).toEqual([start, listed, about, contact]);
      expect(await v1({ ignoreSitemap: true })).toEqual([start, about, contact]);
      expect(await v1({ sitemapOnly: true })).toEqual([listed]);
      expect((await call("/v1/map", { url: site.shop, limit: 30_001 })).status).toBe(400);
    });

    it("is one activity and one credit, and free when it failed", async () => {
      const site = await open({ "/": home, "/robots.txt": () => {} });
      const before = await used();
      const failed = await map(site.shop, { timeout: 100 });
      expect([failed.status, failed.body.code, await used()]).toEqual([408, "MAP_TIMEOUT", before]);
      const other = await open({ "/": home });
      const { body } = await map(other.shop);
      expect(await used()).toBe(before + 1);
      const { data } = (await app.get("/v2/team/activity?endpoint=map&limit=2")).body;
      expect(data).toMatchObject([
        { id: body.id, endpoint: "map", target: `${other.shop}/` },
        { endpoint: "map", target: `${site.shop}/` },
      ]);
    });

    it("needs a credit", async () => {
      const site = await open({ "/": home });
      const poor = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CREDITS_PER_MONTH: "1" });
      const ask = () => poor.call("POST", "/v2/map", { body: { url: site.shop } });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 402]);
      await poor.stop();
    });
  });

  describeOnce("sitemap", () => {
    it("skip, include and only differ as they should", async () => {
      const site = await open({ "/": home, "/sitemap.xml": urlset("/listed", "/about") });
      expect(pathsOf(await map(site.shop, { sitemap: "skip" }))).toEqual(["/", "/about", "/contact"]);
      expect(site.asked).not.toContain("/sitemap.xml");
      expect(pathsOf(await map(site.shop, { sitemap: "include" }))).toEqual(["/", "/listed", "/about", "/contact"]);
      expect(pathsOf(await map(site.shop, { sitemap: "only" }))).toEqual(["/listed", "/about"]);
      expect((await map(site.shop, { sitemap: "never" })).body.details[0].path).toEqual(["sitemap"]);
    });

    it("only lists the start page if a sitemap does, then with its words", async () => {
      const site = await open({ "/": home, "/sitemap.xml": urlset("/a", "/") });
      expect((await map(site.shop, { sitemap: "only" })).body.links).toEqual([
        { url: `${site.shop}/a` },
        { url: `${site.shop}/`, title: "The shop", description: "All things" },
      ]);
    });

    it("files are found by robots.txt, wherever it says, and by indexes, packed, nested and as text", async () => {
      const site = await open({
        "/": home,
        "/robots.txt": text((port) => `Sitemap: http://files.localhost:${port}/index.xml\nSitemap: /list.txt`),
        "files.localhost/index.xml": text((port) =>
          index("/one.xml.gz", "/more.xml", `http://shop.localhost:${port}/z`),
        ),
        "files.localhost/one.xml.gz": text((port) => gzipSync(urlset(`http://shop.localhost:${port}/packed`))),
        "files.localhost/more.xml": text(() => index("/deep.xml")),
        "files.localhost/deep.xml": text((port) => urlset(`http://shop.localhost:${port}/deep`)),
        "/list.txt": text((port) => `http://shop.localhost:${port}/text\n`),
        "/z": urlset("/z1"),
        "/sitemap.xml": urlset("/usual"),
      });
      const answer = await map(site.shop, { sitemap: "only" });
      expect(pathsOf(answer)).toEqual(["/packed", "/deep", "/z1", "/text", "/usual"]);
      expect(answer.body.warning).toBeUndefined();
    });

    it("files are looked for at the usual places, below the path too", async () => {
      for (const place of ["/sitemap_index.xml", "/sitemap.xml.gz", "/wp-sitemap.xml", "/sitemap.txt"]) {
        const site = await open({ "/": home, [place]: text((port) => `http://shop.localhost:${port}/found\n`) });
        expect(pathsOf(await map(site.shop, { sitemap: "only" }))).toEqual(["/found"]);
      }
      const below = await open({ "/docs/": home, "/docs/sitemap.xml": urlset("start") });
      expect(pathsOf(await map(`${below.shop}/docs/`, { sitemap: "only" }))).toEqual(["/docs/start"]);
    });

    it("feeds that the start page names count, with their words, but not as sitemaps", async () => {
      const feed = (type: string, href: string) =>
        `<link rel="alternate" type="application/${type}+xml" href="${href}">`;
      const site = await open({
        "/": home + feed("rss", "/rss") + feed("atom", "/atom"),
        "/rss":
          "<rss><channel><item><title>News</title><link>/news</link><description>New</description></item></channel></rss>",
        "/atom": '<feed><entry><title>Post</title><link href="/post"/></entry></feed>',
        "/sitemap.xml": urlset("/a"),
      });
      const { body } = await map(site.shop);
      expect(body.links).toContainEqual({ url: `${site.shop}/news`, title: "News", description: "New" });
      expect(body.links).toContainEqual({ url: `${site.shop}/post`, title: "Post" });
      expect(pathsOf(await map(site.shop, { sitemap: "only" }))).toEqual(["/a"]);
      expect(pathsOf(await map(site.shop, { sitemap: "skip" }))).not.toContain("/news");
    });

    it("files may be hostile: loops, bombs, document types, other types, web pages", async () => {
      const bomb = gzipSync(Buffer.concat([Buffer.from("<urlset>"), Buffer.alloc(60 * 1024 * 1024, " ")]), {
        level: 9,
      });
      const files = ["/loop.xml", "/bomb.xml", "/dtd.xml", "/page.xml", "/image.xml", "/gone.xml", "/good.xml"];
      const site = await open({
        "/robots.txt": files.map((file) => `Sitemap: ${file}`).join("\n"),
        "/loop.xml": index("/loop.xml", "/loop2.xml"),
        "/loop2.xml": index("/loop.xml"),
        "/bomb.xml": text(() => bomb, 200, "application/xml"),
        "/dtd.xml": `<!DOCTYPE urlset [<!ENTITY a "http://x.test/"><!ENTITY b "&a;&a;&a;">]>${urlset("/dtd", "/&b;x")}`,
        "/page.xml": "<!doctype html><html><body><a href='/nothing'>Not found</a></body></html>",
        "/image.xml": text(() => Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]), 200, "image/png"),
        "/good.xml": text(() => urlset("/good"), 200, "image/jpeg"),
      });
      const answer = await map(site.shop, { sitemap: "only" });
      expect(pathsOf(answer)).toEqual(["/dtd", "/&b;x", "/good"]);
      expect(answer.body.warning).toMatch(/expands more than 200 times|after 50 MB/);
      expect(answer.body.warning).toContain(`could not be read (a web page): ${site.shop}/page.xml`);
      expect(answer.body.warning).toContain(`could not be read (404): ${site.shop}/gone.xml`);
      expect(site.asked.filter((path) => path === "/loop.xml")).toHaveLength(1);
    });

    it("files at private addresses are not connected to", async () => {
      let connections = 0;
      const inside = createServer((socket) => {
        connections += 1;
        socket.destroy();
      }).listen(0, "127.0.0.2");
      await once(inside, "listening");
      onTestFinished(() => void inside.close());
      const target = `http://127.0.0.2:${(inside.address() as { port: number }).port}/sitemap.xml`;
      const site = await open({
        "/": `${home}<link rel="alternate" type="application/rss+xml" href="${target}">`,
        "/robots.txt": `Sitemap: ${target}`,
        "/sitemap.xml": index(target, "/list.xml"),
        "/list.xml": urlset("/a"),
      });
      const answer = await map(site.shop);
      expect(pathsOf(answer)).toEqual(["/", "/a", "/about", "/contact"]);
      expect([connections, answer.body.warning]).toEqual([0, expect.stringContaining("not allowed")]);
    });
  });

  describeOnce("the site", () => {
    const hosts: Pages = {
      "/sitemap.xml": text((port) =>
        urlset(
          `http://www.shop.localhost:${port}/a`,
          `http://shop.localhost:${port}/a/`,
          `https://shop.localhost:${port}/a`,
          `http://blog.shop.localhost:${port}/post`,
          `http://shop.localhost/other-port`,
          `http://shop.localhost:${Number(port) + 1}/other-port`,
          `http://notshop.localhost:${port}/other-site`,
          `http://shop.localhost.evil.test:${port}/other-site`,
          `http://me:secret@shop.localhost:${port}/credentials`,
          `ftp://shop.localhost:${port}/scheme`,
        ),
      ),
    };

    it("is its registrable domain on its port; www and scheme make no difference and the first spelling stays", async () => {
      const site = await open({ ...hosts, "/": home });
      const [www, blog] = ["www", "blog"].map((name) => `http://${name}.shop.localhost:${site.port}`);
      for (const start of [site.shop, www ?? ""]) {
        expect(urlsOf(await map(start, { sitemap: "only" }))).toEqual([`${www}/a`, `${blog}/post`]);
        expect(urlsOf(await map(start, { sitemap: "only", includeSubdomains: false }))).toEqual([`${www}/a`]);
      }
      expect(urlsOf(await map(blog ?? "", { sitemap: "only", includeSubdomains: false }))).toEqual([`${blog}/post`]);
    });

    it("is where its start page leads to, by the rules of that host", async () => {
      const site = await open({
        "old.localhost/": (request, response) =>
          response.writeHead(301, { location: `http://shop.localhost:${request.headers.host?.split(":")[1]}/` }).end(),
        "old.localhost/robots.txt": "Sitemap: /old.xml",
        "old.localhost/old.xml": urlset("/old"),
        "shop.localhost/": home,
        "shop.localhost/robots.txt": "Sitemap: /new.xml",
        "shop.localhost/new.xml": urlset("/new"),
      });
      const old = `http://old.localhost:${site.port}`;
      const expected = ["/", "/new", "/about", "/contact"].map((path) => site.shop + path);
      expect(urlsOf(await map(old))).toEqual(expected);
      expect(urlsOf(await map(old, { sitemap: "only" }))).toEqual([`${site.shop}/new`]);
    });

    it("stays whole when its home page leads to a path of it", async () => {
      const site = await open({
        "/": (_request, response) => response.writeHead(302, { location: "/en/" }).end(),
        "/en/": home,
      });
      expect(pathsOf(await map(site.shop))).toEqual(["/en/", "/about", "/contact"]);
    });

    it("is what lies below the path of the start, unless filterByPath is false", async () => {
      const site = await open({
        "/docs": links("/docs/a", "/docs", "/docsother", "/blog"),
        "/sitemap.xml": urlset("/docs/b", "/pricing"),
      });
      expect(pathsOf(await map(`${site.shop}/docs`))).toEqual(["/docs", "/docs/b", "/docs/a"]);
      const all = ["/docs", "/docs/b", "/pricing", "/docs/a", "/docsother", "/blog"];
      expect(pathsOf(await map(`${site.shop}/docs`, { filterByPath: false }))).toEqual(all);
    });

    it("has URLs with a query only when they are asked for", async () => {
      const site = await open({ "/": links("/a?x=1", "/a?x=2", "/b#?c"), "/sitemap.xml": urlset("/c?page=2", "/d") });
      expect(pathsOf(await map(site.shop))).toEqual(["/", "/d", "/b"]);
      const all = ["/", "/c?page=2", "/d", "/a?x=1", "/a?x=2", "/b"];
      expect(pathsOf(await map(site.shop, { ignoreQueryParameters: false }))).toEqual(all);
    });
  });

  describeOnce("options", () => {
    it("search orders everything found before limit cuts", async () => {
      const many = Array.from({ length: 200 }, (_, page) => `/page-${page}`);
      const site = await open({ "/": home, "/sitemap.xml": urlset(...many, "/shop/pricing", "/pricing") });
      expect(pathsOf(await map(site.shop, { search: "pricing", limit: 2 }))).toEqual(["/pricing", "/shop/pricing"]);
      expect(pathsOf(await map(site.shop, { search: "things", limit: 1 }))).toEqual(["/"]);
      expect(pathsOf(await map(site.shop, { search: "pricing" }))).toHaveLength(205);
      expect(pathsOf(await map(site.shop, { search: "" }))).toEqual(pathsOf(await map(site.shop)));
    });

    it("limit takes 1 to 100000", async () => {
      const site = await open({ "/": home, "/sitemap.xml": urlset("/a", "/b") });
      expect(pathsOf(await map(site.shop, { limit: 1 }))).toEqual(["/"]);
      expect((await map(site.shop, { limit: 1 })).body.warning).toBeUndefined();
      expect(pathsOf(await map(site.shop, { limit: 3 }))).toEqual(["/", "/a", "/b"]);
      expect((await map(site.shop, { limit: 100_000 })).status).toBe(200);
      for (const limit of [0, 100_001, 1.5, "many"]) {
        const { status, body } = await map(site.shop, { limit });
        expect([status, body.details[0].path]).toEqual([400, ["limit"]]);
      }
    });

    it("limit is 5000 unless it is given", async () => {
      const site = await open({ "/sitemap.xml": urlset(...Array.from({ length: 5100 }, (_, page) => `/${page}`)) });
      expect(pathsOf(await map(site.shop))).toHaveLength(5000);
      expect(pathsOf(await map(site.shop, { limit: 6000 }))).toHaveLength(5100);
    });

    it("includePaths and excludePaths are regular expressions on the path", async () => {
      const site = await open({ "/": links("/blog/1", "/blog/2", "/blog/draft", "/shop/1") });
      const includePaths = ["^/blog/"];
      expect(pathsOf(await map(site.shop, { includePaths }))).toEqual(["/blog/1", "/blog/2", "/blog/draft"]);
      expect(pathsOf(await map(site.shop, { includePaths, excludePaths: ["draft", "/2$"] }))).toEqual(["/blog/1"]);
      expect(pathsOf(await map(site.shop, { excludePaths: ["^/(?!shop)"] }))).toEqual(["/shop/1"]);
      for (const field of ["includePaths", "excludePaths"]) {
        const { status, body } = await map(site.shop, { [field]: ["ok", "(["] });
        expect([status, body.details[0].path]).toEqual([400, [field, 1]]);
      }
    });

    it("location asks for its language, everywhere", async () => {
      const languages: string[] = [];
      const note =
        (answer: string): Handler =>
        (request, response) => {
          languages.push(request.headers["accept-language"] ?? "");
          response.writeHead(200, { "content-type": "text/html" }).end(answer);
        };
      const site = await open({ "/": note(home), "/robots.txt": note(""), "/sitemap.xml": note(urlset("/a")) });
      await map(site.shop, { location: { country: "DE" } });
      await map(site.shop, { location: { languages: ["fr"] } });
      await map(site.shop);
      const asked = ["de-DE,de;q=0.9,en;q=0.8", "fr", "en-US,en;q=0.9"];
      expect(languages).toEqual(asked.flatMap((language) => [language, language, language]));
    });

    it("headers go to the origin of the start and nowhere else, and so do credentials", async () => {
      const seen: string[] = [];
      const note =
        (make: (port: string) => string): Handler =>
        (request, response) => {
          const { host = "", authorization = "", "x-own": own = "" } = request.headers;
          seen.push(`${host.split(":")[0]}${request.url} ${own}${authorization}`);
          text(make, 200, "text/html")(request, response);
        };
      const site = await open({
        "shop.localhost/": note(() => home),
        "shop.localhost/robots.txt": note((port) => `Sitemap: http://cdn.localhost:${port}/sitemap.xml`),
        "shop.localhost/sitemap.xml": note(() => urlset("/a")),
        "cdn.localhost/sitemap.xml": note((port) => urlset(`http://shop.localhost:${port}/cdn`)),
      });
      expect(pathsOf(await map(site.shop, { headers: { "X-Own": "mine" } }))).toContain("/cdn");
      const answer = await map(site.shop.replace("//", "//me:pa55@"));
      expect(answer.text).not.toContain("pa55");
      const basic = `Basic ${Buffer.from("me:pa55").toString("base64")}`;
      const paths = ["/robots.txt", "/", "/sitemap.xml"];
      const own = [...paths.map((path) => `${path} mine`), ...paths.map((path) => `${path} ${basic}`)];
      const expected = [
        ...own.map((line) => `shop.localhost${line}`),
        "cdn.localhost/sitemap.xml ",
        "cdn.localhost/sitemap.xml ",
      ];
      expect(seen.toSorted()).toEqual(expected.toSorted());
    });

    it("all work together", async () => {
      const site = await open({
        "/shop/": `<title>Shop</title>${links("/shop/nets?page=1", "/shop/nets/red", "/about")}`,
        "/sitemap.xml": text((port) =>
          urlset("/shop/nets/blue", "/shop/nets/old", `http://blog.shop.localhost:${port}/shop/nets/x`, "/nets"),
        ),
      });
      const answer = await map(`${site.shop}/shop/`, {
        search: "blue nets",
        sitemap: "include",
        includeSubdomains: false,
        ignoreQueryParameters: false,
        ignoreCache: true,
        limit: 3,
        timeout: 20_000,
        location: { country: "US", languages: ["en"] },
        headers: { "x-own": "1" },
        includePaths: ["nets"],
        excludePaths: ["old"],
        filterByPath: true,
        useIndex: false,
      });
      expect(pathsOf(answer)).toEqual(["/shop/nets/blue", "/shop/nets?page=1", "/shop/nets/red"]);
    });

    it("unknown and unavailable ones are named", async () => {
      const site = await open({ "/": home });
      const { status, body } = await map(site.shop, { limitt: 3, threatProtection: {} });
      expect(status).toBe(200);
      expect(body.warning).toMatch(/threatProtection.*limitt|limitt.*threatProtection/s);
    });
  });

  describeOnce("robots.txt", () => {
    it("that is broken closes the site, and the warning says so", async () => {
      const site = await open({ "/": home, "/robots.txt": text(() => "", 500), "/sitemap.xml": urlset("/a") });
      const { status, body } = await map(site.shop);
      expect([status, body.links]).toEqual([200, []]);
      expect(body.warning).toContain(`The robots.txt of ${site.shop} returned status 500`);
      expect(site.asked).toEqual(["/robots.txt"]);
    });

    it("decides what is fetched, not what is listed", async () => {
      const rules = "User-agent: TrawlBot\nDisallow: /$\nDisallow: /sitemap\nDisallow: /hidden\nSitemap: /named.xml";
      const site = await open({
        "/": home,
        "/robots.txt": rules,
        "/sitemap.xml": urlset("/guessed"),
        "/named.xml": urlset("/hidden", "/open"),
      });
      const { body } = await map(site.shop);
      expect(body.links.map(({ url }: { url: string }) => url)).toEqual([`${site.shop}/hidden`, `${site.shop}/open`]);
      expect(body.warning).toBe("The start page was not read: robots.txt disallows it.");
      expect(site.asked).toEqual(["/robots.txt", "/named.xml"]);
    });

    it("of the host that the start page leads to is asked, too", async () => {
      const site = await open({
        "shop.localhost/": (request, response) =>
          response
            .writeHead(302, { location: `http://www.shop.localhost:${request.headers.host?.split(":")[1]}/` })
            .end(),
        "www.shop.localhost/": home,
        "www.shop.localhost/robots.txt": "User-agent: *\nDisallow: /",
      });
      const { body } = await map(site.shop);
      expect([body.links, body.warning]).toEqual([[], expect.stringContaining("robots.txt disallows it")]);
      expect(site.askedAt).not.toContain("www.shop.localhost/sitemap.xml");
    });
  });

  describeOnce("few results", () => {
    it.each<[string, Pages, object, RegExp]>([
      ["a page without links", { "/": "<div id=root></div>" }, {}, /The start page has no links\./],
      ["no sitemap", { "/": "<p>Text</p>" }, {}, /No sitemap was found at the usual places\./],
      [
        "a sitemap that is not there",
        { "/robots.txt": "Sitemap: /gone.xml" },
        {},
        /1 sitemap could not be read \(404\): \S+gone/,
      ],
      ["a start page that is not there", {}, {}, /The start page answered 404\./],
      ["only queries", { "/": links("/?a=1", "/?a=2") }, {}, /set ignoreQueryParameters to false to list them/],
      [
        "another site's URLs",
        { "/sitemap.xml": urlset("https://a.test/") },
        { sitemap: "only" },
        /list 1 URLs, which belong to other sites/,
      ],
    ])("are explained: %s", async (_name, pages, body, reason) => {
      const site = await open(pages);
      const answer = await map(site.shop, body);
      expect(answer.status).toBe(200);
      expect(answer.body.warning).toMatch(reason);
    });

    it("below a path are explained", async () => {
      const site = await open({ "/docs": links("/a", "/b") });
      const { body } = await map(`${site.shop}/docs`);
      expect(body.warning).toContain(
        "Only URLs below /docs are listed; set filterByPath to false to list the whole site.",
      );
    });

    it("of a host that does not exist are explained", async () => {
      const { status, body } = await map("http://no-such-host.invalid/");
      expect([status, body.links]).toEqual([200, []]);
      expect(body.warning).toMatch(/robots\.txt of http:\/\/no-such-host\.invalid could not be read/);
    });
  });

  describe("kept sitemaps", () => {
    const counting = (): Pages => {
      let count = 0;
      return { "/": "<p>Text</p>", "/sitemap.xml": text(() => urlset(`/${++count}`, "/a")) };
    };
    const first = async (site: { shop: string }, body: object = {}, options: CallOptions = {}) =>
      pathsOf(await map(site.shop, { sitemap: "only", ...body }, options))[0];

    it("serve for seven days, unless they are to be read again", async () => {
      const site = await open(counting());
      expect([await first(site), await first(site)]).toEqual(["/1", "/1"]);
      expect(await first(site, { ignoreCache: true })).toBe("/2");
      expect(await first(site)).toBe("/2");
      clock.advance(7 * 24 * 3_600_000 - 60_000);
      expect(await first(site)).toBe("/2");
      clock.advance(60_000);
      expect(await first(site)).toBe("/3");
    });

    it("serve their team only, and not requests with headers", async () => {
      const site = await open(counting());
      expect([await first(site), await first(site, {}, { key: otherKey }), await first(site)]).toEqual([
        "/1",
        "/2",
        "/1",
      ]);
      expect(await first(site, { headers: { cookie: "me=1" } })).toBe("/3");
      expect([await first(site), await first(site, { headers: { cookie: "me=1" } })]).toEqual(["/1", "/4"]);
    });

    it("are what they were, texts, order and warnings", async () => {
      const many = Array.from({ length: 2500 }, (_, page) => `/${page}`);
      const site = await open({ "/": "<p>Text</p>", "/sitemap.xml": urlset(...many, "mailto:x") });
      const [fresh, kept] = [await map(site.shop), await map(site.shop)];
      expect(site.asked.filter((path) => path === "/sitemap.xml")).toHaveLength(1);
      expect({ ...kept.body, id: "" }).toEqual({ ...fresh.body, id: "" });
      expect(kept.body.warning).toContain("1 entry is not an http or https URL");
    });
  });

  describe("pages that the team has read", () => {
    const page = '<title>Read before</title><meta name="description" content="Known">';
    const scrape = (url: string, body: object = {}) => call("/v2/scrape", { url, maxAge: 0, ...body });

    it("are known as soon as their scrape has answered, with their words, to this team", async () => {
      const site = await open({ "/": home, "/secret-page": page, "/about": page, "/x?q=1": page });
      expect(pathsOf(await map(site.shop))).toEqual(["/", "/about", "/contact"]);
      for (const path of ["/secret-page", "/about", "/x?q=1"])
        expect((await scrape(site.shop + path)).status).toBe(200);
      const words = { title: "Read before", description: "Known" };
      const { body } = await map(site.shop);
      expect(body.links).toContainEqual({ url: `${site.shop}/secret-page`, ...words });
      expect(body.links).toContainEqual({ url: `${site.shop}/about`, ...words });
      expect(body.links).toHaveLength(4);
      expect(pathsOf(await map(site.shop, { ignoreQueryParameters: false }))).toContain("/x?q=1");
      expect(pathsOf(await map(site.shop, { sitemap: "skip" }))).toContain("/secret-page");
      expect(pathsOf(await map(site.shop, { useIndex: false }))).toEqual(["/", "/about", "/contact"]);
      expect(pathsOf(await map(site.shop, { sitemap: "only" }))).toEqual([]);
      expect(pathsOf(await map(site.shop, {}, { key: otherKey }))).toEqual(["/", "/about", "/contact"]);
    });

    it("with headers of a caller, without retention or without success are not", async () => {
      const site = await open({ "/": home, "/1": page, "/2": page, "/3": text(() => page, 404, "text/html") });
      await scrape(`${site.shop}/1`, { headers: { cookie: "me=1" } });
      await scrape(`${site.shop}/2`, { zeroDataRetention: true });
      await scrape(`${site.shop}/3`);
      expect(pathsOf(await map(site.shop))).toEqual(["/", "/about", "/contact"]);
    });

    it("are listed for a site that is closed", async () => {
      let isBroken = false;
      const robots: Handler = (_request, response) => response.writeHead(isBroken ? 500 : 404).end();
      const site = await open({ "/robots.txt": robots, "/1": page });
      await scrape(`${site.shop}/1`);
      isBroken = true;
      expect(pathsOf(await map(site.shop))).toEqual(["/1"]);
    });
  });

  describeOnce("time and addresses", () => {
    it("a timeout ends everything that is under way", async () => {
      let closed = 0;
      const silent: Handler = (request) => void request.socket.once("close", () => (closed += 1));
      const site = await open({
        "/": home,
        "/sitemap.xml": index("/1.xml", "/2.xml", "/3.xml"),
        "/1.xml": silent,
        "/2.xml": silent,
        "/3.xml": silent,
      });
      const { status, body } = await map(site.shop, { timeout: 2000 });
      expect([status, body.code]).toEqual([408, "MAP_TIMEOUT"]);
      await expect.poll(() => closed).toBe(3);
      expect((await map(site.shop, { timeout: 0 })).body.details[0].path).toEqual(["timeout"]);
    });

    it("a caller that hangs up ends it, uncharged", async () => {
      const hung = new AbortController();
      let closed = false;
      const slow: Handler = (request) => {
        request.socket.once("close", () => {
          closed = true;
        });
        hung.abort();
      };
      const site = await open({ "/": home, "/sitemap.xml": slow });
      const before = await used();
      const request = fetch(`${app.url}/v2/map`, {
        method: "POST",
        headers: { authorization: `Bearer ${app.key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: site.shop }),
        signal: hung.signal,
      });
      await expect(request).rejects.toThrow(/abort/);
      await expect.poll(() => closed).toBe(true);
      await expect
        .poll(async () => (await app.get("/v2/team/activity?endpoint=map&limit=1")).body.data[0]?.target)
        .toBe(`${site.shop}/`);
      expect(await used()).toBe(before);
    });

    it.each(["ftp://shop.localhost/", "file:///etc/passwd", "nodots", "http://"])("%s is 400", async (url) => {
      const { status, body } = await map(url);
      expect([status, body.details[0].path]).toEqual([400, ["url"]]);
    });

    it.each(["http://10.0.0.1/", "http://127.0.0.2/", "http://169.254.169.254/"])("%s is 403", async (url) => {
      const { status, body } = await map(url);
      expect(status).toBe(403);
      expect(body).toEqual({ success: false, code: "URL_NOT_ALLOWED", error: "This URL is not allowed." });
    });
  });
});
