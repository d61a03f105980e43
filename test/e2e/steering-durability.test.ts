// Pauses and exports over servers that are killed or run side by side.
import { get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  concurrency,
  environment,
  expectEveryPageOnce,
  headers,
  kill,
  killedOn,
  pagesAsked,
  readCrawl,
  repeatsOf,
  startCrawl,
  startReceiver,
  startTree,
  untilAsked,
  untilCompleted,
} from "../support/crawl-servers.ts";
import { openSite } from "../support/jobs.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

async function steer({ url }: Pick<ServerProcess, "url">, id: string, how: "pause" | "resume") {
  return (await fetch(`${url}/v2/crawl/${id}/${how}`, { method: "POST", headers })).json();
}

/** Until no page of the team is active, on any server: what is done does not change any more. */
async function untilQuiet({ url }: Pick<ServerProcess, "url">): Promise<void> {
  const inWork = async () => {
    const answer = await fetch(`${url}/v2/team/queue-status`, { headers });
    return ((await answer.json()) as { activeJobsInQueue: number }).activeJobsInQueue;
  };
  await expect.poll(inWork).toBe(0);
}

describe.each(killedOn("postgres"))("a pause on %s", (engine) => {
  it("outlives the server that is killed in the middle of it, and the crawl goes on when it is resumed", async () => {
    // Slow until it is paused: on a busy machine the crawl would be over before.
    let delayMs = 300;
    const site = await startTree(30, () => delayMs);
    const receiver = await startReceiver();
    const env = await environment(engine);
    const webhook = { url: receiver.url, events: ["paused", "resumed", "completed"] };
    const first = await startServer(env);
    const id = await startCrawl(first, { url: site.url, sitemap: "skip", webhook });
    await untilAsked(site, 6);
    expect(await steer(first, id, "pause")).toMatchObject({ paused: true });
    delayMs = 30;
    // Its active pages have not ended yet.
    await kill(first);
    const server = await openServer(env);
    expect(await readCrawl(server, id)).toMatchObject({ status: "scraping", paused: true });
    await untilQuiet(server);
    const asked = site.asked.length;
    expect(pagesAsked(site)).toBeLessThan(29);
    await wait(1500);
    expect(site.asked).toHaveLength(asked);
    expect(await steer(server, id, "resume")).toMatchObject({ paused: false });
    await untilCompleted(server, id);
    await expectEveryPageOnce(server, id, site, 30);
    expect(repeatsOf(site)).toBeLessThanOrEqual(2 * concurrency);
    const types = () => [...new Map(receiver.deliveries.map((each) => [each.webhookId, each.type])).values()];
    await expect.poll(types).toEqual(["crawl.paused", "crawl.resumed", "crawl.completed"]);
  });
});

describe("a pause on two servers", () => {
  it("holds for both, and another server goes on than the one that was asked to pause", async () => {
    let delayMs = 300;
    const site = await startTree(60, () => delayMs);
    const env = await environment("postgres");
    const [first, second] = await Promise.all([openServer(env), openServer(env)]);
    const id = await startCrawl(first, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 8);
    await steer(second, id, "pause");
    delayMs = 30;
    await untilQuiet(first);
    const asked = site.asked.length;
    expect(pagesAsked(site)).toBeLessThan(59);
    await wait(1500);
    expect(site.asked).toHaveLength(asked);
    for (const server of [first, second]) expect(await readCrawl(server, id)).toMatchObject({ paused: true });
    await first.stop();
    await steer(second, id, "resume");
    await untilCompleted(second, id);
    await expectEveryPageOnce(second, id, site, 60);
    // The active pages ended before: nothing was read twice.
    expect(repeatsOf(site)).toBe(0);
  });
});

describe.each(killedOn("sqlite"))("an export on %s", (engine) => {
  it("that breaks off because its server is killed can be had in whole from the next one", async () => {
    const line = "<p>Some text that is long enough to fill what a connection holds before anybody reads it.</p>\n";
    const html = `<title>Long</title><main>${line.repeat(6000)}</main>`;
    const site = await openSite(() => (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    });
    const env = await environment(engine);
    const first = await startServer(env);
    const urls = Array.from({ length: 40 }, (_, index) => `${site.url}/p/${index}`);
    const body = JSON.stringify({ urls, formats: ["rawHtml"], storeInCache: false });
    const started = await fetch(`${first.url}/v2/batch/scrape`, { method: "POST", headers, body });
    const { id } = (await started.json()) as { id: string };
    const status = async () =>
      (await (await fetch(`${first.url}/v2/batch/scrape/${id}?limit=1`, { headers })).json()) as { status: string };
    await expect.poll(async () => (await status()).status).toBe("completed");

    const path = `/v2/batch/scrape/${id}/export?format=jsonl`;
    // The first piece is read, the rest waits in the server.
    const response = await new Promise<IncomingMessage>((found) => get(first.url + path, { headers }, found));
    const broken = new Promise<string>((done) => response.once("error", ({ message }) => done(message)));
    await new Promise((read) => response.once("readable", read));
    expect(response.read(1000)).toHaveLength(1000);
    await kill(first);
    response.resume();
    expect(await broken).toBe("aborted");

    const server = await openServer(env);
    const text = await (await fetch(server.url + path, { headers })).text();
    const documents = text
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each));
    expect(documents.map(({ metadata }) => metadata.sourceURL).toSorted()).toEqual(urls.toSorted());
    expect(documents.every(({ rawHtml }) => rawHtml === html)).toBe(true);
  });
});
