// What the process that reads files and its runner say to each other.
import type { FileFaultKind, FileKind, ParsedFile, ReadFileOptions } from "../../documents/index.ts";

export interface FileTask {
  kind: FileKind;
  bytes: Uint8Array;
  options: Pick<ReadFileOptions, "mode" | "firstPage" | "maxPages" | "withAttachments">;
  /** How long the reading may take; pages that are left then are named in a warning. */
  timeLimitMs: number;
  recognition: RecognitionSettings;
  /** Images of pages are shown to the runner, which may know a model that reads them. */
  showsImages: boolean;
}

/** What the runner answers to an image; null: the recognizer has to read it. */
export interface SeenImage {
  seen: number;
  markdown: string | null;
}

/** What recognizes text in images. */
export interface RecognitionSettings {
  /** Codes of language packs, the most important first: "eng", "deu" … */
  languages: readonly string[];
  /** The system's tesseract, by name or path; without it the packaged one is used. */
  program?: string;
}

export type FileMessage =
  | { page: number; total: number }
  | { show: number; page: number; image: Uint8Array }
  | { file: ParsedFile }
  | { fault: FileFaultKind | "internal"; message: string };
