import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { createSemaphore, type Release, type Semaphore } from "./semaphore.ts";

/** Notes who got a place, in order. */
function watch(semaphore: Semaphore) {
  const entered: string[] = [];
  const releases = new Map<string, Release>();
  const enter = (name: string, key?: string, signal?: AbortSignal) =>
    semaphore.acquire(signal, key).then((release) => {
      entered.push(name);
      releases.set(name, release);
    });
  return { entered, enter, leave: (name: string) => releases.get(name)?.() };
}

const settled = () => new Promise((turn) => setImmediate(turn));

describe("a semaphore", () => {
  it("lets in as many as there are places, the others in the order they came", async () => {
    const semaphore = createSemaphore({ places: 2 });
    const { entered, enter, leave } = watch(semaphore);
    for (const name of ["a", "b", "c", "d"]) void enter(name);
    await settled();
    expect(entered).toEqual(["a", "b"]);
    expect(semaphore.count()).toEqual({ active: 2, waiting: 2 });
    leave("b");
    leave("b");
    await settled();
    expect(entered).toEqual(["a", "b", "c"]);
    leave("a");
    await settled();
    expect(entered).toEqual(["a", "b", "c", "d"]);
  });

  it("lets the keys that wait take turns", async () => {
    const { entered, enter, leave } = watch(createSemaphore({ places: 1 }));
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void enter(name, name[0]);
    for (const name of ["a1", "a2", "b1", "c1", "a3"]) {
      await settled();
      leave(name);
    }
    await settled();
    expect(entered).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("keeps each key to its own limit while others pass", async () => {
    const semaphore = createSemaphore({ places: 3, placesPerKey: 2 });
    const { entered, enter, leave } = watch(semaphore);
    for (const name of ["a1", "a2", "a3", "b1", "b2"]) void enter(name, name[0]);
    await settled();
    expect(entered).toEqual(["a1", "a2", "b1"]);
    leave("b1");
    await settled();
    expect(entered).toEqual(["a1", "a2", "b1", "b2"]);
    leave("a1");
    await settled();
    expect(entered).toEqual(["a1", "a2", "b1", "b2", "a3"]);
    expect(semaphore.count("a")).toEqual({ active: 2, waiting: 0 });
    expect(semaphore.tryAcquire("a")).toBeNull();
  });

  it("forgets a waiter at once when its signal aborts", async () => {
    const semaphore = createSemaphore({ places: 1 });
    const release = await semaphore.acquire();
    const impatient = new AbortController();
    const gone = semaphore.acquire(impatient.signal);
    const next = semaphore.acquire();
    impatient.abort(new Error("gave up"));
    expect(semaphore.count()).toEqual({ active: 1, waiting: 1 });
    await expect(gone).rejects.toThrow("gave up");
    await expect(semaphore.acquire(impatient.signal)).rejects.toThrow("gave up");
    release();
    (await next)();
    expect(semaphore.count()).toEqual({ active: 0, waiting: 0 });
  });

  it("gives the place back when the work in it fails", async () => {
    const semaphore = createSemaphore({ places: 1 });
    await expect(semaphore.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await semaphore.run(async () => semaphore.count())).toEqual({ active: 1, waiting: 0 });
    expect(semaphore.count()).toEqual({ active: 0, waiting: 0 });
  });

  it("can be resized: more places admit those who wait, fewer hold back the next ones", async () => {
    const semaphore = createSemaphore({ places: 0 });
    const { entered, enter, leave } = watch(semaphore);
    for (const name of ["a", "b", "c"]) void enter(name);
    await settled();
    expect(entered).toEqual([]);
    semaphore.resize(2);
    await settled();
    expect(entered).toEqual(["a", "b"]);
    semaphore.resize(1);
    leave("a");
    await settled();
    expect(entered).toEqual(["a", "b"]);
    leave("b");
    await settled();
    expect(entered).toEqual(["a", "b", "c"]);
  });
});

const step = fc.record({
  kind: fc.constantFrom("enter", "enter", "abort", "leave", "resize"),
  key: fc.constantFrom("a", "b", "c"),
  pick: fc.nat(20),
});

describe("any order of entering, aborting, leaving and resizing", () => {
  it("keeps the limits, the order within a key, the turns of keys, and loses no waiter", async () => {
    const limits = fc.record({ places: fc.integer({ min: 0, max: 4 }), placesPerKey: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(step, { maxLength: 60 }), async ({ places, placesPerKey }, steps) => {
        const semaphore = createSemaphore({ places, placesPerKey });
        const model = createModel(places, placesPerKey);
        const releases = new Map<number, Release>();
        const stops = new Map<number, AbortController>();
        const aborted: number[] = [];
        for (const [id, each] of steps.entries()) {
          if (each.kind === "enter") {
            const stop = new AbortController();
            stops.set(id, stop);
            semaphore.acquire(stop.signal, each.key).then(
              (release) => releases.set(id, release),
              () => aborted.push(id),
            );
            model.enter(id, each.key);
          } else if (each.kind === "abort") {
            const id = model.waiting[each.pick % Math.max(1, model.waiting.length)]?.id;
            if (id !== undefined) {
              stops.get(id)?.abort();
              model.abort(id);
            }
          } else if (each.kind === "leave") {
            const id = model.inside[each.pick % Math.max(1, model.inside.length)]?.id;
            if (id !== undefined) {
              releases.get(id)?.();
              releases.get(id)?.();
              model.leave(id);
            }
          } else {
            semaphore.resize(each.pick % 5);
            model.resize(each.pick % 5);
          }
          await settled();
          expect([...releases.keys()]).toEqual(model.admitted);
          expect(aborted).toEqual(model.aborted);
          expect(semaphore.count()).toEqual({ active: model.inside.length, waiting: model.waiting.length });
        }
        semaphore.resize(Infinity);
        for (let guard = 0; guard < 100 && semaphore.count().active > 0; guard += 1) {
          for (const release of releases.values()) release();
          await settled();
        }
        expect(semaphore.count()).toEqual({ active: 0, waiting: 0 });
        expect(releases.size + aborted.length).toBe(stops.size);
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

/** The same promises written as plainly as possible: lists, searched from the front. */
function createModel(places: number, placesPerKey: number) {
  interface Visit {
    id: number;
    key: string;
  }
  const inside: Visit[] = [];
  const waiting: Visit[] = [];
  const admitted: number[] = [];
  const aborted: number[] = [];
  let turns: string[] = [];
  let total = places;

  const isBelow = (key: string) => inside.filter((visit) => visit.key === key).length < placesPerKey;

  function remove(list: Visit[], id: number): void {
    const place = list.findIndex((visit) => visit.id === id);
    if (place >= 0) list.splice(place, 1);
  }

  function arrange(): void {
    const able = (key: string) => isBelow(key) && waiting.some((visit) => visit.key === key);
    turns = turns.filter(able);
    for (const { key } of waiting) if (able(key) && !turns.includes(key)) turns.push(key);
  }

  function admit(): void {
    arrange();
    while (inside.length < total && turns.length > 0) {
      const key = turns.shift();
      const visit = waiting.find((each) => each.key === key);
      if (!visit) continue;
      remove(waiting, visit.id);
      inside.push(visit);
      admitted.push(visit.id);
      arrange();
    }
  }

  return {
    inside,
    waiting,
    admitted,
    aborted,
    enter(id: number, key: string) {
      waiting.push({ id, key });
      admit();
    },
    abort(id: number) {
      remove(waiting, id);
      aborted.push(id);
      admit();
    },
    leave(id: number) {
      remove(inside, id);
      admit();
    },
    resize(to: number) {
      total = to;
      admit();
    },
  };
}
