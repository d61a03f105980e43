// Browser sessions over server processes that are killed, frozen or stopped, and over several that share a store: no browser is
// left behind, every session is billed once, and no process takes a living one for dead.
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { lacksChromium, viewerPath } from "../support/browser.ts";
import { runCommand } from "../support/command.ts";
import { environment, headers, isProofOfKills, kill, killedOn } from "../support/crawl-servers.ts";
import { startSite } from "../support/fixture-site.ts";
import { openServer } from "../support/near-server.ts";
import { runCli, type ServerProcess, startServer } from "../support/server-process.ts";
import {
  browsersBelow,
  countBrowsers,
  descendantsOf,
  drive,
  foldersOf,
  handshake,
  type OpenedSession,
} from "../support/sessions.ts";
import { sharedRun } from "../support/shared-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Reached = Pick<ServerProcess, "url">;

async function call(server: Reached, method: string, path: string, body?: object) {
  const answer = await fetch(server.url + path, {
    method,
    headers: body ? headers : { authorization: headers.authorization },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: await answer.json() };
}

async function open(server: Reached, wish: object = {}): Promise<OpenedSession> {
  const { status, body } = await call(server, "POST", "/v2/browser", wish);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

const read = async (server: Reached, id: string) => (await call(server, "GET", `/v2/browser/${id}`)).body;
const statusOf = async (server: Reached, id: string) => (await read(server, id)).status;
const spent = async (server: Reached) =>
  (await call(server, "GET", "/v2/team/credit-usage/historical")).body.periods[0]?.totalCredits ?? 0;

/** Processes that are still there. */
const running = (pids: readonly number[]) => pids.filter((pid) => existsSync(`/proc/${pid}`));

describe.skipIf(lacksChromium).each(killedOn("sqlite"))("browser sessions on %s", (engine) => {
  /** A server with all that it can have, killed and started again: what was there before, and what the next one made of it. */
  const restarted = sharedRun(async () => {
    const site = await startSite({ "/": "<title>Page</title>" });
    onTestFinished(() => site.close());
    const folder = temporaryFolder();
    // As the system's: browsers enter it as another user.
    chmodSync(folder, 0o777);
    const prefixes = () => [...new Set(readdirSync(folder).map((name) => name.replace(/[^-]+$/, "")))].sort();
    const env = { ...(await environment(engine)), TMPDIR: folder, ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}` };
    const first = await startServer(env);
    const ended = await open(first);
    const ran = await call(first, "POST", `/v2/browser/${ended.id}/execute`, { code: "1 + 1" });
    const page = await call(first, "POST", "/v2/scrape", { url: `${site.url}/`, waitFor: 1 });
    await call(first, "DELETE", `/v2/browser/${ended.id}`);
    const spentBefore = await spent(first);

    const profile = { name: "kept" };
    const [one, two] = [await open(first), await open(first, { profile })];
    const browser = await drive(one);
    const gone = new Promise((done) => browser.once("disconnected", done));
    const pids = browsersBelow(first.pid);
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const person = await chromium.launch({ executablePath: viewerPath, args: sandbox });
    onTestFinished(() => person.close());
    const view = await person.newPage();
    await view.goto(one.liveViewUrl ?? "");
    const status = () => view.textContent("#status");
    const said: string[] = [];
    const hear = async (text: string) => {
      await expect.poll(status).toBe(text);
      said.push(text);
    };
    await hear("Connected.");
    const before = { prefixes: prefixes(), pids, folders: foldersOf(pids), ran, page };
    // Some signs of life, which come every second.
    await wait(2500);
    await kill(first);
    await gone;
    await expect.poll(() => running(pids)).toEqual([]);
    await hear("Connection lost.");

    const second = await startServer({ ...env, PORT: new URL(first.url).port });
    const sessions = [];
    for (const { id } of [one, two]) {
      await expect.poll(() => statusOf(second, id)).toBe("error");
      const { sessionDurationMs, creditsBilled } = await read(second, id);
      const { body } = await call(second, "DELETE", `/v2/browser/${id}`);
      sessions.push({ sessionDurationMs, creditsBilled, ended: body });
    }
    const spentOnBoth = (await spent(second)) - spentBefore;
    await expect.poll(prefixes).toEqual([]);
    const left = before.folders.filter(existsSync);
    // The page tries again after longer and longer waits.
    await hear("The session has ended.");
    return { before, left, said, sessions, spentOnBoth, second, profile, env };
  });

  it("of a server that is killed are gone with it; the next start ends and bills them once", async () => {
    const { before, sessions, spentOnBoth, second, profile, env } = await restarted();
    expect([before.pids.length, before.folders.length]).toEqual([2, 2]);
    for (const { sessionDurationMs, creditsBilled, ended } of sessions) {
      expect(creditsBilled).toBe(2);
      // Up to the last sign of life, which is at most a second older than the end.
      expect(sessionDurationMs).toBeGreaterThan(300);
      expect(sessionDurationMs).toBeLessThan(60_000);
      expect(ended).toEqual({ success: true, sessionDurationMs, creditsBilled });
    }
    expect(spentOnBoth).toBe(4);
    const three = await open(second, { profile });
    await call(second, "DELETE", `/v2/browser/${three.id}`);
    const spentBefore = await spent(second);
    await kill(second);
    expect(await spent(await openServer(env))).toBe(spentBefore);
  });

  it("leave nothing in the temporary folder when their server is killed and started again", async () => {
    const { before, left } = await restarted();
    expect([before.ran.body.result, before.page.status]).toEqual(["2", 200]);
    expect(before.prefixes).toEqual(["trawl-browser-", "trawl-programs-"]);
    // Of its other folders it was waited for.
    expect(left).toEqual([]);
  });

  it("are said to have ended by a live view that was open when their server was killed and started again", async () => {
    const { said } = await restarted();
    expect(said).toEqual(["Connected.", "Connection lost.", "The session has ended."]);
  });

  it("end with a server that is stopped, billed, their clients told", async () => {
    const env = await environment(engine);
    const first = await startServer(env);
    const session = await open(first);
    const browser = await drive(session);
    const gone = new Promise((done) => browser.once("disconnected", done));
    const pids = browsersBelow(first.pid);
    const folders = foldersOf(pids);
    expect(folders).toHaveLength(1);
    first.kill("SIGTERM");
    await gone;
    expect((await first.finished).code).toBe(0);
    await expect.poll(() => running(pids)).toEqual([]);
    expect(folders.filter(existsSync)).toEqual([]);
    const second = await openServer(env);
    expect(await read(second, session.id)).toMatchObject({ status: "destroyed", creditsBilled: 2 });
    expect(await spent(second)).toBe(2);
  });
});

describe.skipIf(lacksChromium)("browser sessions, whatever stores them,", () => {
  // Eight in the proof: `npm run prove -- kills`.
  const count = isProofOfKills ? 8 : 3;

  it("are many at once, opened together and driven together; ended together they leave nothing", async () => {
    const site = await startSite((path) => `<title>Page ${path}</title>`);
    onTestFinished(() => site.close());
    const server = await startServer(await environment("sqlite"));
    const sessions = await Promise.all(Array.from({ length: count }, () => open(server)));
    expect(await countBrowsers(count, server.pid)).toBe(count);
    const titles = sessions.map(async (session, index) => {
      const browser = await drive(session);
      const page = await browser.newPage();
      for (let round = 0; round < 5; round += 1) {
        await page.goto(`${site.url}/${index}/${round}`);
        expect(await page.title()).toBe(`Page /${index}/${round}`);
      }
      await browser.close();
    });
    await Promise.all(titles);
    expect((await call(server, "GET", "/v2/browser?status=active")).body.sessions).toHaveLength(count);
    await Promise.all(sessions.map(({ id }) => call(server, "DELETE", `/v2/browser/${id}`)));
    await expect.poll(() => descendantsOf(server.pid)).toEqual([]);
    expect(await spent(server)).toBe(2 * count);
  });
});

describe.skipIf(lacksChromium)("several processes on one PostgreSQL", () => {
  /** As on another machine: whether a process elsewhere is alive cannot be seen, only its lease. */
  const elsewhere = (env: Record<string, string>) => ({ ...env, DATA_DIR: join(temporaryFolder(), "data") });

  /** Three servers, of which one is frozen and woken, and another one killed; the third looks on. */
  const story = sharedRun(async () => {
    // Long enough for a process that lives to renew it on a busy machine.
    const env = { ...(await environment("postgres")), JOB_LEASE_MS: "10000" };
    const [first, frozen, second] = await Promise.all([
      startServer({ ...elsewhere(env), SESSION_URL: "http://first.example:81" }),
      startServer(elsewhere(env)),
      openServer(elsewhere(env)),
    ]);
    const living = await open(first);
    const taken = await open(frozen);
    frozen.kill("SIGSTOP");
    const query = new URL(living.cdpUrl).search;
    const led = [
      await handshake(`${second.url}/cdp/${living.id}${query}`),
      await handshake(`${first.url}/cdp/${living.id}${query}`),
    ];
    await expect.poll(() => statusOf(second, taken.id)).toBe("error");
    // Opened before the one that was taken: without a sign of life it would have been taken, too.
    const outlived = {
      status: await statusOf(second, living.id),
      active: (await call(second, "GET", "/v2/browser?status=active")).body.sessions.length,
    };
    const { body: takenEnd } = await call(second, "DELETE", `/v2/browser/${taken.id}`);
    frozen.kill("SIGCONT");
    const woken = { browsers: await countBrowsers(0, frozen.pid), session: await read(frozen, taken.id) };

    const { body: livingEnd } = await call(second, "DELETE", `/v2/browser/${living.id}`);
    const ended = { browsers: await countBrowsers(0, first.pid), session: await read(first, living.id) };
    const spentBefore = await spent(first);

    const lost = await open(first);
    await kill(first);
    const statusAtOnce = await statusOf(second, lost.id);
    await expect.poll(() => statusOf(second, lost.id)).toBe("error");
    const spentOnLost = (await spent(second)) - spentBefore;
    return { living, led, outlived, takenEnd, woken, livingEnd, ended, spentBefore, statusAtOnce, spentOnLost };
  });

  it("know each other's sessions, lead to each other's browsers, and end them for each other", async () => {
    const { living, led, outlived, livingEnd, ended, spentBefore } = await story();
    expect(living.cdpUrl).toMatch(`ws://first.example:81/cdp/${living.id}?token=`);
    expect(led).toEqual([101, 101]);
    expect(outlived).toEqual({ status: "active", active: 1 });
    expect(livingEnd).toMatchObject({ success: true, creditsBilled: 2 });
    expect(ended).toEqual({ browsers: 0, session: expect.objectContaining({ status: "destroyed", ...livingEnd }) });
    expect(spentBefore).toBe(2 + 2);
  });

  it("take the session of one that was frozen for longer than its lease; it lets the browser go when it wakes", async () => {
    const { takenEnd, woken } = await story();
    expect(takenEnd).toMatchObject({ success: true, creditsBilled: 2 });
    expect(woken).toEqual({ browsers: 0, session: expect.objectContaining({ status: "error", ...takenEnd }) });
  });

  it("end the sessions of one that died, when its lease is over and not before", async () => {
    const { statusAtOnce, spentOnLost } = await story();
    expect([statusAtOnce, spentOnLost]).toEqual(["active", 2]);
  });
});

describe.skipIf(lacksChromium)("trawl browser", () => {
  it("creates, lists, uses and deletes sessions of the running server", async () => {
    const env = await environment("sqlite");
    const server = await startServer(env);
    const settings = { ...env, PORT: new URL(server.url).port };
    const trawl = async (...words: string[]) => {
      const { code, stdout, stderr } = await runCommand(["browser", ...words], settings);
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    expect(await trawl("list", "--team", "acme")).toBe("None yet.\n");
    const { id, cdpUrl } = JSON.parse(await trawl("create", "--ttl", "60", "--team", "acme", "--json"));
    expect(cdpUrl).toContain(`${new URL(server.url).host}/cdp/${id}?token=`);
    expect((await (await drive({ cdpUrl })).newPage()).url()).toBe("about:blank");
    expect(JSON.parse(await trawl("list", "--team", "acme", "--json"))).toMatchObject([
      { id, status: "active", cdpUrl },
    ]);
    expect(await trawl("list")).toBe("None yet.\n");
    expect(await trawl("execute", id, "console.log('said'); await page.evaluate(() => 6 * 7)", "--team", "acme")).toBe(
      "said\n42\n",
    );
    const other = await runCommand(["browser", "execute", id, "1"], settings);
    expect([other.code, other.stderr]).toEqual([1, "trawl: Browser session not found.\n"]);
    expect(await trawl("delete", id, "--team", "acme")).toMatch(/^Ended after \d+ s\. Credits charged: 2\.\n$/);
    expect(await countBrowsers(0, server.pid)).toBe(0);
    expect(await statusOf(server, id)).toBe("destroyed");

    const missing = await runCommand(["browser", "delete", id], settings);
    expect([missing.code, missing.stderr]).toEqual([1, "trawl: Browser session not found.\n"]);
    const wrong = await runCommand(["browser", "create", "--ttl", "5"], settings);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("trawl: ttl:")]);
    await kill(server);
    const alone = await runCli(["browser", "create"], settings);
    expect([alone.code, alone.stderr]).toEqual([
      1,
      `trawl: No server is running at ${server.url}. Start one with trawl serve.\n`,
    ]);
  });
});
