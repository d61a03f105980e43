// Pages of a host whose robots.txt asks for a delay begin that far apart, whatever job they belong to.
import { setTimeout } from "node:timers/promises";

const maxHosts = 1000;

export function createHostTurns() {
  const nextAt = new Map<string, number>();
  return {
    async wait(host: string, delayMs: number, signal: AbortSignal): Promise<void> {
      const now = performance.now();
      const at = Math.max(now, nextAt.get(host) ?? 0);
      nextAt.set(host, at + delayMs);
      if (nextAt.size > maxHosts) for (const [name, time] of nextAt) if (time < now) nextAt.delete(name);
      if (at > now) await setTimeout(at - now, undefined, { signal }).catch(() => undefined);
    },
  };
}
