// Whether a result satisfies a query's clauses, from what is known of its page so far.

import { parseUrl } from "../../base/index.ts";
import { foldText, isOfWord } from "../../text/index.ts";
import type { Clause, SiteClause } from "../query/parse-query.ts";
import { isOnHost, readablePart, readableUrl, readHosts } from "../query/readable-url.ts";

export interface SearchCandidate {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** The page's text, once it is known; the title is then the page's own. */
  readonly text?: string | undefined;
}

/** "unknown": the page's text decides. */
export type Verdict = "yes" | "no" | "unknown";

export interface Conditions {
  /**
   * All of them must hold. A plain word always holds. `related:` is "no" for its own site and "unknown" otherwise:
   * callers that check it by other means leave it out of this list.
   */
  readonly clauses: readonly Clause[];
  /** A result must be on one of these hosts or their subdomains; every host when empty. */
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
}

export function createClauseFilter({
  clauses,
  includeDomains = [],
  excludeDomains = [],
}: Conditions): (candidate: SearchCandidate) => Verdict {
  const included = readHosts(includeDomains);
  const excluded = readHosts(excludeDomains);
  return (candidate) => {
    const page = readCandidate(candidate);
    const isOn = (domain: string) => isOnHost(page.host, domain);
    if ((includeDomains.length > 0 && !included.some(isOn)) || excluded.some(isOn)) return "no";
    let verdict: Verdict = "yes";
    for (const clause of clauses) {
      const one = checkClause(clause, page);
      if (one === "no") return "no";
      if (one === "unknown") verdict = "unknown";
    }
    return verdict;
  };
}

interface Page {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly isWhole: boolean;
  readonly hasWholeTitle: boolean;
  url(): string;
  /** Folded. */
  title(): string;
  /** Title, description, URL and text, each folded. */
  everything(): readonly string[];
}

/** What clauses look at; each part is made on first use. */
function readCandidate({ url, title, description, text }: SearchCandidate): Page {
  const { hostname, port, protocol, pathname, search } = parseUrl(url) ?? noUrl;
  const isWhole = text !== undefined;
  const wholeUrl = once(() => readableUrl(url));
  const foldedTitle = once(() => foldText(title));
  return {
    host: hostname.replace(/\.$/, ""),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
    path: readablePart(pathname + search),
    isWhole,
    // Providers cut long titles.
    hasWholeTitle: isWhole || (title !== "" && !/(?:…|\.\.\.)$/.test(title.trimEnd())),
    url: wholeUrl,
    title: foldedTitle,
    everything: once(() => [foldedTitle(), foldText(description), foldText(wholeUrl()), foldText(text ?? "")]),
  };
}

const noUrl = { hostname: "", port: "", protocol: "", pathname: "", search: "" };

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Whether a folded text has these whole words next to each other. */
function holds(text: string, words: readonly string[]): boolean {
  const [first = ""] = words;
  for (let at = text.indexOf(first); at >= 0 && at < text.length; at = text.indexOf(first, at + 1)) {
    if (!isOfWord(text.charCodeAt(at - 1)) && occurAt(text, at, words)) return true;
  }
  return false;
}

function occurAt(text: string, start: number, words: readonly string[]): boolean {
  let place = start;
  for (const word of words) {
    while (place < text.length && !isOfWord(text.charCodeAt(place))) place += 1;
    if (!text.startsWith(word, place)) return false;
    place += word.length;
    if (isOfWord(text.charCodeAt(place))) return false;
  }
  return true;
}

function checkClause(clause: Clause, page: Page): Verdict {
  const verdictOf = (isFound: boolean, isCertain: boolean): Verdict => {
    if (!isFound && !isCertain) return "unknown";
    return isFound !== clause.isNegated ? "yes" : "no";
  };
  switch (clause.kind) {
    case "word":
      return clause.isNegated ? verdictOf(holdsAnywhere(page, clause.words), page.isWhole) : "yes";
    case "phrase":
      return verdictOf(holdsAnywhere(page, clause.words), page.isWhole);
    case "intitle":
      return verdictOf(
        clause.terms.every(({ words }) => holds(page.title(), words)),
        page.hasWholeTitle,
      );
    case "inurl":
      return verdictOf(
        clause.terms.every(({ part }) => page.url().includes(part)),
        true,
      );
    case "site":
      return verdictOf(isOnSite(page, clause), true);
    case "related":
      return isOnHost(page.host, clause.host) ? "no" : "unknown";
  }
}

function holdsAnywhere(page: Page, words: readonly string[]): boolean {
  return page.everything().some((text) => holds(text, words));
}

function isOnSite({ host, port, path }: Page, site: SiteClause): boolean {
  if (!isOnHost(host, site.host) || (site.port !== null && site.port !== port)) return false;
  if (site.path === "" || path === site.path) return true;
  // Whole folders and names: /docs is not /docs-old.
  return path.startsWith(site.path) && /[/?&]/.test(path.charAt(site.path.length));
}
