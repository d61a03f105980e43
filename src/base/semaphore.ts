// A limited number of places. Whoever finds none free waits: the keys that wait (teams, hosts) take turns, and within a key
// it is first come, first served, so that one key's long queue holds up no other.
import { offAbort, onAbort } from "./abort.ts";

/** Gives the place back. Only the first call counts. */
export type Release = () => void;

export interface Semaphore {
  /** Resolves when a place is free. An abort ends the wait at once: the promise rejects with the signal's reason. */
  acquire(signal?: AbortSignal, key?: string): Promise<Release>;
  /** A place that is free right now, or null. */
  tryAcquire(key?: string): Release | null;
  /** Runs the work in one slot. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal, key?: string): Promise<Result>;
  /** How many hold a place and how many wait for one, of this key or of all. */
  count(key?: string): { active: number; waiting: number };
  /** Changes the number of places. With fewer than are taken, the next ones wait until enough are given back. */
  resize(places: number): void;
}

export interface SemaphoreOptions {
  /** Of all keys together; unlimited if absent. */
  places?: number;
  /** Of each key; unlimited if absent. */
  placesPerKey?: number;
}

interface Line {
  active: number;
  waiters: Set<() => void>;
}

export function createSemaphore({ places = Infinity, placesPerKey = Infinity }: SemaphoreOptions): Semaphore {
  /** Only keys that hold a place or wait for one. */
  const lines = new Map<string, Line>();
  /** Keys that wait and are below their own limit, the next one first. */
  const ready = new Set<string>();
  let total = places;
  let active = 0;
  let waiting = 0;

  function lineOf(key: string): Line {
    const line = lines.get(key) ?? { active: 0, waiters: new Set() };
    lines.set(key, line);
    return line;
  }

  /** After every change of a line. */
  function update(key: string, line: Line): void {
    if (line.waiters.size === 0 || line.active >= placesPerKey) ready.delete(key);
    else ready.add(key);
    if (line.waiters.size === 0 && line.active === 0) lines.delete(key);
  }

  function admit(): void {
    while (active < total) {
      const [key] = ready;
      if (key === undefined) return;
      const line = lineOf(key);
      const [enter] = line.waiters;
      // Behind the other keys, should more of this one wait.
      ready.delete(key);
      enter?.();
    }
  }

  function take(key: string, line: Line): Release {
    line.active += 1;
    active += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      line.active -= 1;
      active -= 1;
      update(key, line);
      admit();
    };
  }

  function tryAcquire(key = ""): Release | null {
    const line = lines.get(key);
    if (active >= total || (line?.active ?? 0) >= placesPerKey) return null;
    return take(key, line ?? lineOf(key));
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<Release> {
    const line = lineOf(key);
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.waiters.delete(enter);
        waiting -= 1;
        if (signal) offAbort(signal, abort);
      };
      const enter = () => {
        leave();
        const release = take(key, line);
        update(key, line);
        resolve(release);
      };
      const abort = () => {
        leave();
        update(key, line);
        reject(signal?.reason);
      };
      line.waiters.add(enter);
      waiting += 1;
      update(key, line);
      if (signal) onAbort(signal, abort);
    });
  }

  async function acquire(signal?: AbortSignal, key = ""): Promise<Release> {
    signal?.throwIfAborted();
    return tryAcquire(key) ?? wait(key, signal);
  }

  return {
    acquire,
    tryAcquire,

    async run(work, signal, key) {
      const release = await acquire(signal, key);
      try {
        return await work();
      } finally {
        release();
      }
    },

    count(key) {
      if (key === undefined) return { active, waiting };
      const line = lines.get(key);
      return { active: line?.active ?? 0, waiting: line?.waiters.size ?? 0 };
    },

    resize(to) {
      total = to;
      admit();
    },
  };
}
