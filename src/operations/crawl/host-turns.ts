// Pages of a host whose robots.txt asks for a delay begin that far apart, whatever job they belong to and whichever process
// reads them.
import { passTime } from "../../base/index.ts";
import type { Store } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

type TakeTurn = Store["hostTurns"]["take"];

const maxHosts = 1000;

export function createHostTurns({ store, clock }: OperationParts) {
  const take = store.notifier === null ? takeAlone() : store.hostTurns.take;
  return {
    async wait(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
      const at = await take(host, delayMs, clock.now());
      const waitMs = at - clock.now();
      if (waitMs > 0) await passTime(clock, waitMs, signal).catch(() => undefined);
    },
  };
}

/** For a store that no other process shares. */
function takeAlone(): TakeTurn {
  const nextAt = new Map<string, number>();
  return async (host, delayMs, now) => {
    const at = Math.max(now, nextAt.get(host) ?? 0);
    nextAt.set(host, at + delayMs);
    if (nextAt.size > maxHosts) for (const [name, time] of nextAt) if (time < now) nextAt.delete(name);
    return at;
  };
}
