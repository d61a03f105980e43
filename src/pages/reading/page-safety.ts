// What happens to a page before its caller gets it: pages that attack a model are refused, and personal data are taken out, where
// that is asked for.
import type { Trace } from "../../base/index.ts";
import type { PageContent } from "../../content/index.ts";
import { type Document, namesPersons, refusesInjection, type ScrapeOptions } from "../../contract/index.ts";
import type { AnsweredPage, PageAnswers } from "../answers/page-answers.ts";
import { addWarnings } from "../document/page-document.ts";
import { mayRedact, redactionOf, redactionWarnings, redactValue } from "../document/redact-document.ts";
import type { Asker } from "../model/language-model.ts";
import type { PageFailure, ReadFindings, ReadRequest } from "./page-reading.ts";

interface SafetyWork {
  request: ReadRequest;
  signal: AbortSignal;
  endsAt: number;
  trace: Trace;
}

/** What is left of a request's time when the language model takes too long. */
const longestReserveMs = 2000;

export function reserveOf({ timeout }: ScrapeOptions): number {
  return Math.min(longestReserveMs, timeout / 10);
}

function askerOf({ request, signal, endsAt }: SafetyWork): Asker {
  const { teamId, keyId, options } = request;
  return { teamId, keyId, signal, endsAt: endsAt - reserveOf(options) };
}

/** Who looked for prompt injections and found none. */
interface InjectionCheck {
  by: "rules" | "model";
  warnings: string[];
}

/** Null when the request does not ask for it. Rules come first; they cost nothing. */
export async function checkInjection(
  answers: PageAnswers,
  { injections = [], markdown = "" }: PageContent,
  url: string,
  work: SafetyWork,
): Promise<InjectionCheck | PageFailure | null> {
  const { options, plan } = work.request;
  if (!refusesInjection(options)) return null;
  if (injections.length > 0) return injected(injections);
  const judgement = plan.isJudged ? await answers.judge({ url, text: markdown }, askerOf(work), work.trace) : null;
  work.signal.throwIfAborted();
  if (!judgement) return { by: "rules", warnings: [] };
  if ("warning" in judgement) return { by: "rules", warnings: [judgement.warning] };
  if (judgement.quotes.length === 0) return { by: "model", warnings: [] };
  return injected(judgement.quotes.map((text) => ({ kind: "judged", where: "text", text })));
}

function injected(places: readonly { kind: string; where: string; text: string }[]): PageFailure {
  return { ok: false, code: "SCRAPE_PROMPT_INJECTION_DETECTED", details: { count: places.length, places } };
}

export interface PersonsOfPage {
  names: string[];
  warnings: string[];
}

export const noPersons: PersonsOfPage = { names: [], warnings: [] };
const noModel = "redactPII leaves names of persons as they are: finding them needs a language model.";

export async function findPersons(
  answers: PageAnswers,
  { metadata, markdown = "" }: Document,
  work: SafetyWork,
): Promise<PersonsOfPage> {
  const found = await answers.names({ url: metadata.url ?? "", text: markdown }, askerOf(work), work.trace);
  work.signal.throwIfAborted();
  if (!found) return noPersons;
  return "warning" in found ? { names: [], warnings: [found.warning] } : { names: found.names, warnings: [] };
}

/** Everything that was read, without personal data where that is asked for. */
export async function redactRead<Made extends ReadFindings>(
  read: { answered: AnsweredPage; made: Made },
  { options, plan }: ReadRequest,
  { names, warnings }: PersonsOfPage,
): Promise<{ answered: AnsweredPage; made: Made } | PageFailure> {
  const { answered, made } = read;
  const redaction = await redactionOf(options, answered.document, names);
  if (!redaction) return read;
  if (!mayRedact(answered.document))
    return { ok: false, code: "SCRAPE_PAGE_TOO_LARGE", message: "The page is too large to be redacted." };
  const redact = <Value>(value: Value): Value => redactValue(value, redaction);
  const document = redact(answered.document);
  const unnamed = namesPersons(options) && !plan.isNamed ? [noModel] : [];
  addWarnings(document, [...warnings, ...unnamed, ...redactionWarnings(document)]);
  const { foundText, tracked } = answered;
  const { outlinks } = made;
  // Where links lead stays known, or no crawl could follow them.
  const worded = outlinks && {
    ...outlinks,
    links: outlinks.links.map(({ url, text }) => ({ url, text: redact(text) })),
  };
  return {
    answered: { ...answered, document, foundText: redact(foundText), tracked: redact(tracked) },
    made: { ...made, finding: redact(made.finding), outlinks: worded, places: null, searchText: null },
  };
}
