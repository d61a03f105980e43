// Rules of hosts as they are stored: versions, bounds, kinds, teams and age, and what is kept in memory, on both engines.
import { describe, expect, it, onTestFinished } from "vitest";
import { dayMs, minuteMs, newId } from "../../src/base/index.ts";
import type { SiteObservation, SiteRuleSet, SiteRulesUse } from "../../src/extraction/index.ts";
import { withObservation } from "../../src/extraction/site-rules/count-observations.ts";
import { createSiteRulesReader } from "../../src/pages/learning/site-rules.ts";
import type { Store } from "../../src/store/index.ts";
import type { SiteRulesKey } from "../../src/store/pages/stored-site-rules.ts";
import { engines } from "../support/engines.ts";
import { addTeam, noon } from "./rows.ts";

const schema = { type: "object", properties: { name: { type: "string" } } };

describe.each(engines)("rules of hosts on $name", ({ fresh }) => {
  async function open() {
    const opened = await fresh();
    onTestFinished(() => opened.cleanup());
    const { store } = opened;
    const [acme, other] = [(await addTeam(store)).id, (await addTeam(store)).id];
    const key = (host: string, more: Partial<SiteRulesKey> = {}): SiteRulesKey => ({
      teamId: acme,
      host,
      kind: "extractor",
      form: "f",
      ...more,
    });
    const put = (host: string, at: number, version = 0, more: Partial<SiteRulesKey> = {}) =>
      store.siteRules.put(key(host, more), { id: newId(at), rules: `"${host} ${at}"`, version, at, most: 3 });
    const hosts = async (teamId: string) => (await store.siteRules.list(teamId, 100)).map(({ host }) => host);
    return { ...opened, store, acme, other, key, put, hosts };
  }

  it("have an id that stays and a version: what another process wrote in the meantime stays, and so do their tries", async () => {
    const { store, acme, key, put } = await open();
    expect(await put("a", noon)).toBe(true);
    expect(await put("a", noon + 1)).toBe(false);
    const [first] = await store.siteRules.list(acme, 10);
    await store.siteRules.markTried(key("a"), { triedAt: noon, tries: 2 });
    expect(await put("a", noon + 5, 1)).toBe(true);
    expect(await put("a", noon + 6, 1)).toBe(false);
    const times = { createdAt: noon, updatedAt: noon + 5, usedAt: noon + 5, triedAt: noon, tries: 2 };
    const rules = `"a ${noon + 5}"`;
    expect(await store.siteRules.find(key("a"))).toEqual({ id: first?.id, host: "a", rules, version: 2, ...times });
    expect(await store.siteRules.find(key("a", { form: "g" }))).toBeNull();
    expect(await store.siteRules.find(key("a", { kind: "template" }))).toBeNull();
  });

  it("are as many of a kind as a team may have: those that were used last stay, and other teams keep theirs", async () => {
    const { store, acme, other, key, put, hosts } = await open();
    await put("z", noon, 0, { teamId: other });
    await put("t", noon, 0, { kind: "template" });
    for (const [index, host] of ["a", "b", "c"].entries()) await put(host, noon + index);
    await store.siteRules.markUsed(key("a"), noon + 10);
    await put("d", noon + 20);
    expect((await hosts(acme)).toSorted()).toEqual(["a", "c", "d"]);
    expect(await hosts(other)).toEqual(["z"]);
    expect(await store.siteRules.find(key("t", { kind: "template" }))).not.toBeNull();
  });

  it("are deleted by their team alone, where it asked for them, and after 90 days without use", async () => {
    const { store, acme, other, key, put, hosts } = await open();
    await put("a", noon);
    await put("b", noon + 1);
    await put("t", noon + 1, 0, { kind: "template" });
    const [latest] = await store.siteRules.list(acme, 1);
    const template = await store.siteRules.find(key("t", { kind: "template" }));
    expect(await store.siteRules.remove(other, latest?.id ?? "")).toBe(false);
    expect(await store.siteRules.remove(acme, template?.id ?? "")).toBe(false);
    expect(await store.siteRules.remove(acme, latest?.id ?? "")).toBe(true);
    expect(await store.siteRules.remove(acme, latest?.id ?? "")).toBe(false);
    await put("c", noon + 2);
    const { siteRules } = await store.retention.purge({ now: noon + 90 * dayMs + 1, limit: 100 });
    expect([siteRules, await hosts(acme)]).toEqual([1, ["c"]]);
  });

  it("of templates are written together after what changed, and serve other processes and later ones", async () => {
    const { store, openAnother, acme, other, listRows } = await open();
    let now = noon;
    const start = (from: Store) => {
      const extraction = { open: async () => ({ withObservation }) };
      const deps = { store: from, clock: { now: () => now }, extraction: extraction as never, content: {} as never };
      return createSiteRulesReader(deps);
    };
    const { signal } = new AbortController();
    const read = async (templates: ReturnType<typeof start>, page: number, teamId = acme, mayLearn = true) => {
      const uses: SiteRulesUse[] = [];
      const places = [{ kind: "text" as const, selector: "h1" }];
      const values = [{ path: ["name"], places, hash: String(page) }];
      const observation: SiteObservation = { page: String(page), values, checks: [] };
      const input = { schema, prompt: null };
      const asked = {
        kind: "template" as const,
        teamId,
        url: `http://a.test/${page}`,
        input,
        mayLearn,
        waitMs: 0,
        signal,
      };
      const { result } = await templates.read(asked, async (use) => {
        if (use) uses.push(use);
        return { found: { found: null, observation }, verdict: { state: "content" } } as never;
      });
      expect(result).toEqual({ found: { found: null }, verdict: { state: "content" } });
      return (uses[0]?.rules as SiteRuleSet | null)?.values.length ?? 0;
    };
    const rows = async () => (await listRows()).filter((row) => row.startsWith("site_rules"));
    const one = start(store);
    for (const page of [1, 2, 3, 4, 5]) expect(await read(one, page)).toBe(0);
    expect(await read(one, 9, other, false)).toBe(0);
    expect(await rows()).toEqual([]);
    await one.flush();
    const written = await rows();
    expect(written).toHaveLength(1);
    expect(await read(one, 6)).toBe(1);
    await one.flush();
    expect(await rows()).toEqual(written);
    const another = start(await openAnother());
    expect([await read(another, 7), await read(another, 7, other)]).toEqual([1, 0]);
    now += dayMs + minuteMs;
    await read(another, 8);
    await another.flush();
    expect(await rows()).not.toEqual(written);
  });
});
