// Programs in browser sessions and on scraped pages, over the API.
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { createCountingClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { programProcesses } from "../support/programs.ts";
import { pictureOf, startRenderedSite } from "../support/rendered-site.ts";
import { endSessions, type OpenedSession, openSession } from "../support/sessions.ts";
import { sharedRun } from "../support/shared-run.ts";

describe.skipIf(lacksChromium).each([anyEngine])("programs over the API on $name", (engine) => {
  const clock = createCountingClock("2026-11-18T09:00:00Z");
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    const shown = new Set<string>();
    site = await startRenderedSite({
      "/once": ({ url = "" }, response) => {
        response
          .setHeader("content-type", "text/html")
          .end(`<title>Once</title>${shown.has(url) ? "" : "<b id=once>here</b>"}`);
        shown.add(url);
      },
    });
    // Sessions are billed by the minute, of which a busy machine needs more.
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`, ...quickBrowser }, clock);
  });
  afterAll(async () => {
    await endSessions(app, app.key, otherKey);
    await app.stop();
    await site.close();
  });

  /** A program's own time, of which a busy machine needs more than it has when nothing is said. */
  const timeout = 240;
  const execute = (id: string, body: object, call: { key?: string } = {}) =>
    app.call("POST", `/v2/browser/${id}/execute`, { body: { timeout, ...body }, ...call });
  const scrapeId = async (body: object): Promise<string> => {
    const answer = await app.call("POST", "/v2/scrape", { body });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer.body.data.metadata.scrapeId;
  };
  const interact = (id: string, body: object, call: { key?: string } = {}) =>
    app.call("POST", `/v2/scrape/${id}/interact`, { body: { timeout, ...body }, ...call });

  describe("in a session", () => {
    // Of all tests that leave it open.
    let session: OpenedSession;
    beforeAll(async () => {
      session = await openSession(app);
    });
    afterAll(() => endSessions(app, app.key));

    it("are refused for unknown, foreign and ended sessions, and for bad bodies", async () => {
      const body = { code: "1" };
      expect((await execute("0198f1cb-0000-7000-8000-000000000009", body)).status).toBe(404);
      const foreign = await execute(session.id, body, { key: otherKey });
      expect([foreign.status, foreign.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
      for (const bad of [
        {},
        { code: "" },
        { code: "x".repeat(100_001) },
        { code: "1", language: "ruby" },
        { code: "1", timeout: 301 },
      ]) {
        expect((await execute(session.id, bad)).status).toBe(400);
      }
      const other = await openSession(app);
      await app.call("DELETE", `/v2/browser/${other.id}`);
      const ended = await execute(other.id, body);
      expect([ended.status, ended.body.code]).toEqual([410, "SESSION_ENDED"]);
    });

    const first = sharedRun(async () => {
      const usedAt = async () => Date.parse((await app.get(`/v2/browser/${session.id}`)).body.lastActivity);
      const before = await usedAt();
      const code = `await page.goto("${site.url}/form"); console.log("hello"); await page.title()`;
      const { body } = await execute(session.id, { code });
      return { body, before, after: await usedAt() };
    });

    it("count as use of the session", async () => {
      const { before, after } = await first();
      expect(after).toBeGreaterThan(before);
    });

    it("run under both names and answer by contract", async () => {
      expect((await first()).body).toEqual({
        success: true,
        stdout: "hello\n",
        stderr: "",
        result: "Form",
        exitCode: 0,
        killed: false,
      });
      const second = await app.call("POST", `/v2/interact/${session.id}/execute`, { body: { code: "page.url()" } });
      expect(second.body).toMatchObject({ success: true, result: `${site.url}/form` });
      const failing = await execute(session.id, { code: "throw new Error('mine')" });
      expect([failing.status, failing.body]).toEqual([
        200,
        { success: true, stdout: "", stderr: expect.stringContaining("Error: mine"), exitCode: 1, killed: false },
      ]);
      const late = await execute(session.id, { code: "for (;;);", timeout: 1 });
      expect(late.body).toMatchObject({ success: true, killed: true, exitCode: 137, error: expect.any(String) });
    });

    it("understand agent-browser verbs, with refs from one request to the next and pictures with addresses", async () => {
      const bash = (code: string) => execute(session.id, { code, language: "bash" });
      const { body } = await bash(
        `agent-browser open ${site.url}/form && agent-browser snapshot -i; agent-browser get title`,
      );
      expect(body).toEqual({
        success: true,
        stdout: expect.stringMatching(/\nForm\n$/),
        result: "Form",
        stderr: "",
        exitCode: 0,
        killed: false,
      });
      const ref = /button "Add" \[ref=(e\d+)\]/.exec(body.stdout)?.[1];
      const clicked = await bash(
        `agent-browser fill '#name' Ada; agent-browser click @${ref}; agent-browser get text '#log'; agent-browser screenshot`,
      );
      const picture = await fetch(clicked.body.result);
      expect(pictureOf(Buffer.from(await picture.arrayBuffer())).kind).toBe("png");
      expect(clicked.body.stdout).toContain(`Ada;\n${clicked.body.result}\n`);
    });

    it.each([
      ["bash", "ls"],
      ["bash", "agent-browser get title; ls"],
      ["python", "print(1)"],
    ])("answer 501 for other %s: %s", async (language, code) => {
      const answer = await execute(session.id, { code, language });
      expect([answer.status, answer.body.code]).toEqual([501, "EXECUTE_NOT_AVAILABLE"]);
      expect(answer.body.error).toContain("EXECUTE_LANGUAGES");
    });

    it.each([
      ["in whatever they do", "for (;;);"],
      ["when they notice it first", "await page.waitForEvent('close'); throw new Error('gone')"],
    ])("end with their session, %s", async (_when, code) => {
      const { id } = await openSession(app);
      const running = execute(id, { code, timeout: 60 });
      await expect.poll(() => programProcesses()).not.toEqual([]);
      await app.call("DELETE", `/v2/browser/${id}`);
      const answer = await running;
      expect([answer.status, answer.body.code]).toEqual([410, "SESSION_ENDED"]);
    });
  });

  describe("on a scraped page", () => {
    it("find it as the scrape left it, in one session until it is stopped", async () => {
      const actions = [
        { type: "wait", selector: "#arrived" },
        { type: "click", selector: "#name" },
        { type: "write", text: "Ada" },
        { type: "click", selector: "#add" },
      ];
      const id = await scrapeId({ url: `${site.url}/form`, actions, waitFor: 50, timeout: 240_000 });
      const team = await app.accounts.teams.findOrCreate("acme");
      const stored = await app.store.scrapes.find(team.id, id, clock.now());
      expect(stored?.details).toContain("replay");
      expect(stored?.details).not.toContain("Ada");
      const first = await interact(id, { code: `page.textContent("#log")` });
      expect(first.body).toEqual({
        success: true,
        sessionId: expect.any(String),
        cdpUrl: expect.stringMatching(/^ws:/),
        liveViewUrl: expect.stringContaining("/view/"),
        interactiveLiveViewUrl: expect.stringContaining("control=1"),
        stdout: "",
        stderr: "",
        result: "Ada;",
        exitCode: 0,
        killed: false,
      });
      const second = await interact(id, { code: "agent-browser get title", language: "bash" });
      expect(second.body).toMatchObject({ success: true, result: "Form", sessionId: first.body.sessionId });
      const failed = await interact(id, { code: "process.exit(3)" });
      expect([failed.status, failed.body.success, failed.body.exitCode]).toEqual([200, false, 3]);

      const rows = (await app.get("/v2/team/activity?endpoint=interact")).body.data;
      const own = rows.filter((row: { id: string }) => row.id === id);
      expect(own).toHaveLength(3);
      expect(own[0]).toMatchObject({ endpoint: "interact", target: `${site.url}/form` });

      const stopped = await app.call("DELETE", `/v2/scrape/${id}/interact`);
      expect(stopped.body).toEqual({ success: true, sessionDurationMs: expect.any(Number), creditsBilled: 2 });
      expect((await app.call("DELETE", `/v2/scrape/${id}/interact`)).body).toEqual(stopped.body);
      const again = await interact(id, { code: "page.title()" });
      expect(again.body.sessionId).not.toBe(first.body.sessionId);
      await app.call("DELETE", `/v2/scrape/${id}/interact`);
    });

    it("may name the session to use", async () => {
      const session = await openSession(app);
      const id = await scrapeId({ url: `${site.url}/plain` });
      const answer = await interact(id, { code: "page.url()", existingSessionId: session.id });
      expect(answer.body).toMatchObject({ success: true, sessionId: session.id, result: "about:blank" });
      await app.call("DELETE", `/v2/browser/${session.id}`);
      const ended = await interact(id, { code: "1", existingSessionId: session.id });
      expect([ended.status, ended.body.code]).toEqual([410, "SESSION_ENDED"]);
    });

    it("share the session when they come at once", async () => {
      const id = await scrapeId({ url: `${site.url}/plain` });
      const answers = await Promise.all([interact(id, { code: "1" }), interact(id, { code: "2" })]);
      expect(answers.map(({ body }) => body.result)).toEqual(["1", "2"]);
      expect(new Set(answers.map(({ body }) => body.sessionId)).size).toBe(1);
      await app.call("DELETE", `/v2/scrape/${id}/interact`);
    });

    it("use and save the scrape's profile", async () => {
      const profile = { name: `interact-${newId()}`, saveChanges: true };
      const id = await scrapeId({ url: `${site.url}/profile`, profile, maxAge: 0 });
      const { body } = await interact(id, {
        code: `localStorage_ = await page.evaluate(() => localStorage.setItem("kept", "by interact"))`,
      });
      expect(body).toMatchObject({ success: true });
      await app.call("DELETE", `/v2/scrape/${id}/interact`);
      const after = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/profile`, profile, maxAge: 0 } });
      expect(after.body.data.markdown).toContain("Kept: by interact");
      expect(after.body.data.markdown).toContain("visited=yes");
    });

    it("are refused for unknown and foreign scrapes", async () => {
      const id = await scrapeId({ url: `${site.url}/plain` });
      for (const [scrape, key] of [
        ["0198f1cb-0000-7000-8000-000000000009", undefined],
        [id, otherKey],
      ] as const) {
        const answer = await interact(scrape, { code: "1" }, key ? { key } : {});
        expect([answer.status, answer.body.code]).toEqual([404, "JOB_NOT_FOUND"]);
        const stop = await app.call("DELETE", `/v2/scrape/${scrape}/interact`, key ? { key } : {});
        expect([stop.status, stop.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
      }
      expect((await interact(id, {})).status).toBe(400);
      expect((await interact("not-an-id", { code: "1" })).status).toBe(400);
    });

    it("need a model for a prompt, and say which setting names it", async () => {
      const id = await scrapeId({ url: `${site.url}/plain` });
      const answer = await interact(id, { prompt: "Click the first link" });
      expect([answer.status, answer.body.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
      expect(answer.body.error).toContain("MODEL_NAME");
    });

    it("are refused when the page cannot be brought back, and nothing is billed", async () => {
      const failed = await app.call("POST", "/v2/scrape", {
        body: { url: `${site.url}/form`, actions: [{ type: "executeJavascript", script: "throw new Error()" }] },
      });
      expect([failed.status, failed.body.code]).toEqual([500, "SCRAPE_ACTION_ERROR"]);
      const never = await interact(failed.body.details.scrapeId, { code: "1" });
      expect([never.status, never.body.code]).toEqual([409, "SCRAPE_NOT_REPLAYABLE"]);

      const id = await scrapeId({
        url: `${site.url}/once?${newId()}`,
        actions: [{ type: "click", selector: "#once" }],
      });
      const used = async () => (await app.get("/v2/team/credit-usage/historical")).body.periods[0].totalCredits;
      const before = await used();
      expect(before).toBeGreaterThan(0);
      const gone = await interact(id, { code: "1" });
      expect([gone.status, gone.body.code]).toEqual([409, "SCRAPE_NOT_REPLAYABLE"]);
      expect(gone.body.error).toContain("#once");
      expect(await used()).toBe(before);
      expect((await app.get("/v2/browser?status=active")).body.sessions).toEqual([]);
      const rows = (await app.get("/v2/team/activity?endpoint=interact")).body.data;
      expect(rows[0]).toMatchObject({ id, endpoint: "interact" });
    });
  });
});

describe.skipIf(lacksChromium)("other languages", () => {
  it("run in the sandbox where EXECUTE_LANGUAGES names them", async () => {
    const app = await startApp(anyEngine, { EXECUTE_LANGUAGES: "bash,python", ...quickBrowser });
    try {
      const session = await openSession(app);
      const body = { code: "echo $((6 * 7)); ls /root; exit 2", language: "bash" };
      const answer = await app.call("POST", `/v2/browser/${session.id}/execute`, { body });
      expect(answer.body).toMatchObject({
        success: true,
        stdout: "42\n",
        exitCode: 2,
        stderr: expect.stringContaining("/root"),
      });
      if (!existsSync("/usr/bin/python3")) return;
      const python = { code: "print(6 * 7); page.title()", language: "python" };
      const second = await app.call("POST", `/v2/browser/${session.id}/execute`, { body: python });
      expect(second.body).toMatchObject({ success: true, stdout: "42\n", exitCode: 1, killed: false });
      expect(second.body.stderr).toContain("There is no page, context or browser in python programs here");
    } finally {
      await app.stop();
    }
  });
});
