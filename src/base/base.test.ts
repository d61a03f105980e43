import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/property-runs.ts";
import {
  bareUrl,
  createDeadline,
  createGroup,
  errorTable,
  hrefHost,
  isoTime,
  isUuid,
  monthOf,
  monthStart,
  newId,
  newKey,
  readUrl,
  repeat,
  ServiceError,
  scalarText,
  sha256,
} from "./index.ts";

describe("ids", () => {
  it("are UUIDs of version 7 that sort by time", () => {
    const times = fc.integer({ min: 0, max: 2 ** 47 });
    fc.assert(
      fc.property(times, times, (one, other) => {
        const [first, second] = [newId(one), newId(other)];
        expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(first.slice(0, 8) + first.slice(9, 13), 16)).toBe(one);
        if (one !== other) expect(first < second).toBe(one < other);
      }),
    );
  });

  it("differ within one millisecond", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newId(5))).size).toBe(10_000);
  });

  it.each([
    "",
    "x",
    "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b0",
    "0198f1c27b1e7c119a550d6f5f0a1b01",
    "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01\n",
  ])("%j is no UUID", (text) => expect(isUuid(text)).toBe(false));

  it("keys are fc- and 32 hex digits, and hash as SHA-256", () => {
    expect(newKey()).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(newKey()).not.toBe(newKey());
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("months", () => {
  it.each([
    ["2028-02-29T23:59:59.999Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
    ["2027-12-31T23:59:59.999Z", "2027-12-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z"],
    ["2028-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z", "2028-02-01T00:00:00.000Z"],
  ])("%s lies from %s to %s", (time, start, end) => {
    const month = monthOf(Date.parse(time));
    expect([isoTime(monthStart(month)), isoTime(monthStart(month + 1))]).toEqual([start, end]);
  });

  it("hold every instant between their start and the next one's", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1970-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
        (date) => {
          const month = monthOf(date.getTime());
          expect(monthStart(month)).toBeLessThanOrEqual(date.getTime());
          expect(monthStart(month + 1)).toBeGreaterThan(date.getTime());
        },
      ),
    );
  });
});

describe("addresses as callers write them", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["example.com/a?b=c#d", "http://example.com/a?b=c#d"],
    ["example.com:8080", "http://example.com:8080/"],
    ["localhost:3000/x", "http://localhost:3000/x"],
    ["  https://example.com/ü  ", "https://example.com/%C3%BC"],
    ["HTTPS://EXAMPLE.com", "https://example.com/"],
    ["http://user:secret@example.com/", "http://user:secret@example.com/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
  ])("%s is %s", (text, url) => expect(readUrl(text)).toEqual({ url }));

  it.each([
    "",
    " ",
    "http://",
    "notaurl::",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "mailto:a@b.c",
    "data:text/html,x",
    "http://exa mple.com",
    "http://example.com:99999",
    "http://a\u0000b.c",
    "https://example.com/\n",
    "http://\ud800",
    "//example.com:x",
    `https://example.com/${"x".repeat(8200)}`,
  ])("%j is refused with a reason", (text) =>
    expect(readUrl(text)).toEqual({ problem: expect.stringMatching(/^Invalid URL/) }),
  );

  it.each([
    ["http://user:secret@example.com/a?b=c#d", "http://example.com/a?b=c#d"],
    ["http://user@example.com/", "http://example.com/"],
    ["http://:secret@example.com:81/", "http://example.com:81/"],
    ["http://example.com/@a", "http://example.com/@a"],
  ])("%s is kept and shown as %s", (url, bare) => expect([bareUrl(url), bareUrl(new URL(url))]).toEqual([bare, bare]));

  it.each([
    "http://user:sec%40ret@example.com/a?b=c#d",
    "http://example.com:81/@a?b=//c",
    "https://[::1]:8080/",
    "https://example.com/",
  ])("%s has the host that the parser finds", (url) => expect(hrefHost(url)).toBe(new URL(url).host));

  it("keep hosts with letters beyond ASCII, however many addresses were read before", () => {
    const hosts = ["http://bücher.example/", "http://café.example/é", "http://日本.example/"];
    const read = () => hosts.map((text) => readUrl(text));
    const expected = ["xn--bcher-kva.example/", "xn--caf-dma.example/%C3%A9", "xn--wgv71a.example/"].map((rest) => ({
      url: `http://${rest}`,
    }));
    expect(read()).toEqual(expected);
    for (let count = 0; count < 100_000; count += 1) readUrl(`http://example.com/${count}`);
    expect(read()).toEqual(expected);
  });

  it("never throw", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const reading = readUrl(text);
        if ("url" in reading) expect(new URL(reading.url).protocol).toMatch(/^https?:$/);
        else expect(reading.problem).toMatch(/^Invalid URL/);
      }),
    );
  });
});

describe("errors", () => {
  it("take status and sentence from their row", () => {
    const error = new ServiceError("JOB_NOT_FOUND");
    expect([error.status, error.message]).toEqual([404, "Job not found"]);
    expect(new ServiceError("BAD_REQUEST", "Mine").message).toBe("Mine");
  });

  it.each<[RegExp, number]>([
    // A step of a flow that finds no element has failed inside of a run: what was asked for, the flow, is there.
    [/(?<!^FLOW_STEP)_NOT_FOUND$/, 404],
    [/_TIMEOUT$/, 408],
    [/(?:^|_)NOT_(?:AVAILABLE|CONFIGURED|IMPLEMENTED|SUPPORTED)$/, 501],
    [/_UNAVAILABLE$/, 503],
    [/^(?:RATE_LIMITED|QUEUE_FULL)$/, 429],
    [/^(?:URL_NOT_ALLOWED|ROBOTS_BLOCKED|FORBIDDEN)$/, 403],
    [/^(?:UNAUTHORIZED|TOKEN_INVALID|TOKEN_MISSING)$/, 401],
    [/^(?:INSUFFICIENT_CREDITS|CRAWL_BUDGET_EXCEEDED)$/, 402],
  ])("whose code ends in %s have the status %d, which clients look at", (code, status) => {
    const rows = Object.entries(errorTable).filter(([name]) => code.test(name));
    expect(rows.length).toBeGreaterThan(0);
    for (const [name, row] of rows) expect([name, row.status]).toEqual([name, status]);
  });

  it("are never 502, which official clients send again, and always say something", () => {
    for (const row of Object.values(errorTable)) {
      expect(row.status).not.toBe(502);
      expect(row.status).toBeGreaterThanOrEqual(400);
      expect(row.message.length).toBeGreaterThan(4);
    }
  });
});

describe("repeated work", () => {
  it("runs one at a time, survives failures, and ends when stopped", async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const failures: unknown[] = [];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 5));
      running -= 1;
      runs += 1;
      if (runs === 2) throw new Error("once");
    };
    const repetition = repeat(1, work, (error) => failures.push(error));
    await expect.poll(() => runs).toBeGreaterThan(4);
    await repetition.stop();
    const after = runs;
    await new Promise((done) => setTimeout(done, 20));
    expect({ most, running, runs, failures: failures.length }).toEqual({
      most: 1,
      running: 0,
      runs: after,
      failures: 1,
    });
  });
});

describe("grouped writes", () => {
  it("write what arrives together together, in order, and wake each caller with its own outcome", async () => {
    const writes: number[][] = [];
    const write = createGroup<number>(async (items) => {
      writes.push([...items]);
      if (items.includes(13)) throw new Error("unlucky");
    });
    await Promise.all([1, 2, 3].map(write));
    await write(4);
    const outcomes = await Promise.allSettled([write(13), write(14)]);
    await write(5);
    expect(writes.flat()).toEqual([1, 2, 3, 4, 13, 14, 5]);
    expect(writes.length).toBeLessThan(7);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("never acknowledge before the write is done", async () => {
    let isWritten = false;
    const write = createGroup<string>(async () => {
      await new Promise((done) => setTimeout(done, 5));
      isWritten = true;
    });
    await write("x");
    expect(isWritten).toBe(true);
  });
});

describe("deadlines", () => {
  it("end with a TimeoutError when the time is over", async () => {
    const { signal } = createDeadline(new AbortController().signal, 5);
    await expect.poll(() => signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("end with the other signal, before or after they were made, and never once cleared", async () => {
    const other = new AbortController();
    const [running, cleared] = [createDeadline(other.signal, 60_000), createDeadline(other.signal, 60_000)];
    cleared.clear();
    other.abort(new Error("gone"));
    expect(running.signal.reason).toMatchObject({ message: "gone" });
    expect(cleared.signal.aborted).toBe(false);
    const late = createDeadline(other.signal, 60_000);
    expect(late.signal.aborted).toBe(true);
    running.clear();
    late.clear();
  });
});

describe("the text of a value from outside", () => {
  it.each([
    ["text", "text"],
    [1.5, "1.5"],
    [false, "false"],
    [null, ""],
    [undefined, ""],
    [["a"], ""],
    [{ toString: 1 }, ""],
    [Object.create(null), ""],
  ])("%j is %j", (value, text) => {
    expect(scalarText(value)).toBe(text);
  });
});
