// Rendered pages in a real Chromium: scripts, waiting, looks, pictures, storage, what is left out.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readProcessTree } from "../../src/engines/browser/process-tree.ts";
import { chromiumPath, lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { makeCertificate } from "../support/site-certificates.ts";
import { startSite as startServer } from "../support/site-server.ts";

const html = (body: string) => `<!doctype html><html><head><title>Page</title></head><body>${body}</body></html>`;
const facts = `<pre id="facts"></pre><script>
  const options = Intl.DateTimeFormat().resolvedOptions();
  const show = (more) => { facts.textContent = JSON.stringify({ language: navigator.language, zone: options.timeZone,
    width: innerWidth, touch: navigator.maxTouchPoints > 0, agent: navigator.userAgent, ...more }) };
  show({});
  navigator.geolocation?.getCurrentPosition((p) => show({ latitude: p.coords.latitude }), () => show({ latitude: null }));
</script>`;

/** Pages that are nothing but the question, each with its answers. */
const consentPages = (
  [
    ["Akkoord", "<button>Akkoord</button><button>Instellen</button>"],
    ["Ja, ik ga akkoord", "<button>Instellingen</button><button>Ja, ik ga akkoord</button>"],
    ["I agree", "<form action='/choose' method='post'><button>I agree</button></form>"],
    ["Yes, I accept", "<button>More choices</button><button>Yes, I accept</button>"],
    ["Accept and Continue", "<a href='/privacy'>Cookie policy</a> <a href='/choose'>Accept and Continue</a>"],
    ["Alle Cookies zulassen", "<button>Einstellungen</button><button>Alle Cookies zulassen</button>"],
    ["Tout autoriser", "<button>Paramètres</button><button>Tout autoriser</button>"],
    ["Принять все", "<button>Настройки</button><button>Принять все</button>"],
  ] as const
).map(([label, answers]) => [label, answers] as const);

const isChosen = ({ headers }: IncomingMessage) => /chosen=/.test(headers.cookie ?? "");
const choose = { "set-cookie": "chosen=1; path=/" };
const answeredPages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  ...Object.fromEntries(
    consentPages.map(([label, answers]) => [
      `/consent/${encodeURIComponent(label)}`,
      (request: IncomingMessage, response: ServerResponse) => {
        const script = `addEventListener("click", ({ target }) => { const it = target.closest("button, [role=button]");
          if (it && !it.form) { document.cookie = "chosen=1; path=/"; location.reload(); } })`;
        const asking = `<title>Cookies</title><h1>Before you go on</h1><p>We use cookies to improve this site.</p>${answers}
          <script>${script}</script>`;
        const text = isChosen(request) ? "<h1>Harbour</h1><p>Nets are dried in the shed.</p>" : asking;
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html>${text}`);
      },
    ]),
  ),
  "/choose": (request, response) =>
    void response.writeHead(303, { ...choose, location: request.headers.referer ?? "/" }).end(),
};

describe.skipIf(lacksChromium)("a rendered page", () => {
  let site: FixtureSite;
  let other: FixtureSite;
  let browser: TestBrowser;
  let lists: string;

  beforeAll(async () => {
    other = await startSite({
      "/": html("elsewhere"),
      "/ad.js": "document.body.append('an advertisement')",
      "/frame": html("inside another origin"),
      "/seen": (request, response) => void response.end(JSON.stringify(request.headers)),
    });
    site = await startSite({
      "/shell": html(`<div id="root"></div>
        <script>setTimeout(() => { root.innerHTML = "<h1>Filled by a script</h1>" }, 200)</script>`),
      "/late": html(`<div id="root"></div><script>
        fetch('/slow').then((r) => r.text()).then(() => fetch('/slow?2')).then(() => { root.textContent = 'two answers later' })</script>`),
      "/slow": (_request, response) => void setTimeout(() => response.end("slow"), 400),
      "/very-late": html("<script>setTimeout(() => document.body.append('after the wait'), 15_000)</script>"),
      "/never-quiet": html("<p>readable</p><script>setInterval(() => fetch('/slow?' + Math.random()), 50)</script>"),
      "/hanging": html("<p>before</p><script src='/never'></script><p>behind</p>"),
      "/never": () => undefined,
      "/facts": html(facts),
      "/parts": html(`<iframe src="/inner/frame"></iframe><iframe src="${other.url}/frame"></iframe>
        <my-card><span slot="title">Title in a slot</span></my-card><script>
        customElements.define('my-card', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'open' }).innerHTML =
            '<style>p { color: red }</style><h2><slot name="title">nothing</slot></h2><p>Text of a shadow root</p><slot>a default</slot>' } })
        </script>`),
      "/inner/frame": html(`<p>Text of a frame</p><a href="next">next</a>`),
      "/ads": html(`<p>content</p><script src="${other.url}/ad.js"></script>`),
      "/banner": html(`<p>content</p><div class="cookie-banner" style="position:fixed;bottom:0">We use cookies.
        <button onclick="fetch('/choice/no')">Reject all</button><button onclick="fetch('/choice/yes')">Accept</button></div>`),
      ...answeredPages,
      "/hop": (_request, response) => void response.writeHead(302, { location: "/shell" }).end(),
      "/leak": (_request, response) => void response.writeHead(302, { location: `${other.url}/seen` }).end(),
      "/headers": (request, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            html(
              `<pre>${JSON.stringify(request.headers)}</pre><script>fetch('${other.url}/seen', { mode: 'no-cors' })</script>`,
            ),
          ),
      "/tall": html('<div style="height:2500px;background:linear-gradient(red,blue)"></div>'),
      "/gone": (_request, response) =>
        void response.writeHead(404, { "content-type": "text/html" }).end(html("<h1>Not here</h1>")),
      "/json": (_request, response) =>
        void response.writeHead(200, { "content-type": "application/json" }).end('{"a": 1}'),
      "/store":
        html(`<pre id="kept"></pre><script>kept.textContent = document.cookie + '|' + localStorage.getItem('word');
        document.cookie = 'visit=1'; localStorage.setItem('word', 'kept')</script>`),
    });
    lists = mkdtempSync(join(tmpdir(), "trawl-lists-"));
    writeFileSync(join(lists, "own.txt"), "/ad.js$script\n");
    browser = openTestBrowser({ allow: "127.0.0.1", blockLists: [join(lists, "own.txt")], concurrency: 3 });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([site.close(), other.close()]);
    rmSync(lists, { recursive: true });
  });

  const text = async (path: string, options = {}, more = {}) =>
    (await browser.read(`${site.url}${path}`, options, more)).body.toString();
  const factsOf = async (options: object) =>
    JSON.parse(/<pre id="facts">(.*?)<\/pre>/.exec(await text("/facts", options))?.[1] ?? "null");

  it("is shown by Chromium, which CI must have", () => expect(chromiumPath).not.toBeNull());

  it("holds what its scripts wrote", async () => {
    const page = await browser.read(`${site.url}/shell`);
    expect(page.body.toString()).toContain("<h1>Filled by a script</h1>");
    expect(page).toMatchObject({
      engine: "browser",
      status: 200,
      url: `${site.url}/shell`,
      finalUrl: `${site.url}/shell`,
      contentType: "text/html; charset=utf-8",
      isPrivate: true,
      redirects: [],
    });
  });

  it("is waited for until its requests are answered", async () => {
    expect(await text("/late")).toContain("two answers later");
  });

  describe.concurrent("that takes its time, beside others that do,", () => {
    it("that is never quiet is read all the same", async () => {
      expect(await text("/never-quiet", { timeout: 30_000 })).toContain("readable");
    });

    it("that hangs half-way is read as far as it came", async () => {
      // Three quarters of the time pass before it is read; a busy machine needs some of the rest.
      expect(await text("/hanging", { timeout: 40_000 })).toContain("before");
    });

    it("gets the extra time of waitFor", async () => {
      expect(await text("/very-late")).not.toContain(">after the wait");
      expect(await text("/very-late", { waitFor: 16_000 })).toContain("after the wait");
    });
  });

  it("tells where redirects led, and a status that is no success", async () => {
    expect(await browser.read(`${site.url}/hop`)).toMatchObject({
      finalUrl: `${site.url}/shell`,
      redirects: [`${site.url}/hop`],
    });
    expect(await browser.read(`${site.url}/gone`)).toMatchObject({ status: 404 });
  });

  it("that is no HTML comes as it is", async () => {
    const page = await browser.read(`${site.url}/json`);
    expect(page.body.toString()).toBe('{"a": 1}');
    expect(page.contentType).toBe("application/json");
  });

  it("holds its frames and its open shadow roots where they are seen", async () => {
    const body = await text("/parts");
    expect(body).toContain("<p>Text of a frame</p>");
    expect(body).toContain(`<a href="${site.url}/inner/next">next</a>`);
    expect(body).toMatch(
      /<my-card><style>.*<\/style><h2><span slot="title">Title in a slot<\/span><\/h2><p>Text of a shadow root/s,
    );
    expect(body).toContain("a default");
    expect(body).toMatch(/<div data-frame="[^"]+\/frame">.*inside another origin.*<\/div>.*<my-card>/s);
  });

  it("sees a visitor of the country that was asked for", async () => {
    expect(await factsOf({})).toMatchObject({ language: "en-US", zone: "America/New_York", width: 1280, touch: false });
    expect(await factsOf({ location: { country: "DE" } })).toMatchObject({
      language: "de-DE",
      zone: "Europe/Berlin",
      latitude: 52.52,
    });
    expect(await factsOf({ location: { country: "CH", languages: ["fr-CH"] } })).toMatchObject({
      language: "fr-CH",
      zone: "Europe/Zurich",
    });
  });

  it("sees a mobile device, or who we are", async () => {
    const mobile = await factsOf({ mobile: true });
    expect(mobile).toMatchObject({ touch: true });
    expect(mobile.agent).toContain("Mobile");
    expect((await factsOf({})).agent).toContain("TrawlBot");
  });

  it("leaves out what the lists of the operator name, unless blockAds is off", async () => {
    other.asked.length = 0;
    expect(await text("/ads")).not.toContain("an advertisement");
    expect(other.asked).not.toContain("/ad.js");
    expect(await text("/ads", { blockAds: false })).toContain("an advertisement");
  });

  it("is freed of a banner that asks for consent, by its own no", async () => {
    site.asked.length = 0;
    const body = await text("/banner");
    expect(body).toContain("content");
    expect(body).not.toContain("We use cookies");
    await expect.poll(() => site.asked).toContain("/choice/no");
    expect(site.asked).not.toContain("/choice/yes");
    expect(await text("/banner", { blockAds: false })).toContain("We use cookies");
  });

  it.each(consentPages)("is behind a page that asks for consent, worded as on real sites: %s", async (label, html) => {
    const body = await text(`/consent/${encodeURIComponent(label)}`);
    expect([label, body]).toEqual([label, expect.stringContaining("Nets are dried")]);
    expect(html).toContain(label);
  });

  it("gets the caller's headers; no other origin does", async () => {
    const headers = { "X-Token": "secret-1", Cookie: "session=abc; theme=dark", "User-Agent": "Mine/1" };
    other.asked.length = 0;
    const body = await text("/headers", { headers });
    expect(body).toContain('"x-token":"secret-1"');
    expect(body).toContain('"cookie":"session=abc; theme=dark"');
    expect(body).toContain('"user-agent":"Mine/1"');
    await expect.poll(() => other.asked).toContain("/seen");
    expect(JSON.stringify(other.headers())).not.toContain("secret-1");
  });

  it("loses the caller's headers at a redirect to another origin", async () => {
    const page = await browser.read(`${site.url}/leak`, { headers: { "X-Token": "secret-2" } });
    expect(page.finalUrl).toBe(`${other.url}/seen`);
    expect(page.body.toString()).toContain("user-agent");
    expect(page.body.toString()).not.toContain("secret-2");
    expect(site.headers()["x-token"]).toBe("secret-2");
  });

  it("is shown in pictures: window, whole page, given window size, quality", async () => {
    const looks = [
      { fullPage: false },
      { fullPage: true },
      { fullPage: false, viewport: { width: 640, height: 480 } },
      { fullPage: false, quality: 10 },
      { fullPage: false, quality: 95 },
    ];
    const { screenshots } = await browser.read(`${site.url}/tall`, {}, { screenshots: looks });
    const sizes = screenshots.slice(0, 3).map((each) => [each.readUInt32BE(16), each.readUInt32BE(20)]);
    expect(sizes[0]).toEqual([1280, 800]);
    expect(sizes[1]?.[1]).toBeGreaterThanOrEqual(2500);
    expect(sizes[2]).toEqual([640, 480]);
    const [low, high] = screenshots.slice(3);
    expect(low?.subarray(0, 3).toString("hex")).toBe("ffd8ff");
    expect(low?.length).toBeLessThan(high?.length ?? 0);
  });

  it("keeps storage between visits only when it is handed on", async () => {
    const first = await browser.read(`${site.url}/store`, {}, { wantsStorageState: true });
    expect(first.body.toString()).toContain("|null");
    const stored = JSON.parse(JSON.stringify(first.storageState));
    expect(await text("/store", {}, { storageState: stored })).toContain("visit=1|kept");
    expect(await text("/store")).toContain("|null");
  });

  it("with a faulty certificate is refused, unless verification is skipped", async () => {
    const secure = await startServer((_request, response) => response.end(html("over TLS")), {
      tls: makeCertificate("wrong.example"),
    });
    try {
      const failure = await browser.fail(`${secure.url}/`, { skipTlsVerification: false });
      expect(failure.code).toBe("SCRAPE_SSL_ERROR");
      const page = await browser.read(`${secure.url}/`, { skipTlsVerification: true });
      expect(page.body.toString()).toContain("over TLS");
    } finally {
      await secure.close();
    }
  });

  it("that cannot be reached says why, as the plain engine does", async () => {
    const closed = await startServer(() => undefined);
    await closed.close();
    expect(await browser.fail(`${closed.url}/`)).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: "The site refused the connection",
    });
    expect(await browser.fail("http://127.0.0.2:9/")).toMatchObject({ code: "URL_NOT_ALLOWED" });
  });
});

describe.skipIf(lacksChromium)("the line before the browser", () => {
  it("is waited in at most for the time of the request", async () => {
    const site = await startSite({ "/": html("<h1>Good page</h1>") });
    const browser = openTestBrowser({ allow: "127.0.0.1", concurrency: 1 });
    try {
      const first = browser.open(`${site.url}/`, { waitFor: 8000 });
      const second = await browser.fail(`${site.url}/second`, { timeout: 1000 });
      expect(second.code).toBe("CONCURRENCY_QUEUE_TIMEOUT");
      expect(site.asked).not.toContain("/second");
      expect((await first).ok).toBe(true);
      const gone = new AbortController();
      gone.abort();
      expect(await browser.fail(`${site.url}/`, {}, { signal: gone.signal })).toMatchObject({ code: "ABORTED" });
    } finally {
      await browser.close();
      await site.close();
    }
  });
});

describe.skipIf(lacksChromium)("the headless shell", () => {
  const shells = () =>
    readProcessTree(process.pid)
      .map(({ pid }) => pid)
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("/usr/lib/chromium/chromium-headless-shell");
        } catch {
          return false; // It has ended.
        }
      });

  it.skipIf(!existsSync("/usr/bin/chromium-headless-shell"))(
    "renders pages that are only read; with actions, or a Chromium of the operator's choice, it is left alone",
    async () => {
      const site = await startSite({ "/": html("<script>document.body.append(typeof window.open('/x'))</script>") });
      const [browser, chosen] = [{}, { chromiumPath }].map((more) => openTestBrowser({ allow: "127.0.0.1", ...more }));
      try {
        // Apps that other files of this process use may have some.
        const before = new Set(shells());
        const added = () => shells().filter((pid) => !before.has(pid)).length;
        await chosen?.read(`${site.url}/`);
        await browser?.read(`${site.url}/`, { actions: [{ type: "wait", milliseconds: 1 }] });
        expect(added()).toBe(0);
        await browser?.read(`${site.url}/`);
        expect(added()).toBeGreaterThan(0);
        expect(site.asked).not.toContain("/x");
      } finally {
        await Promise.all([browser?.close(), chosen?.close(), site.close()]);
      }
    },
  );
});

describe("a server without Chromium", () => {
  it("says so, with the command that brings it", async () => {
    const browser = openTestBrowser({ chromiumPath: "/nowhere/chromium", allow: "127.0.0.1" });
    expect(browser.status()).toMatchObject({ available: false, reason: expect.stringContaining("CHROMIUM_PATH") });
    expect(await browser.fail("http://127.0.0.1/")).toMatchObject({
      code: "BROWSER_NOT_AVAILABLE",
      message: expect.stringContaining("CHROMIUM_PATH"),
    });
    await browser.close();
  });
});
