// Pages that want to hurt: each ends in an answer, and the next page is read as if nothing had been.
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readProcessTree } from "../../src/engines/browser/process-tree.ts";
import { lacksChromium, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { foldersOf } from "../support/sessions.ts";

const html = (program: string) => `<!doctype html><title>Hostile</title><body><script>${program}</script>`;

interface Process {
  pid: number;
  command: string;
  status: string;
}

/** Chromium's processes that this test started. */
function browserProcesses(word: string): Process[] {
  return readProcessTree(process.pid)
    .flatMap(({ pid }) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return [{ pid, command, status: readFileSync(`/proc/${pid}/status`, "utf8") }];
      } catch {
        return [];
      }
    })
    .filter(({ command }) => command.includes(word) && !/relay\.cjs|unshare/.test(command));
}

/** One that was found may be gone by now: with its parent, or at its own end. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describe.skipIf(lacksChromium)("a hostile page", () => {
  let site: FixtureSite;
  let browser: TestBrowser;
  /** Answers of /held that wait, by the query, which is another one each time. */
  const held = new Map<string, (() => void)[]>();
  let visits = 0;

  beforeAll(async () => {
    site = await startSite({
      "/good": "<title>Good</title><h1>Good page</h1>",
      "/endless": html("for (;;);"),
      "/popups": html(`for (let n = 0; n < 200; n += 1) window.open('/popup?' + n);
        document.body.append('after the windows')`),
      "/dialogs": html(`for (let n = 0; n < 30; n += 1) { alert(n); confirm(n); prompt(n) }
        onbeforeunload = () => 'stay'; document.body.append('after the dialogs')`),
      "/more-dialogs": html("for (;;) alert('again')"),
      "/memory": html(`const kept = []; setInterval(() => { for (let n = 0; n < 4; n += 1)
        kept.push(new Uint8Array(64 * 1024 * 1024).fill(1)) }, 20)`),
      "/canvas": html(`const kept = []; setInterval(() => { const c = document.createElement('canvas');
        c.width = c.height = 8192; const d = c.getContext('2d', { willReadFrequently: true });
        d.fillStyle = 'red'; d.fillRect(0, 0, 8192, 8192); kept.push(c) }, 20)`),
      "/download": (_request, response) =>
        void response
          .writeHead(200, { "content-type": "application/octet-stream", "content-disposition": "attachment" })
          .end("a program"),
      "/self-download": html(`const a = document.createElement('a'); a.href = '/download'; a.download = 'x'; a.click();
        document.body.append('after the download')`),
      "/wandering": html("setTimeout(() => { location.href = '/wandering?' + Math.random() }, 5)"),
      "/to-file": (_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      "/to-itself": (_request, response) => void response.writeHead(302, { location: "/to-itself" }).end(),
      "/files": `<title>Files</title><a id="file" href="file:///etc/passwd">f</a><a id="chrome" href="chrome://version">c</a>
        <iframe src="file:///etc/passwd"></iframe><p>still here</p>`,
      "/huge": html("document.body.append('x'.repeat(3e6)); const p = document.body.firstChild"),
      "/held": ({ url = "" }, response) => {
        const answer = () => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Held page</h1>");
        held.set(url, [...(held.get(url) ?? []), answer]);
      },
      // By its script the site knows that a renderer has the page.
      "/crashing": ({ url = "" }, response) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(`<title>Crashing</title><script src="/seen?${url.split("?")[1]}"></script>`),
    });
    browser = openTestBrowser({ allow: `127.0.0.1:${site.port}` });
    await browser.read(`${site.url}/good`);
  });
  afterEach(async () => {
    const page = await browser.read(`${site.url}/good`);
    expect(page.body.toString()).toContain("Good page");
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("with an endless script runs out of its time, and leaves nothing running", async () => {
    const failure = await browser.fail(`${site.url}/endless`, { timeout: 3000 });
    expect(failure.code).toBe("SCRAPE_TIMEOUT");
    // What is left is at most the renderer that Chromium keeps in reserve.
    await expect.poll(() => browserProcesses("--type=renderer").length).toBeLessThanOrEqual(1);
  });

  it("that opens windows is read alone", async () => {
    const page = await browser.read(`${site.url}/popups`);
    expect(page.body.toString()).toContain("after the windows");
  });

  it("that opens dialogs finds them all dismissed", async () => {
    const page = await browser.read(`${site.url}/dialogs`);
    expect(page.body.toString()).toContain("after the dialogs");
  });

  it("that opens dialogs without end runs out of its time", async () => {
    const failure = await browser.fail(`${site.url}/more-dialogs`, { timeout: 3000 });
    expect(failure.code).toBe("SCRAPE_TIMEOUT");
  });

  it.each(["/memory", "/canvas"])("that fills the memory is ended: %s", async (path) => {
    const failure = await browser.fail(`${site.url}${path}`, { timeout: 30_000, waitFor: 15_000 });
    expect(failure).toMatchObject({ code: "SCRAPE_PAGE_TOO_LARGE", message: "The page used too much memory" });
    expect(browser.logLines.some((line) => line.includes("too much memory"))).toBe(true);
  });

  it("that is a download is refused", async () => {
    const failure = await browser.fail(`${site.url}/download`);
    expect(failure.code).toBe("SCRAPE_UNSUPPORTED_FILE_ERROR");
  });

  it("that starts a download is read, and nothing is kept", async () => {
    const page = await browser.read(`${site.url}/self-download`);
    expect(page.body.toString()).toContain("after the download");
    const [folder = "none", ...others] = new Set(foldersOf(browserProcesses("--user-data-dir").map(({ pid }) => pid)));
    expect(others).toEqual([]);
    // A download that is refused has a file for a moment.
    await expect.poll(() => readdirSync(join(folder, "downloads"))).toEqual([]);
  });

  it("that goes elsewhere without end is given up after 20 times", async () => {
    const failure = await browser.fail(`${site.url}/wandering`);
    expect(failure.code).toBe("SCRAPE_TOO_MANY_REDIRECTS");
  });

  it("that redirects to itself is given up", async () => {
    const failure = await browser.fail(`${site.url}/to-itself`);
    expect(failure.code).toBe("SCRAPE_TOO_MANY_REDIRECTS");
  });

  it("that redirects to a file is refused", async () => {
    const failure = await browser.fail(`${site.url}/to-file`);
    expect(failure.code).toBe("SCRAPE_SITE_ERROR");
  });

  it.each([
    ["a click on file:", { type: "click", selector: "#file" }],
    ["a click on chrome:", { type: "click", selector: "#chrome" }],
    ["a script to file:", { type: "executeJavascript", script: "location.href = 'file:///etc/passwd'" }],
    ["a script to chrome:", { type: "executeJavascript", script: "location.href = 'chrome://version'" }],
    [
      "a script to view-source:",
      { type: "executeJavascript", script: "location.href = 'view-source:file:///etc/passwd'" },
    ],
    ["a request to file:", { type: "executeJavascript", script: "fetch('file:///etc/passwd').catch(() => 0); 1" }],
  ])("stays where it is at %s", async (_what, action) => {
    const page = await browser.read(`${site.url}/files`, { actions: [action] });
    expect(page.finalUrl).toBe(`${site.url}/files`);
    expect(page.body.toString()).toContain("still here");
    expect(page.body.toString()).not.toContain("root:x");
  });

  it.each(["file:///etc/passwd", "chrome://version", "data:text/html,x", "javascript:alert(1)"])(
    "is not opened at all: %s",
    async (url) => {
      const failure = await browser.fail(url);
      expect(failure.code).toBe("URL_NOT_ALLOWED");
    },
  );

  it("whose tree is larger than a page may be is refused", async () => {
    const small = openTestBrowser({ allow: `127.0.0.1:${site.port}`, maxBodyBytes: 1024 * 1024 });
    try {
      expect((await small.fail(`${site.url}/huge`)).code).toBe("SCRAPE_PAGE_TOO_LARGE");
    } finally {
      await small.close();
    }
  });

  const killing = async (end: () => void, times: number) => {
    visits += 1;
    const path = `/held?${visits}`;
    const asked = () => held.get(path) ?? [];
    const reading = browser.open(site.url + path, { timeout: 90_000 });
    for (let time = 1; time <= times; time += 1) {
      await expect.poll(() => asked().length).toBe(time);
      end();
    }
    if (times === 1) {
      await expect.poll(() => asked().length).toBe(2);
      asked()[1]?.();
    }
    return reading;
  };
  const killBrowser = () => {
    for (const { pid } of browserProcesses("--remote-debugging-pipe")) kill(pid);
  };

  it("is read once more when Chromium is killed in the middle", async () => {
    const outcome = await killing(killBrowser, 1);
    expect(outcome.ok && outcome.page.body.toString()).toContain("Held page");
  });

  it("is given up when Chromium is killed twice", async () => {
    const outcome = await killing(killBrowser, 2);
    expect(outcome).toMatchObject({ ok: false, code: "SCRAPE_SITE_ERROR" });
  });

  it("is read once more when its renderer crashes", async () => {
    visits += 1;
    const path = `/crashing?${visits}`;
    const reading = browser.open(`${site.url}${path}`, { timeout: 90_000, waitFor: 5000 });
    await expect.poll(() => site.asked).toContain(`/seen?${visits}`);
    for (const { pid } of browserProcesses("--type=renderer")) kill(pid);
    const outcome = await reading;
    expect(outcome.ok ? "" : `${outcome.code} ${outcome.message}`).toBe("");
    expect(site.asked.filter((each) => each === path)).toHaveLength(2);
  });
});

describe.skipIf(lacksChromium)("Chromium's processes", () => {
  it("are gone, and their files, when the browser has been closed", async () => {
    const site = await startSite({ "/": "<h1>Good page</h1>" });
    const browser = openTestBrowser({ allow: `127.0.0.1:${site.port}` });
    await browser.read(`${site.url}/`);
    const [folder = "none"] = foldersOf(browserProcesses("--user-data-dir").map(({ pid }) => pid));
    expect([existsSync(folder), browserProcesses("--type=").length > 0]).toEqual([true, true]);
    await browser.close();
    await site.close();
    expect([existsSync(folder), browserProcesses("--type=")]).toEqual([false, []]);
  });

  it("have their own network, no root, a sandbox and nothing of our environment", async () => {
    process.env.TRAWL_SECRET = "a secret that no browser may see";
    const site = await startSite({ "/": "<h1>Good page</h1>" });
    const browser = openTestBrowser({ allow: `127.0.0.1:${site.port}` });
    try {
      const before = new Set(browserProcesses("--").map(({ pid }) => pid));
      const reading = browser.open(`${site.url}/`, { waitFor: 2000 });
      const found = () => browserProcesses("--type=renderer").filter(({ pid }) => !before.has(pid));
      // A renderer closes its sandbox a moment after it is there, and before it is given a page.
      await expect.poll(() => found()[0]?.status).toMatch(/^Seccomp:\s+2$/m);
      const [main] = browserProcesses("--remote-debugging-pipe").filter(({ pid }) => !before.has(pid));
      if (main === undefined) throw new Error("no process");
      expect(readlinkSync(`/proc/${main.pid}/ns/net`)).not.toBe(readlinkSync("/proc/self/ns/net"));
      expect(readlinkSync(`/proc/${main.pid}/ns/pid`)).not.toBe(readlinkSync("/proc/self/ns/pid"));
      expect(main.status).not.toMatch(/^Uid:\s+0\b/m);
      expect(main.status).toMatch(/^CapEff:\s+0+$/m);
      expect(main.status).toMatch(/^NoNewPrivs:\s+1$/m);
      const environment = readFileSync(`/proc/${main.pid}/environ`, "utf8");
      expect(environment).toContain("HOME=");
      expect(environment).not.toContain("secret");
      expect(environment).not.toContain("PROXY_SOCKET");
      expect((await reading).ok).toBe(true);
    } finally {
      delete process.env.TRAWL_SECRET;
      await browser.close();
      await site.close();
    }
  });

  it("run without a sandbox only when the operator says so, and that is told", async () => {
    const site = await startSite({ "/": "<h1>Good page</h1>" });
    const browser = openTestBrowser({ allow: `127.0.0.1:${site.port}`, hasSandbox: false });
    try {
      expect((await browser.read(`${site.url}/`)).body.toString()).toContain("Good page");
      expect(browser.status()).toMatchObject({ sandbox: false });
      expect(browser.logLines.some((line) => line.includes("BROWSER_NO_SANDBOX=1"))).toBe(true);
    } finally {
      await browser.close();
      await site.close();
    }
  });
});
