import { describe, expect, it } from "vitest";
import { createMemory, remember } from "./remember.ts";

describe("remember", () => {
  it("asks once for what it was asked lately, also when the answer is nothing", () => {
    const asked: string[] = [];
    const answer = remember((question) => {
      asked.push(question);
      return question === "none" ? null : question.length;
    }, 10);
    expect([answer("one"), answer("none"), answer("one"), answer("none")]).toEqual([3, null, 3, null]);
    expect(asked).toEqual(["one", "none"]);
  });

  it("keeps the values that were asked for last and forgets the others", () => {
    const asked: string[] = [];
    const answer = remember((question) => asked.push(question), 2);
    for (const question of ["a", "b", "c", "a", "d", "a"]) answer(question);
    expect(asked).toEqual(["a", "b", "c", "d"]);
    answer("b");
    expect(asked).toEqual(["a", "b", "c", "d", "b"]);
  });
});

describe("createMemory", () => {
  it("is shared by functions that answer for themselves, and holds no more for many of them", () => {
    const asked: string[] = [];
    const memoize = createMemory(3);
    const [one, two] = ["one", "two"].map((name) =>
      memoize((question) => {
        asked.push(`${name} ${question}`);
        return `${name} ${question}`;
      }),
    ) as [(question: string) => string, (question: string) => string];
    expect([one("a"), two("a"), one("a"), two("a")]).toEqual(["one a", "two a", "one a", "two a"]);
    expect(asked).toEqual(["one a", "two a"]);
    for (const question of ["b", "c", "d", "e", "f"]) two(question);
    asked.length = 0;
    one("a");
    two("f");
    expect(asked).toEqual(["one a"]);
  });
});
