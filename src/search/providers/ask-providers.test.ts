import { describe, expect, it } from "vitest";
import { askProviders } from "./ask-providers.ts";
import type {
  ProviderOutcome,
  ProviderRequest,
  ProviderResult,
  ProviderSource,
  SearchProvider,
} from "./search-provider.ts";

const request: ProviderRequest = { text: "x", limit: 5, source: "web", timeFilter: null };
const result: ProviderResult = { url: "https://a.example/", title: "", description: "", published: null, date: "" };
const found: ProviderOutcome = { ok: true, results: [result], appliedTime: true, warnings: ["own"] };
const empty: ProviderOutcome = { ok: true, results: [], appliedTime: true, warnings: [] };
const broken: ProviderOutcome = { ok: false, cause: "A failed (500).", retry: true };
const refused: ProviderOutcome = { ok: false, cause: "B rejected its key (403).", retry: false };

function provider(name: string, outcome: ProviderOutcome | null, sources: ProviderSource[] = ["web"]) {
  const asked: ProviderRequest[] = [];
  const made: SearchProvider = {
    name,
    supports: {
      operators: new Set(),
      understood: new Set(),
      sources: new Set(sources),
      timeRange: "none",
      maxPerCall: 10,
    },
    search(question, signal) {
      asked.push(question);
      if (outcome !== null) return Promise.resolve(outcome);
      return new Promise((done) => {
        signal.addEventListener("abort", () =>
          done({ ok: false, cause: `${name} did not answer in time.`, retry: true }),
        );
      });
    },
  };
  return { ...made, asked };
}

const ask = (providers: SearchProvider[], signal = new AbortController().signal, timeoutMs?: number) =>
  askProviders(providers, ({ name }) => ({ ...request, text: `for ${name}` }), signal, timeoutMs);

describe("asking providers", () => {
  it("ends at the first that has results, each asked in its own words", async () => {
    const [one, two] = [provider("A", found), provider("B", found)];
    const outcome = await ask([one, two]);
    expect(outcome).toMatchObject({ ok: true, results: [result], warnings: ["own"], provider: { name: "A" } });
    expect([one.asked[0]?.text, two.asked.length]).toEqual(["for A", 0]);
  });

  it("goes on after a failure, which is a warning", async () => {
    expect(await ask([provider("A", broken), provider("B", found)])).toMatchObject({
      ok: true,
      provider: { name: "B" },
      warnings: ["A failed (500).", "own"],
    });
  });

  it("goes on after an answer without results, and keeps it when no other has any", async () => {
    expect(await ask([provider("A", empty), provider("B", found)])).toMatchObject({
      ok: true,
      provider: { name: "B" },
    });
    expect(await ask([provider("A", empty), provider("B", refused), provider("C", empty)])).toMatchObject({
      ok: true,
      results: [],
      provider: { name: "A" },
      warnings: ["B rejected its key (403)."],
    });
  });

  it("fails with every cause when none answered", async () => {
    expect(await ask([provider("A", broken), provider("B", refused)])).toEqual({
      ok: false,
      reason: "failed",
      causes: ["A failed (500).", "B rejected its key (403)."],
      failed: [
        { name: "A", ms: expect.any(Number), results: 0, error: "A failed (500)." },
        { name: "B", ms: expect.any(Number), results: 0, error: "B rejected its key (403)." },
      ],
      retry: true,
    });
    expect(await ask([provider("B", refused)])).toMatchObject({ retry: false });
  });

  it("does not ask those that lack the kind of result", async () => {
    const images = provider("I", found, ["images"]);
    expect(await ask([images])).toEqual({ ok: false, reason: "unsupported", causes: [], failed: [], retry: false });
    expect(await ask([])).toMatchObject({ reason: "unsupported" });
    expect(images.asked).toEqual([]);
  });

  it("leaves one that hangs for the next", async () => {
    expect(await ask([provider("A", null), provider("B", found)], undefined, 20)).toMatchObject({
      ok: true,
      provider: { name: "B" },
      warnings: ["A did not answer in time.", "own"],
    });
  });

  it("asks no further service when its caller has gone", async () => {
    const next = provider("B", found);
    expect(await ask([provider("A", null), next], AbortSignal.timeout(20))).toMatchObject({
      ok: false,
      reason: "failed",
      causes: ["A did not answer in time."],
    });
    expect(await ask([next], AbortSignal.abort())).toMatchObject({ ok: false, reason: "failed", retry: true });
    expect(next.asked).toEqual([]);
  });
});
