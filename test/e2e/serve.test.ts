// The command line as a user meets it: first start, settings, keys, stopping.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { startSite } from "../support/fixture-site.ts";
import { createDatabase } from "../support/postgres.ts";
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

  it("keeps the data folder, the database and the secret to its owner, and never the key", async () => {
    const DATA_DIR = join(temporaryFolder(), "data");
    const server = await startServer({ DATA_DIR });
    const key = /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none";
    const mode = (file: string) => (statSync(join(DATA_DIR, file)).mode & 0o777).toString(8);
    expect([mode("."), mode("trawl.db"), mode("secret")]).toEqual(["700", "600", "600"]);
    for (const file of ["trawl.db", "trawl.db-wal", "secret"]) {
      expect(readFileSync(join(DATA_DIR, file)).includes(key)).toBe(false);
    }
  });

  it("listens on loopback only", async () => {
    const server = await startServer({ DATA_DIR: join(temporaryFolder(), "data") });
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
    const { code, stderr, stdout } = await runCli(["serve"], {
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
    const { code, stderr } = await runCli(["serve"], {
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
    const broken = await runCli(["serve"], { DATA_DIR: file });
    expect([broken.code, broken.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(broken.stderr).toMatch(/^trawl: .*DATA_DIR/);
  });
});

describe.each(["sqlite", "postgres"])("keys and teams from the command line, on %s", (engine) => {
  it("are made, listed and revoked while the server runs", async () => {
    const env: Record<string, string> =
      engine === "sqlite"
        ? { DATA_DIR: join(temporaryFolder(), "data") }
        : { DATABASE_URL: (await createDatabase(inject("postgresUrl"))).url, TRAWL_SECRET: "x".repeat(32) };
    const server = await startServer(env);
    const status = async (key: string) =>
      (await fetch(server.url + usage, { headers: { authorization: `Bearer ${key}` } })).status;

    expect((await runCli(["teams", "create", "research"], env)).stdout).toContain("Created team research");
    expect((await runCli(["teams", "create", "research"], env)).code).toBe(2);
    const made = await runCli(["keys", "create", "--team", "research", "--name", "laptop"], env);
    const key = made.stdout.split("\n")[0] ?? "";
    expect(key).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(await status(key)).toBe(200);

    const listed = JSON.parse((await runCli(["keys", "list", "--json"], env)).stdout);
    expect(listed).toHaveLength(2);
    expect(listed[1]).toMatchObject({ team: "research", name: "laptop", lastFour: key.slice(-4), revoked: null });
    const table = (await runCli(["keys", "list", "--team", "research"], env)).stdout;
    expect(table).toContain("laptop");
    expect(table).not.toContain(key);
    expect(
      JSON.parse((await runCli(["teams", "list", "--json"], env)).stdout).map((team: { name: string }) => team.name),
    ).toEqual(["default", "research"]);

    expect((await runCli(["keys", "revoke", key.slice(-4)], env)).stdout).toContain("Revoked key");
    expect(await status(key)).toBe(401);
    expect((await runCli(["keys", "revoke", key], env)).code).toBe(2);
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
        : { DATABASE_URL: (await createDatabase(inject("postgresUrl"))).url, TRAWL_SECRET: "x".repeat(32) }),
    };
    const headers = { authorization: "Bearer my-key-of-the-tests", "content-type": "application/json" };
    const ids: string[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const server = await startServer(env);
      const body = JSON.stringify({ url: site.url, maxAge: 0 });
      const answer = await fetch(`${server.url}/v2/scrape`, { method: "POST", headers, body });
      const { data } = (await answer.json()) as { data: { metadata: { scrapeId: string } } };
      server.kill("SIGKILL");
      await server.finished;
      ids.push(data.metadata.scrapeId);
    }
    const last = await startServer(env);
    for (const id of ids) {
      const stored = await fetch(`${last.url}/v2/scrape/${id}`, { headers });
      expect(await stored.json()).toMatchObject({
        success: true,
        data: { markdown: expect.stringContaining("# Kept") },
      });
    }
    const history = await fetch(`${last.url}/v2/team/credit-usage/historical`, { headers });
    expect(await history.json()).toMatchObject({ periods: [{ totalCredits: 3 }] });
    await site.close();
  });
});

describe("trawl scrape", () => {
  it("prints markdown, or the whole answer with --json, and says what went wrong in one line", async () => {
    const site = await startSite({ "/": "<title>Fixture</title><main><h1>Printed</h1><p>Text</p></main>" });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const plain = await runCli(["scrape", site.url], env);
    expect([plain.code, plain.stdout.trim()]).toEqual([0, "# Printed\n\nText"]);
    const whole = await runCli(["scrape", site.url, "--json"], env);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, data: { metadata: { title: "Fixture" } } });
    const refused = await runCli(["scrape", "http://10.0.0.1/"], env);
    expect([refused.code, refused.stderr.trim()]).toEqual([1, "trawl: This URL is not allowed."]);
    const missing = await runCli(["scrape", `${site.url}/nowhere`], env);
    expect([missing.code, missing.stderr.trim()]).toEqual([0, "trawl: The page's server answered 404."]);
    await site.close();
  });
});

describe("trawl search", () => {
  it("prints title, address and passage, or the whole answer with --json, and warns beside them", async () => {
    const service = await startSite(() => (request, response) => {
      const isFirst = request.url?.includes("pageno=1") === true;
      const results = isFirst
        ? [{ url: "https://example.com/", title: "Open data", content: "A \u001b[31mportal" }]
        : [];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
    });
    const env = { DATA_DIR: join(temporaryFolder(), "data") };
    const withService = { ...env, SEARXNG_ENDPOINT: service.url };
    expect(await runCli(["search", "open", "data", "--limit", "1"], withService)).toEqual({
      code: 0,
      stdout: "Open data\nhttps://example.com/\nA  [31mportal\n",
      stderr: "",
    });
    const whole = await runCli(["search", "open data", "--json"], withService);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, data: { web: [{ position: 1 }] } });
    const empty = await runCli(["search", "open data"], env);
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", expect.stringContaining("SEARXNG_ENDPOINT")]);
    expect((await runCli(["search"], env)).code).toBe(2);
    await service.close();
  });
});

describe("trawl index", () => {
  it("adds a page or what a sitemap lists, tells what there is, and removes a page or a host", async () => {
    const page = (title: string) => `<title>${title}</title><main><h1>${title}</h1><p>About ${title}.</p></main>`;
    const site = await startSite({
      "/": page("Copper"),
      "/tin": page("Tin"),
      "/lead": page("Lead"),
      "/list.xml": "<urlset><url><loc>/tin</loc></url><url><loc>/lead</loc></url><url><loc>/gone</loc></url></urlset>",
    });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const stats = async (...options: string[]) =>
      JSON.parse((await runCli(["index", "stats", "--json", ...options], env)).stdout)[0];
    expect(await stats()).toEqual({ team: "default", pages: 0, hosts: 0, textBytes: 0, latest: null });

    const added = await runCli(["index", "add", site.url], env);
    expect([added.code, added.stdout]).toEqual([0, "The local index has 1 pages, 1 more than before.\n"]);
    const listed = await runCli(["index", "add", `${site.url}/list.xml`], env);
    expect([listed.code, listed.stdout]).toEqual([0, "The local index has 3 pages, 2 more than before.\n"]);
    expect(listed.stderr).toContain("completed: 3 of 3 pages");
    expect(await stats()).toMatchObject({ pages: 3, hosts: 1, latest: expect.any(String) });
    expect((await runCli(["search", "tin"], env)).stdout).toContain(`${site.url}/tin`);

    expect((await runCli(["index", "remove", `${site.url}/tin`], env)).stdout).toBe("Removed 1 page.\n");
    expect((await runCli(["search", "tin"], env)).stdout).not.toContain(`${site.url}/tin`);
    expect((await runCli(["index", "remove", "127.0.0.1"], env)).stdout).toBe("Removed 2 pages.\n");
    expect((await runCli(["index", "remove", "127.0.0.1"], env)).stdout).toBe("No page of the local index matches.\n");

    await runCli(["teams", "create", "acme"], env);
    expect(await stats("--team", "acme")).toMatchObject({ team: "acme", pages: 0 });
    expect((await runCli(["index", "stats", "--team", "absent"], env)).code).toBe(2);
    expect((await runCli(["index", "add"], env)).code).toBe(2);
    expect((await runCli(["index", "remove"], env)).code).toBe(2);
    const off = await runCli(["index", "add", site.url], { ...env, OWN_INDEX: "0" });
    expect([off.code, off.stderr]).toEqual([2, expect.stringContaining("OWN_INDEX")]);
    await site.close();
  }, 300_000);
});

describe("trawl map", () => {
  it("prints addresses line by line, or the whole answer with --json, and warns beside them", async () => {
    const site = await startSite({
      "/": '<title>Fixture</title><a href="/about">About</a>',
      "/sitemap.xml": "<urlset><url><loc>/listed</loc></url><url><loc>/pricing</loc></url></urlset>",
    });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const lines = (...paths: string[]) => paths.map((path) => `${site.url}${path}\n`).join("");
    expect(await runCli(["map", site.url], env)).toEqual({
      code: 0,
      stdout: lines("/", "/listed", "/pricing", "/about"),
      stderr: "",
    });
    const some = await runCli(["map", site.url, "--search", "pricing", "--limit", "1", "--no-subdomains"], env);
    expect(some.stdout).toBe(lines("/pricing"));
    expect((await runCli(["map", site.url, "--sitemap", "only"], env)).stdout).toBe(lines("/listed", "/pricing"));
    const whole = await runCli(["map", site.url, "--json"], env);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, links: [{ title: "Fixture" }, {}, {}, {}] });
    const empty = await runCli(["map", `${site.url}/nowhere`], env);
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", expect.stringContaining("answered 404")]);
    const refused = await runCli(["map", "http://10.0.0.1/"], env);
    expect([refused.code, refused.stderr.trim()]).toEqual([1, "trawl: This URL is not allowed."]);
    await site.close();
  });
});

describe("trawl crawl and trawl batch", () => {
  it("write one file a page, or print all of them, and say how it went", async () => {
    const site = await startSite({
      "/": '<title>Home</title><h1>Home</h1><a href="/about">About</a> <a href="/a/b?c=1">Deep</a>',
      "/about": "<title>About</title><h1>About</h1>",
      "/a/b?c=1": "<title>Deep</title><h1>Deep</h1>",
      "/robots.txt": "User-agent: *\nDisallow: /private/",
    });
    const folder = temporaryFolder();
    const env = { DATA_DIR: join(folder, "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const crawled = await runCli(["crawl", site.url, "-o", join(folder, "pages")], env);
    expect(crawled).toEqual({ code: 0, stdout: "", stderr: "completed: 3 of 3 pages\n" });
    const host = new URL(site.url).host.replace(":", "-");
    expect(readdirSync(join(folder, "pages")).sort()).toEqual([`${host}-a-b-c-1.md`, `${host}-about.md`, `${host}.md`]);
    expect(readFileSync(join(folder, "pages", `${host}-about.md`), "utf8")).toBe("# About\n");

    const list = join(folder, "list.txt");
    writeFileSync(list, `# addresses\n${site.url}/about\n\nnot an address\n`);
    const read = await runCli(["batch", list, "--json"], env);
    expect(read.code).toBe(0);
    expect(JSON.parse(read.stdout)).toMatchObject({ markdown: "# About", metadata: { statusCode: 200 } });
    expect(read.stderr).toBe("trawl: Invalid URL: not an address\ncompleted: 1 of 1 pages\n");
    const missing = await runCli(["batch", join(folder, "nowhere")], env);
    expect([missing.code, missing.stderr.trim().split("\n").length]).toEqual([2, 1]);
    const refused = await runCli(["crawl", `${site.url}/private/`], env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("No page could be read")]);
    await site.close();
  });
});

describe("the command", () => {
  it.each([
    [[], "trawl serve"],
    [["help"], "trawl serve"],
    [["--version"], "0.1.0"],
  ] as const)("answers %j", async (args, text) => {
    const { code, stdout } = await runCli([...args], {});
    expect(code).toBe(0);
    expect(stdout).toContain(text);
  });

  it.each([
    [["fly"]],
    [["keys", "steal"]],
    [["keys", "revoke"]],
    [["teams", "create"]],
    [["serve", "--fast"]],
    [["serve", "extra"]],
    [["teams", "create", "a", "b"]],
    [["teams", "create", ""]],
    [["teams", "create", "a\nb"]],
    [["keys", "create", "--name", "x".repeat(65)]],
    [["scrape"]],
    [["scrape", "ftp://x"]],
    [["map"]],
    [["map", "ftp://x"]],
    [["map", "http://a.test", "--limit", "many"]],
    [["map", "http://a.test", "--sitemap", "never"]],
    [["scrape", "foo"]],
    [["crawl", "foo"]],
    [["extract", "foo"]],
  ])("refuses %j in one line", async (args) => {
    const { code, stderr } = await runCli(args, { DATA_DIR: join(temporaryFolder(), "data") });
    expect(code).toBe(2);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [["scrape", "http://a.test", "--fast"], "Unknown option --fast. See trawl help."],
    [["search", "words", "--sitemap", "only"], "trawl search does not accept --sitemap. See trawl help."],
    [["keys"], "trawl keys needs one of create, list, revoke. See trawl help."],
    [["index", "drop"], "trawl index needs one of stats, add, remove. See trawl help."],
    [["map", "http://a.test", "--limit", "many"], "--limit must be a whole number."],
    [["scrape", "http://a.test", "--wait", "long"], "--wait must be a whole number."],
  ])("tells %j what it accepts", async (args, line) => {
    const { stderr } = await runCli(args, { DATA_DIR: join(temporaryFolder(), "data") });
    expect(stderr).toBe(`trawl: ${line}\n`);
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
