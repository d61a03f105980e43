import { expect, it } from "vitest";
import { firstStage, type StageResult } from "./list-of-stages.ts";

const stages = firstStage<{ text: string }>()
  .next(
    "count",
    ({ text }): StageResult<{ length: number }> =>
      text === "" ? { ok: false as const, code: "SCRAPE_CONTENT_ERROR" } : { length: text.length },
  )
  .next("double", async ({ length }) => ({ double: 2 * length }))
  .next("sum", ({ length, double }) => ({ sum: length + double }));

it("takes a page through the stages in their order, each with what those before it made", async () => {
  expect(stages.names).toEqual(["count", "double", "sum"]);
  expect(await stages.run({ text: "ab" })).toEqual({ text: "ab", length: 2, double: 4, sum: 6 });
});

it("ends with the first failure", async () => {
  expect(await stages.run({ text: "" })).toEqual({ ok: false, code: "SCRAPE_CONTENT_ERROR" });
});

it("hands on what a stage throws", async () => {
  const failing = stages.next("fail", () => {
    throw new Error("broken");
  });
  await expect(failing.run({ text: "a" })).rejects.toThrow("broken");
});
