// The Federal Register: rules and notices of the government of the United States.
import { isAnswerObject, listAt } from "../providers/json.ts";
import { dayOf, nextNumber, type OpenSource, sizeOf, sourceDefaults } from "./source.ts";
import { expressTerms } from "./terms.ts";

const understood = new Set(["phrase"] as const);

export const federalRegister: OpenSource = {
  ...sourceDefaults,
  name: "federalregister",
  title: "Federal Register",
  base: "https://www.federalregister.gov",
  serves: new Set(["web", "gov", "pdf"]),
  signal: "gov",
  understands: understood,
  wantsAllWords: true,
  hosts: ["federalregister.gov", "govinfo.gov"],
  appliesTime: true,
  perCall: 100,
  terms: "Without a key; public domain.",

  ask(question, next) {
    const { terms, text, fromMs, toMs, now } = question;
    const hasPhrase = terms.some(({ isPhrase, isNegated }) => isPhrase && !isNegated);
    return {
      path: "/api/v1/documents.json",
      query: {
        "conditions[term]": hasPhrase ? expressTerms(terms, understood) : text,
        per_page: sizeOf(question, 100),
        page: nextNumber(next, 1),
        order: question.isNewestFirst ? "newest" : "relevance",
        "conditions[publication_date][gte]": fromMs === null ? undefined : dayOf(fromMs),
        "conditions[publication_date][lte]": toMs === null || toMs >= now ? undefined : dayOf(toMs),
        "fields[]": ["title", "abstract", "html_url", "pdf_url", "publication_date"],
      },
    };
  },

  read({ json }, { category }, next) {
    if (!isAnswerObject(json) || !("results" in json || json.count === 0)) return null;
    const found = listAt(json, "results");
    if (found === null) return null;
    const results = found.map(({ title, abstract, html_url: page, pdf_url: pdf, publication_date: published }) => ({
      url: category === "pdf" ? pdf : page,
      title,
      description: abstract,
      dates: [published],
    }));
    const page = nextNumber(next, 1);
    return { results, next: page < Number(json.total_pages) ? String(page + 1) : null };
  },
};
