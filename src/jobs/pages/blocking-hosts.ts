// Hosts that block pages of jobs are asked for few pages at a time, whatever jobs those belong to; and no host, least of all one
// that does not answer, ever has all that this process works on.
import { type Clock, hrefHost, minuteMs, secondMs } from "../../base/index.ts";
import { pagesOfBlockingHost } from "./task-page.ts";

/** How long a host counts as one that blocks after it did so. */
const blockingMs = 10 * minuteMs;
const maxHosts = 10_000;
/** A page whose turn it is not waits this long. */
const turnMs = 500;
const fullTurnMs = 2 * secondMs;

export type BlockingHosts = ReturnType<typeof createBlockingHosts>;

/** `mostOfHost`: pages of any host that are read at the same time. */
export function createBlockingHosts({ clock, mostOfHost }: { clock: Clock; mostOfHost: number }) {
  const until = new Map<string, number>();
  const active = new Map<string, number>();

  return {
    note(url: string): void {
      const host = hrefHost(url);
      until.delete(host);
      until.set(host, clock.now() + blockingMs);
      const [oldest] = until.keys();
      if (until.size > maxHosts && oldest !== undefined) until.delete(oldest);
    },

    /** A page of the host is read; call the answer when that has ended. */
    enter(url: string): () => void {
      const host = hrefHost(url);
      active.set(host, (active.get(host) ?? 0) + 1);
      return () => {
        const left = (active.get(host) ?? 1) - 1;
        if (left === 0) active.delete(host);
        else active.set(host, left);
      };
    },

    /** When a further page may be tried; 0: now. */
    readyAt(url: string): number {
      const host = hrefHost(url);
      const count = active.get(host) ?? 0;
      if (count < pagesOfBlockingHost && count < mostOfHost) return 0;
      const now = clock.now();
      if (count >= mostOfHost) return now + fullTurnMs;
      return (until.get(host) ?? 0) > now ? now + turnMs : 0;
    },
  };
}
