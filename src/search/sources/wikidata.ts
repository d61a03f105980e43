// Wikidata: the official sites of what a query names.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import type { OpenSource, SourceResult } from "./source.ts";
import { wikimedia, wikimediaPath, wikimediaTerms } from "./wikimedia.ts";

const mostWords = 6;

export const wikidata: OpenSource = {
  ...wikimedia,
  name: "wikidata",
  title: "Wikidata",
  base: "https://www.wikidata.org",
  serves: new Set(["web"]),
  perCall: 5,
  terms: `${wikimediaTerms} Wikidata itself is CC0.`,

  accepts: (all, hasOperators) => !hasOperators && all.flatMap(({ words }) => words).length <= mostWords,

  ask({ text, language }, next) {
    if (next !== null) {
      const props = "claims|labels|descriptions";
      return { path: wikimediaPath, query: { action: "wbgetentities", format: "json", ids: next, props } };
    }
    const found = { action: "wbsearchentities", format: "json", search: text, language, type: "item", limit: 5 };
    return { path: wikimediaPath, query: found };
  },

  read({ json }, question, next) {
    if (!isAnswerObject(json)) return null;
    if (next === null) {
      const found = "search" in json ? listAt(json, "search") : null;
      if (found === null) return null;
      const ids = found.map(({ id }) => asText(id)).filter((id) => /^Q\d+$/.test(id));
      return { results: [], next: ids.length > 0 ? ids.join("|") : null };
    }
    if (!isAnswerObject(json.entities)) return null;
    const entities = json.entities;
    const results = next.split("|").flatMap((id) => {
      const entity = entities[id];
      return isAnswerObject(entity) ? officialSites(entity, question.language) : [];
    });
    return { results, next: null };
  },
};

function officialSites(entity: AnswerObject, language: string): SourceResult[] {
  const claims = (listAt(objectAt(entity, "claims"), "P856") ?? []).filter(({ rank }) => rank !== "deprecated");
  const preferred = claims.filter(({ rank }) => rank === "preferred");
  const [claim] = preferred.length > 0 ? preferred : claims;
  const url = claim && objectAt(objectAt(claim, "mainsnak"), "datavalue").value;
  if (typeof url !== "string") return [];
  const textIn = (name: string) => {
    const texts = objectAt(entity, name);
    return asText((objectAt(texts, language).value ?? objectAt(texts, "en").value) as unknown);
  };
  return [{ url, title: textIn("labels"), description: textIn("descriptions") }];
}
