// POST /v2/batch/scrape through every room, and what jobs of both kinds share at their start: credits, queue, idempotency.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { answerText, openSite, page, pagesFor, redirectTo, runJob, startJob, untilEnded } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
const unknownId = "01990000-0000-7000-8000-000000000000";

describe.each(bystanders)("batch on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const path = "/v2/batch/scrape";
  const ask = (body: object, call: object = {}, at = path) => app.call("POST", at, { body, ...call });
  const pages = pagesFor(["/a", "/b", "/c"]);

  /** A site whose pages wait until they are let go. */
  async function openHeld() {
    const waiting: (() => void)[] = [];
    let isHeld = true;
    const site = await openSite((asked) => (_request, response) => {
      const answer = () => response.writeHead(200, { "content-type": "text/html" }).end(page(asked));
      if (isHeld) waiting.push(answer);
      else answer();
    });
    const letGo = () => {
      isHeld = false;
      for (const answer of waiting.splice(0)) answer();
    };
    return { site, letGo };
  }

  it("reads each of its addresses, those that are named twice twice", async () => {
    const site = await openSite(pages);
    const urls = ["/a", "/b", "/a", "/gone"].map((one) => site.url + one);
    const { started, status, data, paths, errors } = await runJob(app, path, { urls, maxAge: 0 });
    expect(started).toEqual({ success: true, id: started.id, url: `${app.url}${path}/${started.id}`, invalidURLs: [] });
    expect(status).toMatchObject({ success: true, status: "completed", total: 4, completed: 4, creditsUsed: 4 });
    expect(paths).toEqual(["/a", "/a", "/b", "/gone"]);
    expect(data.map(({ metadata }) => metadata.statusCode).toSorted()).toEqual([200, 200, 200, 404]);
    expect(new Set(data.map(({ metadata }) => metadata.scrapeId)).size).toBe(4);
    expect(errors).toEqual([]);
    expect(site.asked.toSorted()).toEqual(["/a", "/a", "/b", "/gone"]);
  });

  it("leaves out of a page's main content what three pages of its host had, and a single scrape does not", async () => {
    const notice = "The Daily Heron is printed on Sundays by the heron society.";
    const story = (at: string) => {
      const facts = Array.from(
        { length: 20 },
        (_, line) => `Heron ${line} of pond ${at} stands in water and waits for fish.`,
      );
      const text = facts.map((fact) => `<p>${fact}</p>`).join("");
      return `<title>${at}</title><article><h1>Pond ${at}</h1>${text}<p><em>${notice}</em></p></article>`;
    };
    const paths = ["/a", "/b", "/c", "/d"];
    const site = await openSite(Object.fromEntries(paths.map((one) => [one, story(one)])));
    const urls = paths.map((one) => site.url + one);
    const first = await runJob(app, path, { urls: urls.slice(0, 3), maxAge: 0 });
    expect(first.data.filter(({ markdown }) => markdown?.includes(notice))).toHaveLength(3);
    const { data } = await runJob(app, path, { urls: urls.slice(3), maxAge: 0 });
    expect(data[0]?.markdown).toContain("Heron 19 of pond");
    expect(data[0]?.markdown).not.toContain(notice);
    expect(data[0]?.metadata).toMatchObject({ quality: { repeatedTexts: 1 } });
    const alone = await app.call("POST", "/v2/scrape", { body: { url: urls[3], maxAge: 0 } });
    expect(alone.body.data.markdown).toContain(notice);
    expect(alone.body.data.metadata.quality).not.toHaveProperty("repeatedTexts");
  });

  it("is listed with all others of its team, newest first, page by page and by status", async () => {
    const site = await openSite(pages);
    const key = app.otherKey;
    const start = async (urls: string[]) => (await ask({ urls }, { key })).body.id;
    const first = await start([`${site.url}/a`]);
    const second = await start([`${site.url}/a`, `${site.url}/b`]);
    for (const id of [first, second]) await untilEnded(app, `${path}/${id}`, { key });
    const { status, body } = await app.get(`${path}?limit=1`, { key });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        batchScrapes: [
          {
            id: second,
            teamId: expect.any(String),
            created_at: expect.stringMatching(/^2.*Z$/),
            urlCount: 2,
            status: "completed",
            completed: 2,
            total: 2,
          },
        ],
        cursor: expect.any(String),
        has_more: true,
      },
    ]);
    const { body: rest } = await app.get(`${path}?limit=1&cursor=${body.cursor}`, { key });
    expect([rest.batchScrapes[0].id, rest.cursor, rest.has_more]).toEqual([first, null, false]);
    expect((await app.get(`${path}?status=failed`, { key })).body.batchScrapes).toEqual([]);
    for (const query of ["limit=101", "status=lost", "cursor=abc"])
      expect((await app.get(`${path}?${query}`, { key })).status).toBe(400);
  });

  it("takes scrape options flat, and the one that cannot be done is 501", async () => {
    const site = await openSite(pages);
    const { data } = await runJob(app, path, {
      urls: [`${site.url}/a`],
      formats: ["rawHtml", "links"],
      headers: { "x-caller": "me" },
    });
    expect(Object.keys(data[0]).toSorted()).toEqual(["links", "metadata", "rawHtml", "warning"]);
    expect(data[0].warning).toBe("The page has no links.");
    expect(site.headers()["x-caller"]).toBe("me");
    expect((await ask({ urls: [site.url], onlyCleanContent: true })).status).toBe(501);
  });

  describe("bad addresses", () => {
    const bad = ["notaurl::", "ftp://example.com/x", "http://10.0.0.1/inside"];

    it("are listed as they were sent, and the rest is read", async () => {
      const site = await openSite(pages);
      const { started, paths } = await runJob(app, path, { urls: [bad[0], `${site.url}/a`, ...bad.slice(1)] });
      expect(started.invalidURLs).toEqual(bad);
      expect(paths).toEqual(["/a"]);
    });

    it("alone are 400", async () => {
      const { status, body } = await ask({ urls: bad });
      expect([status, body.error]).toEqual([400, "No valid URLs provided"]);
      expect(body.details).toHaveLength(bad.length);
      expect(body.details[0]).toEqual({ code: "invalid_format", path: ["urls", 0], message: "Invalid URL" });
      expect((await ask({ urls: [] })).status).toBe(400);
    });

    it("are 400 or 403 with ignoreInvalidURLs false, and the answer has no list", async () => {
      const site = await openSite(pages);
      const good = `${site.url}/a`;
      const invalid = await ask({ urls: [good, "notaurl::"], ignoreInvalidURLs: false });
      expect([invalid.status, invalid.body.details[0].path]).toEqual([400, ["urls", 1]]);
      const refused = await ask({ urls: [good, "http://10.0.0.1/"], ignoreInvalidURLs: false });
      expect([refused.status, refused.body.code]).toEqual([403, "URL_NOT_ALLOWED"]);
      expect(refused.body.details).toMatchObject([{ path: ["urls", 1] }]);
      const { started } = await runJob(app, path, { urls: [good], ignoreInvalidURLs: false });
      expect(started).not.toHaveProperty("invalidURLs");
    });

    it("are 400 by themselves in v1", async () => {
      const { status } = await ask({ urls: ["notaurl::"] }, {}, "/v1/batch/scrape");
      expect(status).toBe(400);
    });
  });

  describe("appendToId", () => {
    it("adds to a batch that runs, also addresses that it has", async () => {
      const { site, letGo } = await openHeld();
      const id = await startJob(app, path, { urls: [`${site.url}/a`], maxAge: 0 });
      const urls = [`${site.url}/b`, `${site.url}/a`, "notaurl::"];
      const appended = await ask({ urls, maxAge: 0, appendToId: id });
      expect(appended.body).toEqual({
        success: true,
        id,
        url: `${app.url}${path}/${id}`,
        invalidURLs: ["notaurl::"],
      });
      expect((await app.get(`${path}/${id}`)).body).toMatchObject({ status: "scraping", total: 3 });
      letGo();
      expect(await untilEnded(app, `${path}/${id}`)).toMatchObject({ total: 3, completed: 3, creditsUsed: 3 });
    });

    it("reads pages by the options of the batch, and says so where others were sent", async () => {
      const { site, letGo } = await openHeld();
      const receiver = await openSite({});
      const id = await startJob(app, path, { urls: [`${site.url}/a`], formats: ["html"] });
      const add = async (options: object) => (await ask({ urls: [`${site.url}/b`], appendToId: id, ...options })).body;
      expect((await add({ formats: ["html"] })).warning).toBeUndefined();
      for (const options of [{}, { formats: ["links"] }, { formats: ["html"], webhook: receiver.url }])
        expect((await add(options)).warning).toContain("with the options of the batch");
      letGo();
      const { data } = await untilEnded(app, `${path}/${id}`);
      expect(data.map((document: object) => Object.keys(document).toSorted())).toEqual(
        Array(5).fill(["html", "metadata"]),
      );
      expect(receiver.asked).toEqual([]);
    });

    it("keeps nothing of pages with zeroDataRetention: not in the activity list, and not in a batch that keeps them", async () => {
      const { site, letGo } = await openHeld();
      const kept = await startJob(app, path, { urls: [`${site.url}/kept`] });
      const refused = await ask({ urls: [`${site.url}/secret`], zeroDataRetention: true, appendToId: kept });
      expect([refused.status, refused.body.code]).toEqual([400, "BAD_REQUEST"]);
      expect(refused.body.details).toMatchObject([{ path: ["zeroDataRetention"] }]);
      const forgotten = await startJob(app, path, { urls: [`${site.url}/secret`], zeroDataRetention: true });
      expect((await ask({ urls: [`${site.url}/secret`], appendToId: forgotten })).status).toBe(200);
      letGo();
      expect(await untilEnded(app, `${path}/${kept}`)).toMatchObject({ total: 1, completed: 1 });
      expect(await untilEnded(app, `${path}/${forgotten}`)).toMatchObject({ total: 2, completed: 2 });
      const { data: activity } = (await app.get("/v2/team/activity?limit=100")).body;
      const targetsOf = (job: string) =>
        activity.filter(({ id }: { id: string }) => id === job).map(({ target }: { target: string }) => target);
      expect([targetsOf(kept), targetsOf(forgotten)]).toEqual([[`${site.url}/kept`], ["", ""]]);
    });

    it("is 404 for a batch that has ended, one of another team, a crawl, and no job at all", async () => {
      const site = await openSite(pages);
      const { id } = await runJob(app, path, { urls: [`${site.url}/a`] });
      const { site: held, letGo } = await openHeld();
      const theirs = await startJob(app, path, { urls: [held.url] }, { key: app.otherKey });
      const crawl = await startJob(app, "/v2/crawl", { url: held.url });
      for (const appendToId of [id, theirs, crawl, unknownId]) {
        const { status, body } = await ask({ urls: [site.url], appendToId });
        expect([status, body.error]).toEqual([404, "Job not found"]);
      }
      letGo();
      await untilEnded(app, `${path}/${theirs}`, { key: app.otherKey });
      await untilEnded(app, `/v2/crawl/${crawl}`);
    });
  });

  it("sends the credentials of each address to it alone, also of one that is appended, and shows them nowhere", async () => {
    const waiting: (() => void)[] = [];
    const site = await openSite(() => (request, response) => {
      const { authorization = "none" } = request.headers;
      const text = Buffer.from(authorization.replace("Basic ", ""), "base64").toString();
      waiting.push(() => response.writeHead(200, { "content-type": "text/html" }).end(page(`for ${text.slice(0, 2)}`)));
    });
    const at = (user: string) => site.url.replace("//", `//${user}`);
    const id = await startJob(app, path, { urls: [`${at("me:secret-1@")}/a`, `${site.url}/b`] });
    await expect.poll(() => waiting.length).toBe(2);
    await ask({ urls: [`${at("us:secret-2@")}/c`], appendToId: id });
    await expect.poll(() => waiting.length).toBe(3);
    for (const answer of waiting) answer();
    const { data } = await untilEnded(app, `${path}/${id}`);
    const seen = data.map(({ metadata }: { metadata: { sourceURL: string; title: string } }) => [
      metadata.sourceURL,
      metadata.title,
    ]);
    expect(Object.fromEntries(seen)).toMatchObject({
      [`${site.url}/a`]: "for me",
      [`${site.url}/c`]: "for us",
    });
    const answers = [await app.get(`${path}/${id}`), await app.get("/v2/team/activity?limit=100")];
    for (const { text } of answers) expect(text).not.toMatch(/secret-/);
    expect(app.logLines.filter((line) => line.includes("secret-"))).toEqual([]);
  });

  it("does not have to obey robots.txt unless the operator wants it", async () => {
    const robots = answerText("User-agent: *\nDisallow: /a");
    const site = await openSite({ ...pages, "/robots.txt": robots, "/door": redirectTo("/a?door") });
    const urls = [`${site.url}/a`, `${site.url}/b`, `${site.url}/door`];
    expect((await runJob(app, path, { urls })).paths).toEqual(["/a", "/b", "/door"]);
    site.asked.length = 0;
    const strict = await useApp(engine, { ...env, RESPECT_ROBOTS: "all" });
    const { paths, errors, robotsBlocked } = await runJob(strict, path, { urls });
    expect([paths, errors, robotsBlocked.toSorted()]).toEqual([["/b"], [], [`${site.url}/a`, `${site.url}/door`]]);
    const scraped = await strict.call("POST", "/v2/scrape", { body: { url: `${site.url}/door`, maxAge: 0 } });
    expect([scraped.status, scraped.body.code]).toEqual([403, "ROBOTS_BLOCKED"]);
    expect(site.asked.filter((one) => one.startsWith("/a"))).toEqual([]);
    await strict.stop();
  });

  it("name the real cause where a redirect leads to a host that does not answer, with RESPECT_ROBOTS=all too", async () => {
    const strict = await useApp(engine, { ...env, RESPECT_ROBOTS: "all" });
    onTestFinished(() => strict.stop());
    const closed = await openSite({});
    await closed.close();
    const site = await openSite({ "/gone": redirectTo(closed.url), "/lost": redirectTo("http://lost.invalid/") });
    const rows = [
      ["/gone", "SCRAPE_SITE_ERROR", "The site refused the connection"],
      ["/lost", "SCRAPE_DNS_RESOLUTION_ERROR", "could not be resolved"],
    ] as const;
    for (const [door, code, cause] of rows) {
      const url = site.url + door;
      const scraped = await strict.call("POST", "/v2/scrape", { body: { url } });
      expect([scraped.status, scraped.body.code]).toEqual([500, code]);
      expect(scraped.body.error).toContain(cause);
      const { errors, robotsBlocked } = await runJob(strict, path, { urls: [url] });
      expect(errors).toMatchObject([{ url, code, error: expect.stringContaining(cause) }]);
      expect(robotsBlocked).toEqual([]);
    }
  });

  describe("x-idempotency-key", () => {
    it("lets a request be accepted once per endpoint and team; the answer names the first job", async () => {
      const headers = { "x-idempotency-key": newId() };
      const site = await openSite(pages);
      const batch = { urls: [`${site.url}/a`] };
      const first = await ask(batch, { headers });
      expect(first.status).toBe(200);
      const again = await ask(batch, { headers });
      expect([again.status, again.body.error]).toEqual([409, "Idempotency key already used"]);
      expect(again.body.details).toEqual({ id: first.body.id });
      expect((await ask({ ...batch }, { headers }, "/v1/batch/scrape")).status).toBe(409);
      expect((await ask({ url: site.url }, { headers }, "/v2/crawl")).status).toBe(200);
      expect((await ask({ url: site.url }, { headers }, "/v2/crawl")).status).toBe(409);
      expect((await ask(batch, { headers, key: app.otherKey })).status).toBe(200);
      const other = { "x-idempotency-key": newId() };
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask(batch, { headers: other })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    });

    it("lets pages be appended once", async () => {
      const { site, letGo } = await openHeld();
      const first = { "x-idempotency-key": newId() };
      const second = { "x-idempotency-key": newId() };
      const urls = [`${site.url}/a`];
      const { id } = (await ask({ urls }, { headers: first })).body;
      const answers = [];
      for (const headers of [second, second, first]) answers.push(await ask({ urls, appendToId: id }, { headers }));
      expect(answers.map(({ status }) => status)).toEqual([200, 409, 409]);
      expect(answers[1]?.body.details).toEqual({ id });
      letGo();
      expect(await untilEnded(app, `${path}/${id}`)).toMatchObject({ total: 2, completed: 2 });
    });

    it("is not used up by a request that is refused", async () => {
      const site = await openSite(pages);
      const fresh = { "x-idempotency-key": newId() };
      expect((await ask({ urls: ["notaurl::"] }, { headers: fresh })).status).toBe(400);
      expect((await ask({ urls: [`${site.url}/a`] }, { headers: fresh })).status).toBe(200);
    });
  });

  it("is refused, as a crawl is, while memory is short; scrapes are not", async () => {
    const full = await startApp(engine, { ...env, MEMORY_LIMIT_MB: "1" });
    const site = await openSite(pages);
    const urls = [`${site.url}/a`];
    for (const [job, body] of [
      [path, { urls }],
      ["/v2/crawl", { url: site.url }],
      ["/v1/batch/scrape", { urls }],
    ] as const) {
      const answer = await full.call("POST", job, { body });
      expect([answer.status, answer.body.code, answer.headers.get("retry-after")]).toEqual([503, "OVERLOADED", "30"]);
    }
    expect((await full.call("POST", "/v2/scrape", { body: { url: urls[0] } })).status).toBe(200);
    expect(site.asked).toEqual(["/a"]);
    await full.stop();
    const roomy = await startApp(engine, { ...env, MEMORY_LIMIT_MB: "100000" });
    expect((await runJob(roomy, path, { urls })).status.completed).toBe(1);
    await roomy.stop();
  });

  describe("credits", () => {
    it("are charged once per document, and the limit of a crawl is cut to what is left", async () => {
      const poor = await useApp(engine, { ...env, CREDITS_PER_MONTH: "10" });
      const links = Array.from({ length: 20 }, (_, index) => `/${index}`);
      const site = await openSite({ "/": page("Start", links), ...pagesFor(links), "/loop": redirectTo("/loop") });
      const left = async () => (await poor.get("/v2/team/credit-usage")).body.data.remainingCredits;
      const urls = links.slice(0, 4).map((one) => site.url + one);
      const batch = await runJob(poor, path, { urls: [...urls, `${site.url}/loop`] });
      expect(batch.status).toMatchObject({ total: 5, completed: 4, creditsUsed: 4 });
      expect(batch.errors).toMatchObject([{ url: `${site.url}/loop`, code: "SCRAPE_TOO_MANY_REDIRECTS" }]);
      expect(await left()).toBe(6);
      const many = await poor.call("POST", path, { body: { urls: [...urls, ...urls] } });
      expect([many.status, many.body.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
      const crawl = await runJob(poor, "/v2/crawl", { url: site.url, limit: 50 });
      expect(crawl.started.warning).toContain("reduced to 6 pages");
      expect(crawl.status.warning).toContain("reduced to 6 pages");
      expect(crawl.status).toMatchObject({ total: 6, completed: 6, creditsUsed: 6 });
      expect(await left()).toBe(0);
      const none = await poor.call("POST", "/v2/crawl", { body: { url: site.url, limit: 1 } });
      expect([none.status, none.body.error]).toEqual([402, expect.stringMatching(/^Insufficient credits/)]);
      const usage = (await poor.get("/v2/team/credit-usage/historical")).body.periods;
      expect(usage.at(-1).totalCredits).toBe(10);
      await poor.stop();
    });

    it("are not overdrawn by jobs that run at the same time; a job that they end says so", async () => {
      const poor = await useApp(engine, { ...env, CREDITS_PER_MONTH: "10" });
      const links = Array.from({ length: 8 }, (_, index) => `/${index}`);
      const site = await openSite(
        (path) => (_request, response) =>
          void setTimeout(() => response.setHeader("content-type", "text/html").end(page(path)), 20),
      );
      const urls = links.map((one) => site.url + one);
      const jobs = await Promise.all([1, 2].map(() => runJob(poor, path, { urls, maxAge: 0 })));
      expect(jobs.map(({ status }) => status.completed).reduce((sum, count) => sum + count)).toBe(10);
      const ended = jobs.filter(({ status }) => status.completed < 8);
      for (const { status } of ended) {
        expect(`${status.warning} ${status.error}`).toContain("The team has no credits left");
        expect(status.status).toBe(status.completed === 0 ? "failed" : "completed");
      }
      expect(ended.length).toBeGreaterThan(0);
      const usage = (await poor.get("/v2/team/credit-usage/historical")).body.periods;
      expect(usage.at(-1).totalCredits).toBe(10);
      await poor.stop();
    });
  });

  it("is 429 with Retry-After when the team's queue is full", async () => {
    const { site, letGo } = await openHeld();
    const id = await startJob(app, path, { urls: [site.url] });
    await app.store.jobs.change(id, { waiting: 99_999 });
    onTestFinished(() => app.store.jobs.change(id, { waiting: -99_999 }).then(letGo));
    const { status, body, headers } = await ask({ urls: [`${site.url}/a`, `${site.url}/b`] });
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, "QUEUE_FULL", "60"]);
    expect((await ask({ urls: [`${site.url}/a`, `${site.url}/b`], appendToId: id })).status).toBe(429);
    expect((await ask({ urls: [`${site.url}/a`] }, { key: app.otherKey })).status).toBe(200);
  });

  it("of one page is not held up by a large job, of the same team or another", async () => {
    const busy = await startApp(engine, { ...env, TEAM_CONCURRENCY: "4", WORKER_CONCURRENCY: "8" });
    const slow = await openSite((asked) => (_request, response) => {
      const links = asked === "/" ? Array.from({ length: 2000 }, (_, index) => `/${index}`) : [];
      response.setHeader("content-type", "text/html");
      setTimeout(() => response.end(page(asked, links)), 10);
    });
    const quick = await openSite(pages);
    const large = await startJob(busy, "/v2/crawl", { url: slow.url, ignoreRobotsTxt: true });
    const pagesOfLarge = async () => (await busy.get(`/v2/crawl/${large}`)).body.completed;
    await expect.poll(pagesOfLarge).toBeGreaterThan(10);
    for (const call of [{}, { key: otherKey }]) {
      const before = await pagesOfLarge();
      const { status } = await runJob(busy, path, { urls: [`${quick.url}/a`] }, call);
      expect(status.completed).toBe(1);
      // Of the 2000 that it would otherwise wait for.
      expect((await pagesOfLarge()) - before).toBeLessThan(500);
    }
    await busy.call("DELETE", `/v2/crawl/${large}`);
    await busy.stop();
  });
});
