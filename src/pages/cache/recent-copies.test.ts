import { describe, expect, it } from "vitest";
import type { FoundCopy } from "../../store/index.ts";
import { createRecentCopies } from "./recent-copies.ts";

const copy = (blobId: string): FoundCopy => ({ teamId: "one", key: "page", fetchedAt: 0, blobId, details: "{}" });

function start() {
  let now = 1_000_000;
  let stored: FoundCopy | null = copy("first");
  let looks = 0;
  const recent = createRecentCopies({ now: () => now });
  const look = async () => {
    looks += 1;
    return stored;
  };
  return {
    recent,
    find: async (teamId = "one") => (await recent.find(teamId, ["document", "page"], look))?.blobId ?? null,
    store: (next: FoundCopy | null) => {
      stored = next;
    },
    pass: (ms: number) => {
      now += ms;
    },
    looks: () => looks,
  };
}

describe("a copy found a moment ago", () => {
  it("is not looked for again within a second", async () => {
    const { find, store, pass, looks } = start();
    expect(await find()).toBe("first");
    store(copy("of another process"));
    pass(1000);
    expect([await find(), looks()]).toEqual(["first", 1]);
    pass(1);
    expect([await find(), looks()]).toEqual(["of another process", 2]);
  });

  it("gives way at once to a new one, under either key", async () => {
    for (const key of ["document", "page"]) {
      const { recent, find, store } = start();
      await find();
      store(copy("new"));
      recent.noteChanges(["something else"]);
      expect(await find()).toBe("first");
      recent.noteChanges([key]);
      expect(await find()).toBe("new");
    }
  });

  it("is not kept when a new one came while it was looked for", async () => {
    const { recent, find, store } = start();
    const found = find();
    store(copy("new"));
    recent.noteChanges(["page"]);
    expect([await found, await find()]).toEqual(["first", "new"]);
  });

  it("is found by the team that asked only, and nothing is remembered of none", async () => {
    const { find, store, looks } = start();
    await find();
    await find("two");
    expect(looks()).toBe(2);
    store(null);
    expect([await find("three"), await find("three"), looks()]).toEqual([null, null, 4]);
  });
});
