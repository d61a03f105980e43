// Templates of hosts as they are stored: by one process and another, bounds, teams and age, on both engines.
import { describe, expect, it, onTestFinished } from "vitest";
import { dayMs, minuteMs } from "../../src/base/index.ts";
import type { TemplateObservation, TemplateUse } from "../../src/extraction/index.ts";
import { withObservation } from "../../src/extraction/templates/site-template.ts";
import { createSiteTemplates } from "../../src/pages/learning/site-templates.ts";
import type { Store } from "../../src/store/index.ts";
import { engines } from "../support/engines.ts";
import { addTeam, noon } from "./rows.ts";

const schema = { type: "object", properties: { name: { type: "string" } } };

describe.each(engines)("templates of hosts on $name", ({ fresh }) => {
  async function open() {
    const opened = await fresh();
    onTestFinished(() => opened.cleanup());
    const { store } = opened;
    const [acme, other] = [(await addTeam(store)).id, (await addTeam(store)).id];
    const key = (host: string, teamId = acme) => ({ teamId, host, form: "f" });
    const put = (host: string, at: number, version = 0, teamId = acme) =>
      store.siteTemplates.put(key(host, teamId), { template: `"${host}"`, version, at, most: 3 });
    return { ...opened, store, acme, other, key, put };
  }

  it("have a version: what another process wrote in the meantime stays", async () => {
    const { store, key, put } = await open();
    expect(await put("a", noon)).toBe(true);
    expect(await put("a", noon + 1)).toBe(false);
    expect(await put("a", noon + 2, 1)).toBe(true);
    expect(await put("a", noon + 3, 1)).toBe(false);
    expect(await store.siteTemplates.find(key("a"))).toEqual({ template: '"a"', version: 2, usedAt: noon + 2 });
    expect(await store.siteTemplates.find({ ...key("a"), form: "g" })).toBeNull();
  });

  it("are as many as a team may have, those that were used last, and go when no page was read with them for 90 days", async () => {
    const { store, other, key, put } = await open();
    await put("z", noon, 0, other);
    for (const [index, host] of ["a", "b", "c"].entries()) await put(host, noon + index);
    await put("a", noon + 10, 1);
    await put("d", noon + 20);
    const found = await Promise.all(["a", "b", "c", "d"].map((host) => store.siteTemplates.find(key(host))));
    expect(found.map((row) => row !== null)).toEqual([true, false, true, true]);
    expect(await store.siteTemplates.find(key("z", other))).not.toBeNull();
    const { siteTemplates } = await store.retention.purge({ now: noon + 90 * dayMs + 10, limit: 100 });
    expect([siteTemplates, await store.siteTemplates.find(key("a"))]).toEqual([2, expect.anything()]);
  });

  it("are written together after what changed, and serve other processes and later ones", async () => {
    const { store, openAnother, acme, other, listRows } = await open();
    let now = noon;
    const start = (from: Store) => {
      const extraction = { open: async () => ({ room: { withObservation } }) };
      return createSiteTemplates({ store: from, clock: { now: () => now }, extraction: extraction as never });
    };
    const read = async (templates: ReturnType<typeof start>, page: number, teamId = acme, mayLearn = true) => {
      const uses: TemplateUse[] = [];
      const places = [{ kind: "text" as const, selector: "h1" }];
      const values = [{ path: ["name"], places, hash: String(page) }];
      const observation: TemplateObservation = { page: String(page), values, checks: [] };
      const result = await templates.read({ teamId, url: `http://a.test/${page}`, schema, mayLearn }, async (more) => {
        if (more.template) uses.push(more.template);
        return { found: { found: null, observation }, verdict: { state: "content" } } as never;
      });
      expect(result).toEqual({ found: { found: null }, verdict: { state: "content" } });
      return uses[0]?.template?.fields.filter(({ pages }) => pages.length === 0).length ?? 0;
    };
    const rows = async () => (await listRows()).filter((row) => row.startsWith("site_templates"));
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
