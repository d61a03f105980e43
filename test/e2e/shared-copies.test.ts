// SHARED_CACHE: whose copies serve whom. A proxy leads the site's public address to loopback.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { engines } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { type ProxyServer, startProxy } from "../support/site-proxy.ts";

const addresses: Record<string, string> = {
  "public.test": "93.184.215.14",
  "listed.test": "93.184.215.15",
  "inside.test": "10.1.2.3",
};

describe.each(engines)("copies of two teams on $name", (engine) => {
  let site: FixtureSite;
  let dns: DnsServer;
  let proxy: ProxyServer;
  let shared: TestApp;
  let separate: TestApp;

  beforeAll(async () => {
    const page = "<main><h1>A page for everybody</h1></main>";
    site = await startSite({
      "/page": page,
      "/from-inside": (_request, response) => response.writeHead(302, { location: "http://public.test/page" }).end(),
    });
    dns = await startDnsServer((name) => (addresses[name] ? [addresses[name]] : null));
    proxy = await startProxy({ port: site.port });
    const env = {
      DNS_SERVER: `${dns.host}:${dns.port}`,
      PROXY_SERVER: proxy.url,
      ALLOWED_PRIVATE_HOSTS: "10.1.2.3,listed.test",
    };
    shared = await startApp(engine, { ...env, SHARED_CACHE: "1" });
    separate = await startApp(engine, env);
  });
  afterAll(async () => {
    await shared.stop();
    await separate.stop();
    await proxy.close();
    await dns.close();
    await site.close();
  });

  /** The same page under a path that was never asked for. */
  const newPage = () => `/page?${newId()}`;

  /** What the second team finds after the first has read the page. */
  async function secondState(app: TestApp, url: string, options: object = {}): Promise<string> {
    const first = await app.call("POST", "/v2/scrape", { body: { url, ...options } });
    expect(first.body.data).toMatchObject({ markdown: "# A page for everybody", metadata: { cacheState: "miss" } });
    const second = await app.call("POST", "/v2/scrape", { body: { url }, key: otherKey });
    expect(second.body.data.markdown).toBe("# A page for everybody");
    return second.body.data.metadata.cacheState;
  }

  it("serve the other team with SHARED_CACHE=1 only", async () => {
    const path = newPage();
    expect(await secondState(shared, `http://public.test${path}`)).toBe("hit");
    expect(site.asked.filter((asked) => asked === path)).toHaveLength(1);
    expect(await secondState(separate, `http://public.test${newPage()}`)).toBe("miss");
  });

  it.each([
    ["a private address", "http://10.1.2.3/page"],
    ["a name that leads to one", "http://inside.test/page"],
    ["a name of ALLOWED_PRIVATE_HOSTS", "http://listed.test/page"],
    ["a redirect out of one", "http://inside.test/from-inside"],
  ])("of %s serve their own team only", async (_what, url) => {
    expect(await secondState(shared, `${url}?${newId()}`)).toBe("miss");
  });

  it("made with headers or credentials of one team serve no other request", async () => {
    const headers = { headers: { cookie: "session=1" } };
    expect(await secondState(shared, `http://public.test${newPage()}`, headers)).toBe("miss");
    expect(await secondState(shared, `http://me:secret@public.test${newPage()}`)).toBe("miss");
  });
});
