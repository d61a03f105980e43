import { describe, expect, test } from "vitest";
import { errorTable } from "../base/index.ts";
import { dialectNames } from "../config/dialect-names.ts";
import { describeDialects, openDialects } from "../dialects/index.ts";
import { endpoints } from "./operations/all-endpoints.ts";
import { activityNames, type Endpoint, rateGroups, tags } from "./table/endpoint.ts";
import { endpointGroups } from "./table/endpoint-groups.ts";
import { insteadOf, unserved } from "./table/unserved.ts";

const rows = endpoints as readonly Endpoint[];

// Every path of the API, so that none is lost.
const wanted = `
POST /v2/scrape
GET /v2/scrape/{id}
POST /v2/scrape/{id}/interact
DELETE /v2/scrape/{id}/interact
POST /v2/apirequest
GET /v2/parse/formats
POST /v2/parse
POST /v2/parse/upload-url
PUT /v2/parse/upload/{uploadId}
POST /v2/batch/scrape
GET /v2/batch/scrape
GET /v2/batch/scrape/{id}
WS /v2/batch/scrape/{id}
DELETE /v2/batch/scrape/{id}
GET /v2/batch/scrape/{id}/errors
GET /v2/batch/scrape/{id}/export
POST /v2/batch/scrape/{id}/pause
POST /v2/batch/scrape/{id}/resume
POST /v2/crawl
GET /v2/crawl
GET /v2/crawl/active
GET /v2/crawl/ongoing
POST /v2/crawl/params-preview
GET /v2/crawl/{id}
WS /v2/crawl/{id}
DELETE /v2/crawl/{id}
GET /v2/crawl/{id}/errors
GET /v2/crawl/{id}/export
POST /v2/crawl/{id}/pause
POST /v2/crawl/{id}/resume
POST /v2/map
POST /v2/search
GET /v2/search/sources
GET /v2/search/gov
POST /v2/search/gov
POST /v2/search/index
POST /v2/search/data/sites
POST /v2/search/data/pages
POST /v2/search/data/documents
GET /v2/search/data
GET /v2/search/data/{id}
PATCH /v2/search/data/{id}
DELETE /v2/search/data/{id}
POST /v2/search/data/{id}/refresh
GET /v2/archive
GET /v2/archive/{id}
GET /v2/archive/{id}/pages
GET /v2/archive/{id}/export
DELETE /v2/archive/{id}
POST /v2/feed
GET /v2/feed
GET /v2/feed/{id}
DELETE /v2/feed/{id}
GET /v2/search/{id}
POST /v2/search/{id}/feedback
GET /v2/search/developer
POST /v2/search/developer
GET /v2/search/research/papers
GET /v2/search/research/papers/{id}
GET /v2/search/research/papers/{id}/similar
GET /v2/search/research/github
POST /v2/extract
GET /v2/extract/{id}
POST /v2/agent
GET /v2/agent
GET /v2/agent/{id}
DELETE /v2/agent/{id}
GET /v2/agent/{id}/trace
GET /v2/agent/{id}/snapshots/{snapshotId}
GET /v2/agent/threads/{threadId}
POST /v2/browser
GET /v2/browser
DELETE /v2/browser
GET /v2/browser/{sessionId}
DELETE /v2/browser/{sessionId}
GET /v2/browser/{sessionId}/har
GET /v2/browser/{sessionId}/replay
GET /v2/browser/{sessionId}/replay/{pageId}
DELETE /v2/browser/{sessionId}/replay
POST /v2/browser/{sessionId}/execute
DELETE /v2/browser/profiles/{name}
POST /v2/interact
GET /v2/interact
DELETE /v2/interact
GET /v2/interact/{sessionId}
DELETE /v2/interact/{sessionId}
GET /v2/interact/{sessionId}/har
GET /v2/interact/{sessionId}/replay
GET /v2/interact/{sessionId}/replay/{pageId}
DELETE /v2/interact/{sessionId}/replay
POST /v2/interact/{sessionId}/execute
DELETE /v2/interact/profiles/{name}
POST /v2/flow
GET /v2/flow
GET /v2/flow/{id}
PATCH /v2/flow/{id}
DELETE /v2/flow/{id}
GET /v2/flow/{id}/versions
POST /v2/flow/{id}/versions/{version}/restore
POST /v2/flow/{id}/run
GET /v2/flow/{id}/runs
GET /v2/flow/{id}/export
GET /v2/team/activity
GET /v2/team/credit-usage
GET /v2/team/credit-usage/historical
GET /v2/team/token-usage
GET /v2/team/token-usage/historical
GET /v2/team/queue-status
GET /v2/team/ip-allowlist
PUT /v2/team/ip-allowlist
GET /v2/team/audit
GET /v2/team/audit/export
GET /v2/team/threat-protection
PUT /v2/team/threat-protection
POST /v2/team/secrets
GET /v2/team/secrets
DELETE /v2/team/secrets/{name}
GET /v2/team/hosts
GET /v2/team/extractors
DELETE /v2/team/extractors/{extractorId}
GET /v2/team/notify
PUT /v2/team/notify
POST /v2/team/notify/{notifyId}/test
GET /v2/team/webhooks
POST /v2/team/webhooks/{deliveryId}/redeliver
GET /v2/concurrency-check
POST /v2/monitor
GET /v2/monitor
POST /v2/monitor/email/confirm
POST /v2/monitor/email/unsubscribe
GET /v2/monitor/{id}
PATCH /v2/monitor/{id}
DELETE /v2/monitor/{id}
POST /v2/monitor/{id}/run
GET /v2/monitor/{id}/checks
GET /v2/monitor/{id}/checks/{checkId}
DELETE /v2/monitor/{id}/checks/{checkId}
GET /v2/monitor/{id}/feed/{token}
POST /v2/feedback
POST /v2/support/ask
POST /v2/support/docs-search
GET /v2/jobs/{id}/trace
GET /exchange/{path+}
POST /exchange/{path+}
GET /r/{url+}
POST /v1/search
POST /v1/scrape
GET /v1/scrape/{id}
POST /v1/crawl
GET /v1/crawl/active
GET /v1/crawl/{id}
WS /v1/crawl/{id}
DELETE /v1/crawl/{id}
GET /v1/crawl/{id}/errors
DELETE /v1/crawl/{id}/errors
POST /v1/batch/scrape
GET /v1/batch/scrape/{id}
DELETE /v1/batch/scrape/{id}
GET /v1/batch/scrape/{id}/errors
DELETE /v1/batch/scrape/{id}/errors
POST /v1/map
POST /v1/extract
GET /v1/extract/{id}
GET /v1/team/credit-usage
GET /v1/team/credit-usage/historical
GET /v1/team/token-usage
GET /v1/team/token-usage/historical
GET /v1/team/queue-status
GET /v1/concurrency-check
POST /v1/deep-research
GET /v1/deep-research/{id}
POST /v1/llmstxt
GET /v1/llmstxt/{id}
`
  .trim()
  .split("\n");

test("the table has every endpoint of the contract once, and no other", () => {
  expect(rows.map((row) => `${row.method} ${row.path}`).sort()).toEqual(wanted.sort());
});

test("the v1 listing of errors has both verbs and deletes nothing", () => {
  const listings = rows.filter((row) => row.path.startsWith("/v1/") && row.path.endsWith("/errors"));
  expect(listings.map((row) => row.operation).sort()).toEqual([
    "listBatchErrors",
    "listBatchErrors",
    "listCrawlErrors",
    "listCrawlErrors",
  ]);
});

test("everything below /exchange is refused", () => {
  const exchange = rows.filter((row) => row.path.startsWith("/exchange/"));
  expect(exchange.map((row) => [row.method, row.refusal])).toEqual([
    ["GET", "EXCHANGE_NOT_ENABLED"],
    ["POST", "EXCHANGE_NOT_ENABLED"],
  ]);
});

test("only rows whose path or body holds a secret are open to everybody", () => {
  const open = rows.filter((row) => row.rateGroup === null).map((row) => row.path);
  expect(open).toEqual([
    "/v2/parse/upload/{uploadId}",
    "/v2/monitor/email/confirm",
    "/v2/monitor/email/unsubscribe",
    "/v2/monitor/{id}/feed/{token}",
  ]);
});

test("no parameter path precedes a literal path that it also matches", () => {
  const shadowed = rows.flatMap((row, index) => {
    const pattern = new RegExp(`^${row.path.replace(/\{\w+\}/g, "[^/]+")}$`);
    return rows
      .slice(index + 1)
      .filter((later) => later.method === row.method && later.path !== row.path && pattern.test(later.path))
      .map((later) => `${row.path} hides ${later.path}`);
  });
  expect(shadowed).toEqual([]);
});

test("a v1 row names an operation that v2 has, but for what only v1 has", () => {
  const own = new Set(["startDeepResearch", "readDeepResearch", "startLlmsText", "readLlmsText"]);
  const v2Operations = new Set(rows.filter((row) => !row.path.startsWith("/v1/")).map((row) => row.operation));
  const orphans = rows.filter(
    (row) => row.path.startsWith("/v1/") && !own.has(row.operation) && !v2Operations.has(row.operation),
  );
  expect(orphans).toEqual([]);
});

test("an unserved operation is one of the table's", () => {
  expect(Object.keys(unserved).filter((name) => rows.every((row) => row.operation !== name))).toEqual([]);
});

describe.each(rows)("$method $path", (row) => {
  test("names known things only", () => {
    expect(tags).toContain(row.tag);
    expect([...rateGroups, null]).toContain(row.rateGroup);
    if (row.activity) expect(activityNames).toContain(row.activity);
    for (const code of [row.notFound, row.refusal]) if (code) expect(errorTable).toHaveProperty(code);
    expect(row.operation).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
  });

  test("reading and stopping count as status, work does not", () => {
    const isWork = row.activity !== undefined;
    if (isWork) expect(row.rateGroup).not.toBe("status");
    const isRead = row.method === "GET" && !isWork && insteadOf(row.operation) === null;
    if (isRead && !row.path.endsWith("{token}")) expect(row.rateGroup).toBe("status");
  });

  test("has a schema for each name in its path, and a 404 for ids", () => {
    const names = [...row.path.matchAll(/\{(\w+)\+?\}/g)].map((match) => match[1]);
    const shape = (row.params as { shape?: object } | undefined)?.shape ?? {};
    expect(Object.keys(shape)).toEqual(names);
    // The rest of a path is no id.
    if (names.length > 0 && !row.path.endsWith("+}")) expect(row.notFound).toBeDefined();
  });
});

test("each row that asks for a key belongs to exactly one group of endpoints, those of dialects too", () => {
  const dialects = describeDialects(openDialects(dialectNames));
  for (const { method, path, rateGroup, signedIn, group } of [...rows, ...dialects]) {
    if (rateGroup === null || signedIn) continue;
    expect(endpointGroups, `${method} ${path}`).toContain(group);
  }
  const groupOf = (path: string) => dialects.find((row) => row.path === path)?.group;
  expect(groupOf("/tavily/crawl")).toBe("crawl");
  expect(groupOf("/exa/contents")).toBe("scrape");
  expect(groupOf("/tika")).toBeUndefined();
});
