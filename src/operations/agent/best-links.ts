// Where an agent may go from a page: the links of the page's own site. It goes to other sites only by a search.

import type { ExtractionStep, ReadRecord } from "../../jobs/index.ts";
import type { ObtainedPage } from "../../pages/index.ts";
import { loadDiscovery } from "../../reach/index.ts";

/** Links that are kept of one page, the best. */
const keptLinks = 200;

export async function bestLinks(
  { task, wanted }: ExtractionStep,
  { findings, document }: ObtainedPage["reading"],
): Promise<NonNullable<ReadRecord["links"]>> {
  const { rank, siteOf } = await loadDiscovery();
  const site = siteOf(new URL(document.metadata.url ?? task.url));
  const links = (findings.outlinks?.links ?? []).filter(({ url }) => siteOf(new URL(url)) === site);
  const named = links.map(({ url, text }) => ({ url, title: text }));
  const best = await rank(named, wanted.words, { limit: keptLinks });
  return best.map(({ url, title }) => ({ url, text: title }));
}
