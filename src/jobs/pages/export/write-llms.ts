// llms.txt and llms-full.txt of a job's documents.

import type { Document } from "../../../contract/index.ts";
import { type LlmsPage, llmsIndex, llmsPart, llmsRule } from "../../../text/index.ts";
import { documentRow } from "./document-row.ts";

/** Only the parts of a line are kept of each document until all are read. */
export async function* writeLlmsIndex(documents: AsyncIterable<Document>): AsyncGenerator<string> {
  const pages: LlmsPage[] = [];
  for await (const document of documents) pages.push(pageOf(document));
  yield llmsIndex(pages);
}

/** In the order of the job. */
export async function* writeLlmsFull(documents: AsyncIterable<Document>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const document of documents) {
    yield `${isFirst ? "" : llmsRule}${llmsPart(pageOf(document), document.markdown ?? "")}`;
    isFirst = false;
  }
  yield "\n";
}

/** For those who write them in another form. */
export async function readLlmsPages(documents: AsyncIterable<Document>): Promise<(LlmsPage & { markdown: string })[]> {
  const pages: (LlmsPage & { markdown: string })[] = [];
  for await (const document of documents) pages.push({ ...pageOf(document), markdown: document.markdown ?? "" });
  return pages;
}

const longestDescription = 1000;

function pageOf(document: Document): LlmsPage {
  const { url, sourceURL, title, description } = documentRow(document);
  return { url: sourceURL || url, title, description: description.slice(0, longestDescription) };
}
