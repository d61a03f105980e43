// Mojeek's page of results.
import { scrapedSource } from "./scraped-source.ts";
import { nextNumber, type OpenSource } from "./source.ts";

export const mojeek: OpenSource = {
  ...scrapedSource,
  name: "mojeek",
  title: "Mojeek",
  base: "https://www.mojeek.com",
  serves: new Set(["web"]),
  perCall: 10,
  answers: "html",
  terms: "Its terms do not foresee programs.",

  // `s` on the first page is taken for a robot's.
  ask: ({ text }, next) => ({ path: "/search", query: { q: text, s: next ?? undefined } }),

  read({ tree }, _, next) {
    if (tree === null) return null;
    const items = tree.all("ul.results-standard li");
    if (items.length === 0 && tree.all("form[action*=search], .results").length === 0) return null;
    const results = items.map((item) => ({
      url: tree.attribute("a.ob", "href", item) || tree.attribute("h2 a", "href", item),
      title: tree.text("h2 a", item),
      description: tree.text("p.s", item),
    }));
    return { results, next: items.length < 10 ? null : String(nextNumber(next, 1) + items.length) };
  },
};
