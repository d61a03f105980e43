export type {
  GreyImage,
  LineSearch,
  ParsedFile,
  PdfFolders,
  ReadFileOptions,
  Recognize,
  Transcribe,
} from "./file/file-reading.ts";
export { FileFault, type FileFaultKind } from "./file/file-reading.ts";
export { type FileKind, fileKindList, fileKindRow, fileKinds } from "./kinds/file-kinds.ts";
export { type IdentifiedFile, identifyFile } from "./kinds/identify-file.ts";
export { greyFile, readWordTable } from "./ocr/recognize.ts";
export { documentExtensions, isReadable, readFile } from "./reading/read-file.ts";
