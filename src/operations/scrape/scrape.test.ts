import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import type { Caller } from "../../accounts/index.ts";
import { newId, systemClock } from "../../base/index.ts";
import { scrapeOptions } from "../../contract/index.ts";
import type { ObtainedPage, ObtainPage } from "../../pages/index.ts";
import { createPageSaver } from "../../pages/record/save-pages.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { createScrapeOperations } from "./scrape.ts";

describe.each(engines)("a scrape that breaks on $name", (engine) => {
  const url = "https://site.test/";
  const fault = new Error("out of threads");
  const unrecorded = { ok: true, details: {}, record: () => Promise.reject(fault) } as unknown as ObtainedPage;

  it.each<[string, ObtainPage]>([
    ["while its rows are made", async () => unrecorded],
    ["while its page is read", () => Promise.reject(fault)],
  ])("%s is listed as failed and costs nothing", async (_when, obtainPage) => {
    const { store, cleanup } = await engine.fresh();
    const credits = { require: async () => undefined } as unknown as OperationParts["credits"];
    const parts: Partial<OperationParts> = {
      store,
      clock: systemClock,
      readStoredDocument: () => Promise.reject(fault),
      credits,
      obtainPage,
      savePages: createPageSaver({ store, recorder: { onKept: () => undefined } }),
      archives: { open: () => undefined } as unknown as OperationParts["archives"],
      jobs: { findPage: async () => null } as unknown as OperationParts["jobs"],
      checkUrl: () => ({ url: new URL(url) }),
      requireBrowser: () => {},
      checkCallerProxy: () => {},
      model: null,
      sealer: { seal: (text) => text, open: (text) => text },
    };
    const { scrape, readScrape } = createScrapeOperations(parts as OperationParts);
    const teamId = newId();
    await store.teams.insert({ id: teamId, name: "acme", requestsPerMinute: null, createdAt: systemClock.now() });
    const caller = { teamId, keyId: null, apiVersion: "v2", externalRequestId: null } as unknown as Caller;
    const input = { url, scrapeOptions: scrapeOptions.parse({}), origin: "api", integration: undefined };

    await expect(scrape(input, caller, new AbortController().signal)).rejects.toBe(fault);
    const rows = await store.activity.page({ teamId, since: 0, limit: 10 });
    expect(rows).toMatchObject([{ target: url, outcome: "failed" }]);
    expect(await store.charges.listMonths(teamId)).toEqual([]);
    const { signal } = new AbortController();
    await expect(readScrape({ id: rows[0]?.id ?? "" }, caller, signal)).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
    await cleanup();
  });
});
