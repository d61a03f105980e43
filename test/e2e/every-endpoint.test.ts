// Walks the whole endpoint table: what holds for every row, whether it is built or not. Each row answers on both stores; what
// happens before a row is reached is the same on either.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorTable } from "../../src/base/index.ts";
import { type Endpoint, endpoints, rateGroups } from "../../src/contract/index.ts";
import { otherKey, startApp, type TestApp, testKey } from "../support/app.ts";
import { engines, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { sendRaw } from "../support/raw.ts";
import { watch } from "../support/watcher.ts";

const uuid = "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01";
const rows = (endpoints as readonly Endpoint[]).filter((row) => row.method !== "WS");
const guarded = rows.filter((row) => row.rateGroup !== null);
const pathOf = (row: Endpoint) =>
  row.path
    .replace(/\{url\+\}/, "https://example.com/")
    .replace("{version}", "1")
    .replace(/\{\w+\+?\}/g, uuid);
const titled = (list: readonly Endpoint[]) => list.map((row) => ({ title: `${row.method} ${row.path}`, row }));

/** The smallest good body of each row that takes one. */
const goodBodies: Record<string, object> = {
  "POST /v2/scrape": { url: "https://example.com" },
  "POST /v2/apirequest": { url: "https://example.com" },
  "POST /v2/scrape/{id}/interact": { code: "return 1" },
  "POST /v2/parse": { uploadRef: "up_1" },
  "POST /v2/parse/upload-url": { filename: "a.pdf", contentType: "application/pdf", declaredSizeBytes: 10 },
  "POST /v2/batch/scrape": { urls: ["https://example.com"] },
  "POST /v2/crawl": { url: "https://example.com" },
  "POST /v2/crawl/params-preview": { url: "https://example.com", prompt: "the blog" },
  "POST /v2/map": { url: "https://example.com" },
  "POST /v2/search": { query: "trawl" },
  "POST /v2/search/index": { files: [{ name: "a.md", content: "# A" }] },
  "POST /v2/search/data/sites": { url: "https://example.com" },
  "POST /v2/search/data/pages": { urls: ["https://example.com"] },
  "POST /v2/search/data/documents": { documents: [{ name: "a.md", content: "# A" }] },
  "PATCH /v2/search/data/{id}": { enabled: false },
  "POST /v2/feedback": { endpoint: "scrape", jobId: uuid, rating: "good" },
  "POST /v2/search/{id}/feedback": { rating: "bad", missingContent: [{ topic: "prices" }] },
  "POST /v2/search/developer": { query: "retry" },
  "POST /v2/search/gov": { query: "permits", categories: ["gov"] },
  "POST /v2/extract": { urls: ["https://example.com"] },
  "POST /v2/agent": { prompt: "find it", urls: ["https://example.com"], schema: { type: "object" } },
  "POST /v2/browser/{sessionId}/execute": { code: "return 1" },
  "POST /v2/interact/{sessionId}/execute": { code: "return 1" },
  "DELETE /v2/browser": { id: uuid },
  "DELETE /v2/interact": { id: uuid },
  "POST /v2/monitor": {
    name: "n",
    schedule: { text: "hourly" },
    targets: [{ type: "scrape", urls: ["https://example.com"] }],
  },
  "PATCH /v2/monitor/{id}": { status: "paused" },
  "POST /v2/flow": { name: "n", from: { sessionId: uuid } },
  "POST /v2/team/secrets": { name: "a", type: "text", value: "x", hosts: ["example.com"] },
  "POST /v2/feed": { url: "https://example.com" },
  "POST /v2/support/ask": { question: "why?" },
  "POST /v2/support/docs-search": { question: "how?" },
  "PUT /v2/team/threat-protection": { mode: "off" },
  "PUT /v2/team/notify": { notify: [] },
  "POST /v1/scrape": { url: "https://example.com" },
  "POST /v1/batch/scrape": { urls: ["https://example.com"] },
  "POST /v1/crawl": { url: "https://example.com" },
  "POST /v1/map": { url: "https://example.com" },
  "POST /v1/search": { query: "trawl" },
  "POST /v1/extract": { urls: ["https://example.com"] },
  "POST /v1/deep-research": { query: "trawl" },
  "POST /v1/llmstxt": { url: "https://example.com" },
};
/** Queries without which a row answers 400. */
const goodQueries: Record<string, string> = {
  "GET /v2/search/developer": "?query=retry",
  "GET /v2/search/gov": "?query=permits",
  "GET /v2/search/research/papers": "?query=editing",
  "GET /v2/search/research/papers/{id}/similar": "?intent=delivery",
  "GET /v2/search/research/github": "?query=retry",
};
/** Operations that ask open sources, which the tests switch off. */
const papers = new Set(["searchPapers", "readPaper", "listSimilarPapers"]);
/** Operations whose body names what they are about. */
const namedInBody = new Set(["sendFeedback", "deleteSession", "createFlow"]);
/** The request as it is above, with the fixture site in the place of example.com. */
const goodRequest = (row: Endpoint, site: FixtureSite) => {
  const title = `${row.method} ${row.path}`;
  const here = (text: string) => text.replaceAll("https://example.com", site.url);
  const body = row.body ? JSON.parse(here(JSON.stringify(goodBodies[title] ?? {}))) : undefined;
  return { path: here(pathOf(row) + (goodQueries[title] ?? "")), body };
};

describe.each(engines)("every endpoint on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  let site: FixtureSite;
  let revoked: string;
  beforeAll(async () => {
    site = await startSite({ "/": "<title>Fixture</title><h1>A page</h1>" });
    // Its rows are walked through quickly; what needs a browser is tested elsewhere.
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CHROMIUM_PATH: "/nowhere/chromium" });
    const team = await app.accounts.teams.findOrCreate("acme");
    const { key, id } = await app.accounts.keys.create(team.id, "to be revoked");
    expect((await app.get("/v2/team/credit-usage", { key })).status).toBe(200);
    await app.accounts.keys.revoke(id);
    revoked = key;
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  itOnce("is in the table with its rate group", async () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(new Set(guarded.map((row) => row.rateGroup))).toEqual(new Set(rateGroups));
    expect(rows.filter((row) => row.rateGroup === null).map((row) => row.path)).toEqual([
      "/v2/parse/upload/{uploadId}",
      "/v2/monitor/email/confirm",
      "/v2/monitor/email/unsubscribe",
      "/v2/monitor/{id}/feed/{token}",
    ]);
  });

  describe.each(titled(guarded))("$title", ({ row }) => {
    itOnce("asks for a key before it looks at anything else", async () => {
      const attempt = async (headers: Record<string, string>) => {
        const { status, body } = await app.call(row.method, pathOf(row), { key: null, headers });
        return [status, body.success, body.error];
      };
      expect(await attempt({})).toEqual([401, false, "Unauthorized"]);
      expect(await attempt({ authorization: "Bearer" })).toEqual([401, false, "Unauthorized: Token missing"]);
      expect(await attempt({ authorization: "Bearer " })).toEqual([401, false, "Unauthorized: Token missing"]);
      const basic = row.acceptsBasicAuth ? "Unauthorized: Invalid token" : "Unauthorized: Token missing";
      expect(await attempt({ authorization: `Basic ${testKey}` })).toEqual([401, false, basic]);
      expect(await attempt({ authorization: "Bearer fc-ffffffffffffffffffffffffffffffff" })).toEqual([
        401,
        false,
        "Unauthorized: Invalid token",
      ]);
      expect(await attempt({ authorization: `Bearer ${revoked}` })).toEqual([
        401,
        false,
        "Unauthorized: Invalid token",
      ]);
    });

    itOnce("serves another team as its own, or says that the id is unknown", async () => {
      const { path, body } = goodRequest(row, site);
      const [mine, theirs] = [
        await app.call(row.method, path, { body }),
        await app.call(row.method, path, { body, key: otherKey }),
      ];
      expect(theirs.status).toBe(mine.status);
      expect(theirs.body?.error).toBe(mine.body?.error);
    });

    it("answers a good request: 404 for an unknown id, 200 when it is built, else 501 or its refusal", async () => {
      const { path, body } = goodRequest(row, site);
      const { status, body: answer } = await app.call(row.method, path, { body });
      if (row.refusal) expect([status, answer.code]).toEqual([errorTable[row.refusal].status, row.refusal]);
      // A key must be given it by name.
      else if (row.group === "admin") expect([status, answer.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
      // Open search is off for tests, and papers are asked nowhere else.
      else if (papers.has(row.operation)) expect([status, answer.code]).toEqual([503, "SEARCH_UNAVAILABLE"]);
      else if (row.notFound && (row.path.includes("{") || namedInBody.has(row.operation)))
        expect([status, answer.code]).toEqual([404, row.notFound]);
      else if (row.operation === "previewCrawl") {
        // Only a language model can answer it, and none is configured here.
        expect([status, answer.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
      } else if (row.operation === "parse") {
        // Files themselves are sent as forms, which are tested elsewhere.
        expect([status, answer.code]).toEqual([404, "UPLOAD_NOT_FOUND"]);
      } else if (row.operation === "createFeed") {
        // The page of the fixture has no list.
        expect([status, answer.code]).toEqual([404, "FEED_NO_ITEMS"]);
      } else if (row.operation === "createSession") {
        expect([status, answer.code]).toEqual([501, "BROWSER_NOT_AVAILABLE"]);
      } else if (row.operation in app.operations) {
        expect(status).toBe(200);
        if (!row.responseType) expect(answer.success).toBe(true);
      } else {
        expect([status, answer.code]).toEqual([501, "NOT_IMPLEMENTED"]);
        expect(answer.error).toMatch(/ is not available\. .{20,} See \/docs\.$/);
        expect(answer).toMatchObject({ success: false, title: expect.any(String), detail: answer.error });
      }
    });

    // Of the group `admin` this key is refused before its body is read.
    if (row.body && !row.refusal && row.group !== "admin") {
      itOnce("answers 400 to a body that is no object", async () => {
        const { status, body } = await app.call(
          row.method,
          pathOf(row) + (goodQueries[`${row.method} ${row.path}`] ?? ""),
          { body: "[1]" },
        );
        expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
      });
    }
  });

  itOnce("does not take an upload that was not asked for", async () => {
    const head = `PUT /v2/parse/upload/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\nContent-Length: 9000000\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(app.url, head)).status).toBe(404);
  });

  itOnce("reads no body before it knows the key", async () => {
    const head =
      "POST /v2/scrape HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\nConnection: close\r\n\r\n";
    expect((await sendRaw(app.url, head)).status).toBe(401);
  });

  itOnce("takes a WebSocket's key from its subprotocol", async () => {
    expect((await watch(app.url, `/v2/crawl/${uuid}`, { protocols: ["fc-wrong"] })).code).toBe(3000);
    expect((await watch(app.url, `/v2/crawl/${uuid}`)).code).toBe(1008);
  });

  it.each(["not-a-uuid", "0198f1c2", `${uuid}0`, "%20"])("answers 400 to the job id %s", async (id) => {
    const { status, body } = await app.get(`/v2/crawl/${id}`);
    expect(status).toBe(400);
    expect(body.error).toBe("Invalid job ID format. Job ID must be a valid UUID.");
  });

  itOnce("answers 404 to any unknown browser session id", async () => {
    for (const id of ["x", uuid, "a.b-c"]) {
      const { status, body } = await app.call("DELETE", `/v2/browser/${id}`);
      expect([status, body.error]).toEqual([404, "Browser session not found."]);
    }
  });

  itOnce("refuses scrapes of the exchange with the text that clients know", async () => {
    const { status, body } = await app.call("POST", "/v2/scrape", {
      body: { alexandria: [{ provider: "firecrawl" }] },
    });
    expect([status, body.error]).toEqual([403, "Exchange is not enabled for this team."]);
  });
});
