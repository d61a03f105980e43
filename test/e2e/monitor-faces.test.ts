// Monitors on the command line and as MCP tools, under the names and with the arguments of firecrawl-cli and firecrawl-mcp.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite } from "../support/jobs.ts";
import { changingPage } from "../support/monitors.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const patient = { interval: 200 };
let app: TestApp;
beforeAll(async () => {
  const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", MCP_TOOL_PREFIX: "firecrawl_", WEBHOOK_SECRET: "x".repeat(20) };
  app = await startApp(anyEngine, env);
});
afterAll(() => app.stop());

describe("trawl monitor", () => {
  const trawl = (...words: string[]) =>
    runCommand(["monitor", ...words], { TRAWL_API_URL: app.url, TRAWL_API_KEY: app.key });
  const json = async (...words: string[]) => JSON.parse((await trawl(...words, "--json")).stdout);

  it("creates, lists, shows, changes, pauses, runs, checks and deletes", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler, "/b": watched.handler });
    const words = ["--name", "Prices", "--schedule", "daily at 9am", "--timezone", "Europe/Berlin"];
    const pages = ["--page", `${site.url}/a`, "--retention-days", "7"];
    const created = await json("create", ...words, ...pages);
    expect(created.data).toMatchObject({
      name: "Prices",
      schedule: { cron: "0 9 * * *", timezone: "Europe/Berlin" },
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      retentionDays: 7,
    });
    const { id } = created.data;
    expect((await json("list", "--limit", "5")).data.map((each: { id: string }) => each.id)).toContain(id);
    expect((await trawl("list")).stdout).toContain("Prices");
    expect((await trawl("get", id)).stdout).toContain("0 9 * * * Europe/Berlin");
    expect((await json("update", id, "--name", "Other", "--cron", "0 * * * *")).data).toMatchObject({
      name: "Other",
      schedule: { cron: "0 * * * *" },
    });
    expect((await json("pause", id)).data).toMatchObject({ status: "paused", nextRunAt: null });
    expect((await json("resume", id)).data).toMatchObject({ status: "active", nextRunAt: expect.any(String) });
    const check = async () => {
      const checkId = (await trawl("run", id)).stdout.trim();
      const status = async () => (await json("check", id, checkId)).data.status;
      await expect.poll(status, patient).toBe("completed");
      return checkId;
    };
    expect((await trawl("run", id, "--wait")).stdout).toBe(`completed\nnew      ${site.url}/a\n`);
    watched.set("Costs 12");
    const second = await check();
    const shown = await trawl("check", id, second, "--page-status", "changed");
    expect(shown.stdout).toContain(`changed  ${site.url}/a`);
    expect(shown.stdout).toContain("+Costs 12");
    expect((await json("checks", id, "--limit", "1")).data).toHaveLength(1);
    expect((await trawl("checks", id)).stdout).toContain("completed");
    expect((await trawl("delete", id)).stdout).toBe("Deleted.\n");
    const gone = await trawl("get", id);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("onitor")]);

    const file = join(temporaryFolder(), "monitor.json");
    const body = { name: "From a file", schedule: { text: "hourly" }, targets: [{ type: "crawl", url: site.url }] };
    writeFileSync(file, JSON.stringify(body));
    const other = await json("create", file);
    expect(other.data).toMatchObject({ name: "From a file", targets: [{ type: "crawl" }] });
    await trawl("delete", other.data.id);
  });

  it("says in one line what is wrong", async () => {
    for (const words of [["create", "--name", "n"], ["get"], ["update", "x"], ["check", "x"]]) {
      const { code, stderr } = await trawl(...words);
      expect([code, stderr.trim().split("\n")]).toEqual([2, [expect.stringContaining("needs")]]);
    }
    const refused = await trawl("create", "--page", "https://example.com", "--cron", "* * * * *");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("schedule")]);
  });
});

describe("the monitor tools", () => {
  interface Called {
    isError?: boolean;
    content: { text: string }[];
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    structuredContent: any;
  }

  it("work with the arguments of firecrawl-mcp", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: `Bearer ${app.key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    onTestFinished(() => client.close());
    const call = async (name: string, args: object): Promise<Called> =>
      (await client.callTool({ name: `firecrawl_monitor_${name}`, arguments: { ...args } })) as unknown as Called;

    const created = await call("create", {
      page: `${site.url}/a`,
      goal: "prices",
      webhookUrl: `${site.url}/hook`,
      includeDiffs: true,
    });
    const { data, warning } = created.structuredContent;
    expect(data).toMatchObject({
      name: `Monitor ${site.url}/a`,
      goal: "prices",
      targets: [{ urls: [`${site.url}/a`] }],
      webhook: { url: `${site.url}/hook` },
    });
    expect(data.schedule.cron).toMatch(/\*|,|\//);
    expect(warning).toContain("MODEL_NAME");
    const { id } = data;
    expect((await call("list", { limit: 20 })).structuredContent.data).toMatchObject([{ id }]);
    expect((await call("get", { id })).structuredContent.data).toMatchObject({ id, status: "active" });
    const paused = await call("update", { id, body: { status: "paused" } });
    expect(paused.structuredContent.data).toMatchObject({ status: "paused" });
    const run = await call("run", { id });
    const checkId = run.structuredContent.id;
    const read = async () => (await call("check", { id, checkId, pageStatus: "new" })).structuredContent.data;
    await expect.poll(async () => (await read()).status, patient).toBe("completed");
    expect((await read()).pages).toMatchObject([{ status: "new", url: `${site.url}/a` }]);
    expect((await call("checks", { id, status: "completed" })).structuredContent.data).toMatchObject([{ id: checkId }]);
    expect((await call("delete", { id })).structuredContent).toMatchObject({ success: true });
    const gone = await call("get", { id });
    expect([gone.isError, gone.content[0]?.text]).toEqual([true, expect.stringContaining("onitor")]);

    const whole = { name: "Whole", schedule: { text: "weekly" }, targets: [{ type: "crawl", url: site.url }] };
    const second = await call("create", { body: whole });
    expect(second.structuredContent.data).toMatchObject({ name: "Whole", targets: [{ type: "crawl" }] });
    const bad = await call("create", { goal: "prices" });
    expect([bad.isError, bad.content[0]?.text]).toEqual([true, expect.stringContaining("targets")]);
  });
});

describe("the requests of firecrawl-cli", () => {
  it("are understood as its code sends them", async () => {
    const watched = changingPage("Costs 9");
    const site = await openSite({ "/a": watched.handler });
    const headers = { authorization: `Bearer ${app.key}`, "x-origin": "cli" };
    const send = async (method: string, path: string, body?: object) => {
      const sent = body
        ? { body: JSON.stringify(body), headers: { ...headers, "content-type": "application/json" } }
        : {};
      const response = await fetch(`${app.url}/v2/monitor${path}`, { method, headers, ...sent });
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      return [response.status, await response.json()] as [number, any];
    };
    const [status, created] = await send("POST", "", {
      name: "Blog",
      schedule: { text: "every 30 minutes", timezone: "UTC" },
      targets: [{ type: "scrape", urls: [`${site.url}/a`] }],
      webhook: { url: `${site.url}/hook`, events: ["monitor.page", "monitor.check.completed"] },
      retentionDays: 7,
      goal: "new posts",
    });
    expect([status, created]).toMatchObject([200, { success: true, data: { name: "Blog", retentionDays: 7 } }]);
    const id = `/${created.data.id}`;
    expect((await send("GET", "?limit=20&offset=0"))[1].data.length).toBeGreaterThan(0);
    expect((await send("PATCH", id, { status: "paused", schedule: { cron: "0 * * * *" } }))[1].data).toMatchObject({
      status: "paused",
      schedule: { cron: "0 * * * *" },
    });
    // Without a body.
    const [, run] = await send("POST", `${id}/run`);
    const check = async () => (await send("GET", `${id}/checks/${run.id}?limit=10&skip=0&status=new`))[1].data;
    await expect.poll(async () => (await check()).status, patient).toBe("completed");
    expect((await check()).pages).toHaveLength(1);
    expect((await send("GET", `${id}/checks?limit=10`))[1].data).toHaveLength(1);
    expect(await send("DELETE", id)).toEqual([200, { success: true }]);
  });
});
