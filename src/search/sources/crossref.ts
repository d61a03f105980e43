// Crossref: what publishers register, under its DOI.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { type Paper, paperResults, researchSource } from "./research-source.ts";
import { dayFilters, nextNumber, type OpenSource, sizeOf } from "./source.ts";

const select = "DOI,URL,title,abstract,published,resource,link,type";

export const crossref: OpenSource = {
  ...researchSource,
  name: "crossref",
  title: "Crossref",
  base: "https://api.crossref.org",
  terms: "Open; requests with a mail address are served from a separate pool.",

  ask(question, next) {
    return {
      path: "/works",
      query: {
        query: question.text,
        rows: sizeOf(question, 100),
        offset: nextNumber(next, 0),
        filter: dayFilters(question, "from-pub-date", "until-pub-date").join(",") || undefined,
        sort: question.isNewestFirst ? "published" : undefined,
        select,
        mailto: question.mail ?? undefined,
      },
    };
  },

  read({ json }, question, next) {
    const message = isAnswerObject(json) ? json.message : null;
    const items = isAnswerObject(message) && "items" in message ? listAt(message, "items") : null;
    if (items === null || !isAnswerObject(message)) return null;
    // Figures and tables of papers have their own entries.
    const papers = items.filter(({ type }) => type !== "component").map(paperOf);
    const offset = nextNumber(next, 0) + items.length;
    const isMore = items.length > 0 && offset < Number(message["total-results"]);
    return { results: paperResults(papers, question), next: isMore ? String(offset) : null };
  },
};

function paperOf(item: AnswerObject): Paper {
  const [title] = Array.isArray(item.title) ? item.title : [];
  const links = listAt(item, "link") ?? [];
  const pdf = links.find((link) => link["content-type"] === "application/pdf" || /\.pdf$/i.test(asText(link.URL)));
  return {
    url: objectAt(objectAt(item, "resource"), "primary").URL ?? item.URL,
    pdfUrl: pdf?.URL,
    title,
    abstract: item.abstract,
    published: dateOf(objectAt(item, "published")["date-parts"]),
    doi: item.DOI,
  };
}

/** A year alone is no date that a range could be applied to. */
function dateOf(parts: unknown): string {
  const [first] = Array.isArray(parts) ? parts : [];
  const [year, month, day = 1] = Array.isArray(first) ? first : [];
  if (typeof year !== "number" || typeof month !== "number" || typeof day !== "number") return "";
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
