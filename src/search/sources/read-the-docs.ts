// Read the Docs: documentation of programs.
import { asText, isAnswerObject, listAt } from "../providers/json.ts";
import { codeSource } from "./code-source.ts";
import { shortText } from "./cut-text.ts";
import { nextNumber, type OpenSource, sizeOf } from "./source.ts";

export const readTheDocs: OpenSource = {
  ...codeSource,
  name: "readthedocs",
  title: "Read the Docs",
  base: "https://app.readthedocs.org",
  serves: new Set(["web", "developer"]),
  hosts: ["readthedocs.io", "readthedocs.org"],
  perCall: 50,
  atOnce: 1,
  terms: "Public API, limited without a number.",

  ask: (question, next) => ({
    path: "/api/v3/search/",
    query: { q: question.text, page: nextNumber(next, 1), page_size: sizeOf(question, 50) },
  }),

  read({ json }, _, next) {
    const found = isAnswerObject(json) && "results" in json ? listAt(json, "results") : null;
    if (found === null || !isAnswerObject(json)) return null;
    const results = found.map((each) => {
      const blocks = listAt(each, "blocks") ?? [];
      const texts = blocks.map(({ content }) => asText(content)).filter((text) => text !== "");
      return {
        url: URL.canParse(asText(each.path), asText(each.domain))
          ? new URL(asText(each.path), asText(each.domain)).href
          : undefined,
        title: each.title,
        description: shortText(texts.slice(0, 2).join(" ")),
      };
    });
    return { results, next: json.next ? String(nextNumber(next, 1) + 1) : null };
  },
};
