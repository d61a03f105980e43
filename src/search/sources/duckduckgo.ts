// DuckDuckGo's page without scripts.
import { parseUrl } from "../../base/index.ts";
import { scrapedSource } from "./scraped-source.ts";
import type { OpenSource } from "./source.ts";

export const duckDuckGo: OpenSource = {
  ...scrapedSource,
  name: "duckduckgo",
  title: "DuckDuckGo",
  base: "https://html.duckduckgo.com",
  serves: new Set(["web"]),
  perCall: 30,
  answers: "html",
  terms: "Its terms do not foresee programs.",

  // The next page is asked for with the fields of its form.
  ask: ({ text }, next) => ({ path: "/html/", form: next === null ? { q: text, b: "" } : JSON.parse(next) }),

  read({ tree }) {
    if (tree === null) return null;
    if (tree.all("#challenge-form, .anomaly-modal__modal").length > 0) return "refused";
    if (tree.all("#links").length === 0) return null;
    const results = tree.all("#links .web-result:not(.result--ad)").map((each) => ({
      url: target(tree.attribute("h2 a", "href", each)),
      title: tree.text("h2 a", each),
      description: tree.text(".result__snippet", each),
    }));
    const fields = tree
      .all(".nav-link form input[type=hidden]")
      .map(({ attribs }) => [attribs.name ?? "", attribs.value ?? ""] as const)
      .filter(([name]) => name !== "");
    return {
      results,
      next: fields.length > 0 && results.length > 0 ? JSON.stringify(Object.fromEntries(fields)) : null,
    };
  },

  // A captcha comes with status 202.
  isLimit: ({ tree }) => tree !== null && tree.all("#challenge-form, .anomaly-modal__modal").length > 0,
};

/** Links lead through the engine, which names their target in a parameter. */
function target(href: string): string {
  const url = parseUrl(href, "https://duckduckgo.com");
  return url?.searchParams.get("uddg") ?? href;
}
