import { expect, test } from "vitest";
import type { Mistranslated, OperationInput, OperationOutput } from "./operations.ts";

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
