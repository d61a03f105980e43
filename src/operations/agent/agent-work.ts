// Work on the tasks of an agent, one page after the other: each page that is read chooses the next one among all links seen so
// far, until every wanted field has a value or the limit is reached (D20).
import type { FilledData } from "../../extraction/index.ts";
import type { FoundPage } from "../../jobs/index.ts";
import type { Store } from "../../store/index.ts";
import { bestLinks } from "../extract/best-links.ts";
import { foundPage, isAnswer, pageKey, type Step } from "../extract/extract-pages.ts";
import type { ExtractWork } from "../extract/extract-work.ts";
import type { ReadRecord } from "../extract/extraction-records.ts";
import { wantedWords } from "../extract/wanted-words.ts";
import type { PageEnding } from "../jobs/job-reading.ts";
import { isOfKnownSite, knownAddresses, leftSite, progressOf } from "./progress.ts";

export function createAgentWork({ store, work }: { store: Store; work: ExtractWork }) {
  const { pages, searchWeb } = work;

  async function readPage(step: Step): Promise<PageEnding> {
    const before = await pages.readSoFar(step);
    const nothing: PageEnding = { kind: "nothing", found: [], refused: [] };
    if (pages.isOver(step.wanted) || before.pages.length >= step.wanted.limit) return nothing;
    const known = before.pages.length === 0 ? null : await pages.fill(step.wanted, before.pages);
    if (known && isFull(known)) return nothing;
    // The caller may have forbidden every other site, and a page may lead to one.
    const sites = step.wanted.agent?.strictConstrainToURLs ? knownAddresses(step.wanted, progressOf([])) : null;
    let hasLeft = false;
    const mayFollow = async (url: string) => {
      hasLeft = sites !== null && !(await isOfKnownSite(sites, url));
      return !hasLeft;
    };
    const read = await pages.read(step, true, sites === null ? undefined : mayFollow);
    if (hasLeft) return leftSite;
    if ("reading" in read) {
      const { reading, trace } = read;
      const record = { ...pages.recordOf(step, reading, trace), links: await bestLinks(step, reading) };
      if (!(await mayFollow(record.url))) return leftSite;
      const found = await chooseNext(step, [...before.pages, record]);
      return pages.endOfRead(step, reading, record, found);
    }
    return read.kind === "failed" ? { ...read, found: await chooseNext(step, before.pages) } : read;
  }

  /** The one page that most likely has what is missing; none while others wait. */
  async function chooseNext({ task, wanted }: Step, read: readonly ReadRecord[]): Promise<FoundPage[]> {
    if (wanted.agent?.strictConstrainToURLs || read.length >= wanted.limit || pages.isOver(wanted)) return [];
    const job = await store.jobs.read(task.jobId);
    // The answer always waits. Without a page to spare the job would end before it.
    if (!job || job.waiting > 1 || job.started >= job.pageLimit - 1) return [];
    const filled = read.length === 0 ? null : await pages.fill(wanted, read);
    if (filled && isFull(filled)) return [];
    const { rank } = await import("../../discovery/index.ts");
    const links = new Map(read.flatMap(({ links: of = [] }) => of.map(({ url, text }) => [url, { url, title: text }])));
    const words = wantedWords(wanted.schema, wanted.prompt, filled?.missing ?? null);
    const known = await store.jobPages.known(task.jobId, [...links.keys()].map(pageKey));
    const unread = [...links.values()].filter(({ url }) => !known.has(pageKey(url)));
    const [best] = await rank(unread, words, { limit: 1 });
    return best ? [foundPage(best.url)] : [];
  }

  return async function perform(step: Step): Promise<PageEnding> {
    const { task, wanted } = step;
    if (task.kind === "page") return readPage(step);
    if (!isAnswer(task)) return searchWeb(step);
    return pages.answer(step, (filled, read) => stopReasonOf(filled, read.length));

    function stopReasonOf(filled: FilledData, read: number): string | null {
      if (isFull(filled)) return null;
      if (pages.isOver(wanted)) return "time_limit_reached";
      if (read < wanted.limit) return null;
      return wanted.agent?.isLimitedByCredits ? "credit_limit_reached" : "step_limit_reached";
    }
  };
}

function isFull({ missing }: FilledData): boolean {
  return missing.length === 0;
}
