// How well a result fits a query, by the words of its title, description and URL: so that one narrow source whose results have
// nothing to do with the query never pushes those of the others down.
import { englishStopWords, splitWords } from "../../text/index.ts";
import { createStemmer } from "../local-index/page-words.ts";
import type { ProviderResult } from "../providers/search-provider.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import { readablePart } from "../query/readable-url.ts";

/** From 0 to 1. */
export type RateResult = (result: Pick<ProviderResult, "title" | "description" | "url">) => number;

const weights = { title: 1, description: 0.8, url: 0.6 };

/** Stems are remembered from search to search. */
export function createRelevance(): (query: SearchQuery) => RateResult {
  const stems = createStemmer();

  return ({ text }) => {
    const all = splitWords(text);
    const telling = all.filter((word) => !englishStopWords.has(word));
    const wanted = [...new Set(stems(telling.length > 0 ? telling : all))];
    if (wanted.length === 0) return () => 1;
    return ({ title, description, url }) => {
      const inTitle = new Set(stems(splitWords(title)));
      let open = wanted.filter((word) => !inTitle.has(word));
      let sum = (wanted.length - open.length) * weights.title;
      if (open.length > 0) {
        const described = new Set(stems(splitWords(description)));
        const left = open.filter((word) => !described.has(word));
        sum += (open.length - left.length) * weights.description;
        open = left;
      }
      if (open.length > 0) {
        const named = new Set(stems(splitWords(readablePart(url.replace(/^https?:\/\//, "")))));
        sum += open.filter((word) => named.has(word)).length * weights.url;
      }
      return sum / wanted.length;
    };
  };
}
