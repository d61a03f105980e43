// Pages that attack the language model that reads them, and pages that quote or explain such attacks or only sound like them. The
// texts stand in a file that the benchmark reads, too.
import { readFileSync } from "node:fs";

interface InjectionPages {
  /** Text around what a page is about. */
  frame: string;
  attacks: string[];
  harmless: string[];
  /** Attacks that were written after the rules. */
  unseen: string[];
}

const { frame, ...texts }: InjectionPages = JSON.parse(
  readFileSync(new URL("injection-pages.json", import.meta.url), "utf8"),
);

export const { attacks, harmless, unseen } = texts;

export function framed(html: string): string {
  return `<!doctype html><title>Harbour</title><body>${frame}${html}${frame}</body>`;
}
