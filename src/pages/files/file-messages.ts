// What the process that reads files and its runner say to each other.
import type { FileFaultKind, FileKind, ParsedFile, ReadFileOptions } from "../../documents/index.ts";

export interface FileTask {
  kind: FileKind;
  bytes: Uint8Array;
  options: Pick<ReadFileOptions, "mode" | "maxPages" | "withAttachments">;
  /** How long the reading may take; pages that are left then are named in a warning. */
  timeLimitMs: number;
  recognition: RecognitionSettings;
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
  | { file: ParsedFile }
  | { fault: FileFaultKind | "internal"; message: string };
