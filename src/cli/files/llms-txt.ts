// llms.txt and llms-full.txt of the pages that a command read.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scalarText } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { type LlmsPage, llmsIndex, llmsPart, llmsRule } from "../../text/index.ts";

export function createLlmsText() {
  const pages: { page: LlmsPage; markdown: string }[] = [];
  return {
    add({ metadata, markdown = "" }: Document): void {
      const { sourceURL, url, title, description } = metadata;
      const text = (value: unknown) => scalarText(value) ?? "";
      const page = { url: sourceURL ?? url ?? "", title: text(title), description: text(description) };
      pages.push({ page, markdown });
    },

    async write(folder: string): Promise<string[]> {
      await mkdir(folder, { recursive: true });
      const sorted = pages.toSorted((one, other) => (one.page.url < other.page.url ? -1 : 1));
      const whole = sorted.map(({ page, markdown }) => llmsPart(page, markdown)).join(llmsRule);
      const files = { "llms.txt": llmsIndex(sorted.map(({ page }) => page)), "llms-full.txt": `${whole}\n` };
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return Object.keys(files).map((name) => join(folder, name));
    },
  };
}
