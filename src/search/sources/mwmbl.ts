// Mwmbl: a small general index of a non-profit.
import { asText, isAnswerObject } from "../providers/json.ts";
import { type OpenSource, sourceDefaults } from "./source.ts";

export const mwmbl: OpenSource = {
  ...sourceDefaults,
  name: "mwmbl",
  title: "Mwmbl",
  base: "https://api.mwmbl.org",
  serves: new Set(["web"]),
  perCall: 30,
  terms: "Non-profit and open source, with a public API.",

  ask: ({ text }) => ({ path: "/api/v1/search/", query: { s: text } }),

  read({ json }) {
    if (!Array.isArray(json)) return null;
    const results = json.filter(isAnswerObject).map(({ url, title, extract }) => ({
      url,
      title: joined(title),
      description: joined(extract),
    }));
    return { results, next: null };
  },
};

/** Texts come in parts, of which some are bold. */
function joined(parts: unknown): string {
  if (!Array.isArray(parts)) return asText(parts);
  return parts.map((part) => (isAnswerObject(part) ? asText(part.value) : "")).join("");
}
