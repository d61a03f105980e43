// Marginalia: an index of the small web. Its public key is for trying out, so it is asked only with the operator's own.
import { isAnswerObject, listAt } from "../providers/json.ts";
import { nextNumber, type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

export const marginalia: OpenSource = {
  ...sourceDefaults,
  name: "marginalia",
  title: "Marginalia",
  base: "https://api2.marginalia-search.com",
  tier: "keyed",
  serves: new Set(["web"]),
  wantsAllWords: true,
  perCall: 100,
  terms: "CC BY-NC-SA; a key is needed.",

  ask: (question, next) => ({
    path: "/search",
    headers: { "api-key": question.key ?? "" },
    query: { query: question.text, count: sizeOf(question, 100), page: nextNumber(next, 1) },
  }),

  read({ json }, question, next) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null) return null;
    const results = found.map(({ url, title, description }) => ({ url, title, description }));
    return { results, next: found.length < sizeOf(question, 100) ? null : String(nextNumber(next, 1) + 1) };
  },
};
