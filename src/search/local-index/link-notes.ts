// Which links of pages are worth a row: those not found lately. A site repeats its menus on all of its pages.

import { dayMs, ownCopy, withoutFragment } from "../../base/index.ts";
import type { PageLink } from "../../store/index.ts";
import { hashLines, hashText, splitWords } from "../../text/index.ts";

export interface FoundLink {
  url: string;
  /** One line; "" when it has no words. */
  text: string;
}

/** Of one page. */
const mostNew = 100;
const longestUrl = 2000;
const longestText = 200;
/** Beyond this number, or after a day, known links are forgotten: the index may have dropped them. */
const mostKnown = 100_000;

export interface NewLink extends PageLink {
  /** Identifies the link. */
  number: number;
}

export interface LinkNotes {
  /** The links of a page that were not found before; from now on they are known. */
  takeNew(page: NotedPage, seenAt: number): NewLink[];
  /** Call it when they could not be written. */
  forget(links: readonly NewLink[]): void;
}

export interface NotedPage {
  teamId: string;
  url: string;
  links: readonly FoundLink[];
}

export function createLinkNotes(): LinkNotes {
  let known = new Set<number>();
  let knownSince = 0;
  return {
    takeNew({ teamId, url: from, links }, seenAt) {
      if (known.size > mostKnown || seenAt - knownSince > dayMs) {
        known = new Set();
        knownSince = seenAt;
      }
      const found: NewLink[] = [];
      const fromHost = new URL(from).hostname;
      const urls = links.map(({ url }) => withoutFragment(url));
      // By the raw text: only new links are split into words.
      const lines = Buffer.from(links.map(({ text }, place) => `${text}\t${urls[place]}`).join("\n"));
      const numbers = hashLines(lines, links.length, hashText(`${teamId} ${fromHost}`));
      for (const [place, { text }] of links.entries()) {
        if (found.length >= mostNew) break;
        const [url, number] = [urls[place] as string, numbers[place] as number];
        if (url === from || url.length > longestUrl || known.has(number)) continue;
        known.add(number);
        const words = splitWords(text.slice(0, longestText)).join(" ");
        found.push({ teamId, url: ownCopy(url), fromHost, words, notedAt: seenAt, number });
      }
      return found;
    },

    forget(links) {
      for (const { number } of links) known.delete(number);
    },
  };
}
