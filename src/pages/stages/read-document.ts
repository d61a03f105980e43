import { type Document, keepsNothing } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import { fileFacts, type ReadPageFile } from "../files/page-file.ts";
import { keepPictures } from "../media/pictures.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Identified } from "./identify-page.ts";
import type { StageResult } from "./list-of-stages.ts";

/** A file that was read: its HTML is read on like a page's. */
export interface OpenedFile {
  page: Page;
  facts: (title: string | undefined) => Document["metadata"];
  warnings: string[];
  /** False when a later request may get a better text. */
  isFinal: boolean;
}

export interface DocumentOpened {
  /** Null for a page that is not a file. */
  opened: OpenedFile | null;
}

/** Has a file read by its reader, in another process. */
export function createDocumentStage(readFile: ReadPageFile) {
  return (entered: EnteredPage & Identified): StageResult<DocumentOpened> | Promise<StageResult<DocumentOpened>> =>
    entered.file === null ? notAFile : openFile(readFile, entered.file, entered);
}

const notAFile: DocumentOpened = { opened: null };

async function openFile(
  readFile: ReadPageFile,
  file: NonNullable<Identified["file"]>,
  { page, request, signal, endsAt, trace, collector, onPage }: EnteredPage,
): Promise<StageResult<DocumentOpened>> {
  const { teamId, keyId, options, plan } = request;
  const read = await readFile(page, file, options, { teamId, keyId, signal, endsAt, trace, onPage });
  if (!read.ok) return read;
  // For looking up what a model says of it.
  file.request.places = plan.reader !== null && plan.model !== null;
  const { html, count } = !keepsNothing(options)
    ? keepPictures(read.file.html, collector)
    : { html: read.file.html, count: 0 };
  const pictures = count > 0 ? { pictures: count } : {};
  return {
    opened: {
      page: { ...page, body: Buffer.from(html), contentType: "text/html; charset=utf-8" },
      facts: (title) => ({ ...fileFacts(file.kind, read.file, title), ...pictures }),
      warnings: [...file.warnings, ...read.warnings],
      isFinal: read.isFinal,
    },
  };
}
