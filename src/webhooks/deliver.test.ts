import { createHmac } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noon } from "../../test/store/rows.ts";
import { makeWebhookEvent } from "../../test/store/webhook-rows.ts";
import { engines, type FreshStore, onOneDatabase } from "../../test/support/engines.ts";
import { openNet, type Site, startSite } from "../../test/support/site-server.ts";
import { createLog, minuteMs, newId, secondMs } from "../base/index.ts";
import type { NewWebhookEvent, Store } from "../store/index.ts";
import { createWebhookDelivery, type WebhookDeliveryDeps, type WebhookDeliveryOptions } from "./deliver.ts";

interface Received {
  request: IncomingMessage;
  body: string;
  payload: Record<string, unknown> & { type: string; webhookId: string };
}

/** A receiver on loopback that keeps what it gets; `answer` is 204 unless given. */
class Receiver extends EventEmitter {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, received: Received) => void = (response) => response.writeHead(204).end();
  site!: Site;

  async start(): Promise<this> {
    this.site = await startSite(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const received = { request, body, payload: JSON.parse(body) };
      this.received.push(received);
      this.answer(response, received);
      this.emit("received");
    });
    return this;
  }

  get types(): string[] {
    return this.received.map(({ payload }) => payload.type);
  }

  async until(count: number): Promise<void> {
    while (this.received.length < count) await once(this, "received");
  }
}

const fail =
  (status: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end("no");
const secret = "secret of the operator";
const noLog = createLog("silent", { write: () => undefined });

describe.each(engines)("webhook delivery on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  let receiver: Receiver;
  let time: { now: number };
  const closing: (() => Promise<void>)[] = [];
  const teamId = newId(noon);
  const jobId = newId(noon);

  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
    receiver = await new Receiver().start();
    time = { now: noon };
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await receiver.site.close();
    await opened.cleanup();
  });

  type OpenOptions = Partial<WebhookDeliveryDeps & WebhookDeliveryOptions> & { allow?: string };
  function open({ allow = "127.0.0.1", ...given }: OpenOptions = {}) {
    const net = openNet({ allow });
    closing.push(() => net.close());
    const deps = {
      store,
      clock: { now: () => time.now },
      fetch: net.fetch,
      log: noLog,
      readTarget: async () => ({ url: `${receiver.site.url}/in`, headers: {}, metadata: {} }),
      readDocument: async () => null,
      sendNotice: async () => null,
      secret: null,
      owner: newId(),
      ...given,
    };
    const delivery = createWebhookDelivery(deps, { stopMs: 0, ...given });
    closing.push(() => delivery.stop());
    return delivery;
  }

  async function add(...events: Partial<NewWebhookEvent>[]): Promise<NewWebhookEvent[]> {
    const whole = events.map((event) => makeWebhookEvent(teamId, { jobId, ...event }));
    await store.webhooks.enqueue(whole);
    return whole;
  }
  const add1 = async (event: Partial<NewWebhookEvent> = {}) => (await add(event))[0] as NewWebhookEvent;
  const find = ({ id }: { id: string }) => store.webhooks.find(teamId, id);
  const settled = (event: { id: string }, expected: object) =>
    vi.waitFor(async () => expect(await find(event)).toMatchObject(expected), { interval: 20, timeout: 120_000 });

  it("posts each kind of event as the contract says", async () => {
    const document = { markdown: "# Start", metadata: { statusCode: 200 } };
    const metadata = { run: "7", nested: { a: [1] } };
    const pageError = { url: "https://example.com/late", code: "SCRAPE_TIMEOUT", message: "too late" };
    const [started, page, failedPage, failed] = (await add(
      { type: "crawl.started" },
      { type: "crawl.page", result: { seq: 3 } },
      { type: "crawl.page", pageError },
      { type: "crawl.failed", error: "all broken" },
    )) as [NewWebhookEvent, NewWebhookEvent, NewWebhookEvent, NewWebhookEvent];
    const readTarget = vi.fn(async () => ({ url: `${receiver.site.url}/in?x=1`, headers: {}, metadata }));
    const readDocument = vi.fn(async () => document);
    open({ readTarget, readDocument });
    await settled(failed, { status: "delivered", attempts: 1, lastStatus: 204, lastError: null, doneAt: noon });

    const common = { id: jobId, metadata };
    expect(receiver.received.map(({ payload }) => payload)).toEqual([
      { ...common, success: true, type: "crawl.started", webhookId: started.id, data: [] },
      { ...common, success: true, type: "crawl.page", webhookId: page.id, data: [document] },
      {
        ...common,
        success: false,
        type: "crawl.page",
        webhookId: failedPage.id,
        data: [{ metadata: { sourceURL: pageError.url, error: "too late", code: "SCRAPE_TIMEOUT" } }],
        error: "too late",
      },
      { ...common, success: false, type: "crawl.failed", webhookId: failed.id, data: [], error: "all broken" },
    ]);
    expect(readDocument.mock.calls).toEqual([[teamId, jobId, 3]]);
    expect(readTarget).toHaveBeenCalledWith(jobId, teamId);
    const { request } = receiver.received[0] as Received;
    expect([request.method, request.url, request.headers["content-type"]]).toEqual([
      "POST",
      "/in?x=1",
      "application/json",
    ]);
    expect(request.headers).not.toHaveProperty("x-webhook-signature");
    expect(request.headers).not.toHaveProperty("x-firecrawl-signature");
  });

  it("signs the very bytes it sends, and sends the caller's headers but none of the connection, and none that replace its own", async () => {
    const headers = {
      Authorization: "Bearer of the receiver",
      "X-Env": "prod",
      Host: "elsewhere.example",
      "Content-Length": "1",
      Connection: "close",
      "Transfer-Encoding": "chunked",
      "Content-Type": "text/plain",
      "X-Firecrawl-Signature": "sha256=forged",
    };
    const readTarget = async () => ({ url: receiver.site.url, headers, metadata: { text: "ünï\u2028😀" } });
    const event = await add1();
    open({ secret, readTarget });
    await settled(event, { status: "delivered" });
    const { request, body } = receiver.received[0] as Received;
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    expect(request.headers).toMatchObject({
      "x-webhook-signature": signature,
      "x-firecrawl-signature": signature,
      authorization: "Bearer of the receiver",
      "x-env": "prod",
      "content-type": "application/json",
      host: new URL(receiver.site.url).host,
      "content-length": String(Buffer.byteLength(body)),
    });
    expect(request.headers["transfer-encoding"]).toBe(undefined);
  });

  it("delivers what is woken for, at once", async () => {
    const delivery = open({ pollMs: 1_000_000 });
    await settled(await add1().finally(delivery.wake), { status: "delivered" });
    await settled(await add1().finally(delivery.wake), { status: "delivered" });
  });

  it("finds events without being woken", async () => {
    open({ pollMs: 5 });
    await settled(await add1(), { status: "delivered" });
  });

  it("tries again after 1 s, 10 s, 1 min, 5 min and 30 min with the same id, then gives up", async () => {
    receiver.answer = fail(500);
    const event = await add1();
    const delivery = open();
    const delays = [secondMs, 10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs];
    for (const [index, delay] of delays.entries()) {
      const failed = {
        status: "pending",
        attempts: index + 1,
        lastStatus: 500,
        lastError: "The receiver answered 500",
      };
      await settled(event, { ...failed, nextAt: time.now + delay, doneAt: null });
      time.now += delay - 1;
      expect(await store.webhooks.claimDue({ now: time.now, limit: 5, owner: "test", leaseMs: 1 })).toEqual([]);
      time.now += 1;
      delivery.wake();
    }
    await settled(event, { status: "failed", attempts: 6, lastStatus: 500, doneAt: time.now });
    expect(receiver.received.map(({ payload }) => payload.webhookId)).toEqual(Array(6).fill(event.id));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it("ends with the first success", async () => {
    receiver.answer = (response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end("{}");
    const event = await add1();
    const delivery = open();
    await settled(event, { attempts: 1 });
    time.now += secondMs;
    delivery.wake();
    await settled(event, { status: "delivered", attempts: 2, lastStatus: 200, lastError: null });
    expect(receiver.received).toHaveLength(2);
  });

  it("takes only 2xx for a delivery and follows no redirect", async () => {
    receiver.answer = fail(307, { location: `${receiver.site.url}/elsewhere` });
    const event = await add1();
    open();
    await settled(event, {
      attempts: 1,
      lastStatus: 307,
      lastError: "The receiver answered 307; redirects are not followed",
    });
    expect(receiver.received.map(({ request }) => request.url)).toEqual(["/in"]);
  });

  it("gives up at once what may not be reached, without a connection", async () => {
    const event = await add1();
    open({ allow: "" });
    await settled(event, { status: "failed", attempts: 1, lastStatus: null });
    expect((await find(event))?.lastError).not.toContain("127.0.0.1");
    expect(receiver.site.connections).toBe(0);
  });

  it("does not wait for a receiver that is slow, or away", async () => {
    receiver.answer = () => undefined;
    const slow = await add1();
    const delivery = open({ timeoutMs: 200 });
    await settled(slow, { attempts: 1, lastStatus: null, lastError: "The receiver did not answer in time" });
    await receiver.site.close();
    const away = await add1({ jobId: newId(noon) });
    await delivery.stop();
    open();
    await settled(away, { attempts: 1, lastStatus: null, lastError: expect.stringMatching(/refused|closed/) });
  });

  it.each([
    [200, { status: "delivered", lastStatus: 200 }],
    [500, { attempts: 1, lastStatus: 500, lastError: "The receiver answered 500" }],
  ])("judges an answer that never ends by its status, %d, and reads little of it", async (status, outcome) => {
    let sent = 0;
    const isCut = new Promise<void>((done) => {
      receiver.answer = (response) => {
        response.writeHead(status).once("close", done);
        const more = () => {
          while (response.socket?.destroyed === false && response.write("x".repeat(64 * 1024))) sent += 64 * 1024;
        };
        response.on("drain", more);
        more();
      };
    });
    const event = await add1();
    open();
    await settled(event, outcome);
    await isCut;
    // 64 KB are read; the rest was in the buffers between.
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it("sends large documents whole", async () => {
    const document = { markdown: "Zeile für Zeile\n".repeat(400_000) };
    const event = await add1({ result: { seq: 1 } });
    open({ secret, readDocument: async () => document });
    await settled(event, { status: "delivered" });
    const { payload, body, request } = receiver.received[0] as Received;
    expect((payload.data as unknown[])[0]).toEqual(document);
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    expect(request.headers["x-webhook-signature"]).toBe(signature);
  });

  it("gives up what is no longer stored, and tries again what could not be read", async () => {
    const noDocument = await add1({ result: { seq: 1 } });
    open({ owner: "a" });
    await settled(noDocument, { status: "failed", lastError: "The page is no longer stored" });
    await closing.pop()?.();

    const noJob = await add1();
    open({ owner: "b", readTarget: async () => null });
    await settled(noJob, { status: "failed", lastError: "The job is no longer stored" });
    await closing.pop()?.();

    const unreadable = await add1();
    open({ owner: "c", readTarget: () => Promise.reject(new Error("secret detail")) });
    await settled(unreadable, { status: "pending", attempts: 1, lastError: "The event could not be prepared" });
    expect(receiver.received).toEqual([]);
  });

  it("keeps the order of first attempts while an event that failed waits for its retry", async () => {
    receiver.answer = (response, { payload }) => response.writeHead(payload.type === "b" ? 500 : 200).end();
    const events = await add(...["a", "b", "c", "d", "e"].map((type) => ({ type })));
    const delivery = open();
    await settled(events[4] as NewWebhookEvent, { status: "delivered" });
    expect(receiver.types).toEqual(["a", "b", "c", "d", "e"]);
    receiver.answer = fail(200);
    time.now += secondMs;
    delivery.wake();
    await settled(events[1] as NewWebhookEvent, { status: "delivered", attempts: 2 });
    expect(receiver.types).toEqual(["a", "b", "c", "d", "e", "b"]);
  });

  it("delivers for many jobs at a time, but no more than 16", async () => {
    const held = new Set<ServerResponse>();
    let most = 0;
    receiver.answer = (response) => {
      most = Math.max(most, held.add(response).size);
    };
    const net = openNet({ allow: "127.0.0.1", limits: { perHost: 100 } });
    closing.push(() => net.close());
    await add(...Array.from({ length: 40 }, () => ({ jobId: newId(noon) })));
    const delivery = open({ fetch: net.fetch });
    for (let count = 16; count <= 40; count += 1) {
      await receiver.until(count);
      delivery.wake();
      const [first] = held;
      first?.end();
      held.delete(first as ServerResponse);
    }
    expect(most).toBe(16);
    expect(new Set(receiver.received.map(({ payload }) => payload.webhookId)).size).toBe(40);
  });

  it("holds up no other job by one whose receiver does not answer", async () => {
    receiver.answer = (response, { payload }) => void (payload.type === "live" && response.end());
    await add(...Array.from({ length: 50 }, () => ({ type: "dead" })));
    const delivery = open();
    await receiver.until(1);
    for (let count = 0; count < 10; count += 1) {
      const live = await add1({ jobId: newId(noon), type: "live" });
      delivery.wake();
      await settled(live, { status: "delivered" });
    }
    expect(receiver.types.filter((type) => type === "dead")).toHaveLength(1);
  });

  it("shares the work of one database between processes, each event once and in order", async () => {
    const another = await opened.openAnother();
    const names = Array.from({ length: 10 }, (_, job) => `job ${job}`);
    const jobs = names.map((name) => ({ name, id: newId(noon) }));
    const last: NewWebhookEvent[] = [];
    for (const { name, id } of jobs) {
      const events = await add(...[0, 1, 2, 3, 4, 5].map((index) => ({ jobId: id, type: `${name}.${index}` })));
      last.push(events.at(-1) as NewWebhookEvent);
    }
    open({ owner: "one", pollMs: 10 });
    open({ owner: "two", pollMs: 10, store: another });
    for (const event of last) await settled(event, { status: "delivered" });
    expect(receiver.received).toHaveLength(60);
    for (const { name } of jobs) {
      const own = receiver.types.filter((type) => type.startsWith(`${name}.`));
      expect(own).toEqual([0, 1, 2, 3, 4, 5].map((index) => `${name}.${index}`));
    }
  });

  it("takes over what a killed process had claimed, when its lease has run out", async () => {
    const [first, second] = (await add({ type: "a" }, { type: "b" })) as [NewWebhookEvent, NewWebhookEvent];
    const claims = await store.webhooks.claimDue({ now: noon, limit: 5, owner: "killed", leaseMs: 30 * secondMs });
    expect(claims).toHaveLength(1);
    const delivery = open();
    time.now += 30 * secondMs - 1;
    delivery.wake();
    const other = await add1({ jobId: newId(noon), type: "other" });
    delivery.wake();
    await settled(other, { status: "delivered" });
    expect(receiver.types).toEqual(["other"]);
    time.now += 1;
    delivery.wake();
    await settled(second, { status: "delivered" });
    expect(await find(first)).toMatchObject({ status: "delivered", attempts: 1 });
    expect(receiver.types).toEqual(["other", "a", "b"]);
  });

  it("changes nothing for an event whose lease it has lost", async () => {
    receiver.answer = (response) => {
      time.now += 30 * secondMs;
      void store.webhooks
        .claimDue({ now: time.now, limit: 1, owner: "other", leaseMs: 1000 })
        .then(() => response.writeHead(200).end());
    };
    const event = await add1();
    const warned = new EventEmitter();
    const log = createLog("warn", { write: (line) => void warned.emit("line", JSON.parse(line)) });
    const warning = once(warned, "line");
    open({ log });
    expect((await warning)[0]).toMatchObject({ webhookId: event.id, msg: expect.stringContaining("lease") });
    expect(await find(event)).toMatchObject({ status: "pending", attempts: 0 });
  });

  it("gives back what it cannot end when it stops, at once for the next process, and claims nothing more", async () => {
    receiver.answer = () => undefined;
    const [stuck, behind] = (await add({ type: "stuck" }, { type: "behind" })) as [NewWebhookEvent, NewWebhookEvent];
    const delivery = open({ stopMs: 20 });
    await receiver.until(1);
    await delivery.stop();
    expect(await find(stuck)).toMatchObject({ status: "pending", attempts: 0 });
    delivery.wake();
    receiver.answer = (response) => response.end();
    open();
    await settled(behind, { status: "delivered" });
    expect(receiver.types).toEqual(["stuck", "stuck", "behind"]);
    expect(receiver.received[1]?.payload.webhookId).toBe(stuck.id);
  });

  it("lets running attempts end when it stops", async () => {
    let response: ServerResponse | undefined;
    receiver.answer = (given) => {
      response = given;
    };
    const event = await add1();
    const delivery = open({ stopMs: 10_000 });
    await receiver.until(1);
    const stopped = delivery.stop();
    response?.end();
    await stopped;
    expect(await find(event)).toMatchObject({ status: "delivered" });
  });

  it("goes on when the store was away", async () => {
    const lines: string[] = [];
    const log = createLog("error", { write: (line) => void lines.push(line) });
    const claimDue = vi.fn(store.webhooks.claimDue);
    claimDue.mockRejectedValueOnce(new Error("away")).mockRejectedValueOnce(new Error("away"));
    const event = await add1();
    open({ log, store: { webhooks: { ...store.webhooks, claimDue } }, pollMs: 5 });
    await settled(event, { status: "delivered" });
    expect(lines).toHaveLength(1);
  });
});
