// What a team can ask about itself, through the public door, on both engines.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/accounts/index.ts";
import { newId, ServiceError } from "../../src/base/index.ts";
import { activityNames } from "../../src/contract/index.ts";
import type { ActivityEntry } from "../../src/store/index.ts";
import { makeActivity } from "../store/rows.ts";
import { createTestClock, otherKey, startApp, type TestApp, testKey } from "../support/app.ts";
import { engines, onOneEngine } from "../support/engines.ts";
import { withNewTeams } from "../support/shared-app.ts";

describe.each(engines)("team endpoints on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  let acme: Caller;
  let other: Caller;
  const clock = createTestClock("2026-11-15T12:00:00Z");

  const callerOf = async (key: string): Promise<Caller> => {
    const holder = await app.accounts.keys.identify(key);
    if (!holder) throw new Error("the key is not known");
    return { ...holder, apiVersion: "v2", idempotencyKey: null, externalRequestId: null, baseUrl: app.url };
  };
  const note = (caller: Caller, endpoint: string, target: string, outcome: "succeeded" | "failed" = "succeeded") =>
    app.accounts.activity.note(
      caller,
      { id: newId(), endpoint, target, createdAt: clock.now() },
      outcome === "failed"
        ? { error: new ServiceError("MAP_TIMEOUT"), endedAt: clock.now() + 5 }
        : { credits: 2, cacheState: "hit", endedAt: clock.now() + 7 },
    );
  const charge = (caller: Caller, credits: number) =>
    app.accounts.credits.charge(caller, [{ jobId: newId(), endpoint: "scrape", credits, reason: "page" }]);

  it("has the eleven kinds of the specification, and flows", () => {
    expect(activityNames.join(" ")).toBe(
      "scrape crawl batch_scrape search extract llmstxt deep_research map agent browser interact flow",
    );
  });

  describe("activity", () => {
    beforeAll(async () => {
      clock.set("2026-11-15T12:00:00Z");
      app = await startApp(engine, {}, clock);
      [acme, other] = [await callerOf(testKey), await callerOf(otherKey)];
      clock.advance(-25 * 3_600_000);
      await note(acme, "scrape", "too old to be listed");
      clock.set("2026-11-15T12:00:00Z");
      for (const [index, name] of activityNames.entries()) {
        clock.advance(1000);
        await note({ ...acme, apiVersion: index % 2 ? "v1" : "v2" }, name, `target of ${name}`);
      }
      await note(other, "scrape", "the other team's page");
    });
    afterAll(() => app.stop());

    it("lists the last 24 hours, newest first, each with what it asked for and what came of it", async () => {
      const { status, body } = await app.get("/v2/team/activity");
      expect(status).toBe(200);
      expect(body.data.map((row: { endpoint: string }) => row.endpoint)).toEqual(activityNames.toReversed());
      expect(body.data[0]).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        endpoint: "flow",
        api_version: "v1",
        created_at: "2026-11-15T12:00:12.000Z",
        target: "target of flow",
        status: "succeeded",
        durationMs: 7,
        creditsUsed: 2,
        cacheState: "hit",
        apiKey: "env-1",
      });
      expect(body).toEqual({ success: true, data: body.data, cursor: null, has_more: false });
    });

    it("shows each team only its own", async () => {
      const { body } = await app.get("/v2/team/activity", { key: otherKey });
      expect(body.data.map((row: { target: string }) => row.target)).toEqual(["the other team's page"]);
    });

    it.each(activityNames)("filters by %s", async (name) => {
      const { body } = await app.get(`/v2/team/activity?endpoint=${name}`);
      expect(body.data.map((row: { endpoint: string }) => row.endpoint)).toEqual([name]);
    });

    it("pages with a cursor to the end", async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await app.get(`/v2/team/activity?limit=4${cursor ? `&cursor=${cursor}` : ""}`);
        seen.push(...body.data.map((row: { endpoint: string }) => row.endpoint));
        expect(body.has_more).toBe(body.cursor !== null);
        cursor = body.cursor;
      } while (cursor);
      expect(seen).toEqual(activityNames.toReversed());
    });

    it("ends exactly where a page is full and nothing follows", async () => {
      const { body } = await app.get(`/v2/team/activity?limit=${activityNames.length}`);
      expect(body).toMatchObject({ cursor: null, has_more: false });
      expect(body.data).toHaveLength(activityNames.length);
    });

    it.each([
      ["limit=0", "limit"],
      ["limit=101", "limit"],
      ["limit=-1", "limit"],
      ["limit=1.5", "limit"],
      ["limit=1e1", "limit"],
      ["limit=", "limit"],
      ["limit=many", "limit"],
      ["limit=5&limit=6", "limit"],
      ["endpoint=parse", "endpoint"],
      ["endpoint=Scrape", "endpoint"],
      ["status=ok", "status"],
      ["apiKey=", "apiKey"],
      ["endpoint=scrape&endpoint=map", "endpoint"],
      ["cursor=nonsense", "cursor"],
      ["cursor=", "cursor"],
      [`cursor=${Buffer.from("12:not-a-uuid").toString("base64url")}`, "cursor"],
      [`cursor=${Buffer.from("9e99:x").toString("base64url")}`, "cursor"],
    ])("answers 400 to ?%s and names %s", async (query, field) => {
      const { status, body } = await app.get(`/v2/team/activity?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ success: false, error: expect.any(String), code: expect.any(String) });
      expect(body.details[0].path).toEqual([field]);
      expect(body.details[0].message).toEqual(expect.stringMatching(/\w+/));
    });

    it("says which cursor it takes", async () => {
      const { body } = await app.get("/v2/team/activity?cursor=nonsense");
      expect(body).toMatchObject({
        error: "Invalid cursor. Send the cursor of the previous page unchanged, or none for the first page.",
        code: "INVALID_CURSOR",
      });
    });

    it("filters by status and by the name of a key", async () => {
      await note(acme, "map", "a map that failed", "failed");
      await note({ ...acme, keyId: null }, "scrape", "from the dashboard");
      const targets = async (query: string) => {
        const { body } = await app.get(`/v2/team/activity?${query}`);
        return body.data.map(({ target }: { target: string }) => target);
      };
      expect(await targets("status=failed")).toEqual(["a map that failed"]);
      expect(await targets("apiKey=dashboard")).toEqual(["from the dashboard"]);
      expect(await targets("apiKey=env-1&status=succeeded")).toHaveLength(activityNames.length);
      expect(await targets("apiKey=nobody")).toEqual([]);
      const { body } = await app.get("/v2/team/activity?status=failed");
      expect(body.data[0].error).toEqual({ code: "MAP_TIMEOUT", message: expect.any(String) });
    });
  });

  itOnce("pages through 10,000 rows without a gap or a repetition while new ones arrive", async () => {
    clock.set("2026-11-15T12:00:00Z");
    app = await startApp(engine, {}, clock);
    acme = await callerOf(testKey);
    const rows = Array.from({ length: 10_000 }, (_, index): ActivityEntry => {
      // Ten rows share each millisecond, so the order depends on the row id too.
      const createdAt = clock.now() - 60_000 + Math.floor(index / 10);
      return makeActivity(acme.teamId, { keyId: acme.keyId, createdAt, target: `page ${index}` });
    });
    await app.store.transaction(async ({ activity }) => {
      for (let at = 0; at < rows.length; at += 200) await activity.insert(rows.slice(at, at + 200));
    });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await app.get(`/v2/team/activity?limit=100${cursor ? `&cursor=${cursor}` : ""}`);
      for (const row of body.data) if (row.target.startsWith("page")) seen.push(row.target);
      cursor = body.cursor;
      clock.advance(10);
      await note(acme, "scrape", "arrived meanwhile");
    } while (cursor);
    expect(seen).toHaveLength(10_000);
    expect(new Set(seen).size).toBe(10_000);
    await app.stop();
  });

  describe("credit and token usage", () => {
    let opened: TestApp;
    beforeAll(async () => {
      opened = await startApp(engine, { CREDITS_PER_MONTH: "10000" }, clock);
    });
    beforeEach(async () => {
      clock.set("2026-11-15T12:00:00Z");
      app = await withNewTeams(opened);
      [acme, other] = [await callerOf(app.key), await callerOf(app.otherKey)];
    });
    afterAll(() => opened.stop());

    it("reports what is left of this month's allowance, to this team", async () => {
      await charge(acme, 1579);
      await charge(other, 3);
      const { body } = await app.get("/v2/team/credit-usage");
      expect(body).toEqual({
        success: true,
        data: {
          remainingCredits: 8421,
          planCredits: 10000,
          billingPeriodStart: "2026-11-01T00:00:00.000Z",
          billingPeriodEnd: "2026-12-01T00:00:00.000Z",
        },
      });
      const tokens = await app.get("/v2/team/token-usage");
      expect(tokens.body.data).toMatchObject({ remainingTokens: 8421 * 15, planTokens: 150_000 });
    });

    it("starts again with the month and never goes below zero", async () => {
      clock.set("2026-11-30T23:59:59.999Z");
      await charge(acme, 12_000);
      expect((await app.get("/v2/team/credit-usage")).body.data.remainingCredits).toBe(0);
      clock.set("2026-12-01T00:00:00.000Z");
      expect((await app.get("/v2/team/credit-usage")).body.data.remainingCredits).toBe(10_000);
    });

    it("refuses work that the allowance does not cover with 402, and only that", async () => {
      await charge(acme, 9_990);
      await app.accounts.credits.require(acme.teamId, 10);
      await expect(app.accounts.credits.require(acme.teamId, 11)).rejects.toMatchObject({
        code: "INSUFFICIENT_CREDITS",
        status: 402,
        message: expect.stringContaining(
          "Insufficient credits to perform this request. It needs 11; 10 of 10000 are left",
        ),
      });
      await app.accounts.credits.require(other.teamId, 10_000);
    });

    it("shows the running month when nothing was used", async () => {
      const { body } = await app.get("/v2/team/credit-usage/historical");
      expect(body).toEqual({
        success: true,
        periods: [
          {
            startDate: "2026-11-01T00:00:00.000Z",
            endDate: "2026-12-01T00:00:00.000Z",
            totalCredits: 0,
            creditsUsed: 0,
          },
        ],
      });
    });

    it("counts each charge in its calendar month (UTC), leap days included, and fills quiet months with 0", async () => {
      const charges: [string, number][] = [
        ["2027-12-31T23:59:59.999Z", 1],
        ["2028-01-01T00:00:00.000Z", 2],
        ["2028-02-28T23:59:59.999Z", 4],
        ["2028-02-29T00:00:00.000Z", 8],
        ["2028-02-29T23:59:59.999Z", 16],
        ["2028-03-01T00:00:00.000Z", 32],
        ["2028-05-31T23:30:00.000Z", 64],
      ];
      for (const [time, credits] of charges) {
        clock.set(time);
        await charge(acme, credits);
      }
      clock.set("2028-06-01T00:00:00.000Z");
      const { body } = await app.get("/v2/team/credit-usage/historical");
      const months = body.periods.map((period: Record<string, unknown>) => [
        period.startDate,
        period.endDate,
        period.totalCredits,
        period.creditsUsed,
      ]);
      const start = (month: string) => `${month}-01T00:00:00.000Z`;
      expect(months).toEqual([
        [start("2027-12"), start("2028-01"), 1, 1],
        [start("2028-01"), start("2028-02"), 2, 2],
        [start("2028-02"), start("2028-03"), 28, 28],
        [start("2028-03"), start("2028-04"), 32, 32],
        [start("2028-04"), start("2028-05"), 0, 0],
        [start("2028-05"), start("2028-06"), 64, 64],
        [start("2028-06"), start("2028-07"), 0, 0],
      ]);
      expect(body.periods.some((period: object) => "apiKey" in period)).toBe(false);
    });

    it("breaks usage down by key, by name, also for a revoked key", async () => {
      const second = await app.accounts.keys.create(acme.teamId, "laptop");
      const laptop = await callerOf(second.key);
      await charge(acme, 5);
      await charge(laptop, 7);
      await app.accounts.keys.revoke(second.id);
      const { body } = await app.get("/v2/team/credit-usage/historical?byApiKey=true");
      const byName = Object.fromEntries(
        body.periods.map((period: Record<string, unknown>) => [period.apiKey, period.totalCredits]),
      );
      expect(byName).toEqual({ test: 5, laptop: 7 });
      expect((await app.get("/v2/team/credit-usage/historical")).body.periods[0].totalCredits).toBe(12);
      const empty = await app.get("/v2/team/credit-usage/historical?byApiKey=true", { key: app.otherKey });
      expect(empty.body.periods).toMatchObject([{ apiKey: "test", totalCredits: 0 }]);
    });

    it.each(["yes", "1", "", "TRUE"])("answers 400 to byApiKey=%s", async (value) => {
      const { status, body } = await app.get(`/v2/team/credit-usage/historical?byApiKey=${value}`);
      expect(status).toBe(400);
      expect(body.details[0].path).toEqual(["byApiKey"]);
    });

    it("shows history in tokens, fifteen to a credit", async () => {
      await charge(acme, 1579);
      const { body } = await app.get("/v2/team/token-usage/historical");
      expect(body.periods).toMatchObject([{ totalTokens: 23_685, tokensUsed: 23_685 }]);
    });

    it("speaks v1's names under /v1", async () => {
      await charge(acme, 1579);
      const period = {
        billing_period_start: "2026-11-01T00:00:00.000Z",
        billing_period_end: "2026-12-01T00:00:00.000Z",
      };
      expect((await app.get("/v1/team/credit-usage")).body).toEqual({
        success: true,
        data: { remaining_credits: 8421, plan_credits: 10_000, ...period },
      });
      expect((await app.get("/v1/team/token-usage")).body).toEqual({
        success: true,
        data: { remaining_tokens: 126_315, plan_tokens: 150_000, ...period },
      });
      for (const path of [
        "team/credit-usage/historical",
        "team/token-usage/historical",
        "team/queue-status",
        "concurrency-check",
      ]) {
        const [v1, v2] = [await app.get(`/v1/${path}`), await app.get(`/v2/${path}`)];
        expect(v1.status).toBe(200);
        expect(v1.body).toEqual(v2.body);
      }
    });
  });

  describe("unlimited use and the queue", () => {
    beforeAll(async () => {
      clock.set("2026-11-15T12:00:00Z");
      app = await startApp(engine, { TEAM_CONCURRENCY: "2" }, clock);
      [acme, other] = [await callerOf(testKey), await callerOf(otherKey)];
    });
    afterAll(() => app.stop());

    it("sends unlimited credits and tokens as a billion", async () => {
      await charge(acme, 5);
      const credits = { remainingCredits: 1_000_000_000, planCredits: 1_000_000_000 };
      const tokens = { remainingTokens: 1_000_000_000, planTokens: 1_000_000_000 };
      expect((await app.get("/v2/team/credit-usage")).body.data).toMatchObject(credits);
      expect((await app.get("/v2/team/token-usage")).body.data).toMatchObject(tokens);
      await app.accounts.credits.require(acme.teamId, 1_000_000);
    });

    it("tells what runs, what waits and what last succeeded", async () => {
      const never = new AbortController().signal;
      const { slots } = app.accounts;
      expect((await app.get("/v2/team/queue-status")).body).toEqual({
        success: true,
        jobsInQueue: 0,
        activeJobsInQueue: 0,
        waitingJobsInQueue: 0,
        maxConcurrency: 2,
        mostRecentSuccess: null,
      });
      const leaves = [await slots.enter(acme.teamId, never), await slots.enter(acme.teamId, never)];
      const third = slots.enter(acme.teamId, never);
      await note(acme, "scrape", "a page");
      clock.advance(1000);
      await note(acme, "scrape", "a failure", "failed");
      expect((await app.get("/v2/team/queue-status")).body).toMatchObject({
        jobsInQueue: 3,
        activeJobsInQueue: 2,
        waitingJobsInQueue: 1,
        mostRecentSuccess: "2026-11-15T12:00:00.000Z",
      });
      expect((await app.get("/v2/concurrency-check")).body).toEqual({
        success: true,
        concurrency: 2,
        maxConcurrency: 2,
      });
      expect((await app.get("/v2/concurrency-check", { key: otherKey })).body.concurrency).toBe(0);
      for (const leave of leaves) leave();
      (await third)();
      expect((await app.get("/v2/concurrency-check")).body.concurrency).toBe(0);
    });
  });
});
