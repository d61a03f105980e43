// /v2/search/developer: GitHub, Stack Exchange and Read the Docs on loopback, and the team's own index.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnsweringSources } from "../support/answering-sources.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { startDeveloperSources } from "../support/developer-sources.ts";
import { anyEngine } from "../support/engines.ts";

let sources: AnsweringSources;
let app: TestApp;
beforeAll(async () => {
  sources = await startDeveloperSources();
  app = await startApp(anyEngine, { ...sources.env, GITHUB_SEARCH_TOKEN: "gh-token" });
  const files = [
    {
      name: "retry/SKILL.md",
      content: "# Retrying\n\nHow an agent retries a request on 502.",
      url: "https://github.com/acme/http/SKILL.md",
    },
    {
      name: "retry.md",
      content: "# Retry guide\n\nRetry on 502 in our own gateway.",
      url: "https://docs.acme.example/retry",
    },
  ];
  await app.call("POST", "/v2/search/index", { body: { files } });
});
afterAll(async () => {
  await app.stop();
  await sources.close();
});

type Found = { id: string; url: string; passages: { text: string; citation_url?: string }[]; license?: string };
const search = async (body: object) => (await app.call("POST", "/v2/search/developer", { body })).body;
const idsOf = ({ results }: { results: Found[] }) => results.map(({ id }) => id).toSorted();
const questions = (name: string) =>
  (sources.sites[name]?.asked ?? []).map((path) => new URL(path, "http://source").searchParams.get("q"));
const credits = async () => (await app.get("/v2/team/credit-usage/historical")).body.periods.at(-1).totalCredits;

describe("search for developers", () => {
  it("finds documentation, issues, merged pull requests and READMEs, each with the passage that fits, for two credits", async () => {
    const before = await credits();
    const body = await search({ query: "retry on 502 with backoff" });
    expect(idsOf(body)).toEqual([
      "doc:https://docs.acme.example/retry",
      "doc:https://github.com/acme/http/SKILL.md",
      "doc:https://http-client.readthedocs.io/en/latest/use.html",
      "doc:https://stackoverflow.com/questions/42/retry",
      "issue:acme/http#12",
      "issue:other/tool#7",
      "pull_request:acme/http#13",
      "readme:acme/http",
      "readme:acme/old",
    ]);
    const found = (id: string): Found => body.results.find((each: Found) => each.id === id);
    expect(found("readme:acme/http")).toMatchObject({
      url: "https://github.com/acme/http/blob/main/README.md",
      title: "acme/http",
      license: "MIT",
      passages: [{ text: expect.stringMatching(/^## Retrying\n\nPass retry/) }],
    });
    expect(found("readme:acme/old")).toEqual({
      id: "readme:acme/old",
      url: "https://github.com/acme/old",
      title: "acme/old",
      passages: [{ text: "An abandoned HTTP client", citation_url: "https://github.com/acme/old" }],
    });
    expect(found("doc:https://http-client.readthedocs.io/en/latest/use.html").passages).toEqual([
      {
        text: expect.stringContaining("## Retries"),
        citation_url: "https://http-client.readthedocs.io/en/latest/use.html#retries",
      },
    ]);
    expect(found("doc:https://stackoverflow.com/questions/42/retry")).toMatchObject({
      title: "How to retry a request on 502 & 503?",
      license: "CC-BY-SA-4.0",
      passages: [{ text: expect.stringContaining("`502`") }],
    });
    expect([body.repos, body.sources, body.warning]).toEqual([undefined, undefined, undefined]);
    expect((await credits()) - before).toBe(2);
    const [line] = (await app.get("/v2/team/activity?limit=1")).body.data;
    expect(line).toMatchObject({ endpoint: "search", target: "retry on 502 with backoff" });
    expect(sources.sites.github?.headers().authorization).toBe("Bearer gh-token");
  });

  it("takes the same by GET, with lists that are repeated or separated by commas", async () => {
    const { body } = await app.get(
      "/v2/search/developer?query=retry&k=3&passages=2&types=issue,readme&repos=acme/http&repos=Acme/gone,acme/old&integration=cli",
    );
    expect(idsOf(body)).toEqual(["issue:acme/http#12", "readme:acme/http", "readme:acme/old"]);
    expect(body.results.find(({ id }: Found) => id === "readme:acme/http").passages.length).toBeLessThanOrEqual(2);
    expect(body.repos).toEqual([
      { repo: "acme/http", indexed: true, types: { issue: true, pullRequest: true, readme: true } },
      { repo: "Acme/gone", indexed: false, types: { issue: false, pullRequest: false, readme: false } },
      { repo: "acme/old", indexed: true, types: { issue: false, pullRequest: true, readme: false } },
    ]);
  });

  it("keeps to the sources that are named, and says which of them have anything", async () => {
    const named = [
      "https://http-client.readthedocs.io/en/",
      "docs.acme.example",
      "stackoverflow.com",
      "nothing.example",
    ];
    const body = await search({ query: "retry", types: ["doc"], sources: named });
    expect(idsOf(body)).toEqual([
      "doc:https://docs.acme.example/retry",
      "doc:https://http-client.readthedocs.io/en/latest/use.html",
      "doc:https://stackoverflow.com/questions/42/retry",
    ]);
    expect(body.sources).toEqual([
      { source: "http-client.readthedocs.io", indexed: true },
      { source: "docs.acme.example", indexed: true },
      { source: "stackoverflow.com", indexed: true },
      { source: "nothing.example", indexed: false },
    ]);
  });

  it("filters by what repositories are, and then finds documentation only where its source is named", async () => {
    for (const site of Object.values(sources.sites)) site.asked.length = 0;
    const perl = await search({
      query: "http client",
      language: "Perl",
      topic: ["http"],
      max_stars: 10,
      archived: true,
    });
    expect(idsOf(perl)).toEqual(["readme:acme/old"]);
    expect(questions("github")).toContain('http client language:"Perl" topic:"http" stars:*..10 archived:true');
    expect(questions("github")).toContain("http client is:issue repo:acme/old");
    expect(questions("readthedocs")).toEqual([]);
    const both = await search({ query: "http client", license: "mit", fork: false, sources: ["stackoverflow.com"] });
    expect(idsOf(both)).toContain("doc:https://stackoverflow.com/questions/42/retry");
    const named = await search({ query: "retry", types: ["issue"], repos: ["acme/http"], min_stars: 1000 });
    expect([named.results, named.repos[0].indexed]).toEqual([[], true]);
  });

  it("finds nothing but files named SKILL.md with skills", async () => {
    const body = await search({ query: "retry", skills: "only" });
    expect(idsOf(body)).toEqual(["doc:https://github.com/acme/http/SKILL.md"]);
    expect((await search({ query: "embroidery", skills: "only" })).results).toEqual([]);
  });

  it("names the field that is wrong", async () => {
    const wrong: [object, string][] = [
      [{ query: " " }, "query"],
      [{ query: "x", k: 101 }, "k"],
      [{ query: "x", passages: 6 }, "passages"],
      [{ query: "x", repos: ["acme"] }, "repos"],
      [{ query: "x", repos: ["../secrets"] }, "repos"],
      [{ query: "x", repos: Array(21).fill("a/b") }, "repos"],
      [{ query: "x", sources: [""] }, "sources"],
      [{ query: "x", topic: Array(9).fill("a") }, "topic"],
      [{ query: "x", min_stars: -1 }, "min_stars"],
      [{ query: "x", min_stars: 5, max_stars: 4 }, "max_stars"],
      [{ query: "x", types: ["doc"], repos: ["acme/http"] }, "repos"],
      [{ query: "x", types: ["issue"], sources: ["stackoverflow.com"] }, "sources"],
    ];
    for (const [sent, field] of wrong) {
      const { status, body } = await app.call("POST", "/v2/search/developer", { body: sent });
      expect([sent, status, body.detail, body.details[0].path[0]]).toEqual([
        sent,
        400,
        "Invalid query parameters",
        field,
      ]);
    }
    expect((await app.get("/v2/search/developer?query=x&types=doc&repos=acme/http")).status).toBe(400);
  });

  it("says which source failed, and that none answered", async () => {
    sources.broken.add("readthedocs");
    expect((await search({ query: "retry" })).warning).toBe("Read the Docs failed (500).");
    for (const name of Object.keys(sources.sites)) sources.broken.add(name);
    const { status, body } = await app.call("POST", "/v2/search/developer", {
      body: { query: "zzz", types: ["issue"] },
    });
    expect([status, body.code, body.title]).toEqual([503, "SEARCH_UNAVAILABLE", expect.any(String)]);
    sources.broken.clear();
  });
});
