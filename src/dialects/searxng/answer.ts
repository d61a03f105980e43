// A SearXNG answer: results in the order of their score, and whoever did not answer as an unresponsive engine.
import { type ListedResult, type SearchOutput, scoreOf } from "../frame/results.ts";

export interface GroupResult extends ListedResult {
  category: string;
}

export function resultOf(result: GroupResult, rank: number): object {
  const { url, title, description, published, engines, category, source, imageUrl = "" } = result;
  const isImage = source === "images";
  const { imageWidth: width, imageHeight: height } = result;
  return {
    url,
    title,
    content: description,
    engine: engines[0] ?? "index",
    engines: engines.length > 0 ? engines : ["index"],
    positions: [rank],
    score: scoreOf(rank),
    category,
    template: isImage ? "images.html" : "default.html",
    parsed_url: parsedUrl(url),
    publishedDate: published ?? null,
    img_src: isImage ? imageUrl : "",
    thumbnail: isImage ? "" : imageUrl,
    iframe_src: "",
    author: "",
    ...(isImage ? { thumbnail_src: imageUrl } : {}),
    ...(isImage && width !== undefined && height !== undefined ? { resolution: `${width}x${height}` } : {}),
  };
}

function parsedUrl(url: string): string[] {
  if (!URL.canParse(url)) return ["", "", url, "", "", ""];
  const { protocol, host, pathname, search, hash } = new URL(url);
  return [protocol.slice(0, -1), host, pathname, "", search.slice(1), hash.slice(1)];
}

/** Sources and services that failed while others answered, by the steps of the search. */
export function unresponsiveOf({ trace = [] }: SearchOutput): [string, string][] {
  return trace.flatMap(({ sourcesAsked = [] }) =>
    sourcesAsked.flatMap(({ name, error }): [string, string][] => (error ? [[name, error]] : [])),
  );
}
