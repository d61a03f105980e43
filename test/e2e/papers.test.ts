// GET /v2/search/research/…: papers of arXiv, OpenAlex, Europe PMC and Crossref on loopback.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type PaperSources, startPaperSources } from "../support/paper-sources.ts";

let sources: PaperSources;
let app: TestApp;
beforeAll(async () => {
  sources = await startPaperSources();
  app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...sources.env });
});
afterAll(async () => {
  await app.stop();
  await sources.close();
});

const base = "/v2/search/research/papers";
type Found = { paperId: string; primaryId: string; title: string; ids: Record<string, string[]>; score: number };
const idsOf = (body: { results: Found[] }) => body.results.map(({ paperId }) => paperId);

describe("papers", () => {
  it("are found in all sources, each once with the ids of all, best first and free", async () => {
    const { body: before } = await app.get("/v2/team/credit-usage");
    const { status, body } = await app.get(`${base}?query=attention%20translation%20network&k=10&origin=js-sdk`);
    expect([status, body.success, body.warning]).toEqual([200, true, undefined]);
    const [first] = body.results;
    expect(first).toEqual({
      paperId: "arxiv:1706.03762",
      primaryId: "arxiv:1706.03762",
      ids: { arxiv: ["1706.03762"], openalex: ["W1"] },
      title: "Attention Is All You Need",
      abstract: expect.stringContaining("attention alone"),
      score: expect.any(Number),
    });
    const scores = body.results.map(({ score }: Found) => score);
    expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one));
    expect(new Set(idsOf(body)).size).toBe(body.results.length);
    expect((await app.get("/v2/team/credit-usage")).body.data).toEqual(before.data);
    expect((await app.get("/v2/team/activity?limit=1")).body.data[0]).toMatchObject({
      endpoint: "search",
      target: "attention translation network",
    });
  });

  it("are narrowed by authors, categories and days", async () => {
    const search = async (more: string) => idsOf((await app.get(`${base}?query=attention&${more}`)).body);
    expect(await search("authors=VASWANI&authors=shazeer")).toEqual(["arxiv:1706.03762"]);
    expect(await search("authors=nobody")).toEqual([]);
    expect(await search("categories=cs.CL&categories=cs.LG")).toEqual(["arxiv:1706.03762"]);
    expect(await search("categories=cs.CL&categories=cs.XX")).toEqual([]);
    expect(await search("from=2017-06-12&to=2017-06-12")).toEqual(["arxiv:1706.03762"]);
    expect(await search("from=2030-01-01")).toEqual([]);
    expect(await search("k=1")).toHaveLength(1);
  });

  it.each([
    "arxiv:1706.03762",
    "1706.03762v3",
    "https%3A%2F%2Farxiv.org%2Fabs%2F1706.03762",
    "doi:10.48550/arXiv.1706.03762",
  ])("are the same paper under %s", async (id) => {
    const { status, body } = await app.get(`${base}/${id}`);
    expect([status, body.success]).toEqual([200, true]);
    expect(body.paper).toMatchObject({
      paperId: "arxiv:1706.03762",
      authors: "Ashish Vaswani, Noam Shazeer",
      categories: ["cs.CL", "cs.LG"],
      createdDate: "2017-06-12",
      updateDate: "2023-08-02",
    });
    expect(Object.keys(body)).toEqual(["success", "paper"]);
  });

  it.each(["pmid:12345", "pmcid:PMC777", "doi:10.1000/cells", "10.1000%2Fcells"])("are found under %s", async (id) => {
    const { body } = await app.get(`${base}/${id}`);
    expect(body.paper).toMatchObject({ paperId: "pmid:12345", title: "Attention of cells" });
    expect(body.paper.ids).toEqual({ pmid: ["12345"], pmcid: ["PMC777"], doi: ["10.1000/cells"] });
  });

  it("are read for the passages that fit a question, from their body or else from the abstract", async () => {
    const life = await app.get(`${base}/pmid:12345?query=which%20dye%20for%20the%20membrane&k=1`);
    expect(life.body).toMatchObject({ paperId: "pmid:12345", query: "which dye for the membrane" });
    expect(life.body.passages).toEqual([{ text: expect.stringContaining("blue marker"), score: expect.any(Number) }]);
    const arxiv = await app.get(`${base}/arxiv:1706.03762?query=decoder%20layers`);
    expect(arxiv.body.passages[0].text).toContain("six identical layers");
    const bare = await app.get(`${base}/doi:10.1000/recurrence?query=recurrence`);
    expect(bare.body.passages[0].text).toContain("Recurrence for translation");
    expect(bare.body.warning).toContain("from its abstract");
  });

  it("lead to similar ones, to those that cite them and to those they cite, ordered by the intent", async () => {
    const related = async (more: string, id = "arxiv:1706.03762") =>
      (await app.get(`${base}/${id}/similar?intent=images&${more}`)).body;
    const similar = await related("mode=similar");
    expect(similar).toMatchObject({ success: true, truncated: false, note: null });
    expect(similar.poolSize).toBe(similar.results.length);
    expect(idsOf(similar)[0]).toBe("openalex:W2");
    expect(idsOf(similar)).not.toContain("arxiv:1706.03762");
    for (const { signals } of similar.results)
      for (const name of ["structural", "semantic", "articleRank", "seedOverlap"])
        expect([name, typeof signals[name]]).toEqual([name, "number"]);
    expect(idsOf(await related("mode=citers"))).toEqual(["openalex:W4"]);
    expect(idsOf(await related("mode=references"))).toEqual(["doi:10.1000/recurrence"]);
    expect(idsOf(await related("mode=references", "pmid:12345"))).toContain("pmid:99");
    const one = await related("k=1&anchor=openalex:W3&rerank=false");
    expect([one.results.length, one.truncated]).toEqual([1, true]);
  });

  it("name what is wrong in the fields that the SDK reads", async () => {
    for (const query of ["", "query=x&k=0", "query=x&k=501", "query=x&from=yesterday"]) {
      const { status, body } = await app.get(`${base}?${query}`);
      expect([query, status, body.title, body.detail]).toEqual([query, 400, "Bad Request", "Invalid query parameters"]);
    }
    expect((await app.get(`${base}/arxiv:1706.03762?k=3`)).status).toBe(400);
    expect((await app.get(`${base}/arxiv:1706.03762/similar`)).status).toBe(400);
    for (const id of ["arxiv:2401.99999", "no-paper", "pmid:999"]) {
      const { status, body } = await app.get(`${base}/${id}`);
      expect([id, status, body.detail]).toEqual([id, 404, "Paper not found"]);
    }
    const gone = await app.get("/v2/search/research/github?query=x");
    expect([gone.status, gone.body.replacement]).toEqual([410, "/v2/search/developer"]);
    expect(gone.body).toMatchObject({ success: false, title: expect.any(String), detail: expect.any(String) });
  });

  it("say which source failed, and that none answered", async () => {
    sources.broken.add("crossref");
    const some = await app.get(`${base}?query=attention`);
    expect([some.status, some.body.warning]).toEqual([200, "Crossref failed (500)."]);
    for (const name of Object.keys(sources.sites)) sources.broken.add(name);
    const none = await app.get(`${base}?query=attention`);
    expect([none.status, none.body.code, none.body.title]).toEqual([503, "SEARCH_UNAVAILABLE", expect.any(String)]);
    sources.broken.clear();
  });
});
