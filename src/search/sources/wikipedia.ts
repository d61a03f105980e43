// Wikipedia in the language of the search.
import { asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { type OpenSource, sizeOf } from "./source.ts";
import { expressTerms } from "./terms.ts";
import { wikimedia, wikimediaPath, wikimediaQuery, wikimediaTerms } from "./wikimedia.ts";

const understood = new Set(["phrase", "negation", "intitle"] as const);

export const wikipedia: OpenSource = {
  ...wikimedia,
  name: "wikipedia",
  title: "Wikipedia",
  base: "https://{language}.wikipedia.org",
  serves: new Set(["web"]),
  understands: understood,
  hosts: ["wikipedia.org"],
  perCall: 50,
  terms: wikimediaTerms,

  ask(question, next) {
    const srsearch = expressTerms(question.terms, understood) || question.text;
    const srlimit = sizeOf(question, 50);
    const sroffset = next ?? undefined;
    return {
      path: wikimediaPath,
      query: { ...wikimediaQuery, list: "search", srsearch, srlimit, sroffset, srprop: "snippet|timestamp" },
    };
  },

  read({ json }, { base }) {
    if (!isAnswerObject(json)) return null;
    const found = isAnswerObject(json.query) ? listAt(json.query, "search") : null;
    if (found === null) return null;
    const results = found.map(({ title, snippet, timestamp }) => ({
      url: `${base}/wiki/${encodeURIComponent(asText(title).replaceAll(" ", "_"))}`,
      title,
      description: snippet,
      dates: [timestamp],
    }));
    const { sroffset } = objectAt(json, "continue");
    return { results, next: typeof sroffset === "number" ? String(sroffset) : null };
  },
};
