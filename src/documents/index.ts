export { FileFault, type FileFaultKind } from "./file-fault.ts";
export { type ReadImageOptions, readImage } from "./ocr/read-image.ts";
export { type GreyImage, greyFile, type Recognize, type RecognizedWord, readWordTable } from "./ocr/recognize.ts";
export type { ParsedFile } from "./parsed-file.ts";
export type { PdfFolders } from "./pdf/open-pdf.ts";
export { type ReadPdfOptions, readPdf } from "./pdf/read-pdf.ts";
