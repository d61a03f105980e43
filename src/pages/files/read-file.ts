// Where a file becomes a page of the local index. Every kind of file is one row of the table; the content room reads HTML and text
// in its threads, with its limits.
import type { ContentPool, ContentRequest, SearchText } from "../../content/index.ts";
import type { SearchablePage } from "../record/page-record.ts";
import { headingsOf, readFrontMatter, withoutMarkup } from "./markdown-text.ts";

export interface IndexedFile {
  /** Its ending says what it is. */
  name: string;
  /** What results show. */
  url: string;
  bytes: Uint8Array;
}

export type FileOutcome = { page: SearchablePage } | { problem: string };
export type ReadFile = (file: IndexedFile, teamId: string, signal: AbortSignal) => Promise<FileOutcome>;

type FileText = Pick<SearchablePage, "content"> & { metadata: Partial<SearchablePage["metadata"]> };
type ReadKind = (file: IndexedFile, teamId: string, signal: AbortSignal) => Promise<FileText | { problem: string }>;

/** What the content room is asked for: nothing but what the index keeps. */
const nothingElse: Omit<ContentRequest<never>, "bytes" | "contentType" | "url"> = {
  formats: {
    markdown: false,
    html: false,
    rawHtml: false,
    links: false,
    images: false,
    outlinks: false,
    attributes: [],
  },
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  forSearch: true,
};

const failures = {
  timeout: "Reading it took too long.",
  memory: "Reading it needs too much memory.",
  crash: "It cannot be read.",
};

export function createFileReader(content: ContentPool): ReadFile {
  const through =
    (contentType: string): ReadKind =>
    async ({ bytes, url }, teamId, signal) => {
      const result = await content.read({ ...nothingElse, bytes, contentType, url }, teamId, signal);
      if ("failure" in result) return { problem: failures[result.failure] };
      if ("unsupported" in result) return { problem: `${result.reason}.` };
      return { metadata: result.metadata, content: result.searchText ?? { text: "", headings: [], links: [] } };
    };

  /** By the ending of the name. */
  const kinds: Readonly<Record<string, ReadKind>> = {
    md: readMarkdown,
    markdown: readMarkdown,
    txt: through("text/plain; charset=utf-8"),
    html: through("text/html"),
    htm: through("text/html"),
  };

  return async (file, teamId, signal) => {
    const ending = /\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? "";
    const read = Object.hasOwn(kinds, ending) ? kinds[ending] : undefined;
    if (!read) return { problem: `Files of this kind cannot be read. Known are: ${Object.keys(kinds).join(", ")}.` };
    const found = await read(file, teamId, signal);
    if ("problem" in found) return found;
    const { content: text, metadata } = found;
    if (text.text.trim() === "") return { problem: "It has no text." };
    return {
      page: { teamId, content: text, metadata: { ...metadata, url: file.url, title: metadata.title || titleOf(file) } },
    };
  };
}

async function readMarkdown({ bytes }: IndexedFile): Promise<FileText> {
  const { fields, body } = readFrontMatter(Buffer.from(bytes).toString("utf8"));
  const headings = headingsOf(body);
  const content: SearchText = { text: withoutMarkup(body).trim(), headings, links: [] };
  const title = fields.get("title") ?? headings[0];
  const description = fields.get("description");
  const publishedTime = fields.get("date");
  return {
    content,
    metadata: {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(publishedTime === undefined ? {} : { publishedTime }),
    },
  };
}

/** The last part of the name, without its ending. */
function titleOf({ name }: IndexedFile): string {
  return (name.split(/[\\/]/).at(-1) ?? name).replace(/\.[^.]+$/, "");
}
