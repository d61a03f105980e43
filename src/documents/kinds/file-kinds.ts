// The kinds of files that are read: names, media types, and which of them the page reader takes as text.
import stored from "./file-kinds.json" with { type: "json" };

export interface FileKindRow {
  kind: "document" | "image";
  extensions: readonly string[];
  /** The first is the one that answers name. */
  mimeTypes: readonly string[];
  /** What it is called in sentences. */
  label: string;
  /** Text that the page reader reads itself, so that no file reader is needed. */
  isText?: boolean;
  /** Text that reads well as it is. */
  isPlain?: boolean;
}

export type FileKind = keyof typeof stored;

export const fileKinds = stored as Record<FileKind, FileKindRow>;

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
