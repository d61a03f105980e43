import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { makeKey, makeTeam, noon } from "./rows.ts";

describe.each(engines)("transactions on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  it("keeps everything of a transaction and gives back its result", async () => {
    const team = makeTeam();
    const key = makeKey(team.id);
    const result = await store.transaction(async (statements) => {
      await statements.teams.insert(team);
      await statements.keys.insert(key);
      return "done";
    });
    expect(result).toBe("done");
    expect((await store.keys.findByHash(key.hash))?.teamId).toBe(team.id);
  });

  it("keeps nothing of a transaction that fails, and goes on afterwards", async () => {
    const team = makeTeam();
    const failing = store.transaction(async (statements) => {
      await statements.teams.insert(team);
      expect(await statements.teams.findByName(team.name)).toEqual(team);
      throw new Error("halfway");
    });
    await expect(failing).rejects.toThrow("halfway");
    expect(await store.teams.findByName(team.name)).toBeNull();
    expect(await store.teams.insert(team)).toBe(true);
  });

  it("keeps nothing when a statement failed, even if the work goes on as if it had not", async () => {
    const team = makeTeam();
    const careless = store.transaction(async (statements) => {
      await statements.teams.insert(team);
      await statements.keys.insert(makeKey(newId())).catch(() => {});
    });
    await expect(careless).rejects.toThrow(/foreign key/i);
    expect(await store.teams.findByName(team.name)).toBeNull();
  });

  it("goes on reading beside an open transaction, without what is not committed yet, and at once with what is", async () => {
    for (let round = 0; round < 50; round += 1) {
      const team = makeTeam();
      await store.transaction(async (statements) => {
        await statements.teams.insert(team);
        expect(await store.teams.findByName(team.name)).toBeNull();
        expect(await statements.teams.findByName(team.name)).toEqual(team);
      });
      expect(await store.teams.findByName(team.name)).toEqual(team);
      await store.teams.setRequestsPerMinute(team.id, round);
      expect((await store.teams.findByName(team.name))?.requestsPerMinute).toBe(round);
    }
  });

  it("hides unfinished work from another store and lets both write in turn", async () => {
    const another = await opened.openAnother();
    const [one, two] = [makeTeam(), makeTeam()];
    let waiting: Promise<boolean> | undefined;
    await store.transaction(async (statements) => {
      await statements.teams.insert(one);
      expect(await another.teams.findByName(one.name)).toBeNull();
      waiting = another.teams.insert(two);
    });
    expect(await waiting).toBe(true);
    expect(await another.teams.findByName(one.name)).toEqual(one);
  });

  it("loses no step when many read and then write the same row, through two stores", async () => {
    const another = await opened.openAnother();
    const team = makeTeam({ requestsPerMinute: 0 });
    await store.teams.insert(team);
    const window = { teamId: team.id, group: "steps", windowStart: noon, count: 1, limit: 1000 };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? store : another).transaction(async (statements) => {
          await statements.rates.reserve(window);
          const now = await statements.teams.findByName(team.name);
          await statements.teams.setRequestsPerMinute(team.id, (now?.requestsPerMinute ?? 0) + 1);
        }),
      ),
    );
    expect((await store.teams.findByName(team.name))?.requestsPerMinute).toBe(40);
  });

  it("stores text that no database takes in the same way on each", async () => {
    const team = makeTeam({ name: `nul \0, halves \uD800 and \uDFFF, whole 😀 ${newId()}` });
    await store.teams.insert(team);
    const stored = team.name.replaceAll("\0", "\uFFFD").replace(/\p{Surrogate}/gu, "\uFFFD");
    expect(await store.teams.findByName(team.name)).toEqual({ ...team, name: stored });
    expect(await store.teams.findByName(stored)).toEqual({ ...team, name: stored });
  });
});
