// Rendered pages through the API: the real app with a real Chromium, a site on loopback.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { chromiumPath, lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { pictureOf, shellPage, startRenderedSite } from "../support/rendered-site.ts";
import { runCli } from "../support/server-process.ts";
import { useApp, withChromium } from "../support/shared-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Step {
  step: string;
  engine: string;
  outcome: string;
  detail: { reason: string };
}

describe.skipIf(lacksChromium).each([anyEngine])("pages through a browser on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    const link = (path: string) => `<a href="${path}">${path}</a>`;
    site = await startRenderedSite({
      "/app/": shellPage("Start", link("/app/a") + link("/app/b")),
      "/app/a": shellPage("Page a"),
      "/app/b": shellPage("Page b", link("/app/c")),
      "/whole": `<!doctype html><title>Whole</title><main><h1>Whole</h1><p style="height:3000px">Its beginning.</p>
        <section id="late" style="height:300px"></section><own-card></own-card></main>
        <div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" style="position:fixed;bottom:0">We use cookies.
        <button id="onetrust-reject-all-handler" onclick="late.dataset.answer = 'refused'">Reject all</button></div></div><script>
        new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) late.textContent = "Its end, " + late.dataset.answer }).observe(late);
        customElements.define("own-card", class extends HTMLElement { connectedCallback() {
          this.attachShadow({ mode: "closed" }).innerHTML = "<p>Its closed part.</p>" } })</script>`,
      "/app/c": "<main><h1>Page c</h1><p>without a script</p></main>",
    });
    app = await useApp(engine, withChromium);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    site.asked.length = 0;
  });

  const scrape = async (path: string, options: object = {}) => {
    const { status, body } = await app.call("POST", "/v2/scrape", { body: { url: site.url + path, ...options } });
    expect([status, body.error]).toEqual([200, undefined]);
    return body;
  };
  const choices = (trace: Step[]) =>
    trace.filter(({ step }) => step === "choose").map(({ outcome, detail }) => [outcome, detail.reason]);

  it("has Chromium", () => expect(chromiumPath).not.toBeNull());

  it("fastMode never renders, and what it read serves no request that renders", async () => {
    const path = `/shell?${newId()}`;
    const fast = await scrape(path, { fastMode: true, waitFor: 100, mobile: true, trace: true });
    expect(fast.data.markdown).not.toContain("Filled");
    expect(fast.warning).toContain("waitFor has no effect with fastMode.");
    expect(choices(fast.trace)).toEqual([["http", "fastMode"]]);
    const { data } = await scrape(path, { mobile: true });
    expect(data.markdown).toContain("# Filled by a script");
    expect(data.metadata.cacheState).toBe("miss");
  });

  it("a rendered page is whole: refused consent, what loads late, closed shadow roots", async () => {
    const { data } = await scrape("/whole", { waitFor: 1 });
    for (const part of ["Its beginning.", "Its end, refused", "Its closed part."])
      expect(data.markdown).toContain(part);
    expect(data.markdown).not.toContain("cookies");
  });

  it("what was rendered is kept like any other page", async () => {
    const path = `/shell?${newId()}`;
    const first = await scrape(path);
    const again = await scrape(path);
    expect(again.data.markdown).toBe(first.data.markdown);
    expect([first, again].map(({ data }) => data.metadata.cacheState)).toEqual(["miss", "hit"]);
    const links = await scrape(path, { formats: ["html"] });
    expect(links.data.html).toContain("Filled by a script");
    expect(links.data.metadata.cacheState).toBe("hit");
  });

  it("costs what a page costs", async () => {
    const { data } = await scrape("/tall", { formats: ["screenshot"], maxAge: 0 });
    expect(data.metadata.creditsUsed).toBe(1);
  });

  it("rawBase64 and rendered pages do not serve each other", async () => {
    const path = `/shell?${newId()}`;
    const raw = () => scrape(path, { formats: ["rawBase64"] });
    await scrape(path);
    const first = await raw();
    expect(Buffer.from(first.data.rawBase64, "base64").toString()).toContain('<div id="root"></div>');
    expect([first, await raw()].map(({ data }) => data.metadata.cacheState)).toEqual(["miss", "hit"]);
    const { data } = await scrape(path, { formats: ["html"] });
    expect([data.html.includes("Filled by a script"), data.metadata.cacheState]).toEqual([true, "hit"]);
  });

  it("a crawl follows links that scripts wrote, and shows each page's picture", async () => {
    const crawl = await runJob(app, "/v2/crawl", {
      url: `${site.url}/app/`,
      sitemap: "skip",
      scrapeOptions: { formats: ["markdown", "screenshot"] },
    });
    expect(crawl.errors).toEqual([]);
    expect(crawl.paths).toEqual(["/app/", "/app/a", "/app/b", "/app/c"]);
    for (const { markdown, screenshot } of crawl.data) {
      expect(markdown).toMatch(/^# (Start|Page [abc])/);
      expect(screenshot).toMatch(new RegExp(`^${app.url}/media/[\\w-]{43}\\.png$`));
    }
    const picture = await fetch(crawl.data[0].screenshot);
    expect(pictureOf(Buffer.from(await picture.arrayBuffer())).kind).toBe("png");
  });

  // What follows is about the browser and its answers, not about what is stored.
  if (engine !== anyEngine) return;

  it("a page that scripts fill is rendered, and the trace says why", async () => {
    const { data, trace } = await scrape("/shell", { maxAge: 0, trace: true });
    expect(data.markdown).toContain("# Filled by a script");
    expect(choices(trace)).toEqual([
      ["http", "HTTP first"],
      ["browser", "0 letters of text and a note that it needs JavaScript"],
    ]);
    expect(trace.map(({ step, engine: by }: Step) => [step, by])).toEqual([
      ["choose", "http"],
      ["fetch", "http"],
      // Its data do not hold its text.
      ["content", undefined],
      ["choose", "browser"],
      ["render", "browser"],
      ["content", undefined],
    ]);
  });

  it("a page that has its text is read over HTTP alone", async () => {
    const { data, trace } = await scrape("/plain", { maxAge: 0, trace: true });
    expect(data.markdown).toContain("# Plain page");
    expect(data.markdown).not.toContain("written by a script");
    expect(choices(trace)).toEqual([["http", "HTTP first"]]);
    expect(site.asked).toEqual(["/plain"]);
  });

  it("fastMode together with what only a browser has is a mistake of the caller", async () => {
    const body = { url: `${site.url}/plain`, fastMode: true, formats: ["screenshot"] };
    const answer = await app.call("POST", "/v2/scrape", { body });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, ["formats", 0]]);
    expect(site.asked).toEqual([]);
  });

  it("waitFor and mobile are asked of the browser", async () => {
    const waited = await scrape("/form", { waitFor: 2000, formats: ["rawHtml"], trace: true, maxAge: 0 });
    expect(waited.data.rawHtml).toContain('id="arrived"');
    expect(choices(waited.trace)).toEqual([["browser", "asked for: waitFor"]]);
    const phone = await scrape("/plain", { mobile: true, trace: true, maxAge: 0 });
    expect(choices(phone.trace)).toEqual([["browser", "asked for: mobile"]]);
    expect(site.headers()["user-agent"]).toMatch(/Mobile/);
    expect(phone.data.markdown).toContain("written by a script");
  });

  it("rawBase64 is the bytes as they came, whatever they are", async () => {
    const raw = await scrape("/shell", { formats: ["rawBase64"], maxAge: 0 });
    expect(Buffer.from(raw.data.rawBase64, "base64").toString()).toContain('<div id="root"></div>');
    expect(raw.data.metadata).toMatchObject({ statusCode: 200, contentType: "text/html; charset=utf-8" });
    expect(Object.keys(raw.data).toSorted()).toEqual(["metadata", "rawBase64"]);
    expect(site.asked).toEqual(["/shell"]);
  });

  it("a crawl asks robots.txt wherever a redirect or a script takes the page", async () => {
    const asked: string[] = [];
    const pages: Record<string, string> = {
      "/robots.txt": "User-agent: *\nDisallow: /private",
      "/": '<main><h1>Start</h1><a href="/moved">a</a> <a href="/jumps">b</a></main>',
      "/jumps": "<main><h1>Jumps</h1><script>location.href = '/private/b'</script></main>",
    };
    const guarded = await startSite((path) => (_request, response) => {
      asked.push(path);
      if (path === "/moved") response.writeHead(302, { location: "/private/a" }).end();
      else
        response.setHeader("content-type", path === "/robots.txt" ? "text/plain" : "text/html").end(pages[path] ?? "");
    });
    onTestFinished(() => guarded.close());
    const crawl = await runJob(app, "/v2/crawl", {
      url: guarded.url,
      sitemap: "skip",
      scrapeOptions: { formats: ["markdown"], waitFor: 300 },
    });
    expect(crawl.paths).toContain("/");
    expect(asked).toContain("/moved");
    expect(asked).toContain("/jumps");
    expect(asked.filter((path) => path.startsWith("/private"))).toEqual([]);
  });

  it("a scrape says that robots.txt forbids where a redirect leads, with RESPECT_ROBOTS=all", async () => {
    const guarded = await startSite({
      "/robots.txt": (_request, response) => response.end("User-agent: *\nDisallow: /private"),
      "/moved": (_request, response) => response.writeHead(302, { location: "/private" }).end(),
    });
    onTestFinished(() => guarded.close());
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", PATH: process.env.PATH ?? "", RESPECT_ROBOTS: "all" };
    const strict = await startApp(engine, env);
    onTestFinished(() => strict.stop());
    const { status, body } = await strict.call("POST", "/v2/scrape", {
      body: { url: `${guarded.url}/moved`, waitFor: 10 },
    });
    expect([status, body.code]).toEqual([403, "ROBOTS_BLOCKED"]);
    expect(body.error).toContain("redirects to a URL that the site's robots.txt disallows");
    expect(guarded.asked).not.toContain("/private");
  });

  it("a map reads its start page the same way, in the language of the location", async () => {
    const { body } = await app.call("POST", "/v2/map", {
      body: { url: `${site.url}/app/`, sitemap: "skip", location: { country: "DE" } },
    });
    expect(body.links.map(({ url }: { url: string }) => url)).toContain(`${site.url}/app/b`);
    expect(site.headers()["accept-language"]).toMatch(/^de-DE/);
  });

  it("health shows the browser, its sandbox and its isolation", async () => {
    await scrape("/shell", { maxAge: 0 });
    const { body } = await app.get("/health/readiness", { key: null });
    const { isolated } = body.browser;
    expect(body.browser).toEqual({ available: true, sandbox: true, isolated: expect.any(Boolean), sessions: isolated });
  });
});

describe.skipIf(lacksChromium)("the command scrape", () => {
  it("waits, and puts the picture of the whole page into a file", async () => {
    const site = await startRenderedSite();
    const folder = temporaryFolder();
    const env = { DATA_DIR: join(folder, "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const file = join(folder, "page.png");
    const made = await runCli(["scrape", `${site.url}/tall`, "--wait", "10", "--screenshot", file], env);
    await site.close();
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(made.stdout).toContain("# Tall");
    expect(pictureOf(readFileSync(file))).toMatchObject({ kind: "png", height: 4000 });
  });
});
