// What a caller gets of the results: the fields of each source, numbered, and the contents of the pages that were read.
import type { OperationOutput } from "../../contract/index.ts";
import type { FoundResults, SearchResult } from "../../search/index.ts";
import { withoutMarkup } from "../parts/markdown-text.ts";
import type { ReadPages, ResultPage } from "./result-pages.ts";

type SearchData = OperationOutput<"search">["data"];

export function dataOf(
  { groups, createHighlighter }: Omit<FoundResults, "warnings">,
  { pages }: ReadPages,
  wantsHighlights: boolean,
): SearchData {
  const highlight = wantsHighlights && pages.size > 0 ? createHighlighter() : null;
  const describe = ({ url, description }: SearchResult) => {
    const markdown = pages.get(url)?.page.markdown;
    return (markdown !== undefined && highlight?.(withoutMarkup(markdown))) || description;
  };
  const data: SearchData = {};
  const web = groups.get("web");
  if (web) {
    data.web = web.map((found, index) => ({
      url: found.url,
      title: found.title,
      description: describe(found),
      ...(found.date === "" ? {} : { date: found.date }),
      position: index + 1,
      ...(found.category === undefined ? {} : { category: found.category }),
      ...enginesOf(found),
    }));
  }
  const news = groups.get("news");
  if (news) {
    data.news = news.map((found, index) => ({
      title: found.title,
      url: found.url,
      snippet: describe(found),
      ...(found.date === "" ? {} : { date: found.date }),
      ...(found.imageUrl === undefined ? {} : { imageUrl: found.imageUrl }),
      position: index + 1,
      ...enginesOf(found),
    }));
  }
  const images = groups.get("images");
  if (images) {
    data.images = images.map(({ title, imageUrl, imageWidth, imageHeight, url, engines }, index) => ({
      title,
      ...(imageUrl === undefined ? {} : { imageUrl }),
      ...(imageWidth === undefined ? {} : { imageWidth }),
      ...(imageHeight === undefined ? {} : { imageHeight }),
      url,
      position: index + 1,
      ...enginesOf({ engines }),
    }));
  }
  return withPages(data, (url) => pages.get(url)?.page);
}

function enginesOf({ engines }: { engines?: readonly string[] | undefined }): { engines?: string[] } {
  return engines === undefined ? {} : { engines: [...engines] };
}

/** A result keeps its own title, unless it has none. */
export function withPages(data: SearchData, pageOf: (url: string) => ResultPage | undefined): SearchData {
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

/** What only we have, and strict readers of the official answer refuse. */
export function withoutExtras(data: SearchData): SearchData {
  const bare = <Result extends { engines?: string[] | undefined }>({ engines: _, ...result }: Result) => result;
  const { web, news, images } = data;
  return {
    ...(web ? { web: web.map(bare).map(({ date: _, ...result }) => result) } : {}),
    ...(news ? { news: news.map(bare) } : {}),
    ...(images ? { images: images.map(bare) } : {}),
  };
}

const ownFields = new Set("url title description snippet date imageUrl position category engines".split(" "));

/** Of results whose pages are stored elsewhere, only their own fields. */
export function withoutPages(data: SearchData, scrapeIds: Readonly<Record<string, string>>): SearchData {
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
