// What the sources of papers are asked, and how their answers are read. A source knows its protocol and nothing else.
import { type AnswerObject, asText, isAnswerObject, listAt, objectAt } from "../providers/json.ts";
import { doiIn } from "../sources/research-source.ts";
import type { SourceAnswer, SourceCall } from "../sources/source.ts";
import type { KnownPaper } from "./paper.ts";
import { type PaperIds, type PaperName, paperIdsOf, readPaperName } from "./paper-ids.ts";

export interface PaperQuestion {
  text: string;
  count: number;
  /** YYYY-MM-DD. */
  from: string | undefined;
  to: string | undefined;
}

/** How a call signs itself, where a source wants that. */
export interface SourceSigning {
  mail: string | null;
  key: string | null;
}

export interface PaperSource {
  /** Of the open source whose pace and rests hold. */
  name: "arxiv" | "crossref" | "europepmc" | "openalex";
  search(question: PaperQuestion, signing: SourceSigning): SourceCall;
  /** Null where the source does not know names of this kind. */
  find(name: PaperName, signing: SourceSigning): SourceCall | null;
  /** Null when the shape of the answer is unknown. */
  read(answer: SourceAnswer): KnownPaper[] | null;
}

const nothing = { authors: [], categories: [], created: "", updated: "", related: [], references: [], citedBy: 0 };
/** As many as a caller may ask for, which the other sources give in one answer. */
const mostPerCall = 500;
const mostOfAlex = 100;

const arxiv: PaperSource = {
  name: "arxiv",
  search: (question) => ({
    path: "/api/query",
    query: {
      search_query: arxivExpression(question),
      start: 0,
      max_results: question.count,
      sortBy: "relevance",
      sortOrder: "descending",
    },
  }),
  find: ({ kind, value }) =>
    kind === "arxiv" ? { path: "/api/query", query: { id_list: value, max_results: 1 } } : null,
  read({ tree }) {
    if (tree === null || tree.all("feed").length === 0) return null;
    return tree.all("entry").flatMap((entry) => {
      const name = readPaperName(tree.text("id", entry));
      if (name === null) return [];
      return [
        {
          ...nothing,
          ids: paperIdsOf([name, doiName(tree.text("arxiv\\:doi", entry))]),
          title: tree.text("title", entry),
          abstract: tree.text("summary", entry),
          authors: tree.all("author", entry).map((author) => tree.text("name", author)),
          categories: tree.all("category", entry).map(({ attribs }) => attribs.term ?? ""),
          created: dayIn(tree.text("published", entry)),
          updated: dayIn(tree.text("updated", entry)),
        },
      ];
    });
  },
};

function arxivExpression({ text, from, to }: PaperQuestion): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words.slice(0, 12).map((word) => `all:${word}`);
  const digits = (day: string) => day.replaceAll("-", "");
  const range = `submittedDate:[${digits(from ?? "1990-01-01")}0000 TO ${digits(to ?? "2100-01-01")}2359]`;
  return [...(asked.length > 0 ? asked : ["all:science"]), ...(from || to ? [range] : [])].join(" AND ");
}

const crossref: PaperSource = {
  name: "crossref",
  search: (question, { mail }) => ({
    path: "/works",
    query: {
      query: question.text,
      rows: question.count,
      filter: rangeFilter(question, "from-pub-date", "until-pub-date"),
      mailto: mail ?? undefined,
    },
  }),
  find: ({ kind, value }, { mail }) =>
    kind === "doi" ? { path: `/works/${encodeURIComponent(value)}`, query: { mailto: mail ?? undefined } } : null,
  read({ json }) {
    if (!isAnswerObject(json) || !isAnswerObject(json.message)) return null;
    const items = "items" in json.message ? listAt(json.message, "items") : [json.message];
    return items && items.filter(({ type }) => type !== "component").map(crossrefPaper);
  },
};

function crossrefPaper(item: AnswerObject): KnownPaper {
  const [title] = Array.isArray(item.title) ? item.title : [];
  const people = listAt(item, "author") ?? [];
  const dates = objectAt(item, "published")["date-parts"] ?? objectAt(item, "issued")["date-parts"];
  return {
    ...nothing,
    ids: paperIdsOf([doiName(asText(item.DOI))]),
    title: bare(asText(title)),
    abstract: bare(asText(item.abstract)),
    authors: people.map(({ given, family, name }) => asText(name) || `${asText(given)} ${asText(family)}`.trim()),
    categories: Array.isArray(item.subject) ? item.subject.map(asText).filter(Boolean) : [],
    created: dayOfParts(dates),
    citedBy: Number(item["is-referenced-by-count"]) || 0,
  };
}

const europePmc: PaperSource = {
  name: "europepmc",
  search: (question) => europeSearch(europeExpression(question), question.count),
  find({ kind, value }) {
    if (kind === "pmid") return europeSearch(`EXT_ID:${value} AND SRC:MED`, 1);
    if (kind === "pmcid") return europeSearch(`PMCID:${value}`, 1);
    return kind === "doi" ? europeSearch(`DOI:"${value}"`, 1) : null;
  },
  read({ json }) {
    if (!isAnswerObject(json)) return null;
    const [list] = ["resultList", "referenceList", "citationList"].flatMap((name) =>
      isAnswerObject(json[name]) ? [json[name]] : [],
    );
    if (list === undefined) return null;
    const items = listAt(list, "result") ?? [];
    return [...items, ...(listAt(list, "reference") ?? []), ...(listAt(list, "citation") ?? [])].map(europePaper);
  },
};

function europeSearch(query: string, pageSize: number): SourceCall {
  return { path: "/search", query: { query, format: "json", resultType: "core", pageSize } };
}

/** The papers that one of the life sciences names, or that name it. */
export function europeLinks(name: PaperName, way: "references" | "citations"): SourceCall | null {
  const source = name.kind === "pmid" ? "MED" : name.kind === "pmcid" ? "PMC" : null;
  if (source === null) return null;
  return { path: `/${source}/${name.value}/${way}`, query: { format: "json", pageSize: mostPerCall } };
}

function europeExpression({ text, from, to }: PaperQuestion): string {
  const plain = text
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .replace(/[-+&|!(){}[\]^~*?:\\/"]+/g, " ");
  return from || to ? `${plain} AND FIRST_PDATE:[${from ?? "1900-01-01"} TO ${to ?? "2100-01-01"}]` : plain;
}

function europePaper(item: AnswerObject): KnownPaper {
  const { id, source, pmid, pmcid, doi, title, abstractText, authorString, firstPublicationDate } = item;
  const med = source === "MED" ? asText(id) : "";
  const keywords = objectAt(item, "keywordList").keyword;
  return {
    ...nothing,
    ids: paperIdsOf([
      readPaperName(`pmid:${asText(pmid) || med}`),
      readPaperName(`pmcid:${asText(pmcid)}`),
      doiName(asText(doi)),
    ]),
    title: bare(asText(title)).replace(/\.$/, ""),
    abstract: bare(asText(abstractText)),
    authors: asText(authorString).replace(/\.$/, "").split(", ").filter(Boolean),
    categories: Array.isArray(keywords) ? keywords.map(asText).filter(Boolean) : [],
    created: dayIn(asText(firstPublicationDate)),
    citedBy: Number(item.citedByCount) || 0,
  };
}

const openAlex: PaperSource = {
  name: "openalex",
  search: (question, signing) => ({
    path: "/works",
    query: {
      search: question.text,
      per_page: Math.min(question.count, mostOfAlex),
      filter: rangeFilter(question, "from_publication_date", "to_publication_date"),
      ...alexSigning(signing),
    },
  }),
  find({ kind, value }, signing) {
    const doi = kind === "arxiv" ? `10.48550/arxiv.${value}` : value;
    const named = kind === "openalex" ? value : kind === "doi" || kind === "arxiv" ? `doi:${doi}` : `${kind}:${value}`;
    return { path: `/works/${named}`, query: alexSigning(signing) };
  },
  read({ json }) {
    if (!isAnswerObject(json)) return null;
    const items = "results" in json ? listAt(json, "results") : "id" in json || "title" in json ? [json] : null;
    return items && items.map(alexPaper);
  },
};

/** Works by a filter, such as those that cite one, or those with these names. */
export function alexWorks(filter: string, count: number, signing: SourceSigning): SourceCall {
  return { path: "/works", query: { filter, per_page: Math.min(count, mostOfAlex), ...alexSigning(signing) } };
}

function alexSigning({ mail, key }: SourceSigning) {
  return { mailto: mail ?? undefined, api_key: key ?? undefined };
}

function alexPaper(item: AnswerObject): KnownPaper {
  const ids = objectAt(item, "ids");
  const places = [objectAt(item, "primary_location"), ...(listAt(item, "locations") ?? [])];
  const authors = (listAt(item, "authorships") ?? []).map((each) => asText(objectAt(each, "author").display_name));
  const topics = (listAt(item, "topics") ?? []).map(({ display_name: name }) => asText(name));
  return {
    ids: paperIdsOf([
      ...places.map(({ landing_page_url: url }) => arxivName(asText(url))),
      doiName(asText(ids.doi) || asText(item.doi)),
      readPaperName(`pmid:${lastPart(ids.pmid)}`),
      readPaperName(`pmcid:${lastPart(ids.pmcid)}`),
      readPaperName(`openalex:${lastPart(item.id)}`),
    ]),
    title: asText(item.title) || asText(item.display_name),
    abstract: abstractOf(objectAt(item, "abstract_inverted_index")),
    authors: authors.filter(Boolean),
    categories: topics.filter(Boolean),
    created: dayIn(asText(item.publication_date)),
    updated: dayIn(asText(item.updated_date)),
    related: worksOf(item.related_works),
    references: worksOf(item.referenced_works),
    citedBy: Number(item.cited_by_count) || 0,
  };
}

const worksOf = (list: unknown) => (Array.isArray(list) ? list.map(lastPart).filter(Boolean) : []);
const lastPart = (value: unknown) => asText(value).split("/").at(-1) ?? "";

function arxivName(url: string): PaperName | null {
  return /arxiv\.org\//i.test(url) ? readPaperName(url) : null;
}

const mostWords = 2000;

/** Abstracts come as the places of each word. */
function abstractOf(index: AnswerObject): string {
  const words: string[] = [];
  for (const [word, places] of Object.entries(index)) {
    if (!Array.isArray(places)) continue;
    for (const place of places) if (Number.isInteger(place) && place >= 0 && place < mostWords) words[place] = word;
  }
  return Array.from(words, (word) => asText(word)).join(" ");
}

function rangeFilter({ from, to }: PaperQuestion, since: string, until: string): string | undefined {
  const bounds = [...(from ? [`${since}:${from}`] : []), ...(to ? [`${until}:${to}`] : [])];
  return bounds.length > 0 ? bounds.join(",") : undefined;
}

function doiName(text: string): PaperName | null {
  const doi = doiIn(text);
  return doi === null ? null : readPaperName(`doi:${doi}`);
}

function dayIn(text: string): string {
  return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? "";
}

function dayOfParts(parts: unknown): string {
  const [first] = Array.isArray(parts) ? parts : [];
  const [year, month = 1, day = 1] = Array.isArray(first) ? first.map(Number) : [];
  if (!year) return "";
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Without markup. */
function bare(text: string): string {
  return text
    .replace(/<\/?[a-zA-Z][^<>]{0,300}>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

export const paperSources: readonly PaperSource[] = [arxiv, openAlex, europePmc, crossref];

export type { PaperIds };
