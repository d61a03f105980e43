// Watching crawls and batches over a WebSocket, end to end; the protocol's own cases are in socket.test.ts.
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { openSite, page, runJob, startJob } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";
import { openWatcher, watch } from "../support/watcher.ts";

describe.each(bystanders)("watching a job on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  /** The start page comes at once, the others when they are let go. */
  async function openHeld(count: number) {
    const waiting: (() => void)[] = [];
    let isHeld = true;
    const links = Array.from({ length: count }, (_, index) => `/${index}`);
    const site = await openSite((path) => (_request, response) => {
      response.setHeader("content-type", "text/html");
      if (path === "/robots.txt") return void response.writeHead(404).end();
      const answer = () => response.end(page(path, path === "/" ? links : []));
      if (isHeld && path !== "/") waiting.push(answer);
      else answer();
    });
    const letGo = () => {
      isHeld = false;
      for (const answer of waiting.splice(0)) answer();
    };
    return { site, links, letGo };
  }

  async function startHeld(count: number) {
    const held = await openHeld(count);
    const id = await startJob(app, "/v2/crawl", { url: held.site.url, sitemap: "skip" });
    await expect.poll(async () => (await app.get(`/v2/crawl/${id}`)).body.completed).toBe(1);
    return { ...held, id };
  }

  it.each(["/v2/crawl", "/v1/crawl"])("at %s gives what is there, each document, and the end", async (path) => {
    const { id, letGo } = await startHeld(5);
    const watching = watch(app.url, `${path}/${id}`, { protocols: [app.key] });
    await expect.poll(() => app.get(`${path}/${id}`).then(({ status }) => status)).toBe(200);
    letGo();
    const { messages, code, reason, protocol } = await watching;
    expect(protocol).toBe(app.key);
    expect(messages[0]).toMatchObject({ type: "catchup", data: { success: true, total: 6 } });
    expect(messages[0].data).not.toHaveProperty("next");
    const caughtUp = messages[0].data.data;
    const documents = messages.slice(1, -1);
    expect(new Set(documents.map(({ type }) => type))).toEqual(new Set(["document"]));
    const ids = [...caughtUp, ...documents.map(({ data }) => data)].map(({ metadata }) => metadata.scrapeId);
    expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
    const done = { status: "completed", total: 6, completed: 6, creditsUsed: 6 };
    expect(messages.at(-1)).toEqual({ type: "done", data: done });
    expect([code, reason.type]).toEqual([1000, "done"]);
  });

  it("that has ended gives everything and closes", async () => {
    const { site, letGo } = await openHeld(130);
    letGo();
    const { id } = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip" });
    const { messages, code } = await watch(app.url, `/v2/crawl/${id}`, { protocols: [app.key] });
    expect([messages[0].data.data.length, messages.length, code]).toEqual([100, 1 + 31 + 1, 1000]);
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [`${site.url}/0`, `${site.url}/1`] });
    for (const path of ["/v2/batch/scrape", "/v1/crawl"]) {
      const seen = await watch(app.url, `${path}/${batch.id}`, { protocols: [app.key] });
      expect(seen.messages.map(({ type }) => type)).toEqual(["catchup", "done"]);
      expect(seen.messages[0].data.data).toHaveLength(2);
    }
  });

  it("that is cancelled says so", async () => {
    const { id, letGo } = await startHeld(3);
    const watching = watch(app.url, `/v2/crawl/${id}`, { protocols: [app.key] });
    await app.call("DELETE", `/v2/crawl/${id}`);
    expect((await watching).messages.at(-1)).toMatchObject({
      type: "done",
      data: { status: "cancelled", completed: 1 },
    });
    letGo();
  });

  it("of another team is closed with 1008, as an unknown one is", async () => {
    const { id, letGo } = await startHeld(1);
    const theirs = await watch(app.url, `/v2/crawl/${id}`, { protocols: [app.otherKey] });
    const unknown = await watch(app.url, "/v2/crawl/01990000-0000-7000-8000-000000000000", { protocols: [app.key] });
    for (const { code, messages } of [theirs, unknown]) {
      expect([code, messages[0].type]).toEqual([1008, "error"]);
    }
    letGo();
  });

  itOnce("serves 500 watchers of one job at the same time", async () => {
    const { id, letGo } = await startHeld(4);
    const sockets = Array.from({ length: 500 }, () =>
      openWatcher(app.url, `/v2/crawl/${id}`, { protocols: [app.key] }),
    );
    const counts = sockets.map(() => 0);
    const closed = sockets.map(async (socket, index) => {
      socket.on("message", () => {
        counts[index] = (counts[index] ?? 0) + 1;
      });
      const [code] = await once(socket, "close");
      return code;
    });
    await expect.poll(() => counts.filter((count) => count > 0).length).toBe(500);
    letGo();
    expect(new Set(await Promise.all(closed))).toEqual(new Set([1000]));
    expect(new Set(counts)).toEqual(new Set([6]));
    expect((await app.get(`/v2/crawl/${id}`)).body.status).toBe("completed");
  });
});
