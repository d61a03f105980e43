// A server inside a company's network: whatever is no page leaves through the company's proxy, and its own certificate
// authority is trusted.
import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { joinBlobs } from "../../src/app/join-blobs.ts";
import { defaultSources } from "../../src/config/search-source-names.ts";
import { loadConfig } from "../../src/config.ts";
import { callerOf, startApp, type TestApp, testKey } from "../support/app.ts";
import { removeFolder } from "../support/cleanup.ts";
import { runCommand } from "../support/command.ts";
import { type DnsServer, startDnsServer } from "../support/dns-server.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite as startPages } from "../support/fixture-site.ts";
import { startModelServer } from "../support/model-server.ts";
import { changingPage, createMonitor, runCheck } from "../support/monitors.ts";
import { startS3Store } from "../support/s3-store.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { makeSigned } from "../support/site-certificates.ts";
import { type ProxyServer, startProxy } from "../support/site-proxy.ts";
import { type Site, startSite } from "../support/site-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const secret = "pr0xy-s3cret";
const publicAddress = "93.184.215.14";
const { authority, signed } = makeSigned(["hook.test", "hn.algolia.com", "mail.corp.test", "page.test", "localhost"]);
const folder = mkdtempSync(join(tmpdir(), "t-"));
const caFile = join(folder, "ca.pem");
writeFileSync(caFile, authority);

let proxy: ProxyServer;
let dns: DnsServer;
/** Whatever speaks plain HTTP, and whatever speaks TLS. */
let plain: Site;
let secure: Site;
let page: FixtureSite;
let env: Record<string, string>;
const emails: string[] = [];
const opened: { close(): Promise<void> }[] = [];
const authorities = () => new Set(proxy.asked.map(({ authority: asked }) => asked));
const pathsOf = (site: Site) => site.requests.map(({ headers, url }) => `${headers.host}${url?.replace(/\?.*/, "")}`);

async function startMailServer() {
  const server = new SMTPServer({
    authOptional: true,
    ...signed,
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      stream.on("end", () => {
        emails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  };
}

beforeAll(async () => {
  const model = await startModelServer(({ way }) =>
    way === "text" ? { text: "A page" } : { json: { title: "A page" } },
  );
  const s3 = await startS3Store();
  const mail = await startMailServer();
  const addresses: Record<string, string> = {
    "private.test": "127.0.0.1",
    "hook.test": publicAddress,
    "page.test": publicAddress,
  };
  dns = await startDnsServer((name) => (addresses[name] === undefined ? null : [addresses[name]]));
  plain = await startSite((_request, response) =>
    response.end(JSON.stringify({ results: [], unresponsive_engines: [] })),
  );
  const html = "<title>A page</title><main><h1>A page</h1><p>By way of the company's proxy.</p></main>";
  secure = await startSite(
    ({ url = "" }, response) => {
      const isPage = url === "/page";
      response.setHeader("content-type", isPage ? "text/html" : "application/json");
      response.end(
        isPage ? html : JSON.stringify({ hits: [{ objectID: "1", title: "Otters", url: "https://o.test/" }] }),
      );
    },
    { tls: signed },
  );
  page = await startPages({ "/": html });
  const port = (url: string) => Number(new URL(url).port);
  proxy = await startProxy({
    basic: `me:${secret}`,
    ports: {
      "model.corp.test:80": port(model.openai),
      "s3.corp.test:80": port(s3.endpoint),
      "mail.corp.test:587": mail.port,
      "searx.corp.test:80": plain.port,
      "solver.corp.test:80": plain.port,
      "traces.corp.test:80": plain.port,
      "hn.algolia.com:443": secure.port,
      [`${publicAddress}:443`]: secure.port,
      [`${publicAddress}:80`]: page.port,
    },
  });
  opened.push(model, s3, mail, dns, plain, secure, page, proxy);
  const others = defaultSources.filter((name) => name !== "hackernews").map((name) => `-${name}`);
  env = {
    https_proxy: proxy.url.replace("//", `//me:${secret}@`),
    HTTP_PROXY: proxy.url.replace("//", `//me:${secret}@`),
    ALL_PROXY: proxy.url.replace("//", `//me:${secret}@`),
    NO_PROXY: "localhost, .direct.test",
    CA_FILE: caFile,
    DNS_SERVER: `${dns.host}:${dns.port}`,
    OPENAI_BASE_URL: "http://model.corp.test/v1",
    OPENAI_API_KEY: "sk-test",
    SEARXNG_ENDPOINT: "http://searx.corp.test",
    FLARESOLVERR_URL: "http://solver.corp.test",
    OPEN_SEARCH: "1",
    SEARCH_ENGINES: others.join(","),
    SMTP_URL: "smtp://mail.corp.test:587",
    MAIL_FROM: "trawl@corp.test",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces.corp.test",
    OTEL_BSP_SCHEDULE_DELAY: "100",
    ...s3.env,
    S3_ENDPOINT: "http://s3.corp.test",
  };
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await removeFolder(folder);
});

describe("in a company's network", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(anyEngine, {
      ...env,
      ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${page.port}`,
      MONITOR_MAIL_CONFIRM: "0",
    });
  });
  afterAll(() => app.stop());

  it("models, search, sources, webhooks, email, blobs and traces go through the proxy, and pages do not", async () => {
    const mood = { type: "object", properties: { mood: { type: "string" } }, required: ["mood"] };
    const format = { type: "json", prompt: "In which mood is this written?", schema: mood };
    const scraped = await app.call("POST", "/v2/scrape", { body: { url: page.url, formats: [format], maxAge: 0 } });
    expect(scraped.body.error).toBeUndefined();
    const { places } = await joinBlobs(loadConfig(env), null);
    const blobs = places.find(({ name }) => name === "s3");
    await blobs?.put("a-blob", Buffer.from("bytes"));
    expect(await blobs?.get("a-blob", 5)).toEqual(Buffer.from("bytes"));
    await blobs?.close();
    const found = await app.call("POST", "/v2/search", { body: { query: "otters" } });
    expect(found.body.data.web).toMatchObject([{ url: "https://o.test/" }]);
    const webhook = { url: "https://hook.test/in" };
    await app.call("POST", "/v2/batch/scrape", { body: { urls: [`${page.url}/`], webhook } });
    await expect.poll(() => pathsOf(secure)).toContain("hook.test/in");
    const email = { recipients: ["one@example.com"] };
    const monitor = { targets: [{ type: "scrape", urls: [page.url] }], notification: { email } };
    await runCheck(app, await createMonitor(app, monitor));
    await expect.poll(() => emails.length).toBeGreaterThan(0);
    await expect.poll(() => pathsOf(plain)).toContain("traces.corp.test/v1/traces");
    const names = ["model", "searx", "traces", "s3"].map((name) => `${name}.corp.test`);
    const tunnels = ["hn.algolia.com:443", `${publicAddress}:443`, "mail.corp.test:587"];
    expect(authorities()).toEqual(new Set([...names, ...tunnels]));
  });

  it("no private address is asked of the proxy, whoever resolves its name", async () => {
    const before = proxy.asked.length;
    for (const url of ["https://private.test/in", "https://10.0.0.1/in", "https://[::1]/in"]) {
      const { body } = await app.call("POST", "/v2/batch/scrape", { body: { urls: [page.url], webhook: { url } } });
      await expect
        .poll(async () => (await app.get(`/v2/batch/scrape/${body.id ?? ""}`)).body.status ?? "refused")
        .not.toBe("scraping");
    }
    const asked = proxy.asked.slice(before).map(({ authority: each }) => each);
    expect(asked.filter((each) => !each.endsWith(".corp.test"))).toEqual([]);
  });

  it("no password gets into the log", () => {
    const forms = [secret, Buffer.from(`me:${secret}`).toString("base64")];
    expect(app.logLines.length).toBeGreaterThan(0);
    expect(app.logLines.filter((line) => forms.some((form) => line.includes(form)))).toEqual([]);
  });
});

describe("pages with PROXY_FROM_ENV=1", () => {
  let app: TestApp;
  beforeAll(async () => {
    const { https_proxy = "", HTTP_PROXY = "", NO_PROXY = "", DNS_SERVER = "", CA_FILE = "" } = env;
    app = await startApp(anyEngine, { https_proxy, HTTP_PROXY, NO_PROXY, DNS_SERVER, CA_FILE, PROXY_FROM_ENV: "1" });
  });
  afterAll(() => app.stop());
  const scrape = async (url: string, more: object = {}) =>
    (await app.call("POST", "/v2/scrape", { body: { url, maxAge: 0, ...more } })).body;

  it.each([
    ["over HTTP", {}],
    ["in Chromium", { formats: ["markdown", "screenshot"] }],
  ])("go through the proxy %s, which gets checked addresses, with the company's certificates", async (_how, more) => {
    const before = proxy.asked.length;
    for (const url of ["http://page.test/", "https://page.test/page"]) {
      const body = await scrape(url, more);
      expect([url, body.error, body.data?.markdown]).toEqual([
        url,
        undefined,
        expect.stringContaining("company's proxy"),
      ]);
      expect(body.data.metadata.proxyUsed).toBe("basic");
    }
    const asked = new Set(proxy.asked.slice(before).map(({ authority: each }) => each));
    expect(asked).toEqual(new Set([`${publicAddress}:80`, `${publicAddress}:443`]));
  });

  it("to private places are refused, in both engines", async () => {
    const before = proxy.asked.length;
    for (const url of ["http://private.test/", "https://10.0.0.1/", "http://direct.test:1/"]) {
      for (const more of [{}, { formats: ["screenshot"] }]) {
        const { code } = await scrape(url, { timeout: 30_000, ...more });
        if (!url.includes("direct.test")) expect([url, code]).toEqual([url, "URL_NOT_ALLOWED"]);
      }
    }
    expect(proxy.asked.length).toBe(before);
  });
});

describe("trawl doctor", () => {
  const doctor = (more: Record<string, string> = {}) =>
    runCommand(["doctor"], { DATA_DIR: temporaryFolder(), CHROMIUM_PATH: "/nowhere/chromium", ...env, ...more });

  it("says which way each kind of call takes and that it works", async () => {
    const { stdout } = await doctor({ NO_PROXY: "localhost, .direct.test" });
    const way = `through ${proxy.url}`;
    for (const [kind, target] of [
      ["models", `http://model.corp.test ${way} works.`],
      ["search", `http://searx.corp.test ${way} works.`],
      ["solver", `http://solver.corp.test ${way} works.`],
      ["S3 store", `http://s3.corp.test ${way} works.`],
      ["traces", `http://traces.corp.test ${way} works.`],
      ["email", `mail.corp.test:587 ${way} works.`],
      ["sources", `1 ${way}.`],
      ["webhooks", `https: ${way}, http: ${way}.`],
      ["pages", "past these proxies (PROXY_FROM_ENV is not set)."],
    ]) {
      expect(stdout).toContain(`ok      ${`Route: ${kind}`.padEnd(21)}${target}`);
    }
    expect(stdout).toContain("1 certificate of CA_FILE and NODE_EXTRA_CA_CERTS is trusted.");
    expect(stdout).not.toContain(secret);
  });

  it("names what does not work, and the settings to look at", async () => {
    const wrong = proxy.url.replace("//", "//me:wr0ng@");
    const { code, stdout } = await doctor({ HTTP_PROXY: wrong, NO_PROXY: "searx.corp.test" });
    expect(code).toBe(1);
    const refusal = `The proxy ${proxy.url} refuses the credentials (407).`;
    expect(stdout).toContain(`http://model.corp.test through ${proxy.url} fails: ${refusal}`);
    expect(stdout).toMatch(/http:\/\/searx\.corp\.test directly fails: The name searx\.corp\.test/);
    expect(stdout).toContain("Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY and CA_FILE");
    expect(stdout).not.toContain("wr0ng");
  });
});

describe("NODE_EXTRA_CA_CERTS of a process", () => {
  it("holds for everything over TLS: pages in both engines, services, mail, and a monitor's channels", async () => {
    const watched = changingPage("Costs 9");
    const told: { title: string; text: string }[] = [];
    const site = await startSite(
      async (request, response) => {
        if (request.url !== "/in") return watched.handler(request, response);
        let text = "";
        for await (const chunk of request) text += chunk;
        told.push(JSON.parse(text));
        response.end();
      },
      { tls: signed },
    );
    onTestFinished(() => site.close());
    const mail = await startMailServer();
    onTestFinished(() => mail.close());
    const origin = `https://localhost:${site.port}`;
    const own = {
      ...{ NODE_EXTRA_CA_CERTS: caFile, HOST: "127.0.0.1", ALLOWED_PRIVATE_HOSTS: "127.0.0.1" },
      ...{ SMTP_URL: `smtp://localhost:${mail.port}`, MAIL_FROM: "trawl@corp.test", MONITOR_MAIL_CONFIRM: "0" },
      TRAWL_API_KEYS: `acme:${testKey}:0`,
    };
    const server = await startServer({ ...own, DATA_DIR: join(temporaryFolder(), "data") });
    const app = callerOf(server, { key: testKey, otherKey: "", team: "acme" }) as TestApp;
    const url = `${origin}/watched`;
    const rendered = await app.call("POST", "/v2/scrape", { body: { url, formats: ["markdown", "screenshot"] } });
    expect([rendered.body.error, rendered.body.data?.markdown]).toEqual([
      undefined,
      expect.stringContaining("Costs 9"),
    ]);
    const id = await createMonitor(app, {
      name: "Lamps",
      targets: [{ type: "scrape", urls: [url] }],
      notify: [
        { channel: "webhook", url: `${origin}/in` },
        { channel: "email", to: ["ops@example.com"] },
      ],
    });
    await runCheck(app, id);
    watched.set("Costs 12");
    await runCheck(app, id);
    await expect.poll(() => told.map(({ title }) => title)).toEqual(["Lamps: 1 new", "Lamps: 1 changed"]);
    expect(told[1]?.text).toContain("-Costs 9\n+Costs 12");
    await expect.poll(() => emails.some((text) => text.includes("Subject: [Trawl] Lamps: 1 changed"))).toBe(true);
    server.kill("SIGTERM");

    const doctor = await runCli(["doctor"], {
      ...{ ...own, DATA_DIR: temporaryFolder(), CHROMIUM_PATH: "/nowhere/chromium" },
      ...{ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: "sk-test", SEARXNG_ENDPOINT: origin },
      ...{ S3_ENDPOINT: origin, S3_BUCKET: "pages", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" },
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
    });
    for (const kind of ["models", "search", "S3 store", "traces"])
      expect(doctor.stdout).toContain(`ok      ${`Route: ${kind}`.padEnd(21)}${origin} directly works.`);
  });
});
