// An outside solver (FLARESOLVERR_URL), which is asked for pages behind a challenge that nothing else gets past.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { createMovableClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { inTime } from "../support/in-time.ts";
import { openSite, redirectTo, runJob } from "../support/jobs.ts";
import { hasSolved, type SolverServer, solverAgent, startSolver } from "../support/solver-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { article, challenge, challengePage, challengeProgram, type Handler, refuse } from "../support/walls.ts";

interface Step {
  step: string;
  engine: string;
  outcome: string;
  detail: { proxy: string; status: number; verdict: string; error?: string };
}

const password = "s0lver-s3cret";
const html = { "content-type": "text/html; charset=utf-8" };
const rungsOf = (trace: Step[]) =>
  trace
    .filter(({ step }) => ["fetch", "render", "solve"].includes(step))
    .map(({ engine, outcome, detail: { status, verdict } }) =>
      `${engine} ${status ?? outcome} ${verdict ?? ""}`.trim(),
    );
const scrape = async (app: TestApp, url: string, options: object = {}, key?: string) =>
  (await app.call("POST", "/v2/scrape", { body: { url, trace: true, ...options }, ...(key ? { key } : {}) })).body;
const urlWithPassword = (solver: SolverServer) => solver.url.replace("//", `//operator:${password}@`);

type Rule = (request: IncomingMessage) => boolean;
/** Lets through what the solver has won, or only the solver's own browser. */
const guarded =
  (isOpen: Rule, wall: Handler = (_request, response) => response.writeHead(403, html).end(challengePage)): Handler =>
  (request, response) =>
    isOpen(request) ? response.writeHead(200, html).end(article(`Page ${request.url}`)) : wall(request, response);
const openGuarded = (isOpen: Rule = hasSolved) =>
  openSite((path) => (path === "/robots.txt" ? undefined : guarded(isOpen)));
/** No browser waits for this one to open by itself. */
const puzzle: Handler = (_request, response) =>
  response
    .writeHead(200, html)
    .end(
      '<title>Are you a robot?</title><form><p>Type the characters</p><input><script src="/captcha.js"></script></form>',
    );
const isSolver = ({ headers }: IncomingMessage) => headers["x-solver"] !== undefined;

let solver: SolverServer;
beforeAll(async () => {
  solver = await startSolver();
});
afterAll(() => solver.close());
afterEach(() => solver.reset());

describe.each(bystanders)("a page behind a challenge on $name", (engine) => {
  const clock = createMovableClock("2026-11-19T12:00:00Z");
  let app: TestApp;
  const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CHROMIUM_PATH: "/nowhere/chromium", CREDITS_PER_MONTH: "1000" };
  beforeAll(async () => {
    app = await startApp(engine, { ...env, FLARESOLVERR_URL: `${urlWithPassword(solver)}/v1/` }, clock);
  });
  afterAll(() => app.stop());
  const left = async () => (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;

  it("is brought by the solver, judged, priced and told like any other; what it won serves the next pages over HTTP", async () => {
    const site = await openGuarded();
    const before = await left();
    const { data, trace, error, warning } = await scrape(app, `${site.url}/a`, { proxy: "enhanced" });
    expect([error, warning]).toEqual([undefined, undefined]);
    expect(data.markdown).toContain("# Page /a");
    expect(data.metadata).toMatchObject({ pageState: "content", statusCode: 200, proxyUsed: "basic", creditsUsed: 1 });
    expect(before - (await left())).toBe(1);
    expect(rungsOf(trace)).toEqual(["http 403 challenge", "solver 200 content"]);
    expect(solver.headers().authorization).toMatch(/^Basic /);
    const { body } = await app.get("/v2/team/hosts");
    expect(body.hosts[0]).toMatchObject({
      rung: { engine: "solver", proxy: "basic" },
      verdicts: ["content", "challenge"],
    });

    solver.commands.length = 0;
    for (const path of ["/b", "/c"])
      expect(rungsOf((await scrape(app, site.url + path)).trace)).toEqual(["http 200 content"]);
    expect(site.headers()).toMatchObject({ cookie: "clearance=granted", "user-agent": solverAgent });
    expect(solver.commands).toEqual([]);
    // Another team has won nothing.
    expect(rungsOf((await scrape(app, `${site.url}/d`, {}, otherKey)).trace)).toHaveLength(2);
    expect((await app.fresh.listRows()).join("\n")).not.toMatch(/granted|SolverBrowser/);
  });

  it("keeps one session of the solver per team and host where its cookies do not do, none for pages that leave no trace, and ends them", async () => {
    const keeping = await startSolver();
    const own = await startApp(engine, { ...env, FLARESOLVERR_URL: keeping.url });
    const site = await openGuarded(isSolver);
    for (const path of ["/a", "/b"])
      expect(rungsOf((await scrape(own, site.url + path)).trace)).toEqual(["http 403 challenge", "solver 200 content"]);
    await scrape(own, `${site.url}/c`, { zeroDataRetention: true });
    await scrape(own, `${site.url}/d`, {}, otherKey);
    const told = keeping.commands.map(
      ({ cmd, session }) => `${cmd} ${session === undefined ? "alone" : "in a session"}`,
    );
    expect(told).toEqual([
      "sessions.create in a session",
      "request.get in a session",
      "request.get in a session",
      "request.get alone",
      "sessions.create in a session",
      "request.get in a session",
    ]);
    const used = keeping.commands.filter(({ cmd }) => cmd === "request.get").map(({ session }) => session);
    expect([used[0] === used[1], new Set(used).size, keeping.sessions.size]).toEqual([true, 3, 2]);
    await own.stop();
    expect(keeping.sessions.size).toBe(0);
    await keeping.close();
  });

  it("is asked of a solver without sessions, as Byparr is, in each page of a batch", async () => {
    const byparr = await startSolver({ isByparr: true });
    const own = await startApp(engine, { ...env, FLARESOLVERR_URL: byparr.url });
    const site = await openGuarded(isSolver);
    const urls = ["/a", "/b", "/c"].map((path) => site.url + path);
    const { status, errors } = await runJob(own, "/v2/batch/scrape", { urls });
    expect([status.completed, errors]).toEqual([3, []]);
    expect(byparr.commands.map(({ cmd, session }) => [cmd, session])).toEqual(
      Array(3).fill(["request.get", undefined]),
    );
    await own.stop();
    await byparr.close();
  });

  it("is not asked of the solver for other block pages, nor by requests that it cannot serve", async () => {
    const site = await openSite({ "/refused": refuse, "/asked": challenge("", { isPassable: false }) });
    const asked = async (path: string, options: object = {}) => (await scrape(app, site.url + path, options)).error;
    await asked("/refused");
    expect(await asked("/asked", { proxy: "basic" })).toContain('With proxy "auto" the solver would be asked');
    for (const options of [{ headers: { "x-own": "1" } }, { fastMode: true }, { location: { country: "DE" } }])
      expect(await asked("/asked", options)).toContain("no attempt got past it");
    await asked("/asked", { formats: ["rawBase64"] });
    expect(solver.commands).toEqual([]);
  });

  it("is a failure when the answer of the solver is a challenge, too", async () => {
    const site = await openGuarded(() => false);
    const { code, details } = await scrape(app, `${site.url}/`);
    expect([code, details.rungs]).toEqual([
      "SCRAPE_SITE_BLOCKED",
      [
        { engine: "http", proxy: "none", status: 403, verdict: "challenge" },
        { engine: "solver", proxy: "none", status: 200, verdict: "challenge" },
      ],
    ]);
  });

  it("is not taken from private addresses or from URLs that robots.txt forbids, wherever the solver was led", async () => {
    const strict = await startApp(engine, { ...env, RESPECT_ROBOTS: "all", FLARESOLVERR_URL: solver.url });
    const site = await openSite({
      "/robots.txt": (_request, response) => response.end("User-agent: *\nDisallow: /private"),
      "/private": article("Secret"),
      "/moved": (request, response) =>
        (isSolver(request) ? redirectTo("/private") : guarded(() => false))(request, response),
      "/": guarded(isSolver),
    });
    const before = await left();
    const moved = await scrape(strict, `${site.url}/moved`);
    expect([moved.code, moved.error]).toEqual(["ROBOTS_BLOCKED", expect.stringContaining("robots.txt disallows")]);
    for (const url of ["http://10.0.0.1/", `http://127.0.0.2:${site.port}/`, "http://[::1]/", "file:///etc/passwd"]) {
      solver.lie = { url, response: article("Secret") };
      const led = await scrape(app, `${site.url}/`);
      expect([url, led.code, led.error]).toEqual([
        url,
        "SCRAPE_SITE_BLOCKED",
        expect.stringContaining("was led to a URL that is not allowed"),
      ]);
      expect(JSON.stringify(led)).not.toContain("Secret");
    }
    expect(await left()).toBe(before);
    await strict.stop();
  });

  const json = (status: number, body: object) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  it.each<[string, SolverServer["fault"], string]>([
    ["answers 502", (_request, response) => response.writeHead(502).end("<h1>Bad gateway</h1>"), "failed (502)"],
    ["closes the connection", (request) => request.socket.destroy(), "closed the connection"],
    ["answers with something else", (_request, response) => response.end("<h1>Welcome</h1>"), "not a JSON object"],
    ["answers without a page", json(200, { status: "ok", solution: { url: "http://127.0.0.1/" } }), "without a page"],
    ["answers 422", json(422, { detail: [{ msg: "wrong" }] }), "rejected the request (422)"],
    [
      "fails at the page",
      json(500, { status: "error", message: `Error: Timeout for operator:${password} after 55 seconds.` }),
      "did not get past the check",
    ],
    [
      "says why",
      json(500, { status: "error", message: "Error: Timeout after 55 s." }),
      "check: Error: Timeout after 55 s",
    ],
    ["hangs", () => undefined, "did not answer in time"],
  ])("is a failure that names its cause when the solver %s", async (what, fault, cause) => {
    // It is not left alone for the failures of the case before.
    clock.advance(61_000);
    const site = await openGuarded(() => false);
    solver.fault = fault;
    const failed = await inTime(20_000, () =>
      scrape(app, `${site.url}/`, { timeout: what === "hangs" ? 3000 : 30_000 }),
    );
    expect([failed.code, failed.error]).toEqual(["SCRAPE_SITE_BLOCKED", expect.stringContaining(cause)]);
    expect(failed.error).toContain("FLARESOLVERR_URL");
    expect(failed.details.rungs).toEqual([{ engine: "http", proxy: "none", status: 403, verdict: "challenge" }]);
    const step = failed.details.trace.find((each: Step) => each.step === "solve");
    expect(step.detail.error).toContain(cause);
    expect(JSON.stringify(failed)).not.toContain(password);
  });

  it("leaves a solver alone for a minute that has failed twice in a row", async () => {
    clock.advance(61_000);
    const site = await openGuarded(isSolver);
    solver.fault = (_request, response) => response.writeHead(503).end();
    for (const path of ["/a", "/b", "/c"]) await scrape(app, site.url + path);
    expect((await scrape(app, `${site.url}/d`)).error).toContain("is not asked for a minute");
    expect(solver.commands.filter(({ cmd }) => cmd === "sessions.create")).toHaveLength(2);
    solver.reset();
    clock.advance(61_000);
    expect(rungsOf((await scrape(app, `${site.url}/e`)).trace).at(-1)).toBe("solver 200 content");
  });

  it("no password of the solver gets into the log", () => {
    const forms = [password, Buffer.from(`operator:${password}`).toString("base64")];
    expect(app.logLines.some((line) => line.includes("the solver failed"))).toBe(true);
    expect(app.logLines.filter((line) => forms.some((form) => line.includes(form)))).toEqual([]);
  });
});

describe.skipIf(lacksChromium)("a solver beside a browser", () => {
  let app: TestApp;
  beforeAll(async () => {
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...quickBrowser, FLARESOLVERR_URL: solver.url };
    app = await startApp(anyEngine, env);
  });
  afterAll(() => app.stop());

  it("is asked after it, comes before it where it has worked, and costs no page that the browser gets", async () => {
    let isSolvable = true;
    const passable = challenge(article("Harbour"));
    const site: FixtureSite = await openSite((path) => {
      if (isSolvable) return guarded(isSolver, puzzle);
      return challengeProgram[path] ?? passable;
    });
    const first = await scrape(app, `${site.url}/a`);
    expect(rungsOf(first.trace)).toEqual(["http 200 challenge", "browser 200 challenge", "solver 200 content"]);
    const next = await scrape(app, `${site.url}/b`);
    expect(rungsOf(next.trace)).toEqual(["http 200 challenge", "solver 200 content"]);
    isSolvable = false;
    solver.fault = (_request, response) => response.writeHead(500).end();
    const last = await scrape(app, `${site.url}/c`);
    expect(last.error).toBeUndefined();
    expect(rungsOf(last.trace)).toEqual(["http 403 challenge", "solver SCRAPE_SITE_ERROR", "browser 200 content"]);
  });

  it("gives it its cookies and user agent for what only the browser can do", async () => {
    const site = await openSite(() => guarded(hasSolved, puzzle));
    const { error, data, trace } = await scrape(app, `${site.url}/a`, { formats: ["markdown", "screenshot"] });
    expect(error).toBeUndefined();
    expect(data.markdown).toContain("# Page /a");
    expect(data.screenshot).toMatch(/^(?:data:image|http)/);
    expect(rungsOf(trace)).toEqual(["browser 200 challenge", "solver 200", "browser 200 content"]);
    const next = await scrape(app, `${site.url}/b`, { formats: ["screenshot"] });
    expect(rungsOf(next.trace)).toEqual(["browser 200 content"]);
    // What only the page has can be clicked, now that it is open.
    const acted = await scrape(app, `${site.url}/c`, { actions: [{ type: "click", selector: "h1" }] });
    expect(rungsOf(acted.trace)).toEqual(["browser 200 content"]);
  });
});

describe("trawl doctor", () => {
  const doctor = (url: string) =>
    runCommand(["doctor"], { DATA_DIR: temporaryFolder(), CHROMIUM_PATH: "/nowhere/chromium", FLARESOLVERR_URL: url });

  it("says whether the solver answers, without its password", async () => {
    const { stdout } = await doctor(urlWithPassword(solver));
    expect(stdout).toContain(`ok      ${"Solver".padEnd(21)}FlareSolverr at ${solver.url} answers and keeps sessions.`);
    expect(stdout).not.toContain(password);
    const closed = await startSolver();
    await closed.close();
    const { code, stdout: said } = await doctor(closed.url);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/FAILED +Solver +The solver of FLARESOLVERR_URL cannot be/),
    ]);
  });

  it("is joined by trawl why, which names the solver's attempt", async () => {
    const env = { DATA_DIR: temporaryFolder(), CHROMIUM_PATH: "/nowhere/chromium", ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const site = await openGuarded();
    const { stdout } = await runCommand(["why", `${site.url}/a`], { ...env, FLARESOLVERR_URL: solver.url });
    expect(stdout).toMatch(/2 +solver +none +200 +content .*challenge \(cloudflare\)\nReached by attempt 2 \(solver\)/);
  });

  it("does not start, nor does the server, with a URL that is not one", () => {
    const sentence = "FLARESOLVERR_URL must be a URL that starts with http:// or https://.";
    expect(() => loadConfig({ FLARESOLVERR_URL: "flaresolverr:8191" })).toThrow(sentence);
  });
});
