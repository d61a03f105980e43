// `trawl serve` as a user meets it: first start, settings, crashes, stopping.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command.ts";
import { startSite } from "../support/fixture-site.ts";
import { openServer } from "../support/near-server.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { sharedRun } from "../support/shared-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const usage = "/v2/team/credit-usage";

describe("the first start", () => {
  /** A server in a new folder, stopped and started again. */
  const started = sharedRun(async () => {
    const site = await startSite({ "/": "<title>Fixture</title><main><h1>Hello from here</h1></main>" });
    onTestFinished(() => site.close());
    const DATA_DIR = join(temporaryFolder(), "data");
    const env = { DATA_DIR, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const first = await startServer(env);
    const key = /API key\s+(fc-[0-9a-f]{32})/.exec(first.stdout())?.[1] ?? "none";
    const line = /Try it\s+(curl .*)\n/.exec(first.stdout())?.[1] ?? "none";
    const pasted = await run("sh", ["-c", line.replace("https://example.com", site.url)]);
    const statuses = [];
    for (const path of ["docs", "health/readiness"]) statuses.push((await fetch(`${first.url}/${path}`)).status);

    const made = await runCommand(["dashboard-link"], env);
    const signIn = async (text: string) => {
      const link = /\/dashboard\/sign-in#([\w-]{43})/.exec(text)?.[1];
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ link });
      return (await fetch(`${first.url}/dashboard/api/sign-in`, { method: "POST", headers, body })).status;
    };
    const texts = [first.stdout(), made.stdout];
    const signIns = [await Promise.all(texts.map(signIn)), await Promise.all(texts.map(signIn))];
    const ofNobody = await runCommand(["dashboard-link", "--team", "nobody"], env);

    const mode = (file: string) => (statSync(join(DATA_DIR, file)).mode & 0o777).toString(8);
    const modes = [mode("."), mode("trawl.db"), mode("secret")];
    const withKey = ["trawl.db", "trawl.db-wal", "secret"].filter((file) =>
      readFileSync(join(DATA_DIR, file)).includes(key),
    );
    first.kill("SIGTERM");
    const { code, stdout } = await first.finished;
    const second = await startServer(env);
    const again = await fetch(second.url + usage, { headers: { authorization: `Bearer ${key}` } });
    return {
      answer: JSON.parse(pasted.stdout),
      statuses,
      signIns,
      ofNobody,
      key,
      modes,
      withKey,
      code,
      stdout,
      port: new URL(first.url).port,
      secondStdout: second.stdout(),
      again: again.status,
    };
  });

  it("prints the API page, a new key once, and a curl line that works as pasted", async () => {
    const { answer, statuses, code, secondStdout, again } = await started();
    expect(answer).toMatchObject({
      success: true,
      data: { markdown: expect.stringContaining("# Hello from here") },
    });
    expect([statuses, code]).toEqual([[200, 200], 0]);
    expect(secondStdout).not.toContain("fc-");
    expect(again).toBe(200);
  });

  it("prints a link to the dashboard, and trawl dashboard-link another; each signs in once", async () => {
    const { signIns, ofNobody } = await started();
    expect(signIns).toEqual([
      [200, 200],
      [401, 401],
    ]);
    expect(ofNobody.code).toBe(2);
  });

  it("keeps the data folder, the database and the secret to its owner, never the key, and listens on loopback only", async () => {
    const { key, modes, withKey, stdout, port } = await started();
    expect(key).not.toBe("none");
    expect(modes).toEqual(["700", "600", "600"]);
    expect(withKey).toEqual([]);
    // On loopback only.
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
    const server = await startServer(env);
    const body = JSON.stringify({ url: site.url, maxAge: 0 });
    const answer = await fetch(`${server.url}/v2/scrape`, { method: "POST", headers, body });
    const { data } = (await answer.json()) as { data: { metadata: { scrapeId: string } } };
    server.kill("SIGKILL");
    await server.finished;
    const last = await openServer(env);
    const stored = await fetch(`${last.url}/v2/scrape/${data.metadata.scrapeId}`, { headers });
    expect(await stored.json()).toMatchObject({ success: true, data: { markdown: expect.stringContaining("# Kept") } });
    const history = await fetch(`${last.url}/v2/team/credit-usage/historical`, { headers });
    expect(await history.json()).toMatchObject({ periods: [{ totalCredits: 1 }] });
    await site.close();
  });
});

describe("SIGTERM", () => {
  /** A server that is stopped while three connections are in the middle of a request. */
  const stopped = sharedRun(async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data"), TRAWL_API_KEYS: "acme:my-key" });
    const begin = (text: string) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      let answer = "";
      socket.on("data", (more) => {
        answer += more;
      });
      socket.write(text);
      return { socket, closed: once(socket, "close"), answer: () => answer };
    };
    const mapping = begin(
      "POST /v2/map HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer my-key\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n",
    );
    // Half a request each: the server waits for the rest, so no connection is idle when it stops.
    const asking = begin("GET /health/readiness HTTP/1.1\r\nHost: x\r\n");
    const holding = begin("GET / HTTP/1.1\r\n");
    await expect.poll(async () => (await fetch(`${server.url}/health/liveness`)).status).toBe(200);
    server.kill("SIGTERM");
    await expect.poll(() => server.stdout()).toContain('"msg":"stopping"');
    asking.socket.write("\r\n");
    await asking.closed;
    const ask = () =>
      fetch(`${server.url}/`).then(
        () => "served",
        () => "refused",
      );
    await expect.poll(ask).toBe("refused");
    mapping.socket.write('{"url":"http://10.0.0.1/page"}');
    await mapping.closed;
    holding.socket.destroy();
    const { code } = await server.finished;
    return { mapped: mapping.answer(), asked: asking.answer(), code, stdout: server.stdout() };
  });

  it("lets a running request finish, refuses new ones, and exits with 0", async () => {
    const { mapped, code, stdout } = await stopped();
    expect(mapped).toContain("HTTP/1.1 403");
    expect(mapped).toContain("connection: close");
    expect(code).toBe(0);
    expect(stdout).toContain('"msg":"stopped"');
  });

  it("turns readiness red from the first moment on connections that are still open", async () => {
    const { asked } = await stopped();
    expect(asked).toContain("HTTP/1.1 503");
    expect(asked).toContain('"status":"stopping"');
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
