// Notebooks (ipynb) -> their cells in order: texts, code, and what the code printed.

import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { escapeHtml, imageHtml, PictureShelf, parsedFile } from "../html/document-html.ts";
import { markdownHtml } from "../text/read-markdown.ts";

type Lines = string | string[];

interface Output {
  output_type?: string;
  text?: Lines;
  data?: Record<string, Lines>;
  ename?: string;
  evalue?: string;
}

interface NotebookCell {
  cell_type?: string;
  source?: Lines;
  input?: Lines;
  outputs?: Output[];
}

const maxOutput = 20_000;
const pictureTypes = ["image/png", "image/jpeg"];

export function readIpynb(bytes: Uint8Array): ParsedFile {
  const notebook = parse(decodeBytes(bytes).text);
  const language = notebook.metadata?.kernelspec?.language ?? notebook.metadata?.language_info?.name ?? "python";
  const cells = notebook.cells ?? notebook.worksheets?.flatMap((sheet) => sheet.cells ?? []);
  if (!Array.isArray(cells)) throw new FileFault("broken", "The notebook has no cells");
  const shelf = new PictureShelf();
  const body = cells.map((cell) => cellHtml(cell, language, shelf)).join("");
  const title = notebook.metadata?.title;
  return parsedFile(body, { title: typeof title === "string" ? title : undefined }, shelf.warnings());
}

interface Notebook {
  cells?: NotebookCell[];
  worksheets?: { cells?: NotebookCell[] }[];
  metadata?: { title?: unknown; kernelspec?: { language?: string }; language_info?: { name?: string } };
}

function parse(text: string): Notebook {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new FileFault("broken", "The notebook is not valid JSON");
}

const joined = (lines: Lines | undefined) =>
  Array.isArray(lines) ? lines.join("") : typeof lines === "string" ? lines : "";

function cellHtml(cell: NotebookCell, language: string, shelf: PictureShelf): string {
  const source = joined(cell.source ?? cell.input);
  if (cell.cell_type === "markdown") return markdownHtml(source);
  if (cell.cell_type !== "code") return source.trim() === "" ? "" : `<pre>${escapeHtml(source)}</pre>`;
  const code =
    source.trim() === ""
      ? ""
      : `<pre><code class="language-${escapeHtml(language)}">${escapeHtml(source)}</code></pre>`;
  return code + (cell.outputs ?? []).map((output) => outputHtml(output, shelf)).join("");
}

function outputHtml({ output_type: type, text, data = {}, ename, evalue }: Output, shelf: PictureShelf): string {
  if (type === "error") return `<pre>${escapeHtml(`${ename}: ${evalue}`)}</pre>`;
  const html = joined(data["text/html"]);
  // A table that a library drew is worth more than its letters.
  if (/<table[\s>]/i.test(html) && html.length < 500_000) return html.replace(/<(script|style)[\s\S]*?<\/\1>/gi, "");
  const latex = joined(data["text/markdown"]);
  if (latex !== "") return markdownHtml(latex.slice(0, maxOutput));
  const picture = pictureTypes.find((each) => joined(data[each]) !== "");
  const source = picture ? shelf.put(picture, Buffer.from(joined(data[picture]), "base64")) : null;
  if (source) return `<p>${imageHtml(source)}</p>`;
  const plain = joined(text) || joined(data["text/plain"]);
  return plain.trim() === "" ? "" : `<pre>${escapeHtml(plain.slice(0, maxOutput))}</pre>`;
}
