// llms.txt and llms-full.txt of a site: what it has, and all of it.

export interface LlmsPage {
  url: string;
  title: string;
  description: string;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** llms.txt: a line a page, ordered by URL; the first page gives the site its name. */
export function llmsIndex(pages: readonly LlmsPage[]): string {
  const sorted = pages.toSorted((one, other) => (one.url < other.url ? -1 : 1));
  const [first] = sorted;
  const lines = sorted.map(llmsLine);
  const about = oneLine(first?.description ?? "");
  return [
    `# ${first ? titleOf(first) : "No pages"}`,
    ...(about === "" ? [] : [`> ${about}`]),
    "## Pages",
    lines.join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

export function llmsLine({ url, title, description }: LlmsPage): string {
  const name = oneLine(title || url).replace(/[[\]]/g, "\\$&");
  return `- [${name}](${url})${description ? `: ${oneLine(description)}` : ""}`;
}

/** The separator between two pages of llms-full.txt. */
export const llmsRule = "\n\n---\n\n";

/** A page of llms-full.txt. */
export function llmsPart(page: LlmsPage, markdown: string): string {
  return `# ${titleOf(page)}\n\nSource: ${page.url}\n\n${markdown}`;
}

function titleOf({ title, url }: LlmsPage): string {
  return oneLine(title || url);
}
