// The bytes of a PDF -> HTML.

import type { PDFDocumentProxy } from "pdfjs-dist";
import { FileFault, type ParsedFile, type ReadFileOptions, wantedPages } from "../file/file-reading.ts";
import { parsedFile } from "../html/document-html.ts";
import { lettersIn, pageBlocks } from "../layout/page-blocks.ts";
import type { PageLayer } from "../layout/page-layer.ts";
import { documentHtml, outlineKey, type ReadPageBlocks } from "../layout/text/layout-document.ts";
import { noteRules } from "../layout/text/page-edges.ts";
import { type OpenPdf, openPdf, pdfFacts } from "./open-pdf.ts";
import { type PageTools, readPdfPage } from "./page/read-pdf-page.ts";
import { type ScanReader, scanReader } from "./read-scan.ts";
import { countReadable, isBesideImage, isUsable } from "./usable-text.ts";

/** Pages that are laid out together: what a long file needs in memory does not grow with it. */
const pagesAtOnce = 200;
const maxOutline = 5000;

export async function readPdf(bytes: Uint8Array, options: ReadFileOptions): Promise<ParsedFile> {
  const { folders, recognize } = options.tools;
  const pdf = await openPdf(bytes, folders, true);
  let scans: ScanReader | undefined;
  try {
    const total = pdf.document.numPages;
    if (total < 1) throw new FileFault("empty", "The PDF has no pages.");
    const { first, last } = wantedPages(total, options);
    const tools = await pageTools(pdf);
    const outline = await outlineTitles(pdf.document);
    const facts = await pdfFacts(pdf.document);
    scans = recognize && options.mode !== "fast" ? scanReader(bytes, options.tools, recognize) : undefined;
    const run: PageRun = { pdf, tools, options, scans, broken: [], unread: [], unreadBecause: null };
    const parts: string[] = [];
    const styles = new Set<number>();
    // Groups of one size: a page alone would not show what runs on over the others.
    const count = last - first + 1;
    const groupSize = Math.ceil(count / Math.ceil(count / pagesAtOnce));
    let group: ReadPageBlocks[] = [];
    let pagesRead = 0;
    for (let number = first; number <= last; number += 1) {
      if (number > first && options.hasTime?.() === false) break;
      const page = await readOne(run, number);
      // Time ran out while this page was recognized, so it counts as unread.
      if (!page) break;
      group.push(page);
      pagesRead += 1;
      options.onPage?.(number, total);
      if (group.length === groupSize) {
        parts.push(documentHtml(group, outline, styles));
        group = [];
      }
    }
    parts.push(documentHtml(group, outline, styles));
    const body = parts.join("\n");
    if (run.broken.length === count) throw new FileFault("broken", "No page of the PDF can be read.");
    return parsedFile(body, { ...facts, totalPages: total, pagesRead }, warningsOf(run, first + pagesRead, last, body));
  } finally {
    await scans?.close();
    await pdf.close().catch(() => undefined);
  }
}

interface PageRun {
  pdf: OpenPdf;
  tools: PageTools;
  options: ReadFileOptions;
  scans: ScanReader | undefined;
  /** Pages that cannot be read, and those without text that were not recognized. */
  broken: number[];
  unread: number[];
  /** What the recognizer said when it failed. */
  unreadBecause: string | null;
}

/** Null when time ran out before the page could be recognized. */
async function readOne(run: PageRun, number: number): Promise<ReadPageBlocks | null> {
  const { options, scans } = run;
  const read = () => readPdfPage(run.pdf.document, number, run.tools).catch(() => null);
  const layer = options.mode === "ocr" && scans ? null : await read();
  const isGood = layer !== null && isUsable(layer);
  if (isGood && !(scans && isBesideImage(layer))) return pageOf(number, layer);
  const scan = await readScan(run, number);
  if (scan && isBetter(scan, layer, isGood)) return scan;
  if (!scan && !isGood && number > (options.firstPage ?? 1) && scans && options.hasTime?.() === false) return null;
  const text = layer ?? (options.mode === "ocr" ? await read() : null);
  if (!text) {
    run.broken.push(number);
    return { number, width: 0, height: 0, blocks: [] };
  }
  if (!scan && !isGood) run.unread.push(number);
  return pageOf(number, text);
}

/** Recognized text replaces text that is good only where there is much more of it. */
function isBetter(scan: ReadPageBlocks, layer: PageLayer | null, isGood: boolean): boolean {
  if (!layer || layer.glyphs.length === 0) return true;
  if (!isGood || scan.transcript) return scan.blocks.length > 0 || (scan.transcript ?? []).length > 0;
  return (scan.confidence ?? 0) > 0.6 && lettersIn(scan.blocks) > 1.5 * countReadable(layer);
}

function pageOf(number: number, layer: PageLayer): ReadPageBlocks {
  const { width, height } = layer;
  return { number, width, height, blocks: pageBlocks(layer), noteRules: noteRules(layer) };
}

async function readScan(run: PageRun, number: number): Promise<ReadPageBlocks | null> {
  try {
    return (await run.scans?.read(number)) ?? null;
  } catch (error) {
    run.unreadBecause = error instanceof Error ? error.message : String(error);
    return null;
  }
}

async function pageTools({ document, codes }: OpenPdf): Promise<PageTools> {
  const marks = (await document.getMarkInfo().catch(() => null)) as { Marked?: boolean } | null;
  const layers = (await document.getOptionalContentConfig().catch(() => null)) as PageTools["layers"];
  return { codes, layers, isTagged: marks?.Marked === true };
}

interface OutlineItem {
  title?: string;
  items?: OutlineItem[];
}

async function outlineTitles(document: PDFDocumentProxy): Promise<Set<string>> {
  const titles = new Set<string>();
  const top = ((await document.getOutline().catch(() => null)) ?? []) as OutlineItem[];
  const todo = top.slice(0, maxOutline);
  // The list grows while it is walked.
  for (const item of todo) {
    const key = outlineKey(item.title ?? "");
    if (key.length > 2) titles.add(key);
    for (const inner of item.items ?? []) if (todo.length < maxOutline) todo.push(inner);
  }
  return titles;
}

function warningsOf(
  { broken, unread, unreadBecause, options }: PageRun,
  next: number,
  last: number,
  body: string,
): string[] {
  const warnings: string[] = [];
  const list = (pages: readonly number[]) =>
    pages.length > 8 ? `${pages.slice(0, 8).join(", ")} and ${pages.length - 8} more` : pages.join(", ");
  if (next <= last) warnings.push(`Time ran out: pages ${next} to ${last} were not read`);
  if (broken.length > 0) warnings.push(`These pages cannot be read: ${list(broken)}`);
  if (unread.length > 0) {
    const why =
      options.mode === "fast"
        ? 'mode "fast" does not recognize text in images'
        : (unreadBecause ?? "no recognizer is available");
    warnings.push(`These pages have no usable text and ${why}: ${list(unread)}`);
  }
  if (warnings.length === 0 && !/\S/.test(body)) warnings.push("The PDF has no text");
  return warnings;
}
