// `trawl serve` as a user meets it: first start, settings, crashes, stopping.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { startSite } from "../support/fixture-site.ts";
import { openServer } from "../support/near-server.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const usage = "/v2/team/credit-usage";

describe("the first start", () => {
  it("prints the API page, a new key once, and a curl line that works as pasted", async () => {
    const site = await startSite({ "/": "<title>Fixture</title><main><h1>Hello from here</h1></main>" });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const first = await startServer(env);
    const key = /API key\s+(fc-[0-9a-f]{32})/.exec(first.stdout())?.[1] ?? "none";
    const line = /Try it\s+(curl .*)\n/.exec(first.stdout())?.[1] ?? "none";
    const { stdout } = await run("sh", ["-c", line.replace("https://example.com", site.url)]);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: { markdown: expect.stringContaining("# Hello from here") },
    });
    expect((await fetch(`${first.url}/docs`)).status).toBe(200);
    expect((await fetch(`${first.url}/health/readiness`)).status).toBe(200);

    first.kill("SIGTERM");
    expect((await first.finished).code).toBe(0);
    const second = await startServer(env);
    expect(second.stdout()).not.toContain("fc-");
    const answer = await fetch(second.url + usage, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    await site.close();
  });

  it("prints a link to the dashboard, and trawl dashboard-link another; each signs in once", async () => {
    const env = { DATA_DIR: join(temporaryFolder(), "data") };
    const server = await startServer(env);
    const made = await runCommand(["dashboard-link"], env);
    const signIn = (text: string) => {
      const link = /\/dashboard\/sign-in#([\w-]{43})/.exec(text)?.[1];
      const headers = { "content-type": "application/json" };
      return fetch(`${server.url}/dashboard/api/sign-in`, { method: "POST", headers, body: JSON.stringify({ link }) });
    };
    const texts = [server.stdout(), made.stdout];
    expect((await Promise.all(texts.map(signIn))).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(texts.map(signIn))).map(({ status }) => status)).toEqual([401, 401]);
    expect((await runCommand(["dashboard-link", "--team", "nobody"], env)).code).toBe(2);
  });

  it("keeps the data folder, the database and the secret to its owner, never the key, and listens on loopback only", async () => {
    const DATA_DIR = join(temporaryFolder(), "data");
    const server = await startServer({ DATA_DIR });
    const key = /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none";
    const mode = (file: string) => (statSync(join(DATA_DIR, file)).mode & 0o777).toString(8);
    expect([mode("."), mode("trawl.db"), mode("secret")]).toEqual(["700", "600", "600"]);
    for (const file of ["trawl.db", "trawl.db-wal", "secret"]) {
      expect(readFileSync(join(DATA_DIR, file)).includes(key)).toBe(false);
    }
    // On loopback only.
    const { port } = new URL(server.url);
    server.kill("SIGTERM");
    const { stdout } = await server.finished;
    expect(stdout.match(/Server listening at [^"]+/g)).toEqual([`Server listening at http://127.0.0.1:${port}`]);
  });

  it("says in open mode that no key is needed, and prints a line without one", async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data"), TRAWL_AUTH: "none" });
    expect(server.stdout()).toContain("Open mode");
    const line = /Try it\s+(curl .*)\n/.exec(server.stdout())?.[1] ?? "none";
    expect(line).not.toContain("Authorization");
    // Nothing of the fixture is allowed here, so the answer is a refusal, but it is an answer.
    const { stdout } = await run("sh", ["-c", line.replace("https://example.com", "http://127.0.0.1:1")]);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, code: "URL_NOT_ALLOWED" });
  });
});

describe("settings that cannot be used", () => {
  it.each([
    [{ PORT: "high" }, "PORT must be a whole number from 0 to 65535."],
    [{ PORT: "70000" }, "PORT must be a whole number from 0 to 65535."],
    [{ TRAWL_AUTH: "maybe" }, "TRAWL_AUTH must be one of keys, none."],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a URL that starts with postgres:// or postgresql://."],
    [
      { DATABASE_URL: "postgres://localhost/x" },
      "TRAWL_SECRET is required with DATABASE_URL: at least 32 characters, the same on every server.",
    ],
    [{ TRAWL_API_KEYS: "team-without-key" }, "TRAWL_API_KEYS must be a comma-separated list of team:key"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of fatal, error"],
  ])("%j stops the start with one sentence", async (env, sentence) => {
    const { code, stderr, stdout } = await runCommand(["serve"], {
      DATA_DIR: join(temporaryFolder(), "data"),
      ...env,
    } as Record<string, string>);
    expect(code).toBe(2);
    expect(stderr).toContain(`trawl: ${sentence}`);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout).toBe("");
  });

  it("a port in use is one sentence too", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const { code, stderr } = await runCommand(["serve"], {
      DATA_DIR: join(temporaryFolder(), "data"),
      PORT: String((blocker.address() as AddressInfo).port),
    });
    blocker.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^trawl: .*EADDRINUSE.*\n$/);
  });

  it("a database that is away, or a data folder that is a file, is one sentence too", async () => {
    const away = await runCli(["serve"], { DATABASE_URL: "postgres://127.0.0.1:1/none", TRAWL_SECRET: "x".repeat(32) });
    expect([away.code, away.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(away.stderr).toMatch(/^trawl: .*DATABASE_URL/);
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const broken = await runCommand(["serve"], { DATA_DIR: file });
    expect([broken.code, broken.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(broken.stderr).toMatch(/^trawl: .*DATA_DIR/);
  });
});

describe.each(["sqlite", "postgres"])("kill -9 right after the answer, on %s", (engine) => {
  it("loses neither the scrape nor its charge", async () => {
    const site = await startSite({ "/": "<h1>Kept</h1>" });
    const env: Record<string, string> = {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      TRAWL_API_KEYS: "acme:my-key-of-the-tests",
      HOST: "127.0.0.1",
      ...(engine === "sqlite"
        ? { DATA_DIR: join(temporaryFolder(), "data") }
        : { DATABASE_URL: (await createEmptyDatabase()).url, TRAWL_SECRET: "x".repeat(32) }),
    };
    const headers = { authorization: "Bearer my-key-of-the-tests", "content-type": "application/json" };
    const ids: string[] = [];
    for (let round = 1; round <= 2; round += 1) {
      const server = await startServer(env);
      const body = JSON.stringify({ url: site.url, maxAge: 0 });
      const answer = await fetch(`${server.url}/v2/scrape`, { method: "POST", headers, body });
      const { data } = (await answer.json()) as { data: { metadata: { scrapeId: string } } };
      server.kill("SIGKILL");
      await server.finished;
      ids.push(data.metadata.scrapeId);
    }
    const last = await openServer(env);
    for (const id of ids) {
      const stored = await fetch(`${last.url}/v2/scrape/${id}`, { headers });
      expect(await stored.json()).toMatchObject({
        success: true,
        data: { markdown: expect.stringContaining("# Kept") },
      });
    }
    const history = await fetch(`${last.url}/v2/team/credit-usage/historical`, { headers });
    expect(await history.json()).toMatchObject({ periods: [{ totalCredits: 2 }] });
    await site.close();
  });
});

describe("SIGTERM", () => {
  it("lets a running request finish, refuses new ones, and exits with 0", async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data"), TRAWL_API_KEYS: "acme:my-key" });
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.on("data", (text) => {
      answer += text;
    });
    socket.write(
      "POST /v2/map HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer my-key\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n",
    );
    await expect.poll(async () => (await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    server.kill("SIGTERM");
    await expect.poll(() => server.stdout()).toContain('"msg":"stopping"');
    await expect
      .poll(() =>
        fetch(`${server.url}/`).then(
          () => "served",
          () => "refused",
        ),
      )
      .toBe("refused");
    socket.write('{"url":"http://10.0.0.1/page"}');
    await once(socket, "close");
    expect(answer).toContain("HTTP/1.1 403");
    expect(answer).toContain("connection: close");
    expect((await server.finished).code).toBe(0);
    expect(server.stdout()).toContain('"msg":"stopped"');
  });

  it("turns readiness red from the first moment on connections that are still open", async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data"), TRAWL_API_KEYS: "acme:my-key" });
    const { port } = new URL(server.url);
    const [asking, holding] = [connect(Number(port), "127.0.0.1"), connect(Number(port), "127.0.0.1")];
    let answer = "";
    asking.on("data", (text) => {
      answer += text;
    });
    // Half a request each: the server waits for the rest, so neither connection is idle when it stops.
    asking.write("GET /health/readiness HTTP/1.1\r\nHost: x\r\n");
    holding.write("GET / HTTP/1.1\r\n");
    await expect.poll(async () => (await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    server.kill("SIGTERM");
    await expect.poll(() => server.stdout()).toContain('"msg":"stopping"');
    asking.write("\r\n");
    await once(asking, "close");
    expect(answer).toContain("HTTP/1.1 503");
    expect(answer).toContain('"status":"stopping"');
    holding.destroy();
    expect((await server.finished).code).toBe(0);
  });

  it("ends a server whose log has no reader any more, which goes on serving until then", async () => {
    const env = { DATA_DIR: join(temporaryFolder(), "data"), TRAWL_API_KEYS: "acme:my-key", STOP_TIMEOUT_MS: "5000" };
    const server = await startServer(env);
    server.closeOutput();
    const headers = { authorization: "Bearer my-key" };
    // More lines than the log holds back.
    for (let count = 0; count < 60; count += 1) await fetch(`${server.url}/v2/team/credit-usage`, { headers });
    await fetch(`${server.url}/v2/missing`, { headers });
    expect((await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    server.kill("SIGTERM");
    expect((await server.finished).code).toBe(0);
  });

  it("cuts what does not finish in time, and a second signal ends at once", async () => {
    const hang = async (stopTimeout: string) => {
      const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data"), STOP_TIMEOUT_MS: stopTimeout });
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {});
      socket.write("GET / HTTP/1.1\r\n");
      await expect.poll(async () => (await fetch(`${server.url}/health/liveness`)).status).toBe(200);
      server.kill("SIGTERM");
      await expect.poll(() => server.stdout()).toContain('"msg":"stopping"');
      return server;
    };
    const patient = await hang("200");
    expect((await patient.finished).code).toBe(0);
    const impatient = await hang("60000");
    impatient.kill("SIGTERM");
    expect((await impatient.finished).code).toBe(1);
  });
});
