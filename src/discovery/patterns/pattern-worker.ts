// Runs in the thread of pattern-thread.ts: JavaScript's own engine, stopped when a match takes too long.
import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";

export interface PatternRequest {
  patterns: readonly string[];
  texts: readonly string[];
  /** Time for one pattern on one text. */
  matchMs: number;
  /** After this time no further text is begun. */
  turnMs: number;
}

export interface PatternReply {
  /** For the first texts, at least one: whether any pattern matches; null when that could not be found out. */
  answers: (boolean | null)[];
  spentMs: number;
}

/** A text on which no pattern is too slow but all together are: given up after so many times the time of one. */
const maxRunsOfText = 5;
/** The clock also counts while other processes have the processor: a pattern gets the time for one match twice. */
const maxRunsAlone = 2;

const context = createContext({ run: () => {} });
const script = new Script("run()");

/** The only way to stop a match from within its thread. One call costs more than a match, so it covers many. */
function runFor(timeoutMs: number, run: () => void): void {
  context.run = run;
  script.runInContext(context, { timeout: timeoutMs });
}

function match({ patterns, texts, matchMs, turnMs }: PatternRequest): PatternReply {
  const expressions = patterns.map((pattern) => new RegExp(pattern));
  const answers: PatternReply["answers"] = [];
  const began = performance.now();
  let next = 0;
  let runs = 0;
  let runsAlone = 0;

  const settle = (isMatch: boolean | null) => {
    answers.push(isMatch);
    next = 0;
    runs = 0;
    runsAlone = 0;
  };
  const matchOn = () => {
    for (let text = texts[answers.length]; text !== undefined; text = texts[answers.length]) {
      while (next < expressions.length && !expressions[next]?.test(text)) next += 1;
      settle(next < expressions.length);
    }
  };

  while (answers.length < texts.length && (answers.length === 0 || performance.now() - began < turnMs)) {
    const [text, pattern] = [answers.length, next];
    try {
      runFor(matchMs, matchOn);
    } catch {
      // Out of time, or a pattern that the engine finds too large only now. One that had the whole time for itself is given
      // up at the second try; one that shared it with others before it gets its own.
      runs += 1;
      runsAlone = answers.length === text && next === pattern ? runsAlone + 1 : 0;
      if (runsAlone >= maxRunsAlone || runs >= maxRunsOfText) settle(null);
    }
  }
  return { answers, spentMs: performance.now() - began };
}

parentPort?.on("message", (request: PatternRequest) => parentPort?.postMessage(match(request)));
