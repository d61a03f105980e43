// Pictures inside files. Their readers write them into the HTML as data; documents show them by the URLs of media, so that a
// text stays small and an image list has something to name.
import type { Document } from "../../contract/index.ts";
import { isPicture, type MediaCollector, mediaFolder, mediaName } from "./kept-media.ts";

/** Stands for this server until a document is returned: only then it is known under which name the caller reached it. */
const unnamedServer = "http://media.invalid";
const start = ' src="data:image/';
const mark = ";base64,";
/** Of the media type and its parameters. */
const longestHead = 100;

export interface KeptPictures {
  html: string;
  /** How many pictures became media. */
  count: number;
}

/** Not for requests of which nothing may be kept. By hand: a pattern would go through every picture character by character. */
export function keepPictures(html: string, collector: MediaCollector): KeptPictures {
  const parts: string[] = [];
  const known = new Map<string, string>();
  let count = 0;
  let from = 0;
  for (let at = html.indexOf(start); at >= 0; at = html.indexOf(start, at + start.length)) {
    const begin = at + ' src="'.length;
    const end = html.indexOf('"', begin);
    const data = end < 0 ? -1 : html.slice(begin, Math.min(end, begin + longestHead)).indexOf(mark);
    if (data < 0) continue;
    const encoded = html.slice(begin + data + mark.length, end);
    const url = known.get(encoded) ?? pictureUrl(encoded, collector);
    // What is not served as a picture stays data.
    if (url === null) continue;
    if (!known.has(encoded)) count += 1;
    known.set(encoded, url);
    parts.push(html.slice(from, begin), url);
    from = end;
  }
  return count === 0 ? { html, count } : { html: parts.join("") + html.slice(from), count };
}

function pictureUrl(encoded: string, collector: MediaCollector): string | null {
  const bytes = Buffer.from(encoded, "base64");
  return isPicture(bytes) ? unnamedServer + collector.put(bytes) : null;
}

const named = new RegExp(`${unnamedServer.replaceAll(".", "\\.")}${mediaFolder}([\\w-]{43})\\.`, "g");

/** Ids of the pictures that a document shows in its texts. */
function picturesOf(document: Partial<Document>): string[] {
  if (!hasPictures(document)) return [];
  return [...new Set([...JSON.stringify(document).matchAll(named)].flatMap(([, id]) => id ?? []))];
}

/** Ids of the blobs that a stored document shows. */
export function mediaOf(document: Document): string[] {
  const { screenshot, actions } = document;
  const shown = [screenshot, ...(actions?.screenshots ?? []), ...(actions?.pdfs ?? [])];
  const ids = shown.flatMap((path) =>
    path?.startsWith(mediaFolder) ? (mediaName.exec(path.slice(mediaFolder.length))?.[1] ?? []) : [],
  );
  return [...ids, ...picturesOf(document)];
}

/** The document with the URLs under which its caller can read the pictures. */
export function withPictureLinks<Shown extends Partial<Document>>(document: Shown, baseUrl: string): Shown {
  if (!hasPictures(document)) return document;
  const unnamed = unnamedServer + mediaFolder;
  const shown = JSON.parse(JSON.stringify(document).replaceAll(unnamed, () => baseUrl + mediaFolder)) as Shown;
  const longer = baseUrl.length - unnamedServer.length;
  if (shown.blocks) moveSpans(shown.blocks, document.markdown ?? "", unnamed, longer);
  return shown;
}

/** The text of a page without what differs from reading to reading. */
export function withoutPictureNames(text: string): string {
  return text.includes(unnamedServer) ? text.replace(named, "picture.") : text;
}

/** The same of its UTF-8. */
export function withoutPictureNamesIn(bytes: Buffer): Buffer {
  return bytes.includes(unnamedServer) ? Buffer.from(withoutPictureNames(bytes.toString())) : bytes;
}

/** Set by the reader of files; a page's own tag of this name is text. */
function hasPictures({ metadata }: Partial<Document>): boolean {
  return typeof metadata?.pictures === "number";
}

/** Places after a URL that became longer, or shorter, move with it. */
function moveSpans(blocks: NonNullable<Document["blocks"]>, markdown: string, url: string, longer: number): void {
  const places: number[] = [];
  for (let at = markdown.indexOf(url); at >= 0; at = markdown.indexOf(url, at + 1)) places.push(at);
  const move = (place: number) => place + longer * places.filter((at) => at < place).length;
  for (const { items } of blocks) {
    for (const item of items)
      if (item.markdownSpan) item.markdownSpan = [move(item.markdownSpan[0]), move(item.markdownSpan[1])];
  }
}
