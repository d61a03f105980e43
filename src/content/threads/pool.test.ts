import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { contentRequest, languagesFile, modelFile, noFormats } from "../../../test/support/content.ts";
import type { ContentRequest } from "../reading/content-request.ts";
import { type ContentPool, type ContentPoolOptions, createContentPool } from "./pool.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const modelPath = join(root, "assets/main-content.model");
const compiledFolder = pathToFileURL(join(root, "dist/content/threads/"));
const pools: ContentPool[] = [];
const never = new AbortController().signal;

function createPool(changes: Partial<ContentPoolOptions> = {}): ContentPool {
  const pool = createContentPool({
    threads: 2,
    timeoutMs: 10_000,
    maxMemoryMb: 256,
    model: modelFile,
    languages: languagesFile,
    ...changes,
  });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

/** Over the size that is read on the calling thread. */
const large = (text: string) => contentRequest(`<p>${text}</p>${" ".repeat(64 * 1024)}`);
/** Takes minutes: far longer than any limit used here, on any machine. */
const slow = () => {
  const attributes = Array.from({ length: 50 }, () => ({ selector: "div:has(b):not(:has(i)) b", attribute: "id" }));
  const formats = { ...noFormats, markdown: true, attributes: { selectors: attributes } };
  return contentRequest("<div><p>a <b>b</b> c</p></div>".repeat(400_000), { formats });
};

/** A closed pool has no threads, and reads what needs none. */
async function isReadInThread(request: ContentRequest): Promise<boolean> {
  const pool = createPool();
  await pool.close();
  return "failure" in (await pool.read(request, "team", never));
}

describe("the pool", () => {
  it("reads small pages at once and large ones in a thread", async () => {
    const pool = createPool();
    const small = contentRequest("<p>small</p>");
    expect(await pool.read(small, "team", never)).toMatchObject({ markdown: "small" });
    expect(await pool.read(large("big"), "team", never)).toMatchObject({
      markdown: "big",
      metadata: { title: "", description: "" },
    });
    expect(await isReadInThread(small)).toBe(false);
    expect(await isReadInThread(large("big"))).toBe(true);
  });

  it("leaves the bytes to its caller, who may want to keep them", async () => {
    const whole = Uint8Array.from(Buffer.from(`<p>part</p>${" ".repeat(100_000)}`));
    const part = { ...contentRequest(""), bytes: whole.subarray(0, 70_000) };
    expect(await createPool().read(part, "team", never)).toMatchObject({ markdown: "part" });
    expect(part.bytes.byteLength).toBe(70_000);
    expect(Buffer.from(whole.subarray(0, 11)).toString()).toBe("<p>part</p>");
  });

  it("reads many pages, each its own", async () => {
    const pool = createPool();
    const texts = Array.from({ length: 40 }, (_, index) => `page ${index}`);
    const results = await Promise.all(texts.map((text) => pool.read(large(text), "team", never)));
    expect(results.map((result) => "markdown" in result && result.markdown)).toEqual(texts);
  });

  it("ends a page that takes too long, and reads the next", async () => {
    const pool = createPool({ threads: 1, timeoutMs: 400, maxMemoryMb: 4096 });
    await pool.read(large("loads what a thread needs"), "team", never);
    // The limits of pages are on this clock, which moves when the test says so.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = pool.read(slow(), "team", never);
    const next = pool.read(large("next"), "team", never);
    while (pool.load().waiting < 1 || vi.getTimerCount() < 1) await new Promise((turn) => setImmediate(turn));
    // The next page waits for as long as its own limit, which begins when it is its turn.
    vi.advanceTimersByTime(399);
    await new Promise((turn) => setImmediate(turn));
    expect(pool.load()).toEqual({ active: 1, waiting: 1 });
    // Far more than its limit: a thread that has had little of the cores gets more, but not for ever.
    vi.advanceTimersByTime(20 * 400);
    expect(await ended).toEqual({ failure: "timeout" });
    expect(await next).toMatchObject({ markdown: "next" });
  });

  it("ends a page that needs too much memory; the pages beside it are not hurt", async () => {
    const pool = createPool({ maxMemoryMb: 24 });
    const [ended, beside] = await Promise.all([
      pool.read(slow(), "team", never),
      pool.read(large("beside"), "team", never),
    ]);
    expect(ended).toEqual({ failure: "memory" });
    expect(beside).toMatchObject({ markdown: "beside" });
    expect(await pool.read(large("after"), "team", never)).toMatchObject({ markdown: "after" });
  });

  it("ends a thread without memory, and not the process, in a process with a large young generation", async () => {
    const program = `
      const { createContentPool } = await import(${JSON.stringify(new URL("pool.js", compiledFolder).href)});
      const model = (await import("node:fs")).readFileSync(${JSON.stringify(modelPath)});
      const pool = createContentPool({ threads: 1, timeoutMs: 100_000, maxMemoryMb: 90, model });
      const bytes = new TextEncoder().encode("<div><p>a <b>b</b> c</p></div>".repeat(750_000));
      const request = { ...${JSON.stringify({ ...slow(), bytes: null })}, bytes };
      console.log(JSON.stringify(await pool.read(request, "team", new AbortController().signal)));
      await pool.close();`;
    const { stdout } = await run(process.execPath, ["--max-semi-space-size=32", "--input-type=module", "-e", program]);
    expect(JSON.parse(stdout)).toEqual({ failure: "memory" });
  });

  it("survives a fault of ours in a thread", async () => {
    const pool = createPool({ threads: 1 });
    const broken = { ...large("x"), includeTags: [null as unknown as string] };
    expect(await pool.read(broken, "team", never)).toEqual({ failure: "crash" });
    expect(await pool.read(large("after"), "team", never)).toMatchObject({ markdown: "after" });
  });

  it("rejects with the signal's reason: before, while waiting, while reading", async () => {
    const pool = createPool({ threads: 1 });
    const reason = new Error("client left");
    await expect(pool.read(large("x"), "team", AbortSignal.abort(reason))).rejects.toBe(reason);
    const [running, queued] = [new AbortController(), new AbortController()];
    const first = pool.read(slow(), "team", running.signal);
    const second = pool.read(large("x"), "team", queued.signal);
    queued.abort(reason);
    await expect(second).rejects.toBe(reason);
    running.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(await pool.read(large("after"), "team", never)).toMatchObject({ markdown: "after" });
  });

  it("lets the teams that wait take turns, so that a long queue holds up no other team", async () => {
    const pool = createPool({ threads: 1 });
    const order: string[] = [];
    const read = async (team: string, signal = never) => {
      await pool.read(large(team), team, signal);
      order.push(team);
    };
    const gone = new AbortController();
    const many = Array.from({ length: 20 }, () => read("many"));
    const left = read("gone", gone.signal).catch(() => undefined);
    const few = [read("few"), read("few"), read("other")];
    gone.abort();
    await Promise.all([...many, left, ...few]);
    expect(order.slice(0, 6)).toEqual(["many", "many", "few", "other", "many", "few"]);
    expect(order.slice(6)).toEqual(Array(17).fill("many"));
  });

  it("runs selectors of callers in a thread, where they can be stopped", async () => {
    const pool = createPool({ threads: 1, timeoutMs: 10_000 });
    const page = contentRequest(`${"<div>".repeat(500)}${"<p>x</p>".repeat(3000)}`, {
      excludeTags: ["div div div div div div div div div span"],
    });
    expect(page.bytes.byteLength).toBeLessThan(32 * 1024);
    expect(await pool.read(page, "team", never)).toMatchObject({ markdown: expect.stringContaining("x") });
    expect(await isReadInThread(page)).toBe(true);
    expect(await isReadInThread({ ...page, excludeTags: [] })).toBe(false);
  });

  it("closes with pages under way, and reads none afterwards", async () => {
    const pool = createPool({ threads: 1 });
    const running = pool.read(slow(), "team", never);
    const waiting = pool.read(large("x"), "team", never);
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    expect(await running).toEqual({ failure: "crash" });
    expect(await waiting).toEqual({ failure: "crash" });
    expect(await pool.read(large("x"), "team", never)).toEqual({ failure: "crash" });
  });
});
