// GOV.UK: pages of the British government.
import { asText, isAnswerObject, listAt } from "../providers/json.ts";
import { dayFilters, nextNumber, type OpenSource, sizeOf, sourceDefaults } from "./source.ts";

export const govUk: OpenSource = {
  ...sourceDefaults,
  name: "govuk",
  title: "GOV.UK",
  base: "https://www.gov.uk",
  serves: new Set(["web", "gov"]),
  signal: "gov",
  hosts: ["gov.uk"],
  appliesTime: true,
  perCall: 100,
  pace: [{ most: 2, seconds: 1 }],
  atOnce: 2,
  terms: "Public API, Open Government Licence.",

  // Parameters that it does not know are a 422.
  ask: (question, next) => ({
    path: "/api/search.json",
    query: {
      q: question.text,
      count: sizeOf(question, 100),
      start: nextNumber(next, 0),
      order: question.isNewestFirst ? "-public_timestamp" : undefined,
      fields: ["title", "link", "description", "public_timestamp"],
      filter_public_timestamp: dayFilters(question, "from", "to").join(",") || undefined,
    },
  }),

  read({ json }, { base }, next) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null || !isAnswerObject(json)) return null;
    const results = found.map(({ title, link, description, public_timestamp: published }) => ({
      url: URL.canParse(asText(link), base) ? new URL(asText(link), base).href : undefined,
      title,
      description,
      dates: [published],
    }));
    const start = nextNumber(next, 0) + found.length;
    return { results, next: found.length > 0 && start < Number(json.total) ? String(start) : null };
  },
};
