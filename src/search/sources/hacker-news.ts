// Hacker News through Algolia's open API: what people of the trade link to.

import { secondMs } from "../../base/index.ts";
import { asText, isAnswerObject, listAt } from "../providers/json.ts";
import { shortText } from "./cut-text.ts";
import { nextNumber, type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

export const hackerNews: OpenSource = {
  ...sourceDefaults,
  name: "hackernews",
  title: "Hacker News",
  base: "https://hn.algolia.com",
  serves: new Set(["web", "news"]),
  wantsAllWords: true,
  appliesTime: true,
  perCall: 100,
  pace: [{ most: 2, seconds: 1 }],
  atOnce: 2,
  terms: "Open API without a key, 10,000 requests an hour.",

  ask(question, next) {
    const { text, fromMs, toMs, isNewestFirst } = question;
    const bounds = [
      ...(fromMs === null ? [] : [`created_at_i>=${Math.floor(fromMs / secondMs)}`]),
      ...(toMs === null ? [] : [`created_at_i<=${Math.floor(toMs / secondMs)}`]),
    ];
    return {
      path: isNewestFirst ? "/api/v1/search_by_date" : "/api/v1/search",
      query: {
        query: text,
        tags: "story",
        hitsPerPage: sizeOf(question, 100),
        page: nextNumber(next, 0),
        numericFilters: bounds.length > 0 ? bounds.join(",") : undefined,
      },
    };
  },

  read({ json }, _, next) {
    const hits = isAnswerObject(json) && "hits" in json ? listAt(json, "hits") : null;
    if (hits === null || !isAnswerObject(json)) return null;
    const page = nextNumber(next, 0);
    const results = hits.map((hit) => ({
      url: hit.url || `https://news.ycombinator.com/item?id=${asText(hit.objectID)}`,
      title: hit.title,
      description: shortText(asText(hit.story_text)),
      about: aboutStory(hit),
      dates: [hit.created_at_i],
    }));
    return { results, next: page + 1 < Number(json.nbPages) ? String(page + 1) : null };
  },
};

/** Most stories are a link without a text: then what the readers made of it. */
function aboutStory({ author, points, num_comments: comments }: Record<string, unknown>): string {
  const counted = (count: unknown, word: string) =>
    Number.isInteger(count) ? [`${count} ${word}${count === 1 ? "" : "s"}`] : [];
  const facts = [...counted(points, "point"), ...counted(comments, "comment")].join(" and ");
  const by = asText(author) === "" ? "" : ` by ${asText(author)}`;
  return facts === "" && by === "" ? "" : `A story on Hacker News${by}${facts === "" ? "" : ` with ${facts}`}.`;
}
