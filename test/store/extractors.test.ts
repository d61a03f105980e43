// Extractors of hosts as they are stored: versions, bounds, teams and age, on both engines.
import { describe, expect, it, onTestFinished } from "vitest";
import { dayMs, newId } from "../../src/base/index.ts";
import { engines } from "../support/engines.ts";
import { addTeam, noon } from "./rows.ts";

describe.each(engines)("extractors on $name", ({ fresh }) => {
  async function open() {
    const opened = await fresh();
    onTestFinished(() => opened.cleanup());
    const { store } = opened;
    const [acme, other] = [(await addTeam(store)).id, (await addTeam(store)).id];
    const key = (host: string, teamId = acme) => ({ teamId, host, form: "f" });
    const put = (host: string, at: number, teamId = acme, rules = "{}") =>
      store.extractors.put(key(host, teamId), { id: newId(at), rules, at, most: 3 });
    const hosts = async (teamId: string) => (await store.extractors.list(teamId, 100)).map(({ host }) => host);
    return { store, acme, other, key, put, hosts };
  }

  it("have an id that stays and a version that counts; one that does not change keeps its tries", async () => {
    const { store, acme, key, put } = await open();
    await put("a", noon);
    const [first] = await store.extractors.list(acme, 10);
    await store.extractors.markTried(key("a"), { triedAt: noon, tries: 2 });
    await put("a", noon + 5, acme, "[1]");
    const times = { createdAt: noon, updatedAt: noon + 5, usedAt: noon + 5, triedAt: noon, tries: 2 };
    expect(await store.extractors.find(key("a"))).toEqual({
      id: first?.id,
      host: "a",
      rules: "[1]",
      version: 2,
      ...times,
    });
    expect(await store.extractors.find({ ...key("a"), form: "g" })).toBeNull();
  });

  it("are as many as a team may have: those that were used last stay, and other teams keep theirs", async () => {
    const { store, acme, other, key, put, hosts } = await open();
    await put("z", noon, other);
    for (const [index, host] of ["a", "b", "c"].entries()) await put(host, noon + index);
    await store.extractors.markUsed(key("a"), noon + 10);
    await put("d", noon + 20);
    expect((await hosts(acme)).toSorted()).toEqual(["a", "c", "d"]);
    expect(await hosts(other)).toEqual(["z"]);
  });

  it("are forgotten by their team alone, and when they were not used for 90 days", async () => {
    const { store, acme, other, put, hosts } = await open();
    await put("a", noon);
    await put("b", noon + 1);
    const [latest] = await store.extractors.list(acme, 1);
    expect(await store.extractors.remove(other, latest?.id ?? "")).toBe(false);
    expect(await store.extractors.remove(acme, latest?.id ?? "")).toBe(true);
    expect(await store.extractors.remove(acme, latest?.id ?? "")).toBe(false);
    await put("c", noon + 2);
    const { extractors } = await store.retention.purge({ now: noon + 90 * dayMs + 1, limit: 100 });
    expect([extractors, await hosts(acme)]).toEqual([1, ["c"]]);
  });
});
