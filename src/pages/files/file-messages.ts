// What the process that reads files and its runner say to each other.
import type { FileFaultKind, FileKind, ParsedFile, ReadFileOptions } from "../../documents/index.ts";

export interface FileTask {
  kind: FileKind;
  bytes: Uint8Array;
  options: Omit<ReadFileOptions, "onPage">;
}

export type FileMessage =
  | { page: number; total: number }
  | { file: ParsedFile }
  | { fault: FileFaultKind | "internal"; message: string };
