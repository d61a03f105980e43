// POST /v2/apirequest: plain HTTP with method and body, through the guard.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

let app: TestApp;
let site: FixtureSite;
let other: FixtureSite;

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  const { method, url, headers } = request;
  response.writeHead(200, { "content-type": "application/json", "X-Answer": "yes" });
  response.end(method === "HEAD" ? undefined : JSON.stringify({ method, url, headers, body }));
}

const redirect = (status: number, location: () => string) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { location: location() }).end();

beforeAll(async () => {
  other = await startSite({ "/echo": echo });
  site = await startSite({
    "/echo": echo,
    "/301": redirect(301, () => "/echo"),
    "/303": redirect(303, () => "/echo"),
    "/307": redirect(307, () => "/echo"),
    "/away": redirect(307, () => `${other.url}/echo`),
    "/inside": redirect(302, () => "http://169.254.169.254/"),
    "/bytes": (_request, response) => void response.end(Buffer.from([0, 255, 1])),
    "/missing": (_request, response) => void response.writeHead(404).end("none"),
    "/slow": () => {},
  });
  app = await useApp(anyEngine, withoutBrowser);
});
afterAll(async () => {
  await app.stop();
  await site.close();
  await other.close();
});

const send = (path: string, body: object = {}) =>
  app.call("POST", "/v2/apirequest", { body: { url: site.url + path, ...body } });
const echoed = async (path: string, body: object = {}) => JSON.parse((await send(path, body)).body.data.body);

it("sends method, headers, query and body, and answers with what came back", async () => {
  const { status, body } = await send("/echo?a=1", {
    method: "PUT",
    headers: { "X-Own": "o" },
    params: { b: "2 3" },
    body: { price: 1 },
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    url: `${site.url}/echo?a=1&b=2+3`,
    statusCode: 200,
    headers: { "x-answer": "yes" },
    metadata: { method: "PUT", redirects: [], proxyUsed: "basic", creditsUsed: 1, requestId: expect.any(String) },
    timing: { total: expect.any(Number) },
  });
  const seen = JSON.parse(body.data.body);
  expect([seen.method, seen.body]).toEqual(["PUT", '{"price":1}']);
  expect(seen.headers).toMatchObject({ "x-own": "o", "content-type": "application/json" });
  expect((await echoed("/echo", { method: "POST", body: "as it is" })).body).toBe("as it is");
  expect((await send("/echo", { method: "HEAD" })).body.data).toMatchObject({ statusCode: 200, body: "" });
});

it("any status is a success; bytes are base64", async () => {
  expect((await send("/missing")).body.data).toMatchObject({ statusCode: 404, body: "none" });
  expect((await send("/bytes")).body.data).toMatchObject({ body: "AP8B", bodyEncoding: "base64" });
});

it("redirects keep or drop method and body as HTTP has it, and credentials stay with their origin", async () => {
  const post = { method: "POST", body: "b" };
  expect(await echoed("/301", post)).toMatchObject({ method: "GET", body: "" });
  expect(await echoed("/301", { method: "PUT", body: "b" })).toMatchObject({ method: "PUT", body: "b" });
  expect(await echoed("/303", { method: "PUT", body: "b" })).toMatchObject({ method: "GET", body: "" });
  expect(await echoed("/307", post)).toMatchObject({ method: "POST", body: "b" });
  const away = await echoed("/away", { headers: { Authorization: "Bearer hush", "X-Own": "o" } });
  expect(away.headers).not.toHaveProperty("authorization");
});

it.each([
  [{ method: "GET", body: "b" }, 400, "body"],
  [{ method: "DELETE", body: {} }, 400, "body"],
  [{ method: "TRACE" }, 400, "method"],
  [{ timeout: 1 }, 400, "timeout"],
])("refuses %o", async (more, status, field) => {
  const { status: answered, body } = await send("/echo", more);
  expect([answered, JSON.stringify(body.details)]).toEqual([status, expect.stringContaining(field)]);
});

it("refuses private addresses, also behind a redirect, and what takes too long", async () => {
  const call = (url: string) => app.call("POST", "/v2/apirequest", { body: { url } });
  expect((await call("http://169.254.169.254/")).status).toBe(403);
  expect((await send("/inside")).status).toBe(403);
  const slow = await send("/slow", { timeout: 1000 });
  expect([slow.status, slow.body.error]).toEqual([408, expect.stringContaining("timed out")]);
});

it("is a scrape in the activity list, and failures are free", async () => {
  const rows = (await app.get("/v2/team/activity?limit=100")).body.data;
  const mine = rows.filter(({ target }: { target: string }) => target.startsWith(site.url));
  expect(mine[0].endpoint).toBe("scrape");
  expect(mine.find(({ target }: { target: string }) => target.endsWith("/slow"))).toMatchObject({ creditsUsed: 0 });
});
