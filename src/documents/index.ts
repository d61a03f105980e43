export { FileFault, type FileFaultKind } from "./file/file-fault.ts";
export type { ParsedFile } from "./file/parsed-file.ts";
export type {
  FileTools,
  GreyImage,
  LineSearch,
  PdfFolders,
  ReadFileOptions,
  Recognize,
  Transcribe,
} from "./file/read-options.ts";
export { type FileKind, fileKindList, fileKindRow, fileKinds } from "./kinds/file-kinds.ts";
export { type IdentifiedFile, identifyFile } from "./kinds/identify-file.ts";
export { greyFile, readWordTable } from "./ocr/recognize.ts";
export { documentExtensions, isReadable, readFile } from "./reading/read-file.ts";
