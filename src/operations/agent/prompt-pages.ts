// Which of the pages that an agent has seen its prompt speaks of: their words tell, and their numbers where a site numbers its
// things. A sibling's page answers only for itself.

import type { Label } from "../../discovery/index.ts";
import type { ExtractionSettings, RankedRecord, ReadRecord } from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import { wantedWords } from "../parts/wanted-words.ts";

export interface TitledLink {
  url: string;
  title: string;
}

export interface PromptPages {
  /** Pages that may answer, those first that the prompt speaks of most. */
  answering: RankedRecord[];
  /** Links that were not read and may lead on; where any fits better than all that was read, only the best of them. */
  leading: TitledLink[];
  /** Whether one of them fits better than all that was read. */
  isLedOn: boolean;
}

export async function findPromptPages(
  { schema, prompt, urls }: ExtractionSettings,
  read: readonly ReadRecord[],
  unread: readonly TitledLink[],
): Promise<PromptPages> {
  const { readSubject } = await loadDiscovery();
  const subject = readSubject(prompt ?? "", wantedWords(schema, null));
  const labelOf = ({ url, title = "" }: { url: string; title?: string }): Label => ({ url, text: title });
  const pages = read.map((record) => ({ ...labelOf(record), record }));
  const links = unread.map((link) => ({ ...labelOf(link), link }));
  const given = urls.map((url) => ({ url, text: "" }));
  const seen: Label[] = [...pages, ...links, ...given];
  const kept = subject.keep(pages, seen);
  const most = Math.max(0, ...kept.map(subject.matches));
  const others = links.filter((one) => !subject.isSibling(one));
  const best = Math.max(0, ...others.map(subject.matches));
  const isLedOn = best > most;
  return {
    answering: kept.map((page) => ({ ...page.record, rank: most - subject.matches(page) })),
    leading: others.flatMap((one) => (!isLedOn || subject.matches(one) === best ? [one.link] : [])),
    isLedOn,
  };
}
