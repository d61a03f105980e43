// Where a crawl goes and where it does not: patterns, paths, hosts, redirects, robots.txt.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { answerText, openSite, page, pagesFor, redirectTo, runJob, sitemapOf } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

describe.each([anyEngine])("the scope of a crawl on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const crawl = (url: string, options: object = {}, on = app) => runJob(on, "/v2/crawl", { url, ...options });

  describe("patterns", () => {
    const paths = ["/docs/a", "/docs/b", "/docs/old/a", "/blog/a", "/blog/a?page=2"];
    const pages = { "/": page("Start", paths), ...pagesFor(paths) };

    const rows: [object, string[]][] = [
      [{ includePaths: ["^/docs/"] }, ["/docs/a", "/docs/b", "/docs/old/a"]],
      [{ includePaths: ["^/docs/"], excludePaths: ["/old/"] }, ["/docs/a", "/docs/b"]],
      [{ excludePaths: ["^/docs"] }, ["/", "/blog/a", "/blog/a?page=2"]],
      [{ includePaths: ["page=2"] }, []],
      [{ includePaths: ["page=2"], regexOnFullURL: true }, ["/blog/a?page=2"]],
      [{ excludePaths: ["^http"], regexOnFullURL: true }, []],
    ];
    it.each(rows)("%j: a start page that they do not want is read for its links only", async (options, left) => {
      const site = await openSite(pages);
      const { paths: found, status } = await crawl(site.url, options);
      expect(found).toEqual(left);
      expect(status).toMatchObject({ status: "completed", total: left.length, creditsUsed: left.length });
      expect(site.asked).toContain("/");
    });

    it("hold for what sitemaps list", async () => {
      const site = await openSite({
        ...pages,
        "/": page("Start"),
        "/sitemap.xml": (request, response) =>
          sitemapOf(...paths.map((path) => `http://${request.headers.host}${path}`))(request, response),
      });
      expect((await crawl(site.url, { includePaths: ["^/blog"] })).paths).toEqual(["/blog/a", "/blog/a?page=2"]);
    });
  });

  describe("paths", () => {
    const pages = {
      "/docs": page("Docs", ["/docs/a", "/docsmore", "/blog", "/"]),
      "/docs/a": page("A", ["/docs/b"]),
      ...pagesFor(["/docs/b", "/docsmore", "/blog", "/"]),
    };

    it("are those below the start", async () => {
      const site = await openSite(pages);
      expect((await crawl(`${site.url}/docs`)).paths).toEqual(["/docs", "/docs/a", "/docs/b"]);
    });

    it("are all with crawlEntireDomain", async () => {
      const site = await openSite(pages);
      const { paths } = await crawl(`${site.url}/docs`, { crawlEntireDomain: true });
      expect(paths).toEqual(["/", "/blog", "/docs", "/docs/a", "/docs/b", "/docsmore"]);
    });
  });

  describe("hosts", () => {
    const openHosts = () =>
      openSite((path) => (request, response) => {
        const port = request.headers.host?.split(":")[1];
        response.setHeader("content-type", "text/html");
        const links = ["/a", `//blog.shop.localhost:${port}/b`, `//other.localhost:${port}/c`];
        if (/robots|sitemap/.test(path)) response.writeHead(404).end();
        else response.end(page(path, path === "/" ? links : []));
      });

    it("are the start's own", async () => {
      const site = await openHosts();
      expect((await crawl(`http://shop.localhost:${site.port}/`)).paths).toEqual(["/", "/a"]);
    });

    it("are its subdomains too with allowSubdomains", async () => {
      const site = await openHosts();
      const { paths } = await crawl(`http://shop.localhost:${site.port}/`, { allowSubdomains: true });
      expect(paths).toEqual(["/", "/a", "/b"]);
    });

    it("are all with allowExternalLinks, one step far, home pages left out and listed", async () => {
      const other = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /secret"),
        "/article": page("Article", ["/further", "/secret"]),
        ...pagesFor(["/", "/further", "/secret"]),
      });
      const links = ["/a", `${other.url}/article`, `${other.url}/`, `${other.url}/secret`];
      const site = await openSite({ "/": page("Start", links), ...pagesFor(["/a"]) });
      const headers = { "x-secret": "of this site" };
      const found = await crawl(site.url, { allowExternalLinks: true, scrapeOptions: { headers } });
      expect(found.data.map(({ metadata }) => metadata.sourceURL).toSorted()).toEqual(
        [`${site.url}/`, `${site.url}/a`, `${other.url}/article`].toSorted(),
      );
      expect(found.errors).toMatchObject([{ url: `${other.url}/`, code: "EXTERNAL_LINK" }]);
      expect(found.robotsBlocked).toEqual([`${other.url}/secret`]);
      expect(other.asked.toSorted()).toEqual(["/article", "/robots.txt"]);
      expect(other.headers()["x-secret"]).toBeUndefined();
      expect(site.headers()["x-secret"]).toBe("of this site");
    });

    it("that are not allowed are errors of their pages alone", async () => {
      const site = await openSite({ "/": page("Start", ["http://10.0.0.1/inside", "/a"]), ...pagesFor(["/a"]) });
      const { paths, errors } = await crawl(site.url, { allowExternalLinks: true, ignoreRobotsTxt: true });
      expect(paths).toEqual(["/", "/a"]);
      expect(
        errors.length + (await crawl(site.url, { allowExternalLinks: true })).robotsBlocked.length,
      ).toBeGreaterThan(0);
    });
  });

  describe("redirects", () => {
    it("of the start page to another host take the crawl there", async () => {
      const there = await openSite({
        "/sitemap.xml": (request, response) => sitemapOf(`http://${request.headers.host}/listed`)(request, response),
        "/welcome": page("Welcome", ["/a", "/welcome/b"]),
        ...pagesFor(["/a", "/welcome/b", "/listed"]),
      });
      const site = await openSite({ "/": redirectTo(`${there.url}/welcome`) });
      const headers = { authorization: "secret of the first site" };
      const { paths, data, status } = await crawl(site.url, { scrapeOptions: { headers } });
      // The whole site was asked for, so the whole site is read.
      expect(paths).toEqual(["/", "/a", "/listed", "/welcome/b"]);
      expect(data.find(({ metadata }) => metadata.sourceURL === `${site.url}/`)?.metadata.url).toBe(
        `${there.url}/welcome`,
      );
      expect(status.completed).toBe(4);
      expect(there.headers().authorization).toBeUndefined();
    });

    it("of the start page on its host take the path along", async () => {
      const site = await openSite({
        "/old": redirectTo("/new/"),
        "/new/": page("New", ["/new/a", "/old/b"]),
        ...pagesFor(["/new/a", "/old/b"]),
      });
      expect((await crawl(`${site.url}/old`)).paths).toEqual(["/new/a", "/old"]);
    });

    it("to a page that is linked too give it once, and are no errors", async () => {
      const site = await openSite({
        "/": page("Start", ["/one", "/page", "/two", "/three"]),
        "/page": page("Page"),
        ...Object.fromEntries(["/one", "/two", "/three"].map((path) => [path, redirectTo("/page")])),
      });
      const { data, status, errors } = await crawl(site.url);
      expect(data.map(({ metadata }) => metadata.url).toSorted()).toEqual([`${site.url}/`, `${site.url}/page`]);
      expect(status).toMatchObject({ total: 2, completed: 2, creditsUsed: 2 });
      expect(errors).toEqual([]);
    });

    it("to a page that nothing else leads to give it once", async () => {
      const links = ["/one", "/two", "/three"];
      const site = await openSite({
        "/": page("Start", links),
        "/hidden": page("Hidden"),
        ...Object.fromEntries(links.map((path) => [path, redirectTo("/hidden")])),
      });
      const { data, errors } = await crawl(site.url);
      expect(data.map(({ metadata }) => metadata.title).toSorted()).toEqual(["Hidden", "Start"]);
      expect(errors).toEqual([]);
    });

    it("lead only where a link could have led", async () => {
      const other = await openSite(pagesFor(["/elsewhere"]));
      const site = await openSite({
        "/": page("Start", ["/out", "/admin-door", "/private-door"]),
        "/robots.txt": answerText("User-agent: *\nDisallow: /private"),
        "/out": redirectTo(`${other.url}/elsewhere`),
        "/admin-door": redirectTo("/admin"),
        "/door": redirectTo("/private"),
        ...pagesFor(["/admin", "/private"]),
      });
      const { paths, errors, robotsBlocked } = await crawl(site.url, { excludePaths: ["^/admin$"] });
      expect(paths).toEqual(["/"]);
      expect(errors.map(({ url, code }) => [url, code]).toSorted()).toEqual([
        [`${site.url}/admin-door`, "CRAWL_DENIAL"],
        [`${site.url}/out`, "EXTERNAL_LINK"],
      ]);
      expect(robotsBlocked).toEqual([`${site.url}/private-door`]);
    });
  });

  describe("robots.txt", () => {
    it("forbids one spelling of a page and not the other: the one it allows is read", async () => {
      const site = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /private/\nDisallow: /docs/index.html"),
        "/": page("Start", ["/private/", "/private", "/docs/index.html", "/docs/"]),
        ...pagesFor(["/private/", "/private", "/docs/", "/docs/index.html"]),
      });
      const { paths, robotsBlocked } = await crawl(site.url);
      expect(paths).toEqual(["/", "/docs/", "/private"]);
      expect(robotsBlocked.toSorted()).toEqual([`${site.url}/docs/index.html`, `${site.url}/private/`]);
      expect(site.asked).not.toContain("/private/");
    });

    const open = () =>
      openSite({
        "/robots.txt": answerText(
          "User-agent: *\nDisallow: /admin\n\nUser-agent: friend\nDisallow: /a$\nDisallow: /listed",
        ),
        "/": page("Start", ["/a", "/admin", "/admin/users", "/door"]),
        "/door": redirectTo("/admin/hidden"),
        "/sitemap.xml": (request, response) =>
          sitemapOf(`http://${request.headers.host}/listed`, `http://${request.headers.host}/admin/listed`)(
            request,
            response,
          ),
        ...pagesFor(["/a", "/admin", "/admin/users", "/admin/hidden", "/listed", "/admin/listed"]),
      });

    it("is obeyed, and what it forbids is listed", async () => {
      const site = await open();
      const { paths, errors, robotsBlocked } = await crawl(site.url);
      expect(paths).toEqual(["/", "/a", "/listed"]);
      expect(errors).toEqual([]);
      expect(robotsBlocked.toSorted()).toEqual(
        ["/admin", "/admin/hidden", "/admin/listed", "/admin/users"].map((path) => site.url + path),
      );
      // Not even where a redirect leads there.
      expect(site.asked.filter((path) => path.startsWith("/admin"))).toEqual([]);
    });

    it("that forbids addresses without end fills no list without end, and hides no error of a page", async () => {
      const forbidden = (path: string) => Array.from({ length: 2900 }, (_, index) => `/admin${path}/${index}`);
      const paths = ["/1", "/2", "/3"];
      const site = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /admin"),
        "/": page("Start", [...paths, ...forbidden("/0"), "/loop"]),
        "/loop": redirectTo("/loop"),
        ...Object.fromEntries(
          paths.map((path) => [path, page(path, [...forbidden(path), ...forbidden("/0").slice(0, 100)])]),
        ),
      });
      const { id, paths: read, errors, robotsBlocked } = await crawl(site.url, { sitemap: "skip" });
      expect(read).toEqual(["/", ...paths]);
      expect(errors).toMatchObject([{ url: `${site.url}/loop`, code: "SCRAPE_TOO_MANY_REDIRECTS" }]);
      expect(robotsBlocked).toHaveLength(9999);
      expect((await app.get(`/v2/crawl/${id}/errors`)).body.warning).toContain("Only the first 10000");
      expect(await app.fresh.store.jobResults.listErrors(id, 20_000)).toHaveLength(10_002);
    });

    it("of another site is asked before a redirect leads there", async () => {
      const other = await openSite({
        "/robots.txt": answerText("User-agent: *\nDisallow: /closed"),
        ...pagesFor(["/open"]),
      });
      const site = await openSite({
        "/": page("Start", ["/to-closed", "/to-open"]),
        "/to-closed": redirectTo(`${other.url}/closed/page`),
        "/to-open": redirectTo(`${other.url}/open`),
      });
      const { paths, robotsBlocked } = await crawl(site.url, { allowExternalLinks: true });
      expect(other.asked).toEqual(["/robots.txt", "/open"]);
      expect(robotsBlocked).toEqual([`${other.url}/closed/page`]);
      expect(paths).toEqual(["/", "/to-open"]);
    });

    it("is obeyed although the caller would not, unless the operator permits that", async () => {
      const site = await open();
      const { started, paths, status } = await crawl(site.url, { ignoreRobotsTxt: true, robotsUserAgent: "friend" });
      expect(paths).toEqual(["/", "/a", "/listed"]);
      for (const { warning } of [started, status]) {
        expect(warning).toContain("ignoreRobotsTxt has no effect");
        expect(warning).toContain("robotsUserAgent has no effect");
      }
    });

    it("does not have to be obeyed, or is read for another name, where the operator permits that", async () => {
      const free = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", RESPECT_ROBOTS: "off" });
      const all = await crawl((await open()).url, { ignoreRobotsTxt: true }, free);
      expect(all.started.warning).toBeUndefined();
      expect(all.paths).toEqual(["/", "/a", "/admin", "/admin/listed", "/admin/users", "/door", "/listed"]);
      expect(all.robotsBlocked).toEqual([]);
      const site = await open();
      const friend = await crawl(site.url, { robotsUserAgent: "friend" }, free);
      expect(friend.paths).toEqual(["/", "/admin", "/admin/listed", "/admin/users", "/door"]);
      expect(friend.robotsBlocked.toSorted()).toEqual([`${site.url}/a`, `${site.url}/listed`]);
      const obedient = await crawl((await open()).url, {}, free);
      expect(obedient.paths).toEqual(["/", "/a", "/listed"]);
      await free.stop();
    });

    it("that cannot be read closes the site, with the reason", async () => {
      const site = await openSite({
        ...pagesFor(["/"]),
        "/robots.txt": (_request, response) => response.writeHead(500).end(),
      });
      const { status, robotsBlocked } = await crawl(site.url);
      expect(status).toMatchObject({ status: "completed", completed: 0 });
      expect(status.warning).toContain("returned status 500");
      expect(robotsBlocked).toEqual([`${site.url}/`]);
    });
  });
});
