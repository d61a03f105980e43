export { FileFault, type FileFaultKind } from "./file-fault.ts";
export { type FileKind, fileKindList, fileKindRow, fileKinds } from "./kinds/file-kinds.ts";
export { identifyFile } from "./kinds/identify-file.ts";
export type { ParsedFile } from "./parsed-file.ts";
export { isReadable, type ReadFileOptions, readFile } from "./reading/read-file.ts";
export { type ReadImageOptions, readImage } from "./ocr/read-image.ts";
export { type GreyImage, greyFile, type Recognize, type RecognizedWord, readWordTable } from "./ocr/recognize.ts";
export type { PdfFolders } from "./pdf/open-pdf.ts";
export { type ReadPdfOptions, readPdf } from "./pdf/read-pdf.ts";
