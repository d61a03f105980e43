// The HTML document around what a reader made, and the notes at its end.
import type { ParsedFile } from "../file/parsed-file.ts";
import { escapeHtml } from "./escape-html.ts";

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
