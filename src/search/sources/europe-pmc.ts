// Europe PMC: papers of the life sciences; it holds PubMed.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { type Paper, paperResults, researchSource } from "./research-source.ts";
import { dayOf, type OpenSource, type SourceQuestion, sizeOf } from "./source.ts";
import { expressTerms } from "./terms.ts";

const understood = new Set(["phrase"] as const);

export const europePmc: OpenSource = {
  ...researchSource,
  name: "europepmc",
  title: "Europe PMC",
  base: "https://www.ebi.ac.uk/europepmc/webservices/rest",
  understands: understood,
  wantsAllWords: true,
  hosts: ["europepmc.org", "ncbi.nlm.nih.gov"],
  pace: [{ most: 2, seconds: 1 }],
  atOnce: 2,
  terms: "Open.",

  ask: (question, next) => ({
    path: "/search",
    query: {
      query: expression(question),
      format: "json",
      resultType: "core",
      pageSize: sizeOf(question, 100),
      cursorMark: next ?? "*",
    },
  }),

  read({ json }, question, next) {
    const list = isAnswerObject(json) ? json.resultList : null;
    const found = isAnswerObject(list) ? listAt(list, "result") : null;
    if (found === null || !isAnswerObject(json)) return null;
    const mark = asText(json.nextCursorMark);
    const isMore = found.length > 0 && mark !== "" && mark !== (next ?? "*");
    return { results: paperResults(found.map(paperOf), question), next: isMore ? mark : null };
  },
};

function expression({ terms, text, fromMs, toMs, now }: SourceQuestion): string {
  const hasPhrase = terms.some(({ isPhrase, isNegated }) => isPhrase && !isNegated);
  const words = hasPhrase ? expressTerms(terms, understood) : text;
  // Words such as AND are operators, and so are some signs, here.
  const plain = words
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replace(/[-+&|!(){}[\]^~*?:\\/]+/g, " ");
  if (fromMs === null && toMs === null) return plain;
  return `${plain} AND FIRST_PDATE:[${dayOf(fromMs ?? 0)} TO ${dayOf(Math.min(toMs ?? now, now))}]`;
}

function paperOf(item: AnswerObject): Paper {
  const { pmid, pmcid, doi, title, abstractText, firstPublicationDate } = item;
  const urls = listAt(objectAt(item, "fullTextUrlList"), "fullTextUrl") ?? [];
  const pdf = urls.find(({ documentStyle }) => documentStyle === "pdf");
  return {
    url: urlOf(asText(pmcid), asText(pmid), asText(doi)),
    pdfUrl: pdf?.url,
    title,
    abstract: abstractText,
    published: firstPublicationDate,
    doi,
    ids: [...(pmid ? [`pmid:${asText(pmid)}`] : []), ...(pmcid ? [`pmcid:${asText(pmcid).toLowerCase()}`] : [])],
  };
}

function urlOf(pmcid: string, pmid: string, doi: string): string {
  if (pmcid !== "") return `https://pmc.ncbi.nlm.nih.gov/articles/${pmcid}/`;
  if (pmid !== "") return `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`;
  return doi === "" ? "" : `https://doi.org/${doi}`;
}
