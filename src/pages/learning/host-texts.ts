// What pages of a host repeat, by numbers of the texts that their main parts have. Kept in memory for the hosts that jobs read last.
import { hashText } from "../../text/index.ts";

/** So many pages must have a text before it counts as repeated, and so large a share of those that were read. */
const leastPages = 3;
const leastShare = 0.1;
const mostHosts = 300;
const mostPages = 1000;
const mostTexts = 4000;

interface Host {
  /** By URL and by texts: a page that came before, and a copy of one, say nothing new. */
  pages: Set<number>;
  read: number;
  counts: Map<number, number>;
}

export type HostTexts = ReturnType<typeof createHostTexts>;

export function createHostTexts() {
  const hosts = new Map<string, Host>();

  function take(teamId: string, url: string): Host {
    const name = `${teamId} ${new URL(url).host}`;
    const host = hosts.get(name) ?? { pages: new Set(), read: 0, counts: new Map() };
    hosts.delete(name);
    hosts.set(name, host);
    const [oldest] = hosts.keys();
    if (hosts.size > mostHosts && oldest !== undefined) hosts.delete(oldest);
    return host;
  }

  return {
    /** Numbers of the texts that enough pages of the host have. */
    repeatedOn(teamId: string, url: string): Set<number> {
      const { counts, read } = take(teamId, url);
      const least = Math.max(leastPages, read * leastShare);
      return new Set([...counts].filter(([, pages]) => pages >= least).map(([number]) => number));
    },

    note(teamId: string, url: string, numbers: readonly number[]): void {
      const host = take(teamId, url);
      const keys = [hashText(url), hashText(numbers.join())];
      if (numbers.length === 0 || host.pages.size > mostPages || keys.some((key) => host.pages.has(key))) return;
      for (const key of keys) host.pages.add(key);
      host.read += 1;
      for (const number of numbers) {
        const pages = (host.counts.get(number) ?? 0) + 1;
        host.counts.delete(number);
        host.counts.set(number, pages);
      }
      for (const number of host.counts.keys()) {
        if (host.counts.size <= mostTexts) break;
        host.counts.delete(number);
      }
    },
  };
}
