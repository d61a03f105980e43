// Answers what asks for consent: by the rules of a library that knows the dialogs of sites and of those who make dialogs,
// with a refusal where one is offered; else by the words on the buttons. The library runs in an isolated world of the
// page. Of its messages only the names of its steps are read, and only its own snippets run in the page's world.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { CDPSession, Frame, Page } from "playwright-core";
import { type ConsentStep, handleConsentText, nextConsentNews, openConsentBox, tellRules } from "./consent-scripts.ts";
import { type IsolatedWorld, openWorld } from "./isolated-world.ts";
import { orElse, pauseFor } from "./wait-until-settled.ts";

type Library = typeof import("@duckduckgo/autoconsent");

interface Rules {
  script: string;
  /** The part of all rules that can apply to a page or frame. */
  choose(url: string, isMain: boolean): ReturnType<Library["filterCompactRules"]>;
  /** By its name, a program that a rule wants to run in the page's own world. */
  snippet(name: string): string | null;
}

const require = createRequire(import.meta.url);
const consentFrame = /consent|cookie|privacy|gdpr|trustarc|[/.]cmp[/.]/i;
const maxFrames = 5;
const frameMs = 2000;
const lookMs = 1000;
/** A dialog that is going to open does so soon: the page has come to rest before it is looked at. */
const openingMs = 700;
const removalMs = 80;
/** What is in the rules besides: hiding before anything is known, waiting for what comes later, guessing by words. */
const settings = {
  enabled: true,
  autoAction: "optOut",
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: false,
  heuristicMode: "off",
  detectRetries: 0,
  isMainWorld: false,
  logs: { errors: false },
} as const;

let loaded: Rules | null = null;

/** Half a megabyte, read with the first page that asks for consent. */
function loadRules(): Rules {
  const name = "@duckduckgo/autoconsent";
  const { filterCompactRules, evalSnippets }: Library = require(name);
  const all: Parameters<Library["filterCompactRules"]>[0] = require(`${name}/rules/compact-rules.json`);
  return {
    script: readFileSync(join(dirname(require.resolve(name)), "autoconsent.playwright.js"), "utf8"),
    choose: (url, mainFrame) => filterCompactRules(all, { url, mainFrame }),
    snippet: (wanted) => {
      const program = Object.entries(evalSnippets).find(([each]) => each === wanted)?.[1];
      return program === undefined ? null : `(${program})()`;
    },
  };
}

/** True when something asked for consent: it has been answered, or taken away. */
export async function answerConsent(page: Page, maxMs: number): Promise<boolean> {
  const until = performance.now() + maxMs;
  const left = () => Math.max(0, until - performance.now());
  const frames = page.frames().filter((frame) => frame !== page.mainFrame() && consentFrame.test(frame.url()));
  const isAsked = await orElse(consentIn(page, "look").catch(toFalse), lookMs, false);
  if (!isAsked && frames.length === 0) return false;

  const url = page.url();
  const session = await page.context().newCDPSession(page);
  const answers = frames.slice(0, maxFrames).map((frame) => answerFrame(frame, Math.min(frameMs, left())));
  if (isAsked) answers.push(followRules(session, url, true, left()));
  const isAnswered = (await Promise.all(answers)).includes(true);
  if (page.isClosed()) return true;
  const inPage = async (step: ConsentStep) => {
    const done = openWorld(session).then((world) => world.run<ConsentStep, boolean>(handleConsentText, step));
    return orElse(done.catch(toFalse), lookMs, false);
  };
  if (!isAnswered) await inPage("answer");
  // The site's own code takes its dialog away first; what is left of it then goes.
  await pauseFor(removalMs);
  const isRemoved = await inPage("remove");
  await session.detach().catch(() => undefined);
  return isAnswered || isAsked || isRemoved;
}

/** Frames of other sites have their own processes, which the rules reach; in all others the words on buttons decide. */
async function answerFrame(frame: Frame, maxMs: number): Promise<boolean> {
  const session = await frame
    .page()
    .context()
    .newCDPSession(frame)
    .catch(() => null);
  if (session !== null && (await followRules(session, frame.url(), false, maxMs))) return true;
  return orElse(consentIn(frame, "answer-frame").catch(toFalse), lookMs, false);
}

/** True when a rule has answered; also when the page went elsewhere meanwhile, as some do once they are answered. */
async function followRules(session: CDPSession, url: string, isMain: boolean, maxMs: number): Promise<boolean> {
  const isElsewhere = async () => (await session.send("Page.getFrameTree")).frameTree.frame.url !== url;
  const following = runRules(session, url, isMain, performance.now() + maxMs)
    .catch(isElsewhere)
    .catch(toFalse);
  return orElse(following, maxMs, false);
}

async function runRules(session: CDPSession, url: string, isMain: boolean, endsAt: number): Promise<boolean> {
  loaded ??= loadRules();
  const rules = loaded;
  const world = await openWorld(session);
  await world.run(openConsentBox, undefined);
  await world.load(rules.script);
  await world.run(tellRules, {
    type: "initResp",
    config: settings,
    rules: { autoconsent: [], compact: rules.choose(url, isMain) },
  });
  let until = endsAt;
  for (;;) {
    const news = await orElse(world.run(nextConsentNews, undefined), until - performance.now(), null);
    if (news === null) return false;
    if (news.kind === "eval") await runSnippet(session, world, news.id, rules.snippet(news.snippet));
    else if (news.state === "done" || news.state === "optOutSucceeded") return true;
    else if (news.state === "nothingDetected" || news.state === "optOutFailed") return false;
    else if (news.state === "cmpDetected") until = Math.min(endsAt, performance.now() + openingMs);
    else if (news.state === "openPopupDetected") until = endsAt;
  }
}

async function runSnippet(
  session: CDPSession,
  world: IsolatedWorld,
  id: string,
  snippet: string | null,
): Promise<void> {
  const run = async () => {
    if (snippet === null) return false;
    const { result } = await session.send("Runtime.evaluate", {
      expression: snippet,
      awaitPromise: true,
      returnByValue: true,
      timeout: lookMs,
    });
    return Boolean(result.value);
  };
  const result = await orElse(run().catch(toFalse), lookMs, false);
  await world.run(tellRules, { type: "evalResp", id, result });
}

function consentIn(place: Page | Frame, step: ConsentStep): Promise<boolean> {
  return place.evaluate<boolean>(`(${handleConsentText})(${JSON.stringify(step)})`);
}

function toFalse(): boolean {
  return false;
}
