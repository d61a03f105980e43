// What the model is shown when it is asked for the next step. Everything that comes from the web is put between marks, as
// data.

import type { ExtractionSettings } from "../../jobs/index.ts";
import type { PagePrompt, PageText, Question } from "../../llm/index.ts";
import type { JobError } from "../../store/index.ts";
import type { KnownUrl, Progress } from "./agent-progress.ts";

export interface Left {
  steps: number;
  pages: number;
  credits: number;
  seconds: number;
}

export interface StepQuestion {
  wanted: ExtractionSettings;
  progress: Progress;
  /** That can still be read, best first. */
  urls: readonly KnownUrl[];
  errors: readonly JobError[];
  left: Left;
  maxTokens: number;
}

/** The latest pages are shown; of earlier ones only that they were read. */
const shownPages = 6;
const shownUrls = 40;
const longestText = 120;
const longestSchema = 6000;
const mostTokens = 12_000;

const role = {
  task:
    "You plan the work of a program that finds data on the web for its user. Each time you name one next step: one tool of the " +
    "form and its input. The program does it and shows you what came of it.",
  answer:
    "Follow only what the user wants. Read pages only to find what is wanted, and finish as soon as the pages hold it. Name " +
    "URLs exactly as they are listed under the URLs that can be read: no others are read.",
};

export function askForStep(build: (question: Question) => PagePrompt, asked: StepQuestion): PagePrompt {
  const { wanted, left } = asked;
  const fields =
    wanted.schema === null ? "" : `\nWanted fields: ${JSON.stringify(wanted.schema).slice(0, longestSchema)}`;
  const task = [
    `What the user wants: ${wanted.prompt}${fields}`,
    `Left: ${left.steps} steps, ${left.pages} pages, ${left.credits} credits, ${left.seconds} seconds.`,
    "What was done so far, the URLs that can be read, and the pages that were read follow. Name the next step.",
  ].join("\n");
  const pages = [...earlierPages(asked.progress), historyOf(asked), urlsOf(asked), ...pagesOf(asked)];
  return build({ task, pages, query: wanted.words, maxTokens: Math.min(asked.maxTokens, mostTokens), role });
}

/** The turns before this one, as a page: what they found came from the web. */
export function earlierPages({ earlier }: Progress): PageText[] {
  if (earlier.length === 0) return [];
  const turns = earlier.map(({ prompt, result }, place) => `${place + 1}. Asked: ${prompt}\n   Found: ${result}`);
  return [{ url: earlierTurns, text: turns.join("\n") }];
}

/** In the place of the URL of a page. */
export const earlierTurns = "Earlier turns of this conversation";

/** With what was asked before, because a further turn speaks of it. */
export function promptOf(prompt: string | null, { earlier }: Progress): string {
  const asked = earlier.map((turn, place) => `${place + 1}. ${turn.prompt}`);
  return [prompt ?? "", ...(asked.length > 0 ? ["", "Asked before, in this conversation:", ...asked] : [])].join("\n");
}

function historyOf({ progress, errors }: StepQuestion): PageText {
  const lines = progress.steps.flatMap(({ number, tool, query, urls = [], refused }) => {
    const input = [query ? JSON.stringify(query) : "", ...urls].filter(Boolean).join(" ");
    const came = progress.actions.filter((action) => action.number === number).map(outcomeOf);
    return [`${number}. ${tool} ${input}`, ...[...came, ...refused].map((each) => `   ${each}`)];
  });
  const failures = errors.map(({ url, message }) => `Could not be read: ${url}: ${message}`);
  return { url: "What was done so far", text: [...lines, ...failures].join("\n") || "Nothing." };
}

function outcomeOf({ tool, links, answer, warning }: Progress["actions"][number]): string {
  if (tool !== "extract") return `found ${links.length} URLs${warning === undefined ? "" : `: ${warning}`}`;
  if (!answer?.ok) return "could not be filled";
  return answer.missing.length === 0 ? "all fields have a value" : `without a value: ${answer.missing.join(", ")}`;
}

function urlsOf({ urls }: StepQuestion): PageText {
  const lines = urls.slice(0, shownUrls).map(({ url, text }) => `${url} ${text.slice(0, longestText)}`);
  return { url: "URLs that can be read", text: lines.join("\n") || "None." };
}

function pagesOf({ progress }: StepQuestion): PageText[] {
  const pages = progress.pages.filter(({ finding }) => finding !== null);
  const earlier = pages.slice(0, -shownPages).map(({ url }) => url);
  const read = earlier.length === 0 ? [] : [{ url: "Pages that were read before these", text: earlier.join("\n") }];
  const shown = pages.slice(-shownPages);
  const controls = shown.findLast((page) => page.controls !== undefined);
  return [
    ...read,
    ...shown.map(({ url, text = "" }) => ({ url, text })),
    ...(controls ? [controlsPage(controls)] : []),
  ];
}

function controlsPage({ sourceUrl, controls = [] }: Progress["pages"][number]): PageText {
  const lines = controls.map(({ text }, index) => `${index + 1} ${text}`);
  return { url: `What can be clicked or filled on ${sourceUrl}, by its number`, text: lines.join("\n") || "Nothing." };
}
