// A Chromium that runs elsewhere: reached by its debugging port, its pages through the proxy of EGRESS_PROXY_URL.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import type { BrowserProxy, Net } from "../../src/net/index.ts";
import { chromiumPath, lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { endGroup, removeFolder } from "../support/cleanup.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openNet } from "../support/site-server.ts";

/** As another operator would run it: with a debugging port and without a proxy. */
async function startRemote(folder: string): Promise<{ child: ChildProcess; endpoint: string }> {
  const words = [
    "--headless",
    "--remote-debugging-port=0",
    `--user-data-dir=${folder}`,
    "--disable-background-networking",
  ];
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const child = spawn(chromiumPath ?? "", [...words, "--no-first-run", "--disable-sync"], {
    ...nobody,
    cwd: "/",
    env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true, // a process group of its own, so that all of it can be ended
  });
  const endpoint = await new Promise<string>((found, failed) => {
    let output = "";
    child.stderr?.on("data", (text) => {
      output += text;
      const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    child.once("exit", () => failed(new Error(output)));
  });
  return { child, endpoint };
}

describe.skipIf(lacksChromium)("a remote browser", () => {
  let site: FixtureSite;
  let inner: FixtureSite;
  let gate: Net;
  let proxy: BrowserProxy;
  let browser: TestBrowser;
  let child: ChildProcess;
  const folder = mkdtempSync(join(tmpdir(), "trawl-remote-"));
  chmodSync(folder, 0o777);

  beforeAll(async () => {
    inner = await startSite({ "/": "inner secret" });
    site = await startSite({
      "/": "<div id=root></div><script>root.textContent = 'Filled ' + 'by a script'</script>",
      "/hostile": `<p id=p></p><script>fetch('${inner.url}/').then((r) => r.text(), () => 'refused').then((t) => { p.textContent = t })</script>`,
      "/redirect": (_request, response) => void response.writeHead(302, { location: inner.url }).end(),
    });
    gate = openNet({ allow: `127.0.0.1:${site.port}` });
    proxy = await gate.openProxy({});
    const started = await startRemote(folder);
    child = started.child;
    const { username = "", password = "", url = "" } = proxy.address ?? {};
    browser = openTestBrowser({
      allow: `127.0.0.1:${site.port}`,
      remote: { endpoint: started.endpoint, egressProxy: url.replace("//", `//${username}:${password}@`) },
    });
  });
  afterAll(async () => {
    await browser.close();
    await endGroup(child);
    await proxy.close();
    await gate.close();
    await Promise.all([site.close(), inner.close()]);
    await removeFolder(folder);
  });

  it("renders pages, all of them through the proxy", async () => {
    const page = await browser.read(`${site.url}/`);
    expect(page.body.toString()).toContain("Filled by a script");
    expect(proxy.isPrivate(`${site.url}/`)).toBe(true);
    expect(browser.status()).toMatchObject({ available: true, isolated: false });
  });

  it("refuses private addresses before they reach the proxy, too", async () => {
    const page = await browser.read(`${site.url}/hostile`);
    expect(page.body.toString()).toContain("refused");
    expect((await browser.fail(`${site.url}/redirect`)).code).toBe("URL_NOT_ALLOWED");
    expect(inner.asked).toEqual([]);
    expect(proxy.failureOf(inner.url)).toBeNull();
  });

  it("that is away is said to be away", async () => {
    const away = openTestBrowser({
      allow: "127.0.0.1",
      remote: { endpoint: "ws://127.0.0.1:9/", egressProxy: "http://127.0.0.1:9" },
    });
    expect(await away.fail(`${site.url}/`)).toMatchObject({
      code: "BROWSER_NOT_AVAILABLE",
      message: "The browser of BROWSER_WS_ENDPOINT cannot be reached.",
    });
    await away.close();
  });
});

describe("the settings of a remote browser", () => {
  it("stop the start without a proxy for its pages", () => {
    expect(() => loadConfig({ BROWSER_WS_ENDPOINT: "ws://browser:9222" })).toThrow(/^EGRESS_PROXY_URL is required/);
    const both = { BROWSER_WS_ENDPOINT: "ws://browser:9222", EGRESS_PROXY_URL: "http://gate:3128" };
    expect(loadConfig(both)).toMatchObject({ egressProxyUrl: "http://gate:3128" });
  });
});
