import { expect, test } from "vitest";
import type { Mistranslated, OperationInput, OperationOutput, Operations } from "./operations.ts";

// Checked by the compiler: a row that does not fit makes its path appear in the type, and this line wrong.
test("every v1 row speaks to its operation in v2's types", () => {
  const misfits: Mistranslated[] = [] satisfies never[];
  const noMisfits: never[] = misfits;
  expect(noMisfits).toEqual([]);
});

test("inputs and outputs are precise", () => {
  const activity: OperationInput<"listActivity"> = { limit: 50, endpoint: "scrape" };
  const session: OperationInput<"deleteSession"> = { id: "s" };
  const output: OperationOutput<"readConcurrency"> = { success: true, concurrency: 1, maxConcurrency: 2 };
  // @ts-expect-error there is no such activity
  const wrong: OperationInput<"listActivity"> = { limit: 50, endpoint: "nothing" };
  expect([activity, session, output, wrong]).toHaveLength(4);
});

// Checked by the compiler, like everything here: without the error that is expected the line itself is one.
test("a forgotten operation does not compile", () => {
  const all = {} as Operations<unknown>;
  const { scrape: _, ...rest } = all;
  // @ts-expect-error scrape is missing
  const forgetful: Operations<unknown> = rest;
  // @ts-expect-error askSupport is listed as unserved
  const unserved = all.askSupport;
  expect([forgetful, unserved]).toHaveLength(2);
});

test("only an operation that stops with its caller takes a signal", () => {
  const scrape = async (_input: unknown, _caller: unknown, signal: AbortSignal) => signal.aborted as never;
  const stops: Operations<unknown>["scrape"] = scrape;
  // @ts-expect-error listActivity runs to its end
  const runsOn: Operations<unknown>["listActivity"] = scrape;
  expect([stops, runsOn]).toHaveLength(2);
});
