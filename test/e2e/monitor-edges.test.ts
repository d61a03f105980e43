// Monitors at the edges: targets that keep their history, crawls that were cut off, pages that did not change, searches that a model
// judges, and monitors that are deleted while they check.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { openSite, page, pagesFor } from "../support/jobs.ts";
import { startModelApp } from "../support/models.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { useApp } from "../support/shared-app.ts";
import { startSite } from "../support/site-server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

interface ShownPage {
  url: string;
  status: string;
}

const statesOf = ({ pages }: { pages: ShownPage[] }) =>
  pages.map(({ url, status }) => `${status} ${new URL(url).pathname}`).toSorted();

describe.each(bystanders)("monitors at the edges on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  it("keep the history of a target that is sent with its id, and remove nothing when its limit cuts the crawl off", async () => {
    const paths = ["/a", "/b", "/c"];
    const site = await openSite({ "/": page("Start", paths), ...pagesFor(paths) });
    const target = { type: "crawl", url: site.url, crawlOptions: { limit: 10 } };
    const id = await createMonitor(app, { targets: [target] });
    expect(statesOf(await runCheck(app, id))).toEqual(["new /", "new /a", "new /b", "new /c"]);

    const [{ id: targetId }] = (await app.get(`/v2/monitor/${id}`)).body.data.targets;
    const cut = { ...target, id: targetId, crawlOptions: { limit: 2 } };
    expect((await app.call("PATCH", `/v2/monitor/${id}`, { body: { targets: [cut] } })).status).toBe(200);
    const second = await runCheck(app, id);
    expect(second.summary).toMatchObject({ totalPages: 2, same: 2, removed: 0 });

    expect((await app.call("PATCH", `/v2/monitor/${id}`, { body: { targets: [target] } })).status).toBe(200);
    const third = await runCheck(app, id);
    expect(third.summary).toMatchObject({ totalPages: 4, new: 4 });
  });

  it("judge where there is a goal, unless they are told otherwise", async () => {
    const site = await openSite({ "/": page("Start") });
    const targets = [{ type: "scrape", urls: [site.url] }];
    const judges = async (id: string) => (await app.get(`/v2/monitor/${id}`)).body.data.judgeEnabled;
    const asked = await createMonitor(app, { targets, goal: "prices" });
    const told = await createMonitor(app, { targets, goal: "prices", judgeEnabled: false });
    const later = await createMonitor(app, { targets });
    expect([await judges(asked), await judges(told), await judges(later)]).toEqual([true, false, false]);
    const { body } = await app.call("PATCH", `/v2/monitor/${later}`, { body: { goal: "prices" } });
    expect(body.data).toMatchObject({ goal: "prices", judgeEnabled: true });
    expect(body.warning).toContain("MODEL_NAME");
  });

  it("tell of every page, also of one that is the same, and of the end last", async () => {
    const receiver = await startReceiver();
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const id = await createMonitor(app, {
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      webhook: receiver.url,
    });
    await runCheck(app, id);
    await runCheck(app, id);
    await expect.poll(() => receiver.received.length).toBe(4);
    expect(receiver.types()).toEqual(Array(2).fill(["monitor.page", "monitor.check.completed"]).flat());
    expect(receiver.received.map(({ body }) => [body.success, body.data[0].status])).toEqual([
      [true, "new"],
      [true, "completed"],
      [true, "same"],
      [true, "completed"],
    ]);
    expect(receiver.received[2]?.body.data[0].isMeaningful).toBe(false);
  });

  it("end their check when they are deleted, and the job that reads its pages", async () => {
    const site = await openSite({ "/slow": () => undefined });
    const id = await createMonitor(app, { targets: [{ type: "scrape", urls: [`${site.url}/slow`] }] });
    const { id: checkId } = (await app.call("POST", `/v2/monitor/${id}/run`)).body;
    await expect.poll(() => site.asked.length).toBe(1);
    const path = `/v2/monitor/${id}/checks/${checkId}`;
    const jobId = async (): Promise<string> => (await app.get(path)).body.data.targetResults[0].jobId;
    await expect.poll(jobId).toEqual(expect.any(String));
    const job = await jobId();
    expect((await app.call("DELETE", `/v2/monitor/${id}`)).body).toEqual({ success: true });
    expect((await app.get(`/v2/batch/scrape/${job}`)).body.status).toBe("cancelled");
    expect((await app.get(path)).status).toBe(404);
  });

  it("leave out results of searches that do not meet the goal, and those of other domains", async () => {
    const results = ["https://shop.example/a", "https://deep.shop.example/b", "https://other.example/c"].map((url) => ({
      url,
      title: url.endsWith("b") ? "A lamp for 12 dollars" : "Something else",
      content: "lamps",
    }));
    const service = await startSite((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results })),
    );
    onTestFinished(() => service.close());
    const model = await startModelApp(engine, { SEARXNG_ENDPOINT: service.url, OWN_INDEX: "0" });
    onTestFinished(() => model.stop());
    model.script(({ turns }) => ({
      json: { meaningful: turns.join(" ").includes("12 dollars"), confidence: "high", reason: "The price." },
    }));
    const target = { type: "search", queries: ["lamps"], includeDomains: ["shop.example"] };
    const id = await createMonitor(model.app, { goal: "prices of lamps", targets: [target] });
    const check = await runCheck(model.app, id);
    // The search, and two results that the model judged.
    expect(check).toMatchObject({ status: "completed", actualCredits: 4, summary: { totalPages: 1, new: 1 } });
    expect(check.pages).toMatchObject([
      { url: "https://deep.shop.example/b", status: "new", judgment: { meaningful: true, reason: "The price." } },
    ]);
    // What was judged once is not judged again, whatever came of it.
    const again = await runCheck(model.app, id);
    expect(again).toMatchObject({ actualCredits: 2, summary: { new: 0, changed: 0 } });
  });
});
