// What a caller gets of the results: each source's own fields, numbered, and the contents of pages that were read.
import { isoTime } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { SearchQuery } from "../../search/index.ts";
import type { SourceRequest } from "./finding.ts";
import type { Found } from "./fusion.ts";
import type { ReadPages, ResultPage } from "./pages.ts";

export type Data = OperationOutput<"search">["data"];

/** The results of each source that was asked for. */
export type Groups = Map<SourceRequest["source"], Found[]>;

interface Findings {
  query: SearchQuery;
  groups: Groups;
  highlighter(query: SearchQuery): (text: string) => string | null;
}

export function dataOf({ query, groups, highlighter }: Findings, { pages }: ReadPages, wantsHighlights: boolean): Data {
  const highlight = wantsHighlights && pages.size > 0 ? highlighter(query) : null;
  const describe = ({ url, description }: Found) => {
    const markdown = pages.get(url)?.page.markdown;
    return (markdown !== undefined && highlight?.(plainText(markdown))) || description;
  };
  const data: Data = {};
  const web = groups.get("web");
  if (web) {
    data.web = web.map((found, index) => ({
      url: found.url,
      title: found.title,
      description: describe(found),
      position: index + 1,
      ...(found.category === undefined ? {} : { category: found.category }),
    }));
  }
  const news = groups.get("news");
  if (news) {
    data.news = news.map((found, index) => ({
      title: found.title,
      url: found.url,
      snippet: describe(found),
      ...(dateOf(found) === "" ? {} : { date: dateOf(found) }),
      ...(found.imageUrl === undefined ? {} : { imageUrl: found.imageUrl }),
      position: index + 1,
    }));
  }
  const images = groups.get("images");
  if (images) {
    data.images = images.map(({ title, imageUrl, imageWidth, imageHeight, url }, index) => ({
      title,
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(imageWidth === undefined ? {} : { imageWidth }),
      ...(imageHeight === undefined ? {} : { imageHeight }),
      url,
      position: index + 1,
    }));
  }
  return withPages(data, (url) => pages.get(url)?.page);
}

function dateOf({ date, published }: Found): string {
  return date || (published === null ? "" : isoTime(published));
}

/** A result's own words go before its page's, unless it has none. */
export function withPages(data: Data, pageOf: (url: string) => ResultPage | undefined): Data {
  const join = <Result extends { url: string; title: string }>(result: Result): Result => {
    const page = pageOf(result.url);
    return page ? { ...page, ...result, title: result.title || (page.metadata?.title ?? "") } : result;
  };
  return {
    ...data,
    ...(data.web ? { web: data.web.map(join) } : {}),
    ...(data.news ? { news: data.news.map(join) } : {}),
  };
}

const ownFields = new Set(["url", "title", "description", "snippet", "date", "imageUrl", "position", "category"]);

/** Of results whose pages are kept elsewhere only their own fields. */
export function withoutPages(data: Data, scrapeIds: Readonly<Record<string, string>>): Data {
  const strip = <Result extends { url: string }>(result: Result): Result =>
    Object.hasOwn(scrapeIds, result.url)
      ? (Object.fromEntries(Object.entries(result).filter(([name]) => ownFields.has(name))) as Result)
      : result;
  return {
    ...data,
    ...(data.web ? { web: data.web.map(strip) } : {}),
    ...(data.news ? { news: data.news.map(strip) } : {}),
  };
}

/** Markdown without its signs, to take a passage from. */
function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]\n]*)\]\([^\s)]*(?:\s"[^"\n]*")?\)/g, "$1")
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*_`|\\]+/g, " ");
}
