// Which links of pages are worth a row: those that were not noted lately. The menus of a site stand on all of its pages.
import { dayMs, withoutFragment } from "../../base/index.ts";
import type { PageLink } from "../../store/index.ts";
import { splitWords } from "../fold.ts";

export interface FoundLink {
  url: string;
  /** "" when it has no words. */
  text: string;
}

/** Of one page. */
const mostNew = 100;
const longestUrl = 2000;
const longestText = 200;
/** Known links are forgotten when they are more, or a day later: the index may have dropped them. */
const mostKnown = 100_000;

export interface NewLink extends PageLink {
  /** By which it will be known. */
  number: number;
}

export interface LinkNotes {
  /** The links of a page that are to be noted. */
  findNew(page: { teamId: string; url: string; links: readonly FoundLink[]; seenAt: number }): NewLink[];
  /** They were written. */
  remember(links: readonly NewLink[]): void;
}

export function createLinkNotes(): LinkNotes {
  let known = new Set<number>();
  let knownSince = 0;
  return {
    findNew({ teamId, url: from, links, seenAt }) {
      const fromHost = new URL(from).hostname;
      const found: NewLink[] = [];
      for (const { url: address, text } of links) {
        if (found.length >= mostNew) break;
        const url = withoutFragment(address);
        if (url === from || url.length > longestUrl) continue;
        // By the text as it stands: splitting it into words is left to links that are new.
        const number = numberOf(teamId, fromHost, text, url);
        if (known.has(number)) continue;
        const words = splitWords(text.slice(0, longestText)).join(" ");
        found.push({ teamId, url, fromHost, words, notedAt: seenAt, number });
      }
      return found;
    },

    remember(links) {
      const now = links[0]?.notedAt ?? 0;
      if (known.size > mostKnown || now - knownSince > dayMs) {
        known = new Set();
        knownSince = now;
      }
      for (const { number } of links) known.add(number);
    },
  };
}

/** 52 bits tell links apart: a mistake costs one row. */
function numberOf(...parts: string[]): number {
  let high = 0;
  let low = 0;
  for (const part of parts) {
    for (let place = 0; place < part.length; place += 1) {
      const code = part.charCodeAt(place);
      low = (Math.imul(low, 31) + code) | 0;
      high = (Math.imul(high, 65_599) + code) | 0;
    }
    low = (Math.imul(low, 31) + 1) | 0;
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
