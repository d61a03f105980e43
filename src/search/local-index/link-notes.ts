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
      const start = mix(mix(unmixed, teamId), fromHost);
      for (const { url: target, text } of links) {
        if (found.length >= mostNew) break;
        const url = withoutFragment(target);
        if (url === from || url.length > longestUrl) continue;
        // By the raw text: only new links are split into words.
        const number = numberOf(mix(mix(start, text), url));
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

interface Mixed {
  high: number;
  low: number;
}

const unmixed: Mixed = { high: 0, low: 0 };

function mix({ high, low }: Mixed, part: string): Mixed {
  for (let place = 0; place < part.length; place += 1) {
    const code = part.charCodeAt(place);
    low = (Math.imul(low, 31) + code) | 0;
    high = (Math.imul(high, 65_599) + code) | 0;
  }
  return { high, low: (Math.imul(low, 31) + 1) | 0 };
}

/** 52 bits tell links apart; a collision costs one row. */
function numberOf({ high, low }: Mixed): number {
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
