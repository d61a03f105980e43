// An agent without a language model, one page after the other: each page that is read chooses the next one among all links seen
// so far, until every wanted field has a value or a limit is reached.

import type { FilledData } from "../../extraction/index.ts";
import {
  foundDepth,
  foundPage,
  isOver,
  type NewTask,
  type PageEnding,
  type ReadRecord,
  urlKey,
} from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { wantedWords } from "../parts/wanted-words.ts";
import {
  type AgentStep,
  agentOf,
  hasLeftOutDearPages,
  isOfKnownSite,
  knownUrls,
  leftSite,
  overBudget,
  progressOf,
  researchOf,
} from "./agent-progress.ts";
import { bestLinks } from "./best-links.ts";
import { findPromptPages, type TitledLink } from "./prompt-pages.ts";

export function createLinkRun({ clock, store, jobs }: OperationParts) {
  const { extractionPages: pages, answerer } = jobs;

  async function readPage(step: AgentStep<"page">): Promise<PageEnding> {
    const { wanted } = step;
    const before = await answerer.readSoFar(step);
    const nothing: PageEnding = { kind: "nothing", found: [], refused: [] };
    if (isOver(wanted, clock.now()) || before.pages.length >= wanted.limit) return nothing;
    if ((await summarize(step, before.pages)).isEnough) return nothing;
    // The caller may have excluded every other site, and a page may lead to one.
    const sites = agentOf(step).strictConstrainToURLs ? knownUrls(step, progressOf([])) : null;
    let hasLeft = false;
    const mayFollow = async (url: string) => {
      hasLeft = sites !== null && !(await isOfKnownSite(sites, url));
      return !hasLeft;
    };
    const read = await pages.read(step, true, sites === null ? undefined : mayFollow);
    if (hasLeft) return leftSite;
    if (!("page" in read)) {
      return read.kind === "failed" ? { ...read, found: await chooseNext(step, before.pages) } : read;
    }
    const tooDear = overBudget(step, progressOf(before.pages), read.page.credits);
    if (tooDear) return { ...tooDear, found: await chooseNext(step, before.pages) };
    const record = { ...read.record, links: await bestLinks(step, read.page.reading) };
    if (!(await mayFollow(record.url))) return leftSite;
    const found = await chooseNext(step, [...before.pages, record]);
    return pages.end(step, { ...read, record }, found);
  }

  /** The one page that most likely has what is missing; none while others wait. */
  async function chooseNext(step: AgentStep, read: readonly ReadRecord[]): Promise<NewTask[]> {
    const { task, wanted } = step;
    const isDone = read.length >= wanted.limit || isOver(wanted, clock.now());
    if (agentOf(step).strictConstrainToURLs || isDone) return [];
    const job = await store.jobs.read(task.jobId);
    // The answer always waits. Without a page left in the limit the job would end before it.
    if (!job || job.waiting > 1 || job.started >= job.pageLimit - 1) return [];
    const { isEnough, filled, leading } = await summarize(step, read);
    if (isEnough) return [];
    const research = researchOf(step);
    if (research !== null) return nextSubject(step, leading, research.maxDepth);
    const { rank } = await loadDiscovery();
    const words = wantedWords(wanted.schema, wanted.prompt, filled?.missing ?? null);
    const [best] = await rank(leading, words, { limit: 1 });
    return best ? [foundPage(best.url)] : [];
  }

  /** Without a schema, only links that speak of the question lead further. */
  async function nextSubject({ task, wanted }: AgentStep, links: readonly TitledLink[], maxDepth: number) {
    const { rank, readSubject } = await loadDiscovery();
    const subject = readSubject(wanted.words, "");
    const telling = links.filter(({ url, title }) => subject.matches({ url, text: title }) > 0);
    const [best] = task.depth < maxDepth ? await rank(telling, wanted.words, { limit: 1 }) : [];
    return best ? [foundPage(best.url, Math.max(task.depth + 1, foundDepth))] : [];
  }

  /** What the pages give, whether that is all that could be found, and the links that may lead further. */
  async function summarize(step: AgentStep, read: readonly ReadRecord[]) {
    const { task, wanted } = step;
    const links = linksOf(read);
    const known = await store.jobPages.known(
      task.jobId,
      links.map(({ url }) => urlKey(url)),
    );
    const unread = links.filter(({ url }) => !known.has(urlKey(url)));
    const { answering, leading, isLedOn } = await findPromptPages(wanted, read, unread);
    const isUnfilled = answering.length === 0 || researchOf(step) !== null;
    const filled = isUnfilled ? null : await answerer.fill(wanted, answering);
    const goesOn = isLedOn && !agentOf(step).strictConstrainToURLs;
    return { filled, leading, isEnough: filled !== null && isFull(filled) && !goesOn };
  }

  async function answer(step: AgentStep<"answer">): Promise<PageEnding> {
    const { wanted } = step;
    const isShort = await hasLeftOutDearPages({ store }, step);
    return answerer.answer(step, {
      choose: async (read) => (await findPromptPages(wanted, read, linksOf(read))).answering,
      stopReasonOf(filled, read) {
        if (filled && isFull(filled)) return null;
        if (isOver(wanted, clock.now())) return "time_limit_reached";
        if (isShort) return "credit_limit_reached";
        if (read.length < wanted.limit) return null;
        return agentOf(step).isLimitedByCredits ? "credit_limit_reached" : "step_limit_reached";
      },
    });
  }

  return { readPage, answer };
}

function linksOf(read: readonly ReadRecord[]): TitledLink[] {
  const links = read.flatMap(({ links: of = [] }) => of.map(({ url, text }) => ({ url, title: text })));
  return [...new Map(links.map((link) => [link.url, link])).values()];
}

function isFull({ missing }: FilledData): boolean {
  return missing.length === 0;
}
