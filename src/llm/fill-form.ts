// A value of the caller's schema from a model: asked for on the surest way that works, read, mended, checked, and asked for
// again where it is wrong. What stays wrong is left out, so that the value is valid.

import { isObject } from "../base/index.ts";
import type {
  JsonObject,
  ModelFailure,
  OutputMode,
  Path,
  Problem,
  StructuredAnswer,
  StructuredRequest,
} from "./model.ts";
import { type ModelSession, maxContinuations, type SessionFailure, type Turn } from "./model-session.ts";
import { describeSchema, type OutputModes } from "./output-modes.ts";
import { type JsonReading, joinContinuation, readModelJson } from "./repair.ts";
import { propertiesOf, toWireSchema, type WireSchema } from "./strict-schema.ts";
import { replaceAt, schemaAt, showPath, valueAt } from "./value-path.ts";

const maxRepairs = 2;
const maxTries = 3;
/** Leaving something out may break a rule of what holds it. */
const maxDropRounds = 5;
const maxShownProblems = 40;
const longestShownValue = 200;

interface Reply {
  mode: OutputMode;
  question: string;
  text: string;
  reading: JsonReading;
}

export async function fillForm(
  { session, outputModes, modelKey }: { session: ModelSession; outputModes: OutputModes; modelKey: string },
  request: StructuredRequest,
): Promise<StructuredAnswer | ModelFailure> {
  const wire = toWireSchema(request.schema);
  const first = await askDown(session, outputModes.modesFor(modelKey), request.prompt, wire.schema);
  if ("ok" in first) return first;
  outputModes.note(modelKey, first.mode);
  const reply = await complete(session, first);

  const read = (value: unknown, way: WireSchema) => {
    const own = way.fromWire(value);
    return request.coerce ? request.coerce(own) : own;
  };
  let value = read(reply.reading.value, wire);
  let problems = await request.check(value);
  let repairs = 0;
  for (; wrongOf(problems).length > 0 && repairs < maxRepairs; repairs += 1) {
    const repaired = await repair(session, reply, request, value, wrongOf(problems));
    if (repaired === null) break;
    value = request.coerce ? request.coerce(repaired) : repaired;
    problems = await request.check(value);
  }

  const left = await dropWrong(value, problems, request);
  if (left === null) return unusable(session, "The language model's answer does not follow the schema.");
  return {
    ok: true,
    value: left.value,
    mode: reply.mode,
    isRepaired: reply.reading.isMended || repairs > 0,
    isPartial: !reply.reading.isComplete,
    dropped: left.dropped,
    missing: left.problems.map(({ path }) => path),
    tokens: session.tokens(),
  };
}

/** The first way whose answer can be read. */
async function askDown(
  session: ModelSession,
  modes: readonly OutputMode[],
  prompt: string,
  schema: JsonObject,
): Promise<Reply | ModelFailure> {
  let failure: SessionFailure | null = null;
  for (const mode of modes) {
    const question = prompt + describeSchema(mode, schema);
    const { answer, reading } = await askReadable(session, { mode, turns: [question], schema });
    if (!answer.ok) {
      if (!answer.mayTryOther) return withoutHint(answer);
      failure = answer;
      continue;
    }
    // One that was cut off before its first value may still be about it.
    const isBegun = reading !== null && answer.isCutOff && !reading.isComplete;
    if (reading !== null && (isBegun || isAbout(reading.value, schema))) {
      return { mode, question, text: answer.text, reading };
    }
    if (reading === null && answer.isBroken) return brokenOff(session);
    if (reading === null && answer.isCutOff) {
      return unusable(
        session,
        "The language model stopped before it began to answer: LLM_MAX_OUTPUT_TOKENS may be too small.",
      );
    }
    failure = null;
  }
  return failure === null
    ? unusable(session, "The language model did not return JSON with the requested fields.")
    : withoutHint(failure);
}

/** An answer that broke off before its JSON began leaves nothing to go on with, so it is asked for again. */
async function askReadable(session: ModelSession, turn: Turn) {
  for (let tries = 1; ; tries += 1) {
    const answer = await session.ask(turn);
    const reading = answer.ok ? readModelJson(answer.text) : null;
    if (!answer.ok || reading !== null || !answer.isBroken || tries === maxTries) return { answer, reading };
  }
}

function withoutHint({ mayTryOther: _, ...failure }: SessionFailure): ModelFailure {
  return failure;
}

/** An answer without any of the wanted fields is about something else. */
function isAbout(value: unknown, schema: JsonObject): boolean {
  const wanted = Object.keys(propertiesOf(schema));
  return isObject(value) && (wanted.length === 0 || wanted.some((name) => Object.hasOwn(value, name)));
}

/** An answer that was cut off goes on where it ended; when that fails, what was read is kept. */
async function complete(session: ModelSession, reply: Reply): Promise<Reply> {
  let { text, reading } = reply;
  for (let count = 0; !reading.isComplete && count < maxContinuations; count += 1) {
    const more = await session.askToContinue(reply.question, text);
    if (!more.ok) break;
    text = joinContinuation(text, more.text);
    reading = { ...(readModelJson(text) ?? reading), isMended: true };
  }
  return { ...reply, text, reading };
}

/** Asks for the wrong values alone; null when that gave nothing. */
async function repair(
  session: ModelSession,
  reply: Reply,
  { schema }: StructuredRequest,
  value: unknown,
  wrong: readonly Problem[],
): Promise<unknown> {
  const asked = distinct(wrong).slice(0, maxShownProblems);
  if (asked.some(({ path }) => path.length === 0)) return null;
  const { properties: _, required: __, ...root } = schema;
  const wire = toWireSchema({
    ...root,
    type: "object",
    properties: Object.fromEntries(asked.map(({ path }) => [showPath(path), schemaAt(schema, path)])),
    required: [],
    additionalProperties: false,
  });
  const told = asked.map(({ path, message }) => {
    const shown = JSON.stringify(valueAt(value, path))?.slice(0, longestShownValue) ?? "nothing";
    return `- ${showPath(path)}: ${shown} ${message}`;
  });
  const words = `These values of your answer are wrong:\n${told.join("\n")}\n\nGive these fields again, by these names, and no others. null means that the text does not say it.`;
  const turns = [reply.question, reply.text, words + describeSchema(reply.mode, wire.schema)];
  const answer = await session.ask({ mode: reply.mode, turns, schema: wire.schema });
  if (!answer.ok) return null;
  const fixes = wire.fromWire(readModelJson(answer.text)?.value);
  if (!isObject(fixes)) return null;
  // From the end, so that places in lists stay right while items go.
  return asked.toReversed().reduce((fixed, { path }) => replaceAt(fixed, path, fixes[showPath(path)]), value);
}

async function dropWrong(
  given: unknown,
  first: readonly Problem[],
  { check }: StructuredRequest,
): Promise<{ value: unknown; dropped: Path[]; problems: readonly Problem[] } | null> {
  let value = given;
  let problems = first;
  const dropped: Path[] = [];
  for (let round = 0; wrongOf(problems).length > 0; round += 1) {
    const wrong = distinct(wrongOf(problems));
    if (round === maxDropRounds || wrong.some(({ path }) => path.length === 0)) return null;
    for (const { path } of wrong.toReversed()) {
      value = replaceAt(value, path, undefined);
      dropped.push(path);
    }
    problems = await check(value);
  }
  return { value, dropped, problems };
}

function wrongOf(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ kind }) => kind === "wrong");
}

/** One for each place, in the order of the value. */
function distinct(problems: readonly Problem[]): Problem[] {
  const byPlace = new Map(problems.map((problem) => [showPath(problem.path), problem]));
  return [...byPlace.values()].sort((one, other) => compare(one.path, other.path));
}

function compare(one: Path, other: Path): number {
  for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
    const [a, b] = [one[place], other[place]];
    if (a === b) continue;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a) < String(b) ? -1 : 1;
  }
  return one.length - other.length;
}

function brokenOff(session: ModelSession): ModelFailure {
  const message = "The language model's service repeatedly ended the connection before it answered.";
  return { ok: false, code: "MODEL_UNAVAILABLE", message, tokens: session.tokens() };
}

function unusable(session: ModelSession, message: string): ModelFailure {
  return { ok: false, code: "MODEL_ANSWER_UNUSABLE", message, tokens: session.tokens() };
}
