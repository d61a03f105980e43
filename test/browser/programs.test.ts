// Callers' programs: what they can do with their session, and that they can do nothing else. Everything here runs in the real
// sandbox against a real Chromium.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readVerbLines, type SessionMemory } from "../../src/engines/index.ts";
import { lacksChromium } from "../support/browser.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openTestPrograms, programProcesses, type TestPrograms } from "../support/programs.ts";
import { startRenderedSite } from "../support/rendered-site.ts";
import { sharedRun } from "../support/shared-run.ts";

describe.skipIf(lacksChromium)("programs of callers", () => {
  let site: FixtureSite;
  let canary: FixtureSite;
  let programs: TestPrograms;
  beforeAll(async () => {
    site = await startRenderedSite({
      "/links": `<!doctype html><title>Links</title><h1>Links</h1><p>Some words.</p><a href="/form">To the form</a>
        <label>Fruit <input id="fruit" value="pear"></label><button disabled>Off</button>`,
      "/opener": `<!doctype html><title>Opener</title><a href="/links" target="_blank">to the links</a><p id="log"></p>
        <button id="sign" onclick="window.open('/sign-in')">sign in</button>`,
      "/sign-in": `<!doctype html><title>Sign in</title>
        <button id="in" onclick="opener.log.textContent = 'signed in'; window.close()">in</button>`,
    });
    canary = await startSite({ "/": "canary" });
    programs = await openTestPrograms(`127.0.0.1:${site.port}`);
  });
  afterAll(async () => {
    await programs.close();
    await canary.close();
    await site.close();
  });

  // A program takes most of a second to start: tests that ask different things of one share its run.
  describe("JavaScript", () => {
    const fillIn = sharedRun(() =>
      programs.code(`await page.goto("${site.url}/form"); await page.fill("#name", "Ada");
        const title = await page.title();
        console.log("printed", title); console.error("to stderr");
        [title, context.pages().length, browser.isConnected()]`),
    );
    const leaveBehind = sharedRun(() =>
      programs.code("setInterval(() => {}, 10); console.log('x'.repeat(3e6)); 'y'.repeat(3e6)"),
    );

    it("drives the session's page and answers its last value", async () => {
      expect(await fillIn()).toEqual({
        stdout: "printed Form\n",
        stderr: "to stderr\n",
        result: '["Form",1,true]',
        exitCode: 0,
        killed: false,
        memory: { pageId: expect.any(String) },
      });
    });

    it("finds the page as the program before left it", async () => {
      await fillIn();
      expect((await programs.code(`page.inputValue("#name")`)).result).toBe("Ada");
    });

    it("keeps to the page that it was for the program before, whatever others are open", async () => {
      const { memory } = await programs.code(
        `for (const each of context.pages()) if (each !== page) await each.close();
         await page.goto("${site.url}/form"); for (const n of [1, 2, 3]) await context.newPage()`,
      );
      const code = `const found = [await page.title(), context.pages().length];
        for (const each of context.pages()) if (each !== page) await each.close();
        found`;
      expect((await programs.code(code, { memory })).result).toBe('["Form",4]');
      const gone = await programs.code("await context.newPage(); await page.close(); process.exit(7)", { memory });
      expect(gone).toMatchObject({ memory, exitCode: 7, killed: false, stderr: "" });
      expect(gone.result).toBeUndefined();
      expect((await programs.code("page.url()", { memory })).result).toBe("about:blank");
    });

    it.each([
      ["await page.click('#nowhere', { timeout: 100 })", "Timeout 100ms exceeded"],
      ["setTimeout(() => { throw new Error('later') }); await new Promise(() => {})", "later"],
    ])("tells of a failure: %s", async (code, stderr) => {
      const answer = await programs.code(code);
      expect(answer).toMatchObject({ exitCode: 1, killed: false, stderr: expect.stringContaining(stderr) });
      expect(answer.result).toBeUndefined();
    });

    it("does not wait for what a program left behind", async () => {
      expect(await leaveBehind()).toMatchObject({ exitCode: 0, killed: false });
    });

    it("cuts what is too long", async () => {
      const answer = await leaveBehind();
      expect(answer.stdout).toHaveLength(1024 * 1024);
      expect(answer.result).toHaveLength(1024 * 1024);
      expect(answer.truncated).toBe(true);
    });
  });

  describe("a hostile one", () => {
    it("that never ends is ended in time, and what it printed is answered", async () => {
      const answer = await programs.code("console.log('before'); for (;;);", { timeoutMs: 2000 });
      expect(answer).toMatchObject({ stdout: "before\n", killed: true, exitCode: 137 });
      expect(answer.error).toContain("too long");
      expect(programProcesses()).toEqual([]);
    });

    it.each([
      ["buffers", "const kept = []; for (let i = 0; i < 1000; i++) kept.push(Buffer.alloc(1e6, 1)); 'all of it'"],
      ["objects", "const kept = []; for (;;) kept.push(new Array(1_000_000).fill(1.5))"],
      [
        "several processes",
        `const { spawn } = require("node:child_process");
         const take = "const k = []; for (let i = 0; i < 300; i++) k.push(Buffer.alloc(1e6, 1)); setTimeout(() => {}, 9e4)";
         for (let i = 0; i < 3; i++) spawn(process.execPath, ["-e", take]);
         await new Promise((done) => setTimeout(done, 40000)); 'all of it'`,
      ],
    ])("does not get 1 GB of memory: %s", async (_what, code) => {
      const answer = await programs.code(code);
      expect(answer.result).toBeUndefined();
      expect(answer.exitCode).not.toBe(0);
      expect(programProcesses()).toEqual([]);
    });

    it("cannot start processes without end, and none outlives it", async () => {
      // As an argument of `sleep` that no other process has.
      const mark = `60.${process.pid}`;
      const forks = `i=0; while [ $i -lt 300 ]; do setsid sleep ${mark} & i=$((i + 1)); done; echo all of them`;
      const answer = await programs.run({ kind: "interpreter", language: "bash", code: `sh -c '${forks}' 2>&1` });
      // Over the memory of all together or over the number of processes: both are an end.
      if (!answer.killed) expect(answer.stdout).toMatch(/fork/);
      expect(answer.stdout).not.toContain("all of them");
      expect(processesWith(mark)).toEqual([]);
    });

    /** Everything that such a program finds and tries, in one run. */
    const lookAround = sharedRun(async () => {
      const folder = mkdtempSync(join(tmpdir(), "trawl-secret-"));
      writeFileSync(join(folder, "secret.txt"), "never to be seen", { mode: 0o644 });
      const places = [
        ...[join(folder, "secret.txt"), "/etc/passwd", "/proc/self/environ", "/proc/1/environ", "/root"],
        ...[import.meta.dirname, process.cwd(), "/kit/package.json"],
      ];
      try {
        const { result, stderr } = await programs.code(`const fs = require("node:fs"), net = require("node:net");
          const can = (attempt) => { try { attempt(); return true } catch { return false } };
          const seen = ${JSON.stringify(places)}.filter((place) => can(() => fs.statSync(place)));
          const root = fs.readdirSync("/"), temporary = fs.readdirSync("/tmp").filter((name) => !name.startsWith("playwright-"));
          const tries = ["/x", "/kit/x", "/kit/package.json", "/usr/x", process.execPath, "/dev/x", "/tmp/x"];
          const written = tries.filter((place) => can(() => fs.writeFileSync(place, "x")));
          const large = (() => { try { fs.writeFileSync("/tmp/large", Buffer.alloc(4e7)); return "written" } catch (error) { return error.code } })();
          fs.rmSync("/tmp/large", { force: true });
          fs.writeFileSync("/tmp/program", "#!/usr/bin/node\\n", { mode: 0o755 });
          const started = ["/bin/sh", "/usr/bin/perl", "/tmp/program"].map((file) => require("node:child_process").spawnSync(file).error?.code);
          const attempt = (port, host) => new Promise((done) => {
            const socket = net.connect({ port, host, timeout: 20000 });
            socket.on("connect", () => done("connected")); socket.on("timeout", () => done("silent"));
            socket.on("error", (error) => done(error.code));
          });
          const connected = await Promise.all([attempt(${canary.port}, "127.0.0.1"), attempt(${canary.port}, "::1"), attempt(53, "1.1.1.1"),
            attempt(9222, "127.0.0.1"), attempt(3128, "127.0.0.1")]);
          const visit = (url) => page.goto(url).then((answer) => answer.status(), () => "refused");
          const visited = [await visit("${site.url}/form"), await visit("http://127.0.0.1:${canary.port}/")];
          ({ seen, root, temporary, environment: process.env, written, large, started, connected, visited })`);
        return JSON.parse(result ?? stderr);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it("does not see the server's files, environment or processes", async () => {
      const { seen, root, temporary, environment } = await lookAround();
      // It is there, so that the others could have been seen.
      expect(seen).toEqual(["/kit/package.json"]);
      expect(temporary).toEqual([]);
      expect(environment.HOME).toBe("/tmp");
      expect(Object.keys(environment).sort()).toEqual(["HOME", "LANG", "PATH"]);
      const own = root.filter((name: string) => !["usr", "lib", "lib64"].includes(name));
      expect(own.sort()).toEqual(["dev", "devtools.sock", "kit", "tmp"]);
    });

    it("can write nowhere but in its own small folder, and starts no program but node", async () => {
      expect(await lookAround()).toMatchObject({
        written: ["/tmp/x"],
        large: expect.stringMatching(/EFBIG|ENOSPC/),
        started: ["ENOENT", "ENOENT", "EACCES"],
      });
    });

    it("reaches no address, not even loopback, and through its page only what the server allows", async () => {
      const { connected, visited } = await lookAround();
      expect(connected).toHaveLength(5);
      expect(connected).not.toContain("connected");
      expect(connected).not.toContain("silent");
      // The same way leads to what is allowed.
      expect(visited[0]).toBe(200);
      expect(visited[1]).not.toBe(200);
      expect(canary.asked).toEqual([]);
    });

    it("makes no namespaces, mounts or roots, even with the system's tools at hand", async () => {
      const tries = ["unshare --user true", "unshare --mount true", "mount -t tmpfs none /tmp", "chroot / true"];
      const code = `for each in ${tries.map((each) => `'${each}'`).join(" ")} true; do $each 2> /dev/null; echo $?; done`;
      const { stdout } = await programs.run({ kind: "interpreter", language: "bash", code });
      // The last one shows that such a line can succeed.
      expect(
        stdout
          .trim()
          .split("\n")
          .map((status) => status === "0"),
      ).toEqual([false, false, false, false, true]);
    });

    /** Two that never end take all places of their team, until their callers go. */
    const fillPlaces = sharedRun(async () => {
      const controller = new AbortController();
      const endless = () => programs.code("await new Promise(() => {})", { signal: controller.signal });
      const both = Promise.allSettled([endless(), endless()]);
      const inner = () => programProcesses().map(statusOf).filter(isInner);
      await expect.poll(() => inner().length).toBe(2);
      // They are looked at from outside: inside there is no /proc.
      const statuses = inner();
      const third = await programs.code("1", { timeoutMs: 500 }).catch((error: unknown) => error);
      const other = await programs.code("2", { teamId: "another" });
      const stillRunning = inner().length;
      controller.abort();
      const ends = await both;
      return { statuses, third, other, stillRunning, ends, left: programProcesses() };
    });

    it("has no capability and cannot gain one", async () => {
      for (const status of (await fillPlaces()).statuses) {
        expect(status).toMatch(/CapEff:\s+0{16}/);
        expect(status).toMatch(/CapPrm:\s+0{16}/);
        expect(status).toMatch(/NoNewPrivs:\s+1/);
        expect(status).toMatch(/Uid:\s+(?!0\s)\d+/);
      }
    });

    it("ends with its caller", async () => {
      const { ends, left } = await fillPlaces();
      const aborted = { status: "rejected", reason: expect.objectContaining({ code: "ABORTED" }) };
      expect(ends).toEqual([aborted, aborted]);
      expect(left).toEqual([]);
    });

    it("waits when too many run, and not without end; another team has a place", async () => {
      const { third, other, stillRunning } = await fillPlaces();
      expect(third).toMatchObject({ code: "CONCURRENCY_QUEUE_TIMEOUT" });
      expect([other.result, stillRunning]).toEqual(["2", 2]);
      expect((await programs.code("3")).result).toBe("3");
    });

    it("that is killed is an answer, and the next one works", async () => {
      const running = programs.code("console.log('started'); await new Promise(() => {})");
      await expect.poll(() => programProcesses().find((pid) => isInner(statusOf(pid)))).toBeDefined();
      const inner = programProcesses().find((pid) => isInner(statusOf(pid)));
      if (inner === undefined) throw new Error("the program is gone");
      process.kill(inner, "SIGKILL");
      expect(await running).toMatchObject({
        killed: true,
        exitCode: 137,
        error: expect.stringContaining("was killed"),
      });
      expect((await programs.code("1 + 1")).result).toBe("2");
    });
  });

  describe("where they cannot be sandboxed", () => {
    it("none runs, and the answer names the setting", async () => {
      const runner = programs.createRunner({ searchPath: withoutNamespaces() });
      const request = {
        teamId: "team",
        memory: {},
        devtoolsSocket: programs.session.devtoolsSocket,
        timeoutMs: 5000,
        keepPicture: async () => "",
      };
      const running = runner.run({
        ...request,
        work: { kind: "code", code: "1" },
        signal: new AbortController().signal,
      });
      await expect(running).rejects.toMatchObject({
        code: "EXECUTE_NOT_AVAILABLE",
        message: expect.stringContaining("EXECUTE_UNSANDBOXED"),
      });
      runner.close();
    });

    it("they run all the same when the operator says so", async () => {
      const runner = programs.createRunner({ searchPath: withoutNamespaces(), mayRunUnsandboxed: true });
      const request = {
        teamId: "team",
        memory: {},
        devtoolsSocket: programs.session.devtoolsSocket,
        timeoutMs: 20_000,
        keepPicture: async () => "",
      };
      const work = {
        kind: "code" as const,
        code: "({ isOpen: browser.isConnected(), environment: Object.keys(process.env) })",
      };
      const answer = await runner.run({ ...request, work, signal: new AbortController().signal });
      expect(JSON.parse(answer.result ?? answer.stderr)).toEqual({ isOpen: true, environment: ["HOME"] });
      runner.close();
    });
  });

  it.skipIf(process.getuid?.() !== 0)("are sandboxed where the server is an ordinary user too", () => {
    const door = join(import.meta.dirname, "../../dist/engines/index.js");
    const program = `import { createProgramRunner } from ${JSON.stringify(door)};
      const log = { warn() {}, debug(about) { console.error(about); } };
      const options = { concurrency: 1, mayRunUnsandboxed: false, searchPath: process.env.PATH, hiddenFolders: [] };
      const runner = createProgramRunner({ net: {}, log }, options);
      console.log(process.getuid(), await runner.isolation()); runner.close();`;
    const env = { PATH: process.env.PATH ?? "", TMPDIR: tmpdir() };
    const ordinary = { uid: 61234, gid: 61234, env, encoding: "utf8" as const };
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], ordinary);
    expect([stdout, stderr]).toEqual(["61234 sandboxed\n", ""]);
  });

  it("run again when somebody has tidied the server's folder away", async () => {
    expect(await programs.runner.isolation()).toBe("sandboxed");
    const folders = readdirSync(tmpdir())
      .filter((name) => name.startsWith("trawl-programs-"))
      .map((name) => join(tmpdir(), name))
      .filter((folder) => readText(join(folder, "pid")) === String(process.pid));
    expect(folders.length).toBeGreaterThan(0);
    for (const folder of folders) rmSync(folder, { recursive: true });
    expect((await programs.code("2")).result).toBe("2");
  });

  it("runs other languages in the same sandbox", async () => {
    const secret = mkdtempSync(join(tmpdir(), "trawl-secret-"));
    const code = `echo "$((6 * 7)) $CDP_URL"; ls ${secret} /etc/passwd /proc 2>&1 | wc -l; exit 3`;
    const answer = await programs.run({ kind: "interpreter", language: "bash", code });
    expect(answer).toMatchObject({ stdout: "42 ws+unix:/devtools.sock:/\n3\n", exitCode: 3, killed: false });
    rmSync(secret, { recursive: true });
  });

  const hasPython = existsSync("/usr/bin/python3");

  it.skipIf(!hasPython)("runs python, which reaches its session and nothing else", async () => {
    const code = [
      "import os, re, socket",
      "path = re.fullmatch(r'ws\\+unix:(.+):/', os.environ['CDP_URL']).group(1)",
      "session = socket.socket(socket.AF_UNIX); session.connect(path)",
      "session.sendall(b'GET /json/version HTTP/1.0\\r\\nhost: localhost\\r\\n\\r\\n')",
      "text = b''",
      "while piece := session.recv(4096): text += piece",
      "print('Chrome/' in text.decode(), sorted(os.environ))",
      "try: socket.create_connection(('127.0.0.1', 80), 1)",
      "except OSError as error: print(type(error).__name__)",
      "raise SystemExit(3)",
    ].join("\n");
    const answer = await programs.run({ kind: "interpreter", language: "python", code });
    expect(answer).toMatchObject({ stderr: "", exitCode: 3, killed: false });
    expect(answer.stdout.split("\n")).toEqual([
      expect.stringMatching(/^True \['CDP_URL', 'HOME', 'LANG', (.*)'PATH'/),
      "OSError",
      "",
    ]);
  });

  it.skipIf(!hasPython).each([
    ["page.goto('https://example.com')", "NameError: name 'page' is not defined"],
    ["await page.title()", "SyntaxError: 'await' outside function"],
    ["from playwright.sync_api import sync_playwright", "ModuleNotFoundError: No module named 'playwright'"],
  ])("tells users who expect a page in Python that it has no page: %s", async (code, wanted) => {
    const { stderr, exitCode } = await programs.run({ kind: "interpreter", language: "python", code });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(wanted);
    expect(stderr).toContain("There is no page, context or browser in python programs here. CDP_URL says");
  });

  it.skipIf(!hasPython)("says no more than python does where something else went wrong", async () => {
    const { stderr } = await programs.run({ kind: "interpreter", language: "python", code: "1 / 0" });
    expect(stderr).toMatch(/^Traceback[\s\S]*line 1[\s\S]*ZeroDivisionError: division by zero\n$/);
  });

  describe("agent-browser verbs", () => {
    const verbs = (text: string, memory: SessionMemory = {}) => {
      const commands = readVerbLines(text);
      if (commands === null) throw new Error(`these are no verbs: ${text}`);
      return programs.run({ kind: "verbs", commands }, { memory });
    };

    const first = sharedRun(() =>
      verbs(`agent-browser open ${site.url}/links && agent-browser get title; agent-browser screenshot
        agent-browser snapshot; agent-browser get title`),
    );

    it("open a page, read it and take pictures", async () => {
      const answer = await first();
      expect(answer).toMatchObject({ result: "Links", stderr: "", exitCode: 0, killed: false });
      expect(answer.stdout).toMatch(/^Links\npicture of \d+ bytes\n[\s\S]*\nLinks\n$/);
    });

    it("leave refs that the next request can use", async () => {
      const { stdout, memory } = await first();
      const [, link] = /link "To the form" \[ref=(e\d+)\]/.exec(stdout) ?? [];
      const next = await verbs(
        `agent-browser click @${link} && agent-browser wait '#name' && agent-browser get title
        agent-browser screenshot --full; agent-browser dance`,
        memory,
      );
      expect(next).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("unknown verb") });
      expect(next.stdout).toMatch(/Form\npicture of \d+ bytes\n$/);
      expect(next.result).toMatch(/^picture of \d+ bytes$/);
    });
  });

  it("bring a scraped page back in the window that its actions opened", async () => {
    const actions = [{ type: "click", selector: "a", all: false }] as const;
    const answer = await programs.run({
      kind: "reopen",
      url: `${site.url}/opener`,
      waitFor: 0,
      actions: [...actions],
    });
    expect(answer.error).toBe(undefined);
    expect((await programs.code("await page.title()", { memory: answer.memory })).result).toBe("Links");
  });
});

/** Of a file that may be gone. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const statusOf = (pid: number) => readText(`/proc/${pid}/status`);

/** Anywhere on this machine: what left its parents would have no ancestor. */
function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && commandOf(pid).includes(text));
}

const commandOf = (pid: number) => readText(`/proc/${pid}/cmdline`);

/** The process inside is node; those around it are the tools that started it. */
const isInner = (status: string) => /^Name:\s+node/m.test(status);

/** A folder whose `unshare` refuses, as on systems that forbid namespaces. */
function withoutNamespaces(): string {
  const folder = mkdtempSync(join(tmpdir(), "trawl-no-namespaces-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  spawnSync("chmod", ["755", folder]);
  return folder;
}
