// The examples of openapi.json: recorded from tests, true to their schemas, and what the server answers today.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settingSections } from "../../src/config.ts";
import { type Endpoint, endpoints } from "../../src/contract/index.ts";
import { insteadOf } from "../../src/contract/table/unserved.ts";
import { describeDialects, openDialects } from "../../src/dialects/index.ts";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

interface Example {
  request?: object;
  path: string;
  response: unknown;
}

const file = new URL("../../src/contract/description/recorded-examples.json", import.meta.url);
const examples: Record<string, Example> = JSON.parse(readFileSync(file, "utf8"));
const dialects = describeDialects(openDialects(settingSections.Dialects.dialects.fallback));
const rows = ([...endpoints, ...dialects] as readonly Endpoint[]).filter(({ method }) => method !== "WS");
const titleOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Operations that refuse every request, files that are sent while they are made, pictures and PDFs. */
const without = (row: Endpoint) =>
  row.refusal !== undefined ||
  insteadOf(row.operation) !== null ||
  row.isFile === true ||
  /^(?:image\/|application\/pdf$)/.test(row.responseType ?? "") ||
  (dialects.includes(row) &&
    (row.path.endsWith("{rest+}") ||
      row.operation === "tavilyResearch" ||
      row.summary === "Not available: answers 501"));

it("every operation whose answer can be shown has one, as openapi.json says", () => {
  const description = JSON.parse(readFileSync("openapi.json", "utf8"));
  expect(rows.filter((row) => !without(row) && examples[titleOf(row)] === undefined).map(titleOf)).toEqual([]);
  for (const [title, example] of Object.entries(examples)) {
    const [method = "", path = ""] = title.split(" ");
    const operation = description.paths[path.replace("+}", "}")][method.toLowerCase()];
    const [answer] = Object.values<{ example?: unknown; examples?: { recorded: { value: unknown } } }>(
      operation.responses[200].content,
    );
    expect(answer?.example ?? answer?.examples?.recorded.value, title).toEqual(example.response);
  }
});

it.each(rows.filter((row) => examples[titleOf(row)]).map((row) => ({ title: titleOf(row), row })))(
  "of $title is what its schemas say, with no other field",
  ({ title, row }) => {
    const { request, response } = examples[title] as Example;
    expect(row.response.parse(response)).toEqual(response);
    if (request !== undefined && row.bodyKind === undefined) expect(row.body?.safeParse(request).error).toBeUndefined();
  },
);

describe("asked again", () => {
  let app: TestApp;
  let site: FixtureSite;
  beforeAll(async () => {
    app = await useApp(anyEngine);
    site = await startSite(() => (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<title>A</title><main><h1>A</h1><p>Text.</p></main>");
    });
  });
  afterAll(() => Promise.all([app.stop(), site.close()]));

  it.each([
    "POST /v2/crawl",
    "POST /v2/parse/upload-url",
    "GET /v2/parse/formats",
    "GET /v2/team/credit-usage",
    "GET /v2/team/queue-status",
    "GET /v2/search/sources",
  ])("%s has the same fields", async (title) => {
    const { request, response } = examples[title] as Example;
    const [method = "", path = ""] = title.split(" ");
    const body = request && JSON.parse(JSON.stringify(request).replace(/https:\/\/example\.com/g, site.url));
    const { status, body: answer } = await app.call(method, path, body === undefined ? {} : { body });
    expect(status).toBe(200);
    expect(Object.keys(answer).sort()).toEqual(Object.keys(response as object).sort());
  });
});
