// Bing's feeds of its results.
import { parseUrl } from "../../base/index.ts";
import { scrapedSource } from "./scraped-source.ts";
import { nextNumber, type OpenSource } from "./source.ts";

export const bing: OpenSource = {
  ...scrapedSource,
  name: "bing",
  title: "Bing",
  base: "https://www.bing.com",
  serves: new Set(["web", "news"]),
  perCall: 10,
  answers: "xml",
  terms: "Its terms do not foresee programs.",

  ask: ({ kind, text }, next) => ({
    path: kind === "news" ? "/news/search" : "/search",
    query: { format: "rss", q: text, first: next ?? undefined },
  }),

  read({ tree }, { kind }, next) {
    if (tree === null || tree.all("rss").length === 0) return null;
    const items = tree.all("item");
    const results = items.map((item) => ({
      url: kind === "news" ? target(tree.text("link", item)) : tree.text("link", item),
      title: tree.text("title", item),
      description: tree.text("description", item),
      // Of web pages it is when the feed was made.
      dates: kind === "news" ? [tree.text("pubDate", item)] : [],
    }));
    return { results, next: items.length < 10 ? null : String(nextNumber(next, 1) + items.length) };
  },
};

function target(link: string): string {
  return parseUrl(link)?.searchParams.get("url") ?? link;
}
