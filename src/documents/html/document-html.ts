// The HTML that all readers write: the document around, notes, tables, and pictures as data URIs within bounds.

import type { ZipArchive } from "../../zip/index.ts";
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

type Facts = { [Name in keyof ParsedFile]?: ParsedFile[Name] | undefined };

/** Facts that are empty are left out. */
export function parsedFile(body: string, facts: Facts, warnings: string[] = []): ParsedFile {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ""));
  const title = facts.title ? `<title>${escapeHtml(facts.title)}</title>` : "";
  return { html: `<!doctype html><html><head>${title}</head><body>${body}</body></html>`, ...known, warnings };
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
export function tableHtml(rows: readonly (readonly Cell[])[], headRows: number): string {
  const written = rows.map((cells, at) => {
    const tag = at < headRows ? "th" : "td";
    const spans = ({ columns, rows: down }: Cell) => span("colspan", columns) + span("rowspan", down);
    return `<tr>${cells.map((cell) => `<${tag}${spans(cell)}>${cell.html}</${tag}>`).join("")}</tr>`;
  });
  const head = written.slice(0, headRows).join("");
  const body = written.slice(headRows).join("");
  return `<table role="table">${head && `<thead>${head}</thead>`}<tbody>${body}</tbody></table>`;
}

/** The content of a cell: a paragraph that is alone in it needs no element. */
export function cellContent(html: string): string {
  return html.replace(/^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/, "$1");
}

function span(name: string, count: number): string {
  return count > 1 ? ` ${name}="${count}"` : "";
}

/** A slide with its notes; `html` may be "". */
export function slideSection(number: number, html: string): string {
  return `<section data-page="${number}">${html}</section>`;
}

export function speakerNotes(html: string): string {
  return html && `<blockquote><p>Notes:</p>${html}</blockquote>`;
}

export function imageHtml(source: string, alt = ""): string {
  return `<img alt="${escapeHtml(alt)}" src="${escapeHtml(source)}">`;
}

const types: ReadonlyMap<string, string> = new Map([
  ["jpg", "image/jpeg"],
  ["svg", "image/svg+xml"],
  ...["png", "jpeg", "gif", "webp", "bmp", "avif"].map((name) => [name, `image/${name}`] as const),
]);

const maxPictureBytes = 4 * 1024 * 1024;
const maxTotalBytes = 12 * 1024 * 1024;

/** The pictures of one file as data URIs, within bounds. Readers never fetch one from elsewhere. */
export class PictureShelf {
  private readonly made = new Map<string | number, string | null>();
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

  /** A picture that the file may show several times is read and counted once. */
  once(name: string | number, make: () => string | null): string | null {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const source = make();
    this.made.set(name, source);
    return source;
  }

  warnings(): string[] {
    return this.left === 0 ? [] : [`${this.left} pictures of the file were too large to return`];
  }
}

/** Those of a container, by the names of their parts. */
export class Pictures extends PictureShelf {
  private readonly zip: ZipArchive;

  constructor(zip: ZipArchive) {
    super();
    this.zip = zip;
  }

  /** Null for what browsers do not show, and beyond the bounds. */
  source(part: string): string | null {
    const type = types.get(part.slice(part.lastIndexOf(".") + 1).toLowerCase());
    if (type === undefined || !this.zip.has(part)) return null;
    return this.once(part, () => {
      try {
        const bytes = this.zip.read(part);
        return bytes && this.put(type, bytes);
      } catch {
        // A broken picture must not cost the text.
        return null;
      }
    });
  }
}
