// Which links of pages are worth a row: those not found lately. A site repeats its menus on all of its pages.
import { dayMs, ownCopy, withoutFragment } from "../../base/index.ts";
import type { PageLink } from "../../store/index.ts";
import { splitWords } from "../../words/index.ts";

export interface FoundLink {
  url: string;
  /** "" when it has no words. */
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
      for (const { url: target, text } of links) {
        if (found.length >= mostNew) break;
        const url = withoutFragment(target);
        if (url === from || url.length > longestUrl) continue;
        // By the raw text: only new links are split into words.
        const number = numberOf(teamId, fromHost, text, url);
        if (known.has(number)) continue;
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

/** 52 bits tell links apart; a collision costs one row. */
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
