// The fetch strategy through the API: block pages, what gets past them, what is remembered, and what is said when nothing does.
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { inTime } from "../support/in-time.ts";
import { openSite, redirectTo } from "../support/jobs.ts";
import { startPickySite } from "../support/picky-site.ts";
import { makeCertificate } from "../support/site-certificates.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  article,
  challenge,
  challengePage,
  challengeProgram,
  type Handler,
  hasPass,
  parkedPage,
  refuse,
} from "../support/walls.ts";

interface Step {
  step: string;
  engine: string;
  ms: number;
  outcome: string;
  detail: { proxy: string; status: number; verdict: string; reason: string };
}

const noRobots = {
  "/robots.txt": (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
    response.writeHead(404).end(),
};
const scrape = (app: TestApp, url: string, options: object = {}, key?: string) =>
  app.call("POST", "/v2/scrape", { body: { url, trace: true, ...options }, ...(key ? { key } : {}) });
const rungsOf = (trace: Step[]) =>
  trace
    .filter(({ step }) => step === "fetch" || step === "render")
    .map(({ step, engine, detail: { proxy, status, verdict } }) => [step, engine, proxy, status, verdict]);
const pathsOf = (site: { asked: string[] }) => site.asked.filter((path) => !/favicon|cdn-cgi/.test(path));

describe.each(bystanders)("a block page without a browser on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      CHROMIUM_PATH: "/nowhere/chromium",
      CREDITS_PER_MONTH: "1000",
    });
  });
  afterAll(() => app.stop());
  const left = async () => (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;

  it("is a failure that costs nothing, says what blocks, what was tried and what can be done", async () => {
    const site = await openSite({ "/": challenge("", { isPassable: false }) });
    const before = await left();
    const { status, body } = await scrape(app, `${site.url}/`);
    expect([status, body.success, body.code]).toEqual([500, false, "SCRAPE_SITE_BLOCKED"]);
    expect(body.details).toMatchObject({
      vendor: "cloudflare",
      kind: "challenge",
      rungs: [{ engine: "http", proxy: "none", status: 403, verdict: "challenge" }],
      handoff: { url: `${site.url}/`, profile: { name: "reach 127.0.0.1", saveChanges: true } },
    });
    expect(body.error).toMatch(/asks for proof.*CHROMIUM_PATH.*PROXY_POOL.*POST \/v2\/browser/s);
    expect(JSON.stringify(body)).not.toContain("Just a moment");
    expect(rungsOf(body.details.trace)).toEqual([["fetch", "http", "none", 403, "challenge"]]);
    expect(pathsOf(site)).toEqual(["/"]);
    expect(await left()).toBe(before);
  });

  it("is not kept, and takes the place of no good copy", async () => {
    let isOpen = true;
    const site = await openSite({
      "/": (request, response) => (isOpen ? response.end(article("Harbour")) : refuse(request, response)),
    });
    const url = `${site.url}/`;
    expect((await scrape(app, url)).body.data.metadata.pageState).toBe("content");
    isOpen = false;
    expect((await scrape(app, url, { maxAge: 0 })).body.code).toBe("SCRAPE_SITE_BLOCKED");
    const { body } = await scrape(app, url);
    expect(body.data.metadata).toMatchObject({ cacheState: "hit", title: "Harbour" });
    expect((await app.call("POST", "/v2/map", { body: { url } })).body).toMatchObject({
      warning: expect.stringContaining("refuses the request"),
    });
  });

  it("is listed with the hosts of the team, beside their pace, and of no other", async () => {
    const site = await openSite({
      "/robots.txt": (_request, response) => response.end("User-agent: *\nCrawl-delay: 2\nAllow: /"),
      "/": article("Harbour"),
      "/wall": refuse,
      "/busy": (_request, response) => response.writeHead(429, { "retry-after": "600" }).end("Too many requests"),
    });
    const { host } = new URL(site.url);
    for (const path of ["/", "/wall", "/busy"]) await scrape(app, site.url + path, { timeout: 5000 });
    const listed = async (key?: string) => {
      const { status, body } = await app.get("/v2/team/hosts", key ? { key } : {});
      expect([status, body.success]).toEqual([200, true]);
      return body.hosts.find((each: { host: string }) => each.host === host);
    };
    expect(await listed()).toEqual({
      host,
      delayMs: expect.any(Number),
      inFlight: 0,
      last429At: expect.stringMatching(/^20.*Z$/),
      robots: null,
      state: "rate_limited",
      verdicts: ["rate_limited", "blocked", "content"],
    });
    expect((await listed()).delayMs).toBeGreaterThan(60_000);
    expect(await listed(otherKey)).toBeUndefined();
    await app.call("POST", "/v2/map", { body: { url: site.url } });
    expect(await listed()).toMatchObject({ robots: "rules" });
  });

  it("leaves no trace of a page that must not leave any", async () => {
    const site = await openSite({ "/": article("Harbour") });
    await scrape(app, `${site.url}/`, { zeroDataRetention: true });
    const { body } = await app.get("/v2/team/hosts");
    expect(body.hosts.map(({ host }: { host: string }) => host)).not.toContain(new URL(site.url).host);
  });

  it("map names a parked start page and lists none of its advertisements", async () => {
    const site = await openSite({ ...noRobots, "/": parkedPage });
    const { body } = await app.call("POST", "/v2/map", { body: { url: site.url } });
    expect(body.warning).toContain("parked");
    expect(body.links).toEqual([]);
  });

  it("map lists no link of a challenge in place of the start page, its own nor one of another host", async () => {
    const links = '<a href="/help">Help</a> <a href="https://vendor.example/captcha">Why?</a>';
    const asks: Handler = (_request, response) =>
      response.writeHead(403, { "content-type": "text/html" }).end(`${challengePage}${links}`);
    const wall = await openSite({ ...noRobots, "/": asks });
    const site = await openSite({ ...noRobots, "/": redirectTo(wall.url) });
    for (const { url } of [wall, site]) {
      const { body } = await app.call("POST", "/v2/map", { body: { url } });
      expect([body.success, body.links]).toEqual([true, []]);
      expect(body.warning).toContain("start page");
    }
  });

  it("no further attempt is made for a page that is not found, parked, asks for a login or for money", async () => {
    const site = await openSite({
      "/summit": `<!doctype html><title>Summit</title><h1>Summit</h1><p>It rained.</p><p>Subscribe to continue reading.</p>`,
      "/parked": parkedPage,
      "/account": (_request, response) =>
        response
          .writeHead(401, { "content-type": "text/html" })
          .end("<title>Sign in</title><h1>Sign in</h1><form><input type=password name=p></form>"),
    });
    const states = { "/parked": "parked", "/gone": "not_found", "/account": "login_required", "/summit": "paywall" };
    for (const [path, state] of Object.entries(states)) {
      const { status, body } = await scrape(app, site.url + path);
      expect([status, body.data.metadata.pageState]).toEqual([200, state]);
      expect(rungsOf(body.trace)).toHaveLength(1);
    }
  });
});

describe.skipIf(lacksChromium).each([anyEngine])("a block page and a browser on $name", (engine) => {
  let app: TestApp;
  const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...quickBrowser };
  beforeAll(async () => {
    app = await startApp(engine, env);
  });
  afterAll(() => app.stop());

  const openChallenged = () => {
    const sent: [path: string, isBrowser: boolean, hasPass: boolean][] = [];
    const pages = (path: string) =>
      challengeProgram[path] ?? challenge((request, response) => response.end(article(`Page ${request.url}`)));
    const noting = (path: string) => {
      const answer = pages(path);
      return (...[request, response]: Parameters<typeof answer>) => {
        if (!/favicon|cdn-cgi|robots/.test(path))
          sent.push([path, "sec-ch-ua" in request.headers || "sec-fetch-mode" in request.headers, hasPass(request)]);
        return answer(request, response);
      };
    };
    return openSite(noting).then((site) => ({ site, sent }));
  };

  it("that a script opens is passed by the browser; the next pages start there with the cookie that was won, in every process", async () => {
    const { site, sent } = await openChallenged();
    const { status, body } = await scrape(app, `${site.url}/a`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.markdown).toContain("# Page /a");
    expect(body.data.metadata).toMatchObject({ pageState: "content", statusCode: 200 });
    expect(rungsOf(body.trace)).toEqual([
      ["fetch", "http", "none", 403, "challenge"],
      ["render", "browser", "none", 200, "content"],
    ]);
    expect(body.trace.find(({ step }: Step) => step === "render").detail.reason).toBe("challenge (cloudflare)");
    const { body: hosts } = await app.get("/v2/team/hosts");
    expect(hosts.hosts[0]).toMatchObject({
      host: new URL(site.url).host,
      rung: { engine: "browser", proxy: "basic" },
      state: "content",
      verdicts: ["content", "challenge"],
    });

    for (const [on, path] of [
      [app, "/b"],
      [await startApp(engine, env, undefined, app.fresh), "/c"],
    ] as const) {
      sent.length = 0;
      const next = await scrape(on, site.url + path);
      expect(rungsOf(next.body.trace)).toEqual([["render", "browser", "none", 200, "content"]]);
      expect(sent).toEqual([[path, true, true]]);
      if (on !== app) await on.stop();
    }
    // Another team has learned nothing.
    expect(rungsOf((await scrape(app, `${site.url}/d`, {}, otherKey)).body.trace)).toHaveLength(2);
    // Over plain HTTP the cookie does it, too.
    expect(rungsOf((await scrape(app, `${site.url}/e`, { fastMode: true })).body.trace)).toEqual([
      ["fetch", "http", "none", 200, "content"],
    ]);
    const rows = await app.fresh.listRows();
    expect(rows.join("\n")).not.toContain("granted");
  });

  it("that nothing opens was tried by both, and ends within the timeout as blocked", async () => {
    const site = await openSite({
      "/": refuse,
      "/slow": (request, response) => ("sec-fetch-mode" in request.headers ? undefined : refuse(request, response)),
    });
    const { status, body } = await scrape(app, `${site.url}/`);
    expect([status, body.code]).toEqual([500, "SCRAPE_SITE_BLOCKED"]);
    expect(body.details.rungs).toEqual([
      { engine: "http", proxy: "none", status: 403, verdict: "blocked" },
      { engine: "browser", proxy: "none", status: 403, verdict: "blocked" },
    ]);
    const slow = await inTime(5 * 4000, () => scrape(app, `${site.url}/slow`, { timeout: 4000 }));
    expect(slow.body.code).toBe("SCRAPE_SITE_BLOCKED");
    expect(slow.body.details.rungs).toEqual([{ engine: "http", proxy: "none", status: 403, verdict: "blocked" }]);
    // The trace has the attempt that came to nothing, too.
    const attempts = slow.body.details.trace.filter(({ step }: Step) => step === "fetch" || step === "render");
    expect(attempts.map(({ engine }: Step) => engine)).toEqual(["http", "browser"]);
  });

  it("that leads a browser to nothing is still blocked", async () => {
    const wall = (body: string) => `<!doctype html><title>Just a moment...</title><h1>Checking your browser</h1>
      <p>Please wait while your browser is being checked before you access the site.</p>${body}`;
    const leading: Parameters<typeof openSite>[0] = {
      "/tested": (_request, response) =>
        response
          .writeHead(403, { "content-type": "text/html", server: "cloudflare" })
          .end(wall("<script>setTimeout(() => location.replace('/cdn-cgi/l/chk_jschl'), 50)</script>")),
      // What came over HTTP is nothing in a browser.
      "/emptied": (request, response) =>
        response
          .writeHead("sec-fetch-mode" in request.headers ? 200 : 403, {
            "content-type": "text/html",
            server: "cloudflare",
          })
          .end("sec-fetch-mode" in request.headers ? "<div id=root></div><script>var x</script>" : wall("")),
    };
    for (const [path, verdict] of [
      ["/tested", "not_found"],
      ["/emptied", "empty_shell"],
    ] as const) {
      const site = await openSite(leading);
      const { status, body } = await scrape(app, site.url + path);
      expect([path, status, body.code]).toEqual([path, 500, "SCRAPE_SITE_BLOCKED"]);
      expect(body.details).toMatchObject({ vendor: "cloudflare", kind: "challenge" });
      expect(body.details.rungs.map((rung: { verdict: string }) => rung.verdict)).toEqual(["challenge", verdict]);
    }
  });

  it("another attempt is made for a host that hangs up on HTTP, and for a consent page met over HTTP", async () => {
    const consent = `<!doctype html><title>Before you continue</title><h1>Before you continue</h1>
      <p>We use cookies. Please accept cookies to continue to the site.</p><form><button>Accept all</button><button>Reject all</button></form>`;
    const isBrowser = (request: IncomingMessage) => "sec-fetch-mode" in request.headers;
    const site = await openSite({
      "/hung-up": (request, response) =>
        isBrowser(request) ? response.end(article("Harbour")) : request.socket.destroy(),
      "/consent": (request, response) =>
        response.setHeader("content-type", "text/html").end(isBrowser(request) ? article("Harbour") : consent),
    });
    const hungUp = await scrape(app, `${site.url}/hung-up`);
    expect(hungUp.body.data?.markdown).toContain("# Harbour");
    expect(hungUp.body.trace.map(({ step, outcome }: Step) => [step, outcome])).toContainEqual([
      "fetch",
      "SCRAPE_SITE_ERROR",
    ]);
    const passed = await scrape(app, `${site.url}/consent`, {}, otherKey);
    expect(rungsOf(passed.body.trace)).toEqual([
      ["fetch", "http", "none", 200, "consent_wall"],
      ["render", "browser", "none", 200, "content"],
    ]);
    const third = await openSite({ "/": consent });
    const stays = await scrape(app, `${third.url}/`);
    expect([stays.status, stays.body.data.metadata.pageState]).toEqual([200, "consent_wall"]);
  });

  it("of a site that asks for consent is passed by a refusal; a dialog on a page does not count, and one that leads nowhere stays", async () => {
    const hasChoice = ({ headers }: IncomingMessage) => /choice=none/.test(headers.cookie ?? "");
    const question = (answers: string) => `<!doctype html><title>Before you continue</title>
      <h1>Before you continue to the site</h1><p>We use cookies. Please accept cookies to continue.</p>${answers}`;
    const choose = (value: string) => `onclick="document.cookie='choice=${value};path=/';location.reload()"`;
    const overlay = (inner: string) =>
      `<div id="cookie-wall" style="position:fixed;inset:0;background:white">${inner}<button>OK</button></div>`;
    const site = await openSite({
      ...noRobots,
      // The whole page asks, and is another one when it has its answer.
      "/asked": (request, response) =>
        response
          .setHeader("content-type", "text/html")
          .end(
            hasChoice(request)
              ? article("Harbour")
              : question(`<button ${choose("all")}>Accept all</button><button ${choose("none")}>Reject all</button>`),
          ),
      "/lost": question(`<form action="/chosen"><button>Reject all</button></form>`),
      "/overlay": overlay("<h1>We need your consent</h1><p>Please accept our cookies to continue.</p>"),
      "/banner": `<!doctype html><title>Nets</title>${overlay("<p>Please accept our cookies.</p>")}
        <h1>Nets</h1><p>${"Nets are dried in the long shed behind the old mill. ".repeat(4)}</p>`,
    });
    const asked = async (path: string, options: object = {}) => {
      const { body } = await scrape(app, site.url + path, options, otherKey);
      return { ...body, engines: rungsOf(body.trace).map(([, engine, , , verdict]) => `${engine} ${verdict}`) };
    };
    const banner = await asked("/banner");
    expect(banner.engines).toEqual(["http content"]);
    const rendered = await asked("/banner", { waitFor: 1 });
    expect([rendered.engines, rendered.data.markdown]).toEqual([
      ["browser content"],
      expect.stringContaining("long shed"),
    ]);
    expect(rendered.data.markdown).not.toContain("accept our cookies");
    for (const path of ["/lost", "/overlay"]) {
      const { engines: tried, data } = await asked(path);
      expect([path, tried[0], data.metadata.pageState]).toEqual([path, "http consent_wall", "consent_wall"]);
      expect(data.warning).toContain("consent");
    }
    const passed = await asked("/asked");
    expect(passed.engines).toEqual(["http consent_wall", "browser content"]);
    expect(passed.data.markdown).toContain("# Harbour");
  });

  it("another attempt is made for a host that refuses the TLS of this client", async () => {
    const site = await startPickySite(makeCertificate("site.test"), article("Harbour"));
    const url = `https://127.0.0.1:${site.port}/`;
    const { status, body } = await scrape(app, url, { skipTlsVerification: true });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.data.markdown).toContain("# Harbour");
    expect(body.trace.map(({ step, outcome }: Step) => [step, outcome])).toContainEqual(["fetch", "SCRAPE_SSL_ERROR"]);
    expect(rungsOf(body.trace).at(-1)).toEqual(["render", "browser", "none", 200, "content"]);
    expect(site.refused).toBeGreaterThan(0);
    // What is wrong with the site itself is wrong for every client.
    const strict = await scrape(app, url, { skipTlsVerification: false });
    expect(strict.body.code).toBe("SCRAPE_SSL_ERROR");
  });

  it("no further attempt is made for a paywall", async () => {
    const site = await openSite({
      "/summit": `<!doctype html><title>Summit</title><h1>Summit</h1><p>It rained.</p><p>Subscribe to continue reading.</p>`,
    });
    const { body } = await scrape(app, `${site.url}/summit`);
    expect(rungsOf(body.trace)).toEqual([["fetch", "http", "none", 200, "paywall"]]);
  });

  it("a browser's page whose host asks for a pause is asked for once more when that is over", async () => {
    let asked = 0;
    const site = await openSite({
      "/": (_request, response) => {
        asked += 1;
        if (asked === 1) response.writeHead(429, { "retry-after": "1", "content-type": "text/html" }).end("Too many");
        else response.setHeader("content-type", "text/html").end(article("Harbour"));
      },
      "/later": (_request, response) =>
        response.writeHead(429, { "retry-after": "600", "content-type": "text/html" }).end("Too many"),
    });
    const since = performance.now();
    const { body } = await scrape(app, `${site.url}/`, { waitFor: 1 });
    expect(body.data.metadata).toMatchObject({ pageState: "content", title: "Harbour" });
    expect(performance.now() - since).toBeGreaterThan(1000);
    expect(asked).toBe(2);
    const later = await scrape(app, `${site.url}/later`, { waitFor: 1 });
    expect(later.body.data.metadata).toMatchObject({ pageState: "rate_limited", statusCode: 429 });
    expect(pathsOf(site).filter((path) => path === "/later")).toHaveLength(1);
  });

  it("keeps one engine where the request asks for one", async () => {
    const site = await openSite({ "/": refuse });
    const fast = await scrape(app, `${site.url}/`, { fastMode: true });
    expect(fast.body.details.rungs.map(({ engine: name }: { engine: string }) => name)).toEqual(["http"]);
    expect(fast.body.error).toContain("fastMode");
    const shown = await scrape(app, `${site.url}/`, { formats: ["screenshot"] });
    expect(shown.body.details.rungs.map(({ engine: name }: { engine: string }) => name)).toEqual(["browser"]);
  });

  it("obeys robots.txt on every attempt", async () => {
    const strict = await startApp(engine, { ...env, RESPECT_ROBOTS: "all" });
    const site = await openSite({
      "/robots.txt": (_request, response) => response.end("User-agent: TrawlBot\nDisallow: /private"),
      "/private": article("Secret"),
      // Leads a browser elsewhere after its challenge has sent HTTP away.
      "/moved": (request, response) =>
        "sec-fetch-mode" in request.headers ? redirectTo("/private")(request, response) : refuse(request, response),
    });
    expect((await scrape(strict, `${site.url}/private`)).body.code).toBe("ROBOTS_BLOCKED");
    expect((await scrape(strict, `${site.url}/moved`)).body.code).toBe("ROBOTS_BLOCKED");
    expect(pathsOf(site)).not.toContain("/private");
    await strict.stop();
  });

  it("is shown by `trawl why`, attempt by attempt", async () => {
    const { site } = await openChallenged();
    const own = { ...env, DATA_DIR: `${temporaryFolder()}/data` };
    const shown = await runCommand(["why", `${site.url}/a?${newId()}`], own);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(
      /1 +http +none +403 +challenge .*\n2 +browser +none +200 +content .*challenge \(cloudflare\)\nReached by attempt 2/,
    );
    const refusing = await openSite({ "/": refuse });
    const blocked = await runCommand(["why", `${refusing.url}/`, "--json"], own);
    expect(blocked.code).toBe(1);
    expect(JSON.parse(blocked.stdout)).toMatchObject({
      isReached: false,
      code: "SCRAPE_SITE_BLOCKED",
      rungs: [
        { engine: "http", verdict: "blocked" },
        { engine: "browser", verdict: "blocked" },
      ],
    });
  });
});
