// Where a file becomes a page of the local index: texts as they are, every other kind by the processes that read files. The
// content room takes what the index keeps out of it, in its threads, with its limits.
import { createDeadline, minuteMs } from "../../base/index.ts";
import type { ContentPool, ContentRequest, SearchText } from "../../content/index.ts";
import { type FileKind, fileKindList, fileKindRow, identifyFile } from "../../documents/index.ts";
import { type Pages, plainPlan, type SearchablePage } from "../../pages/index.ts";
import { headingsOf, readFrontMatter, withoutMarkup } from "../parts/markdown-text.ts";

export interface IndexedFile {
  /** Its ending says what it is, where its bytes do not. */
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
  formats: plainPlan({}).formats,
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

/** Of one file. */
const longestMs = minuteMs;

export function createFileReader(content: ContentPool, readDocument: Pages["readDocument"]): ReadFile {
  const through =
    (contentType: string): ReadKind =>
    async ({ bytes, url }, teamId, signal) => {
      const result = await content.read({ ...nothingElse, bytes, contentType, url }, teamId, signal);
      if ("failure" in result) return { problem: failures[result.failure] };
      if ("unsupported" in result) return { problem: `${result.reason}.` };
      return { metadata: result.metadata, content: result.searchText ?? { text: "", headings: [], links: [] } };
    };

  const asDocument =
    (kind: FileKind): ReadKind =>
    async (file, teamId, callerSignal) => {
      const { signal, clear } = createDeadline(callerSignal, longestMs);
      try {
        const options = { mode: "auto" as const };
        const read = await readDocument(kind, file.bytes, options, { teamId, signal, timeLimitMs: longestMs });
        if ("code" in read) return { problem: read.message };
        const { title } = read;
        const found = await through("text/html; charset=utf-8")(
          { ...file, bytes: Buffer.from(read.html) },
          teamId,
          signal,
        );
        return "problem" in found || !title ? found : { ...found, metadata: { ...found.metadata, title } };
      } catch (error) {
        if (callerSignal.aborted || !signal.aborted) throw error;
        return { problem: failures.timeout };
      } finally {
        clear();
      }
    };

  function readerOf(kind: FileKind): ReadKind {
    if (kind === "md") return readMarkdown;
    const { isText, mimeTypes } = fileKindRow(kind);
    // What is sent as text is UTF-8; a page says its encoding itself.
    const charset = kind === "html" || kind === "xhtml" || kind === "xml" ? "" : "; charset=utf-8";
    return isText ? through(`${mimeTypes[0]}${charset}`) : asDocument(kind);
  }

  return async (file, teamId, signal) => {
    const kind = identifyFile(file.bytes, { name: file.name, contentType: "" })?.kind;
    if (!kind) return { problem: `Files of this type are not supported. Supported types: ${fileKindList}.` };
    const found = await readerOf(kind)(file, teamId, signal);
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
