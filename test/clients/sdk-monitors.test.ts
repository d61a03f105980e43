// The official SDK, unmodified, against the real app: its monitor methods.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { useApp } from "../support/shared-app.ts";

describe.each([anyEngine])("monitors of the SDK on $name", (engine) => {
  let app: TestApp;
  let site: FixtureSite;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    site = await startSite({ "/": "<title>A</title><main><h1>A page</h1></main>" });
    app = await useApp(engine);
    client = new Firecrawl({ apiKey: app.key, apiUrl: app.url });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  it("create, list, read, update, run, read checks and delete", async () => {
    const created = await client.createMonitor({
      name: "Watch",
      schedule: { text: "daily at 9am", timezone: "Europe/Berlin" },
      targets: [{ type: "scrape", urls: [site.url] }],
    });
    expect(created).toMatchObject({
      name: "Watch",
      status: "active",
      schedule: { cron: "0 9 * * *", timezone: "Europe/Berlin" },
    });
    expect(await client.listMonitors({ limit: 5 })).toMatchObject([{ id: created.id }]);
    expect(await client.getMonitor(created.id)).toMatchObject({ id: created.id, retentionDays: 30 });
    expect(await client.updateMonitor(created.id, { name: "Other" })).toMatchObject({ name: "Other" });
    const check = await client.runMonitor(created.id);
    expect(check).toMatchObject({ monitorId: created.id, trigger: "manual" });
    const read = () => client.getMonitorCheck(created.id, check.id);
    await expect.poll(async () => (await read()).status).toBe("completed");
    expect(await read()).toMatchObject({ summary: { new: 1 }, pages: [{ status: "new", url: `${site.url}/` }] });
    expect(await client.listMonitorChecks(created.id)).toMatchObject([{ id: check.id, status: "completed" }]);
    expect(await client.deleteMonitor(created.id)).toBe(true);
    await expect(client.getMonitor(created.id)).rejects.toThrow(/not found/i);
  });
});
