// An extract over a server that is killed in the middle: nothing is lost, every page is paid once, and the end is told once.
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { environment, headers, kill, killedOn, startReceiver, untilAsked } from "../support/crawl-servers.ts";
import { openSite } from "../support/jobs.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const count = 24;
const kills = 4;
const names = (
  "amber birch cedar delta ember fable grove haven indigo jasper kettle lunar maple nectar olive pebble quartz raven " +
  "saddle timber umber velvet willow yonder"
).split(" ");
const fields = names.map((name) => `${name}Code`);
const schema = {
  type: "object",
  properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
  required: fields,
};

/** Each page knows one field only, so that all of them are in the answer. */
const openParts = () =>
  openSite((path) => {
    const name = names[Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)];
    if (name === undefined) return undefined;
    return async (_request: unknown, response: ServerResponse) => {
      await wait(30);
      const list = `<dl><dt>${name} code</dt><dd>X-${name}</dd></dl>`;
      response.writeHead(200, { "content-type": "text/html" }).end(`<main><p>A page.</p>${list}</main>`);
    };
  });

const read = async ({ url }: Pick<ServerProcess, "url">, path: string) =>
  (await fetch(`${url}${path}`, { headers })).json();

describe.each(killedOn("sqlite"))("an extract of 24 pages on %s", (engine) => {
  it("survives kills at any moment, the answer included: all data, one charge a page, one end", async () => {
    const [site, receiver] = [await openParts(), await startReceiver()];
    const env = { ...(await environment(engine)), HOST_CONCURRENCY: "2" };
    let server = await startServer(env);
    const body = JSON.stringify({
      urls: fields.map((_, index) => `${site.url}/p/${index}`),
      schema,
      webhook: { url: receiver.url, events: ["started", "completed"] },
    });
    const started = await fetch(`${server.url}/v2/extract`, { method: "POST", headers, body });
    const { id } = (await started.json()) as { id: string };
    for (let killed = 0; killed < kills; killed += 1) {
      // The last one is while the last pages and the answer are made.
      await untilAsked(site, Math.min(count, 1 + Math.floor((killed * count) / (kills - 1))));
      await kill(server);
      if (killed < kills - 1) server = await startServer(env);
    }
    const last = await openServer(env);
    const path = `/v2/extract/${id}`;
    await expect
      .poll(async () => ((await read(last, path)) as { status: string }).status, { interval: 100 })
      .toBe("completed");
    expect(await read(last, path)).toMatchObject({
      success: true,
      data: Object.fromEntries(names.map((name) => [`${name}Code`, `X-${name}`])),
      creditsUsed: count,
    });
    const history = await read(last, "/v2/team/credit-usage/historical");
    expect(history).toMatchObject({ periods: [{ totalCredits: count }] });
    const types = () => receiver.deliveries.map(({ type }) => type);
    await expect.poll(types).toContain("extract.completed");
    const ends = receiver.deliveries.filter(({ type }) => type === "extract.completed");
    expect(new Set(ends.map(({ webhookId }) => webhookId)).size).toBe(1);
  }, 300_000);
});
