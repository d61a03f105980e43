// Keenable: a general index that programs may ask without a key when they name themselves.
import { dayMs, isoTime } from "../../base/index.ts";
import { isAnswerObject, listAt } from "../providers/json.ts";
import { isOnHost, isPdfUrl } from "../query/readable-url.ts";
import { type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

const newsMs = 30 * dayMs;

export const keenable: OpenSource = {
  ...sourceDefaults,
  name: "keenable",
  title: "Keenable",
  base: "https://api.keenable.ai",
  serves: new Set(["web", "news", "github", "pdf"]),
  appliesTime: true,
  perCall: 50,
  pace: [
    { most: 5, seconds: 1 },
    { most: 900, seconds: 3600 },
  ],
  // The limit of an hour is that of the pool without keys.
  keyedPace: [{ most: 5, seconds: 1 }],
  atOnce: 4,
  terms: "A vendor's pool for programs that name themselves; its terms of use were not read.",

  ask(question) {
    const { kind, category, text, site, key, fromMs, toMs, now } = question;
    const from = fromMs ?? (kind === "news" ? now - newsMs : null);
    const host = category === "github" ? "github.com" : site;
    return {
      path: key === null ? "/v1/search/public" : "/v1/search",
      headers: { "x-keenable-title": "trawl", ...(key === null ? {} : { "x-api-key": key }) },
      body: {
        query: category === "pdf" ? `${text} pdf` : text,
        max_results: sizeOf(question, 50),
        ...(host === null ? {} : { site: host }),
        ...(from === null ? {} : { published_after: isoTime(from) }),
        ...(toMs === null || toMs >= now ? {} : { published_before: isoTime(toMs) }),
      },
    };
  },

  read({ json }, { category }) {
    const list = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (list === null) return null;
    const results = list.map(({ url, title, snippet, description, published_at: published }) => ({
      url,
      title,
      description: description || snippet,
      dates: [published],
    }));
    return { results: results.filter(({ url }) => isOfCategory(url, category)), next: null };
  },
};

function isOfCategory(url: unknown, category: string | null): boolean {
  if (category !== "github" && category !== "pdf") return true;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  if (!parsed) return false;
  return category === "pdf" ? isPdfUrl(parsed) : isOnHost(parsed.hostname, "github.com");
}
