// MDN by the undocumented search of its site.
import { asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { scrapedSource } from "./scraped-source.ts";
import { nextNumber, type OpenSource } from "./source.ts";

export const mdn: OpenSource = {
  ...scrapedSource,
  name: "mdn",
  title: "MDN",
  base: "https://developer.mozilla.org",
  serves: new Set(["web", "developer"]),
  signal: "code",
  hosts: ["developer.mozilla.org"],
  perCall: 10,
  terms: "The site's own interface, undocumented; texts are CC BY-SA.",

  ask: ({ text }, next) => ({ path: "/api/v1/search", query: { q: text, locale: "en-US", page: nextNumber(next, 1) } }),

  read({ json }, { base }, next) {
    const found = isAnswerObject(json) && "documents" in json ? listAt(json, "documents") : null;
    if (found === null || !isAnswerObject(json)) return null;
    const results = found.map(({ mdn_url: path, title, summary }) => ({
      url: base + asText(path),
      title,
      description: summary,
    }));
    const total = Number(objectAt(objectAt(json, "metadata"), "total").value);
    const page = nextNumber(next, 1);
    return { results, next: found.length > 0 && page * 10 < total ? String(page + 1) : null };
  },
};
