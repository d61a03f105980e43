import { asText } from "../providers/json.ts";
import { shortText } from "./cut-text.ts";
import { type SourceQuestion, type SourceResult, sourceDefaults } from "./source.ts";

/** What sources of papers have in common. */
export const researchSource = {
  ...sourceDefaults,
  serves: new Set(["web", "research", "pdf"] as const),
  signal: "research",
  appliesTime: true,
  perCall: 100,
} as const;

export interface Paper {
  /** Where people read about it. */
  url: unknown;
  pdfUrl: unknown;
  title: unknown;
  abstract: unknown;
  /** YYYY-MM-DD, or longer. */
  published: unknown;
  doi?: unknown;
  /** Further names, such as `pmid:1`. */
  ids?: readonly string[];
}

/** The page of a paper, or its file where only files are wanted. */
export function paperResults(papers: readonly Paper[], { category }: SourceQuestion): SourceResult[] {
  return papers.flatMap(({ url, pdfUrl, title, abstract, published, doi, ids = [] }) => {
    const shown = category === "pdf" ? pdfUrl : url;
    if (typeof shown !== "string" || shown === "") return [];
    const name = doiIn(asText(doi));
    return [
      {
        url: shown,
        title: shortText(asText(title)),
        description: shortText(asText(abstract)),
        dates: [published],
        ids: name === null ? ids : [`doi:${name}`, ...ids],
      },
    ];
  });
}

const longestText = 1000;

/** The DOI in a text or a URL, in small letters. */
export function doiIn(text: string): string | null {
  return (
    /\b10\.\d{4,9}\/[^\s?#"<>]+/
      .exec(text.slice(0, longestText))?.[0]
      .toLowerCase()
      .replace(/[.,;]+$/, "") ?? null
  );
}
