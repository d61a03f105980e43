// Users' regular expressions against URLs: JavaScript syntax, unanchored, without flags.
// re2js runs what it understands as JavaScript does, in linear time and here; a thread runs the rest, with a time limit.

import { setImmediate as nextTick } from "node:timers/promises";
import type { RE2Set } from "re2js";
import { isPrintableAscii, measurePattern } from "./pattern-syntax.ts";
import { createPatternThread, type PatternThread } from "./pattern-thread.ts";

/** Undecided: the match took too long to be finished, or the set's patterns have done so too often. */
export type PatternAnswer = boolean | "undecided";

export interface PatternSet {
  /** For each text whether any pattern matches. Rejects only with the signal's reason. */
  matches(texts: readonly string[], signal?: AbortSignal): Promise<PatternAnswer[]>;
  /** The same for one text without a promise, or null when only `matches` can tell. */
  matchesNow(text: string): boolean | null;
}

/** Steps of all patterns that re2js runs for one set; what is more goes to the thread. */
const maxSize = 1000;
/** Steps times letters of one text. Patterns made to hurt took 16 to 88 ms within it (2 shared cores, idle to busy). */
const maxWork = 400_000;
/** Memory of a set's automaton, which grows with the texts it has seen; the default of 8 MB is much for many crawls. */
const maxAutomatonBytes = 1024 * 1024;
/** A thousand ordinary matches take 1 to 3 ms. A set that needs this much for them runs in the thread from then on. */
const slowMs = 200;
const windowTexts = 1000;
const turnMs = 5;
/** Time of one pattern on one text in the thread. */
const matchMs = 40;
/** Then the next caller gets its turn. */
const threadTurnMs = 100;
const textsPerRequest = 500;
/** After so many undecided texts in a row nothing more is tried: 10,000 URLs must not take 40 ms each. */
const maxUndecided = 5;
/** Nor when this much was spent on a window of texts; an ordinary text takes 0.2 ms when it comes alone, else far less. */
const maxThreadMs = 5000;

/** One for the process: it holds nothing between two requests, starts when asked and ends by itself. */
const sharedThread = createPatternThread(10_000);

/** Rejects with a SyntaxError for what is no JavaScript regular expression; the contract lets none of these in. */
export async function compilePatterns(
  texts: readonly string[],
  thread: PatternThread = sharedThread,
): Promise<PatternSet> {
  const { linear, others } = await sortPatterns(texts);
  return createPatternSet(createLinearMatcher(linear), others, createSlowMatcher(thread), texts);
}

/** Long work on this thread lets others in between. */
function createTurn() {
  let ends = performance.now() + turnMs;
  return {
    isOver: () => performance.now() >= ends,
    async next() {
      await nextTick();
      ends = performance.now() + turnMs;
    },
  };
}

interface LinearPatterns {
  set: RE2Set;
  size: number;
}

async function sortPatterns(texts: readonly string[]): Promise<{ linear: LinearPatterns | null; others: string[] }> {
  const others: string[] = [];
  const turn = createTurn();
  let linear: LinearPatterns | null = null;
  for (const text of texts) {
    if (turn.isOver()) await turn.next();
    // Checks the syntax only: this engine compiles nothing before the first match.
    new RegExp(text);
    const size = measurePattern(text, maxSize - (linear?.size ?? 0));
    if (size === null) {
      others.push(text);
      continue;
    }
    // Loaded with the first pattern, so that an idle server stays small.
    const re2js = await import("re2js");
    linear ??= { set: new re2js.RE2Set(re2js.RE2Set.UNANCHORED, 0, maxAutomatonBytes), size: 0 };
    try {
      linear.set.add(re2js.RE2JS.translateRegExp(text));
      linear.size += size;
    } catch {
      others.push(text);
    }
  }
  if (!linear?.size) return { linear: null, others };
  linear.set.compile();
  return { linear, others };
}

/** Whether one of the linear patterns matches; null when the text must go to the thread instead. */
type LinearMatcher = (text: string) => boolean | null;

function createLinearMatcher(patterns: LinearPatterns | null): LinearMatcher {
  if (patterns === null) return () => false;
  const { set, size } = patterns;
  let calls = 0;
  let spentMs = 0;
  let isSlow = false;

  return (text) => {
    if (isSlow || text.length * size > maxWork || !isPrintableAscii(text)) return null;
    const began = performance.now();
    const isMatch = set.match(text).length > 0;
    // Bounded, so that one pause of the whole process is not taken for slowness.
    spentMs += Math.min(performance.now() - began, slowMs / 4);
    calls += 1;
    if (spentMs >= slowMs) isSlow = true;
    if (calls === windowTexts) calls = spentMs = 0;
    return isMatch;
  };
}

/** Answers in the thread until too much was undecided. */
type SlowMatcher = (
  patterns: readonly string[],
  texts: readonly string[],
  signal: AbortSignal | undefined,
) => Promise<PatternAnswer[]>;

function createSlowMatcher(thread: PatternThread): SlowMatcher {
  let undecided = 0;
  let calls = 0;
  let spentMs = 0;
  let isGivenUp = false;

  return async (patterns, texts, signal) => {
    const answers: PatternAnswer[] = [];
    while (answers.length < texts.length && !isGivenUp) {
      const part = texts.slice(answers.length, answers.length + textsPerRequest);
      const reply = await thread.ask({ patterns, texts: part, matchMs, turnMs: threadTurnMs });
      signal?.throwIfAborted();
      for (const isMatch of reply?.answers ?? []) {
        answers.push(isMatch ?? "undecided");
        undecided = isMatch === null ? undecided + 1 : 0;
      }
      calls += reply?.answers.length ?? 0;
      spentMs += reply?.spentMs ?? 0;
      isGivenUp ||= reply === null || undecided >= maxUndecided || spentMs >= maxThreadMs;
      if (calls >= windowTexts) calls = spentMs = 0;
    }
    return texts.map((_, index) => answers[index] ?? "undecided");
  };
}

function createPatternSet(
  matchHere: LinearMatcher,
  others: readonly string[],
  matchInThread: SlowMatcher,
  all: readonly string[],
): PatternSet {
  function matchesNow(text: string): boolean | null {
    const isMatch = matchHere(text);
    return isMatch === false && others.length > 0 ? null : isMatch;
  }

  return {
    matchesNow,
    async matches(texts, signal) {
      signal?.throwIfAborted();
      const answers: PatternAnswer[] = [];
      const open: { patterns: readonly string[]; indexes: number[] }[] = [
        { patterns: others, indexes: [] },
        { patterns: all, indexes: [] },
      ];
      const turn = createTurn();
      for (const [index, text] of texts.entries()) {
        const isMatch = matchHere(text);
        answers.push(isMatch ?? "undecided");
        if (isMatch === false && others.length > 0) open[0]?.indexes.push(index);
        if (isMatch === null) open[1]?.indexes.push(index);
        if (!turn.isOver()) continue;
        await turn.next();
        signal?.throwIfAborted();
      }
      for (const { patterns, indexes } of open) {
        const found = await matchInThread(
          patterns,
          indexes.map((index) => texts[index] ?? ""),
          signal,
        );
        for (const [at, index] of indexes.entries()) answers[index] = found[at] ?? "undecided";
      }
      return answers;
    },
  };
}
