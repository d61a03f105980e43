import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openNet, type Site, startSite } from "../../../test/support/site-server.ts";
import type { Net } from "../../net/index.ts";
import { createHttpEngine, type EngineRequest } from "../index.ts";

const userAgent = "Mozilla/5.0 (compatible; TrawlBot/1.2.3; +https://trawl.test)";
const plain: EngineRequest["options"] = {
  headers: {},
  mobile: false,
  location: { country: "US", languages: [] },
  skipTlsVerification: false,
  proxy: "auto",
};

let site: Site;
let net: Net;
beforeEach(async () => {
  net = openNet({ allow: "127.0.0.1" });
  site = await startSite((request, response) => {
    if (request.url === "/moved") response.writeHead(301, { location: "/" }).end();
    else response.writeHead(request.url === "/gone" ? 410 : 200, { "content-type": "text/html" }).end("<p>x");
  });
});
afterEach(async () => {
  await net.close();
  await site.close();
});

const ask = (path: string, options: Partial<EngineRequest["options"]> = {}) =>
  createHttpEngine({ fetch: net.fetch, userAgent })({
    url: `${site.url}${path}`,
    options: { ...plain, ...options },
    signal: AbortSignal.timeout(60_000),
  });
const sent = () => site.requests.at(-1)?.headers ?? {};

describe("the HTTP engine", () => {
  it("brings the page with its address, status, headers and bytes", async () => {
    expect(await ask("/moved")).toMatchObject({
      ok: true,
      page: {
        url: `${site.url}/moved`,
        finalUrl: `${site.url}/`,
        status: 200,
        contentType: "text/html",
        body: Buffer.from("<p>x"),
        engine: "http",
        redirects: [`${site.url}/moved`],
        isPrivate: true,
        ignoredHeaders: [],
      },
    });
  });

  it("counts an error status as a page", async () =>
    expect(await ask("/gone")).toMatchObject({ ok: true, page: { status: 410 } }));

  it("answers a refused or broken address as a value", async () => {
    const closed = openNet();
    const engine = createHttpEngine({ fetch: closed.fetch, userAgent });
    const outcome = await engine({ url: `${site.url}/`, options: plain, signal: AbortSignal.timeout(60_000) });
    expect(outcome).toEqual({ ok: false, code: "URL_NOT_ALLOWED", message: "This URL is not allowed" });
    expect(site.connections).toBe(0);
    await closed.close();
  });

  it("says who it is, or a phone when a mobile device is asked for", async () => {
    await ask("/");
    expect(sent()).toMatchObject({ "user-agent": userAgent, "accept-language": "en-US,en;q=0.9" });
    expect(sent().accept).toContain("text/html");
    await ask("/", { mobile: true });
    expect(sent()["user-agent"]).toMatch(/Android.*Mobile/);
  });

  it("sends the caller's headers over its own, except those of the connection, which it names", async () => {
    const headers = { "User-Agent": "Mine", "ACCEPT-Language": "xx", Host: "evil.test", "Proxy-Auth": "x" };
    const outcome = await ask("/", { headers });
    expect(sent()).toMatchObject({ "user-agent": "Mine", "accept-language": "xx", host: new URL(site.url).host });
    expect(outcome.ok && outcome.page.ignoredHeaders).toEqual(["Host", "Proxy-Auth"]);
  });

  it.each([
    [{ country: "US", languages: [] }, "en-US,en;q=0.9"],
    [{ country: "DE", languages: [] }, "de-DE,de;q=0.9,en;q=0.8"],
    [{ country: "ZZ", languages: [] }, "en-ZZ,en;q=0.9"],
    [{ country: "DE", languages: ["fr", "it-CH"] }, "fr,it-CH;q=0.9"],
    [{ country: "JP", languages: ["bad\r\nvalue"] }, "ja-JP,ja;q=0.9,en;q=0.8"],
  ])("asks for the languages of %j", async (location, header) => {
    await ask("/", { location });
    expect(sent()["accept-language"]).toBe(header);
  });
});

describe("a host that asks for a pause", () => {
  async function askPausing(pauses: string[], patienceMs: number | null, status = 429) {
    const waits = [...pauses];
    const pausing = await startSite((_request, response) => {
      const wait = waits.shift();
      if (wait === undefined) response.end("there");
      else response.writeHead(status, { "retry-after": wait }).end("wait");
    });
    try {
      const outcome = await createHttpEngine({ fetch: net.fetch, userAgent })({
        url: pausing.url,
        options: plain,
        signal: AbortSignal.timeout(60_000),
        ...(patienceMs === null ? {} : { patientUntil: performance.now() + patienceMs }),
      });
      return [outcome.ok && outcome.page.status, pausing.requests.length];
    } finally {
      await pausing.close();
    }
  }

  it.each([429, 503])("with %s is asked once more when the pause is over", async (status) =>
    expect(await askPausing(["1"], 30_000, status)).toEqual([200, 2]),
  );
  it("is asked no third time", async () => expect(await askPausing(["0", "0"], 30_000)).toEqual([429, 2]));
  it("is not waited for when there is no time", async () => expect(await askPausing(["40"], 30_000)).toEqual([429, 1]));
  it("is not waited for by jobs", async () => expect(await askPausing(["0"], null)).toEqual([429, 1]));
});
