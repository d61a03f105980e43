import { setMaxListeners } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAborter, offAbort, onAbort } from "./abort.ts";

const makers = [
  { name: "a signal of ours", make: createAborter },
  { name: "a signal of Node", make: () => new AbortController() },
];

describe.each(makers)("$name", ({ make }) => {
  it("tells those who wait once, and not those who no longer do", () => {
    const aborter = make();
    const told: string[] = [];
    const gone = () => told.push("gone");
    onAbort(aborter.signal, () => told.push("one"));
    onAbort(aborter.signal, gone);
    aborter.signal.addEventListener("abort", () => told.push("listener"));
    offAbort(aborter.signal, gone);
    expect(aborter.signal.aborted).toBe(false);
    aborter.signal.throwIfAborted();
    aborter.abort();
    aborter.abort("again");
    onAbort(aborter.signal, () => told.push("late"));
    expect(told.sort()).toEqual(["listener", "one"]);
    expect(aborter.signal.reason).toMatchObject({ name: "AbortError" });
    expect(() => aborter.signal.throwIfAborted()).toThrow("aborted");
  });

  it("is taken by everything in Node that takes one", async () => {
    const aborter = make();
    const { signal } = aborter;
    setMaxListeners(0, signal);
    expect(signal).toBeInstanceOf(AbortSignal);
    const endless = Readable.from(
      (async function* () {
        for (;;) yield await setTimeout(1, "a");
      })(),
    );
    const ends = [
      setTimeout(60_000, null, { signal }),
      pipeline(endless, new PassThrough().resume(), { signal }),
      fetch(new Request("http://127.0.0.1:9/", { signal })),
    ];
    const reason = new Error("enough");
    aborter.abort(reason);
    expect(signal.reason).toBe(reason);
    for (const end of await Promise.allSettled(ends)) expect(end.status).toBe("rejected");
    await expect(fetch("http://127.0.0.1:9/", { signal })).rejects.toBe(reason);
  });
});
