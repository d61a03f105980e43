// The kinds of files that are read: names, media types, and which of them the page reader takes as text.

export interface FileKindRow {
  kind: "document" | "image";
  extensions: readonly string[];
  /** The first is the one that answers name. */
  mimeTypes: readonly string[];
  /** What it is called in sentences. */
  label: string;
  /** Text that the page reader reads itself, so that no file reader is needed. */
  isText?: true;
}

const office = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";
const excel = "application/vnd.ms-excel";

export const fileKinds = {
  pdf: { kind: "document", label: "a PDF", extensions: ["pdf"], mimeTypes: ["application/pdf", "application/x-pdf"] },
  docx: {
    kind: "document",
    label: "a Word document (docx)",
    extensions: ["docx", "dotx"],
    mimeTypes: [`${office}.wordprocessingml.document`, `${office}.wordprocessingml.template`],
  },
  docm: {
    kind: "document",
    label: "a Word document with macros (docm)",
    extensions: ["docm", "dotm"],
    mimeTypes: ["application/vnd.ms-word.document.macroEnabled.12"],
  },
  doc: {
    kind: "document",
    label: "an old Word document (doc)",
    extensions: ["doc", "dot"],
    mimeTypes: ["application/msword"],
  },
  odt: {
    kind: "document",
    label: "an OpenDocument text (odt)",
    extensions: ["odt", "ott"],
    mimeTypes: [`${openDocument}.text`, `${openDocument}.text-template`],
  },
  rtf: {
    kind: "document",
    label: "a rich text document (rtf)",
    extensions: ["rtf"],
    mimeTypes: ["application/rtf", "text/rtf"],
  },
  xlsx: {
    kind: "document",
    label: "an Excel workbook (xlsx)",
    extensions: ["xlsx", "xltx"],
    mimeTypes: [`${office}.spreadsheetml.sheet`, `${office}.spreadsheetml.template`],
  },
  xlsm: {
    kind: "document",
    label: "an Excel workbook with macros (xlsm)",
    extensions: ["xlsm", "xltm"],
    mimeTypes: [`${excel}.sheet.macroEnabled.12`],
  },
  xlsb: {
    kind: "document",
    label: "a binary Excel workbook (xlsb)",
    extensions: ["xlsb"],
    mimeTypes: [`${excel}.sheet.binary.macroEnabled.12`],
  },
  xls: { kind: "document", label: "an old Excel workbook (xls)", extensions: ["xls", "xlt"], mimeTypes: [excel] },
  ods: {
    kind: "document",
    label: "an OpenDocument spreadsheet (ods)",
    extensions: ["ods", "ots"],
    mimeTypes: [`${openDocument}.spreadsheet`, `${openDocument}.spreadsheet-template`],
  },
  csv: {
    kind: "document",
    label: "a table of values (csv)",
    extensions: ["csv"],
    mimeTypes: ["text/csv", "application/csv"],
  },
  tsv: {
    kind: "document",
    label: "a table of values (tsv)",
    extensions: ["tsv", "tab"],
    mimeTypes: ["text/tab-separated-values"],
  },
  pptx: {
    kind: "document",
    label: "a PowerPoint presentation (pptx)",
    extensions: ["pptx", "potx", "ppsx"],
    mimeTypes: [`${office}.presentationml.presentation`, `${office}.presentationml.slideshow`],
  },
  pptm: {
    kind: "document",
    label: "a PowerPoint presentation with macros (pptm)",
    extensions: ["pptm", "ppsm"],
    mimeTypes: ["application/vnd.ms-powerpoint.presentation.macroEnabled.12"],
  },
  ppt: {
    kind: "document",
    label: "an old PowerPoint presentation (ppt)",
    extensions: ["ppt", "pps"],
    mimeTypes: ["application/vnd.ms-powerpoint"],
  },
  odp: {
    kind: "document",
    label: "an OpenDocument presentation (odp)",
    extensions: ["odp", "otp"],
    mimeTypes: [`${openDocument}.presentation`, `${openDocument}.presentation-template`],
  },
  epub: { kind: "document", label: "an e-book (epub)", extensions: ["epub"], mimeTypes: ["application/epub+zip"] },
  html: {
    kind: "document",
    label: "an HTML page",
    extensions: ["html", "htm"],
    mimeTypes: ["text/html"],
    isText: true,
  },
  xhtml: {
    kind: "document",
    label: "an XHTML page",
    extensions: ["xhtml", "xht"],
    mimeTypes: ["application/xhtml+xml"],
    isText: true,
  },
  mhtml: {
    kind: "document",
    label: "a saved web page (mhtml)",
    extensions: ["mhtml", "mht"],
    mimeTypes: ["multipart/related", "application/x-mimearchive"],
  },
  md: {
    kind: "document",
    label: "a markdown text",
    extensions: ["md", "markdown"],
    mimeTypes: ["text/markdown", "text/x-markdown"],
  },
  txt: {
    kind: "document",
    label: "a plain text",
    extensions: ["txt", "text", "log"],
    mimeTypes: ["text/plain"],
    isText: true,
  },
  json: {
    kind: "document",
    label: "JSON",
    extensions: ["json", "jsonl", "ndjson"],
    mimeTypes: ["application/json", "application/x-ndjson"],
    isText: true,
  },
  xml: {
    kind: "document",
    label: "XML",
    extensions: ["xml", "rss", "atom", "rdf"],
    mimeTypes: ["application/xml", "text/xml", "application/rss+xml", "application/atom+xml", "application/rdf+xml"],
    isText: true,
  },
  eml: { kind: "document", label: "a mail (eml)", extensions: ["eml"], mimeTypes: ["message/rfc822"] },
  msg: {
    kind: "document",
    label: "an Outlook mail (msg)",
    extensions: ["msg"],
    mimeTypes: ["application/vnd.ms-outlook"],
  },
  ipynb: {
    kind: "document",
    label: "a notebook (ipynb)",
    extensions: ["ipynb"],
    mimeTypes: ["application/x-ipynb+json"],
  },
  zip: {
    kind: "document",
    label: "a ZIP archive",
    extensions: ["zip"],
    mimeTypes: ["application/zip", "application/x-zip-compressed"],
  },
  png: { kind: "image", label: "a PNG image", extensions: ["png"], mimeTypes: ["image/png"] },
  jpg: { kind: "image", label: "a JPEG image", extensions: ["jpg", "jpeg"], mimeTypes: ["image/jpeg"] },
  webp: { kind: "image", label: "a WebP image", extensions: ["webp"], mimeTypes: ["image/webp"] },
  tiff: { kind: "image", label: "a TIFF image", extensions: ["tif", "tiff"], mimeTypes: ["image/tiff"] },
  gif: { kind: "image", label: "a GIF image", extensions: ["gif"], mimeTypes: ["image/gif"] },
  bmp: { kind: "image", label: "a BMP image", extensions: ["bmp"], mimeTypes: ["image/bmp", "image/x-ms-bmp"] },
  avif: { kind: "image", label: "an AVIF image", extensions: ["avif"], mimeTypes: ["image/avif"] },
  jp2: {
    kind: "image",
    label: "a JPEG 2000 image",
    extensions: ["jp2", "j2k", "jpf", "jpx"],
    mimeTypes: ["image/jp2"],
  },
} as const satisfies Record<string, FileKindRow>;

export type FileKind = keyof typeof fileKinds;

const names = Object.keys(fileKinds) as FileKind[];

export function fileKindRow(kind: FileKind): FileKindRow {
  return fileKinds[kind];
}

export function kindOfExtension(name: string): FileKind | null {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return null;
  return names.find((kind) => fileKindRow(kind).extensions.includes(extension)) ?? null;
}

export function kindOfType(contentType: string): FileKind | null {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return names.find((kind) => fileKindRow(kind).mimeTypes.some((each) => each.toLowerCase() === type)) ?? null;
}

/** "pdf, docx, …": what a refusal lists. */
export const fileKindList: string = names.join(", ");
