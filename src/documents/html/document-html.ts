// The HTML that all readers write: the document around, notes, tables, and pictures as data URIs within bounds.

import type { ZipArchive } from "../../base/index.ts";
import type { ParsedFile } from "../file/file-reading.ts";

export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text)
    ? text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")
    : text;
}

export interface Note {
  /** Unique among the notes of a file. */
  id: string;
  label: string;
  html: string;
}

type Facts = Pick<ParsedFile, "title" | "author" | "createdAt" | "modifiedAt" | "totalPages" | "pagesRead">;

export function parsedFile(body: string, facts: Facts, warnings: string[] = []): ParsedFile {
  const title = facts.title ? `<title>${escapeHtml(facts.title)}</title>` : "";
  return { html: `<!doctype html><html><head>${title}</head><body>${body}</body></html>`, ...facts, warnings };
}

export function noteReference({ id, label }: Pick<Note, "id" | "label">): string {
  return `<sup><a href="#fn-${id}" id="fnref-${id}" class="footnote-ref">${escapeHtml(label)}</a></sup>`;
}

export function notesSection(notes: readonly Note[]): string {
  if (notes.length === 0) return "";
  const items = notes.map(({ id, html }) => `<li id="fn-${id}">${html}</li>`);
  return `<section class="footnotes" role="doc-endnotes"><ol>${items.join("")}</ol></section>`;
}

/** Notes beside the text: comments of readers, notes of speakers. */
export function commentsSection(comments: readonly { author: string; html: string }[]): string {
  if (comments.length === 0) return "";
  const items = comments.map(({ author, html }) => `<li>${author ? `${escapeHtml(author)}: ` : ""}${html}</li>`);
  return `<aside class="comments"><h2>Comments</h2><ul>${items.join("")}</ul></aside>`;
}

/** The body's content, without what belongs to the page around it. */
export function bodyOf(html: string): string {
  const open = /<body[^>]*>/i.exec(html);
  const close = html.search(/<\/body\s*>/i);
  const body = open ? html.slice(open.index + open[0].length, close > open.index ? close : undefined) : html;
  return body.replace(/<(style|script|title)\b[\s\S]*?<\/\1\s*>/gi, "").replace(/<\/?(?:html|head|body)\b[^>]*>/gi, "");
}

/** HTML without the positions of its blocks. */
export function unplaced(html: string): string {
  return html.replace(/ data-(?:page|box|page-size|source|confidence)="[^"]*"/g, "");
}

export interface Cell {
  html: string;
  columns: number;
  rows: number;
}

/** Rows of cells. A cell that spans rows is absent from the rows below it. */
export function tableHtml(rows: readonly (readonly Cell[])[], headRows: number, caption = ""): string {
  const row = (cells: readonly Cell[], tag: "th" | "td") =>
    `<tr>${cells.map(({ html, columns, rows: down }) => `<${tag}${span("colspan", columns)}${span("rowspan", down)}>${html}</${tag}>`).join("")}</tr>`;
  const head = rows.slice(0, headRows).map((cells) => row(cells, "th"));
  const body = rows.slice(headRows).map((cells) => row(cells, "td"));
  const thead = head.length > 0 ? `<thead>${head.join("")}</thead>` : "";
  const name = caption === "" ? "" : `<caption>${caption}</caption>`;
  return `<table role="table">${name}${thead}<tbody>${body.join("")}</tbody></table>`;
}

function span(name: string, count: number): string {
  return count > 1 ? ` ${name}="${count}"` : "";
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  svg: "image/svg+xml",
  avif: "image/avif",
};

const maxPictureBytes = 4 * 1024 * 1024;
const maxTotalBytes = 12 * 1024 * 1024;

/** The pictures of one file. */
export class PictureShelf {
  private total = 0;
  private left = 0;

  /** Its data URI; null beyond the bounds. */
  put(type: string, bytes: Buffer): string | null {
    if (bytes.length > maxPictureBytes || this.total + bytes.length > maxTotalBytes) return this.refuse();
    this.total += bytes.length;
    return `data:${type};base64,${bytes.toString("base64")}`;
  }

  refuse(): null {
    this.left += 1;
    return null;
  }

  warnings(): string[] {
    return this.left === 0 ? [] : [`${this.left} pictures of the file are too large to be returned`];
  }
}

export interface Pictures {
  /** Null for what browsers do not show, and beyond the bounds. */
  source(part: string): string | null;
  warnings(): string[];
}

/** Those of a container, by the names of their parts. */
export function createPictures(zip: ZipArchive): Pictures {
  const made = new Map<string, string | null>();
  const shelf = new PictureShelf();

  function make(part: string): string | null {
    const type = types[part.slice(part.lastIndexOf(".") + 1).toLowerCase()];
    if (type === undefined || !zip.has(part)) return null;
    try {
      const bytes = zip.read(part);
      return bytes && shelf.put(type, bytes);
    } catch {
      // A broken picture does not take its text with it.
      return null;
    }
  }

  return {
    source(part) {
      const known = made.get(part);
      if (known !== undefined) return known;
      const source = make(part);
      made.set(part, source);
      return source;
    },
    warnings: () => shelf.warnings(),
  };
}
