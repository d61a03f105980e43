// Work on the tasks of an agent, one page after the other: each page that is read chooses the next one among all links seen so
// far, until every wanted field has a value or the limit is reached (D20).
import type { FilledData } from "../../extraction/index.ts";
import type { NewTask } from "../../jobs/index.ts";
import type { Store } from "../../store/index.ts";
import { bestLinks } from "../extract/best-links.ts";
import { foundPage, pageKey, type Step } from "../extract/extract-pages.ts";
import type { ExtractWork } from "../extract/extract-work.ts";
import type { ReadRecord } from "../extract/extraction-records.ts";
import { wantedWords } from "../extract/wanted-words.ts";
import type { PageEnding } from "../jobs/job-reading.ts";
import { isOfKnownSite, knownAddresses, leftSite, progressOf } from "./progress.ts";
import { findPromptPages, type Link } from "./prompt-pages.ts";

export function createAgentWork({ store, work }: { store: Store; work: ExtractWork }) {
  const { pages, searchWeb } = work;

  async function readPage(step: Step): Promise<PageEnding> {
    const before = await pages.readSoFar(step);
    const nothing: PageEnding = { kind: "nothing", found: [], refused: [] };
    if (pages.isOver(step.wanted) || before.pages.length >= step.wanted.limit) return nothing;
    if ((await whereItStands(step, before.pages)).isEnough) return nothing;
    // The caller may have forbidden every other site, and a page may lead to one.
    const sites = step.wanted.agent?.strictConstrainToURLs ? knownAddresses(step.wanted, progressOf([])) : null;
    let hasLeft = false;
    const mayFollow = async (url: string) => {
      hasLeft = sites !== null && !(await isOfKnownSite(sites, url));
      return !hasLeft;
    };
    const read = await pages.read(step, true, sites === null ? undefined : mayFollow);
    if (hasLeft) return leftSite;
    if ("page" in read) {
      const { page, trace } = read;
      const record = { ...pages.recordOf(step, page, trace), links: await bestLinks(step, page.reading) };
      if (!(await mayFollow(record.url))) return leftSite;
      const found = await chooseNext(step, [...before.pages, record]);
      return pages.endOfRead(step, page, record, found);
    }
    return read.kind === "failed" ? { ...read, found: await chooseNext(step, before.pages) } : read;
  }

  /** The one page that most likely has what is missing; none while others wait. */
  async function chooseNext(step: Step, read: readonly ReadRecord[]): Promise<NewTask[]> {
    const { task, wanted } = step;
    if (wanted.agent?.strictConstrainToURLs || read.length >= wanted.limit || pages.isOver(wanted)) return [];
    const job = await store.jobs.read(task.jobId);
    // The answer always waits. Without a page to spare the job would end before it.
    if (!job || job.waiting > 1 || job.started >= job.pageLimit - 1) return [];
    const { isEnough, filled, leading } = await whereItStands(step, read);
    if (isEnough) return [];
    const { rank } = await import("../../discovery/index.ts");
    const words = wantedWords(wanted.schema, wanted.prompt, filled?.missing ?? null);
    const [best] = await rank(leading, words, { limit: 1 });
    return best ? [foundPage(best.url)] : [];
  }

  /** What the pages give, whether that is all that could be found, and the links that may lead further. */
  async function whereItStands({ task, wanted }: Step, read: readonly ReadRecord[]) {
    const links = linksOf(read);
    const known = await store.jobPages.known(
      task.jobId,
      links.map(({ url }) => pageKey(url)),
    );
    const unread = links.filter(({ url }) => !known.has(pageKey(url)));
    const { answering, leading, isLedOn } = await findPromptPages(wanted, read, unread);
    const filled = answering.length === 0 ? null : await pages.fill(wanted, answering);
    const goesOn = isLedOn && !wanted.agent?.strictConstrainToURLs;
    return { filled, leading, isEnough: filled !== null && isFull(filled) && !goesOn };
  }

  return async function perform(step: Step): Promise<PageEnding> {
    const { task, wanted } = step;
    if (task.kind === "page") return readPage(step);
    if (task.kind !== "answer") return searchWeb(step);
    const choose = async (read: readonly ReadRecord[]) =>
      (await findPromptPages(wanted, read, linksOf(read))).answering;
    return pages.answer(step, choose, (filled, read) => stopReasonOf(filled, read.length));

    function stopReasonOf(filled: FilledData, read: number): string | null {
      if (isFull(filled)) return null;
      if (pages.isOver(wanted)) return "time_limit_reached";
      if (read < wanted.limit) return null;
      return wanted.agent?.isLimitedByCredits ? "credit_limit_reached" : "step_limit_reached";
    }
  };
}

function linksOf(read: readonly ReadRecord[]): Link[] {
  const links = read.flatMap(({ links: of = [] }) => of.map(({ url, text }) => ({ url, title: text })));
  return [...new Map(links.map((link) => [link.url, link])).values()];
}

function isFull({ missing }: FilledData): boolean {
  return missing.length === 0;
}
