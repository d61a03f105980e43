// Checks over servers that are killed or run side by side: every page once, one charge each, one check for each time.
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { hourMs } from "../../src/base/index.ts";
import { createMovableClock, startApp } from "../support/app.ts";
import { environment, headers, kill, killedOn, startReceiver, untilAsked } from "../support/crawl-servers.ts";
import { engines } from "../support/engines.ts";
import { openSite, page } from "../support/jobs.ts";
import { createMonitor } from "../support/monitors.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const count = 12;
const kills = 2;

// biome-ignore lint/suspicious/noExplicitAny: answers of several endpoints
const call = async ({ url }: Pick<ServerProcess, "url">, method: string, path: string, body?: object): Promise<any> => {
  const sent = body ? { body: JSON.stringify(body) } : {};
  return (await fetch(`${url}${path}`, { method, headers, ...sent })).json();
};

describe.each(killedOn("postgres"))("a check of 12 pages on %s", (engine) => {
  it("survives kills at any moment: every page once, one charge and one event each, one end", async () => {
    const receiver = await startReceiver();
    const site = await openSite((path) => {
      if (!path.startsWith("/p/")) return undefined;
      return async (_request: unknown, response: ServerResponse) => {
        await wait(50);
        response.writeHead(200, { "content-type": "text/html" }).end(page(path));
      };
    });
    const env = { ...(await environment(engine)), HOST_CONCURRENCY: "2" };
    let server = await startServer(env);
    const urls = Array.from({ length: count }, (_, index) => `${site.url}/p/${index}`);
    const body = {
      name: "n",
      schedule: { text: "monthly" },
      targets: [{ type: "scrape", urls }],
      webhook: receiver.url,
    };
    const { data: monitor } = await call(server, "POST", "/v2/monitor", body);
    const { id } = await call(server, "POST", `/v2/monitor/${monitor.id}/run`);
    for (let killed = 0; killed < kills; killed += 1) {
      await untilAsked(site, 1 + killed * (count - 2));
      await kill(server);
      if (killed < kills - 1) server = await startServer(env);
    }
    const last = await openServer(env);
    const path = `/v2/monitor/${monitor.id}/checks/${id}?limit=100`;
    await expect.poll(async () => (await call(last, "GET", path)).data.status).toBe("completed");
    const { data: check } = await call(last, "GET", path);
    expect(check).toMatchObject({ actualCredits: count, summary: { totalPages: count, new: count, error: 0 } });
    expect(check.pages.map(({ url }: { url: string }) => url).toSorted()).toEqual(urls.toSorted());
    const usage = await call(last, "GET", "/v2/team/credit-usage/historical");
    expect(usage).toMatchObject({ periods: [{ totalCredits: count }] });
    const ends = () => receiver.deliveries.filter(({ type }) => type === "monitor.check.completed").length;
    await expect.poll(ends).toBeGreaterThan(0);
    const ids = new Set(receiver.deliveries.map(({ webhookId }) => webhookId));
    expect(ids.size).toBe(count + 1);
  });
});

describe.each(engines)("two servers on one $name", (engine) => {
  it("start one check for each time of each monitor", async () => {
    const clock = createMovableClock("2026-11-16T12:00:00Z");
    const fresh = await engine.fresh();
    onTestFinished(() => fresh.cleanup());
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const first = await startApp(engine, env, clock, fresh);
    const second = await startApp(engine, env, clock, fresh);
    const site = await openSite({ "/a": page("A") });
    const target = { type: "scrape", urls: [`${site.url}/a`] };
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => createMonitor(first, { schedule: { cron: "0 * * * *" }, targets: [target] })),
    );
    const statuses = async (id: string) =>
      (await second.get(`/v2/monitor/${id}/checks`)).body.data.map(({ status }: { status: string }) => status);
    for (let round = 1; round <= 2; round += 1) {
      clock.advance(hourMs);
      const expected = Array.from({ length: round }, () => "completed");
      for (const id of ids) await expect.poll(() => statuses(id)).toEqual(expected);
    }
    expect(site.asked).toHaveLength(2 * ids.length);
    await first.stop();
    await second.stop();
  });
});
