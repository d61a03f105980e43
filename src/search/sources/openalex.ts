// OpenAlex: works of all subjects.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { type Paper, paperResults, researchSource } from "./research-source.ts";
import { dayFilters, nextNumber, type OpenSource, type SourceQuestion, sizeOf } from "./source.ts";

export const openAlex: OpenSource = {
  ...researchSource,
  name: "openalex",
  title: "OpenAlex",
  base: "https://api.openalex.org",
  pace: [{ most: 80, seconds: 86_400 }],
  keyedPace: [{ most: 900, seconds: 86_400 }],
  atOnce: 2,
  terms: "CC0; 1,000 searches a day with a free key, a tenth of that without.",

  ask: (question, next) => ({
    path: "/works",
    query: {
      search: question.text,
      per_page: sizeOf(question, 100),
      page: nextNumber(next, 1),
      filter: filterOf(question),
      sort: question.isNewestFirst ? "publication_date:desc" : undefined,
      mailto: question.mail ?? undefined,
      api_key: question.key ?? undefined,
    },
  }),

  read({ json }, question, next) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null) return null;
    const isMore = found.length === sizeOf(question, 100);
    return {
      results: paperResults(found.map(paperOf), question),
      next: isMore ? String(nextNumber(next, 1) + 1) : null,
    };
  },
};

function filterOf(question: SourceQuestion): string | undefined {
  const days = dayFilters(question, "from_publication_date", "to_publication_date");
  return [...days, ...(question.isLanguageAsked ? [`language:${question.language}`] : [])].join(",") || undefined;
}

function paperOf(item: AnswerObject): Paper {
  const place = objectAt(item, "primary_location");
  return {
    url: place.landing_page_url ?? item.doi,
    pdfUrl: place.pdf_url,
    title: item.title,
    abstract: abstractOf(objectAt(item, "abstract_inverted_index")),
    published: item.publication_date,
    doi: item.doi,
  };
}

const mostWords = 120;

/** Abstracts come as the places of each word. */
function abstractOf(index: AnswerObject): string {
  const words: string[] = [];
  for (const [word, places] of Object.entries(index)) {
    if (!Array.isArray(places)) continue;
    for (const place of places) if (Number.isInteger(place) && place >= 0 && place < mostWords) words[place] = word;
  }
  return Array.from(words, (word) => asText(word)).join(" ");
}
