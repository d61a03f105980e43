import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("known pages on $name", (engine) => {
  let fresh: FreshStore;
  beforeEach(async () => {
    fresh = await engine.fresh();
  });
  afterEach(() => fresh.cleanup());

  it("are noted by two transactions in opposite orders without a deadlock", async () => {
    const pages = Array.from({ length: 30 }, (_, index) => ({
      teamId: "team",
      url: `https://site.test/${index}`,
      title: "",
      description: "",
      seenAt: noon,
    }));
    const note = (order: typeof pages) => fresh.store.transaction((statements) => statements.knownPages.note(order));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([note(pages), note(pages.toReversed()), note(pages), note(pages.toReversed())]);
    }
    expect(await fresh.store.knownPages.listOfSite({ teamId: "team", site: "site.test", limit: 100 })).toHaveLength(30);
  });
});
