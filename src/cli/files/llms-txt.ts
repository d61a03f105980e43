// llms.txt and llms-full.txt of a site: what it has, and all of it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Document } from "../../contract/index.ts";

const oneLine = (text: unknown) =>
  String(text ?? "")
    .replace(/\s+/g, " ")
    .trim();

export function createLlmsText() {
  const pages: Document[] = [];
  return {
    add(document: Document): void {
      pages.push(document);
    },

    async write(folder: string): Promise<string[]> {
      await mkdir(folder, { recursive: true });
      const sorted = pages.toSorted((one, other) => (urlOf(one) < urlOf(other) ? -1 : 1));
      const files = { "llms.txt": contents(sorted), "llms-full.txt": fullText(sorted) };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return Object.keys(files).map((name) => join(folder, name));
    },
  };
}

function urlOf({ metadata }: Document): string {
  return String(metadata.sourceURL ?? metadata.url ?? "");
}

function contents(pages: readonly Document[]): string {
  const [first] = pages;
  const lines = pages.map((page) => {
    const { title, description } = page.metadata;
    const name = oneLine(title || urlOf(page)).replace(/[[\]]/g, "\\$&");
    return `- [${name}](${urlOf(page)})${description ? `: ${oneLine(description)}` : ""}`;
  });
  return [`# ${titleOf(first)}`, ...described(first), "## Pages", lines.join("\n")].join("\n\n").concat("\n");
}

function titleOf(page: Document | undefined): string {
  return page ? oneLine(page.metadata.title || urlOf(page)) : "No pages";
}

function described(page: Document | undefined): string[] {
  const description = oneLine(page?.metadata.description);
  return description === "" ? [] : [`> ${description}`];
}

function fullText(pages: readonly Document[]): string {
  const parts = pages.map((page) => `# ${titleOf(page)}\n\nSource: ${urlOf(page)}\n\n${page.markdown ?? ""}`);
  return `${parts.join("\n\n---\n\n")}\n`;
}
