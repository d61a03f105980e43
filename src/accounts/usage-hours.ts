// Requests of the current hour by endpoint, key, cause and duration. They are counted here and written together: a write for
// each request would cost more than the request.
import { type Clock, hourMs } from "../base/index.ts";
import type { RequestCount, Store, UsageHour } from "../store/index.ts";

export interface CountedRequest {
  teamId: string;
  keyId: string | null;
  endpoint: string;
  /** "" for success, else the code of the failure. */
  cause: string;
  ms: number;
}

/** Durations are kept as steps of this scale: each step ends 1.5 times as high as the one before. */
const firstStepMs = 10;
const stepFactor = 1.5;
const lastStep = 30;

function stepOf(ms: number): number {
  const step = Math.ceil(Math.log(Math.max(ms, 1) / firstStepMs) / Math.log(stepFactor));
  return Math.min(Math.max(step, 0), lastStep);
}

/** The duration below which a given part of all requests stayed, as exact as the scale; null without requests. */
export function latencyAt(part: number, hours: readonly Pick<UsageHour, "step" | "requests">[]): number | null {
  const timed = hours.filter(({ step, requests }) => step >= 0 && requests > 0);
  const total = timed.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return null;
  const perStep = new Map<number, number>();
  for (const { step, requests } of timed) perStep.set(step, (perStep.get(step) ?? 0) + requests);
  let before = 0;
  for (const [step, requests] of [...perStep].sort(([a], [b]) => a - b)) {
    if (before + requests >= total * part) {
      const start = step === 0 ? 0 : firstStepMs * stepFactor ** (step - 1);
      const end = firstStepMs * stepFactor ** step;
      return Math.round(start + ((end - start) * (total * part - before)) / requests);
    }
    before += requests;
  }
  return null;
}

export type UsageHours = ReturnType<typeof createUsageHours>;

export function createUsageHours({ store, clock }: { store: Store; clock: Clock }) {
  let counts = new Map<string, RequestCount>();

  return {
    note({ teamId, keyId, endpoint, cause, ms }: CountedRequest): void {
      const now = clock.now();
      const hour = now - (now % hourMs);
      const step = stepOf(ms);
      const name = `${teamId} ${hour} ${endpoint} ${keyId} ${cause} ${step}`;
      const count = counts.get(name);
      if (count) count.requests += 1;
      else counts.set(name, { teamId, hour, endpoint, keyId, cause, step, requests: 1 });
    },

    /** Writes what was counted since the last time; what cannot be written is kept. */
    async flush(): Promise<void> {
      if (counts.size === 0) return;
      const written = counts;
      counts = new Map();
      try {
        await store.usageHours.add([...written.values()]);
      } catch (error) {
        for (const [name, count] of counts) {
          const earlier = written.get(name);
          if (earlier) earlier.requests += count.requests;
          else written.set(name, count);
        }
        counts = written;
        throw error;
      }
    },

    /** Without what is not written yet. Oldest first. */
    list: (teamId: string, since: number) => store.usageHours.list(teamId, since),
  };
}
