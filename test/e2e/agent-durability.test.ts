// An agent with a model over a server that is killed in the middle: the run goes on, every page is paid once, and its end is
// told once.
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { startAgentModel } from "../support/agent-model.ts";
import { environment, headers, kill, killedOn, startReceiver } from "../support/crawl-servers.ts";
import { openSite, page } from "../support/jobs.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const count = 6;
const schema = { type: "object", properties: { codes: { type: "array", items: { type: "string" } } } };
const codes = Array.from({ length: count }, (_, index) => `code-${index}-x`);

const read = async ({ url }: Pick<ServerProcess, "url">, path: string) =>
  (await fetch(`${url}${path}`, { headers })).json();

describe.each(killedOn("postgres"))("an agent of six steps on %s", (engine) => {
  it("survives kills while the model thinks, a page is read and the answer is made", async () => {
    const site = await openSite((path) => {
      const index = Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
      if (Number.isNaN(index)) return undefined;
      return async (_request: unknown, response: ServerResponse) => {
        await wait(150);
        response.writeHead(200, { "content-type": "text/html" });
        response.end(page(`The code is ${codes[index]}`, [`/p/${index + 1}`]));
      };
    });
    const receiver = await startReceiver();
    // Asked by what it was shown: which pages have been read says which is next.
    const nextPage = (text: string) => codes.findIndex((code) => !text.includes(`The code is ${code}`));
    const model = await startAgentModel({
      step: (_, { turns }) => {
        const index = nextPage(turns[0] ?? "");
        const step = index < 0 ? { tool: "finish" } : { tool: "scrape", urls: [`${site.url}/p/${index}`] };
        return { json: { reason: "next", query: null, urls: null, ...step }, afterMs: 150 };
      },
      answer: () => ({ json: { codes }, afterMs: 300 }),
    });
    onTestFinished(() => model.close());
    const env = { ...(await environment(engine)), ...model.env };
    let server = await startServer(env);
    const body = JSON.stringify({
      prompt: "All codes",
      urls: [`${site.url}/p/0`],
      schema,
      effort: "high",
      webhook: { url: receiver.url, events: ["started", "completed"] },
    });
    const started = await fetch(`${server.url}/v2/agent`, { method: "POST", headers, body });
    const { id } = (await started.json()) as { id: string };
    const kills = [
      () => model.steps.length >= 1,
      () => site.asked.includes("/p/2"),
      () => model.steps.length >= 5,
      () => model.answers.length >= 1,
    ];
    for (const isTime of kills) {
      await expect.poll(isTime, { interval: 5 }).toBe(true);
      await kill(server);
      if (isTime !== kills.at(-1)) server = await startServer(env);
    }
    const last = await openServer(env);
    const path = `/v2/agent/${id}`;
    await expect
      .poll(async () => ((await read(last, path)) as { status: string }).status, { interval: 100 })
      .toBe("completed");
    expect(await read(last, path)).toMatchObject({ success: true, data: { codes }, creditsUsed: count });
    const history = await read(last, "/v2/team/credit-usage/historical");
    expect(history).toMatchObject({ periods: [{ totalCredits: count }] });
    const { events } = (await read(last, `${path}/trace`)) as { events: { type: string }[] };
    expect(events.filter(({ type }) => type === "reasoning.summary")).toHaveLength(7);
    const types = () => receiver.deliveries.map(({ type }) => type);
    await expect.poll(types).toContain("agent.completed");
    const ends = receiver.deliveries.filter(({ type }) => type === "agent.completed");
    expect(new Set(ends.map(({ webhookId }) => webhookId)).size).toBe(1);
  }, 240_000);
});
