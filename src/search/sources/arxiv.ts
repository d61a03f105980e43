// arXiv: preprints. Answers with an Atom feed.

import { type Paper, paperResults, researchSource } from "./research-source.ts";
import { nextNumber, type OpenSource, type SourceQuestion, sizeOf } from "./source.ts";

const understood = new Set(["phrase", "intitle"] as const);

export const arxiv: OpenSource = {
  ...researchSource,
  name: "arxiv",
  title: "arXiv",
  base: "https://export.arxiv.org",
  understands: understood,
  wantsAllWords: true,
  hosts: ["arxiv.org"],
  pace: [{ most: 1, seconds: 3 }],
  answers: "xml",
  terms:
    "One request in three seconds over one connection; thank you to arXiv for use of its open access interoperability.",

  ask(question, next) {
    return {
      path: "/api/query",
      query: {
        search_query: expression(question),
        start: nextNumber(next, 0),
        max_results: sizeOf(question, 100),
        sortBy: question.isNewestFirst ? "submittedDate" : "relevance",
        sortOrder: "descending",
      },
    };
  },

  read({ tree }, question, next) {
    if (tree === null || tree.all("feed").length === 0) return null;
    const entries = tree.all("entry");
    const papers = entries.map((entry): Paper => {
      const id = /\/abs\/(.+?)(?:v\d+)?$/.exec(tree.text("id", entry))?.[1];
      return {
        url: id === undefined ? "" : `https://arxiv.org/abs/${id}`,
        pdfUrl: tree.attribute('link[title="pdf"]', "href", entry).replace(/^http:/, "https:"),
        title: tree.text("title", entry),
        abstract: tree.text("summary", entry),
        published: tree.text("published", entry),
        doi: tree.text("arxiv\\:doi", entry),
      };
    });
    const start = nextNumber(next, 0) + entries.length;
    const total = Number(tree.text("opensearch\\:totalResults"));
    return {
      results: paperResults(papers, question),
      next: entries.length > 0 && start < total ? String(start) : null,
    };
  },
};

function expression({ terms, text, fromMs, toMs, now }: SourceQuestion): string {
  const wanted = terms.filter(({ isNegated }) => !isNegated);
  const telling = new Set(text.toLowerCase().split(" "));
  const parts = wanted.flatMap(({ words, isPhrase, isTitle, text: written }) => {
    const field = isTitle ? "ti" : "all";
    if (isPhrase) return [`${field}:"${words.join(" ")}"`];
    const isTelling = written
      .toLowerCase()
      .split(" ")
      .some((word) => telling.has(word));
    return isTelling || isTitle ? words.map((word) => `${field}:${word}`) : [];
  });
  // A site alone is searched for by its name.
  if (parts.length === 0) parts.push(`all:"${text}"`);
  const time = (ms: number) => new Date(ms).toISOString().replace(/\D/g, "").slice(0, 12);
  if (fromMs !== null || toMs !== null) {
    parts.push(`submittedDate:[${time(fromMs ?? 0)} TO ${time(Math.min(toMs ?? now, now))}]`);
  }
  return parts.join(" AND ");
}
