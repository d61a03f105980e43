// The commands besides `trawl serve`, as a user meets them. The first of most tests runs in its own process.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { startSite } from "../support/fixture-site.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const usage = "/v2/team/credit-usage";
const pageFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort();

describe.each(["sqlite", "postgres"])("keys and teams from the command line, on %s", (engine) => {
  it("are made, listed and revoked while the server runs", async () => {
    const env: Record<string, string> =
      engine === "sqlite"
        ? { DATA_DIR: join(temporaryFolder(), "data") }
        : { DATABASE_URL: (await createEmptyDatabase()).url, TRAWL_SECRET: "x".repeat(32) };
    const server = await startServer(env);
    const status = async (key: string) =>
      (await fetch(server.url + usage, { headers: { authorization: `Bearer ${key}` } })).status;

    expect((await runCommand(["teams", "create", "research"], env)).stdout).toContain("Created team research");
    expect((await runCommand(["teams", "create", "research"], env)).code).toBe(2);
    const made = await runCommand(["keys", "create", "--team", "research", "--name", "laptop"], env);
    const key = made.stdout.split("\n")[0] ?? "";
    expect(key).toMatch(/^fc-[0-9a-f]{32}$/);
    expect(await status(key)).toBe(200);

    const listed = JSON.parse((await runCommand(["keys", "list", "--json"], env)).stdout);
    expect(listed).toHaveLength(2);
    expect(listed[1]).toMatchObject({ team: "research", name: "laptop", lastFour: key.slice(-4), revoked: null });
    const table = (await runCommand(["keys", "list", "--team", "research"], env)).stdout;
    expect(table).toContain("laptop");
    expect(table).not.toContain(key);
    expect(
      JSON.parse((await runCommand(["teams", "list", "--json"], env)).stdout).map(
        (team: { name: string }) => team.name,
      ),
    ).toEqual(["default", "research"]);

    expect((await runCommand(["keys", "revoke", key.slice(-4)], env)).stdout).toContain("Revoked key");
    // Other processes forget a key within a tenth of a second.
    await expect.poll(() => status(key)).toBe(401);
    expect((await runCommand(["keys", "revoke", key], env)).code).toBe(2);
  });
});

describe("trawl scrape", () => {
  it("prints markdown, or the whole answer with --json, and says what went wrong in one line", async () => {
    const site = await startSite({ "/": "<title>Fixture</title><main><h1>Printed</h1><p>Text</p></main>" });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const plain = await runCli(["scrape", site.url], env);
    expect([plain.code, plain.stdout.trim()]).toEqual([0, "# Printed\n\nText"]);
    const whole = await runCommand(["scrape", site.url, "--json"], env);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, data: { metadata: { title: "Fixture" } } });
    const refused = await runCommand(["scrape", "http://10.0.0.1/"], env);
    expect([refused.code, refused.stderr.trim()]).toEqual([1, "trawl: This URL is not allowed."]);
    const missing = await runCommand(["scrape", `${site.url}/nowhere`], env);
    expect([missing.code, missing.stderr.trim().split("\n")]).toEqual([
      0,
      ["trawl: The page's server answered 404.", "trawl: The site reports that this page does not exist."],
    ]);
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
    expect(await runCommand(["search", "open", "data", "--limit", "1"], withService)).toEqual({
      code: 0,
      stdout: "Open data\nhttps://example.com/\nA  [31mportal\n",
      stderr: "",
    });
    const whole = await runCommand(["search", "open data", "--json"], withService);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, data: { web: [{ position: 1 }] } });
    const empty = await runCommand(["search", "open data"], env);
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", expect.stringContaining("SEARXNG_ENDPOINT")]);
    expect((await runCommand(["search"], env)).code).toBe(2);
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
      JSON.parse((await runCommand(["index", "stats", "--json", ...options], env)).stdout)[0];
    expect(await stats()).toEqual({ team: "default", pages: 0, hosts: 0, textBytes: 0, latest: null });

    const added = await runCommand(["index", "add", site.url], env);
    expect([added.code, added.stdout]).toEqual([0, "The local index has 1 pages, 1 more than before.\n"]);
    const listed = await runCommand(["index", "add", `${site.url}/list.xml`], env);
    expect([listed.code, listed.stdout]).toEqual([0, "The local index has 3 pages, 2 more than before.\n"]);
    expect(listed.stderr).toContain("completed: 3 of 3 pages");
    expect(await stats()).toMatchObject({ pages: 3, hosts: 1, latest: expect.any(String) });
    expect((await runCommand(["search", "tin"], env)).stdout).toContain(`${site.url}/tin`);

    expect((await runCommand(["index", "remove", `${site.url}/tin`], env)).stdout).toBe("Removed 1 page.\n");
    expect((await runCommand(["search", "tin"], env)).stdout).not.toContain(`${site.url}/tin`);
    expect((await runCommand(["index", "remove", "127.0.0.1"], env)).stdout).toBe("Removed 2 pages.\n");
    expect((await runCommand(["index", "remove", "127.0.0.1"], env)).stdout).toBe(
      "No page in the local index matches.\n",
    );

    const files = temporaryFolder();
    mkdirSync(join(files, "deep"));
    writeFileSync(join(files, "zinc.md"), "# Zinc\n\nZinc is a metal.");
    writeFileSync(join(files, "deep", "brass.txt"), "Brass holds zinc.");
    writeFileSync(join(files, "picture.png"), "x");
    const filed = await runCommand(["index", "add", files], env);
    expect([filed.code, filed.stdout]).toEqual([
      0,
      expect.stringMatching(/^Added 2 files\. 1 file was skipped: only texts/),
    ]);
    const found = (await runCommand(["search", "zinc"], env)).stdout;
    expect(found).toContain(pathToFileURL(join(files, "zinc.md")).href);
    expect(found).toContain(pathToFileURL(join(files, "deep", "brass.txt")).href);
    const followed = await runCommand(["index", "add", site.url, "--follow", "--limit", "3"], env);
    expect([followed.code, followed.stdout]).toEqual([
      0,
      expect.stringMatching(/^The local index has \d+ pages, [1-3] more/),
    ]);
    expect((await runCommand(["search", "copper"], env)).stdout).toContain(site.url);
    const brass = pathToFileURL(join(files, "deep", "brass.txt")).href;
    expect((await runCommand(["index", "remove", brass], env)).stdout).toBe("Removed 1 page.\n");
    const none = "No page in the local index matches.\n";
    expect((await runCommand(["index", "remove", join(files, "zin")], env)).stdout).toBe(none);
    expect((await runCommand(["index", "remove", files], env)).stdout).toBe("Removed 1 page.\n");
    expect((await runCommand(["index", "remove", files], env)).stdout).toBe(none);
    expect((await runCommand(["index", "add", files, "--follow"], env)).code).toBe(2);
    expect((await runCommand(["index", "add", site.url, "--limit", "3"], env)).code).toBe(2);

    await runCommand(["teams", "create", "acme"], env);
    expect(await stats("--team", "acme")).toMatchObject({ team: "acme", pages: 0 });
    expect((await runCommand(["index", "stats", "--team", "absent"], env)).code).toBe(2);
    expect((await runCommand(["index", "add"], env)).code).toBe(2);
    expect((await runCommand(["index", "remove"], env)).code).toBe(2);
    const off = await runCommand(["index", "add", site.url], { ...env, OWN_INDEX: "0" });
    expect([off.code, off.stderr]).toEqual([2, expect.stringContaining("OWN_INDEX")]);
    await site.close();
  });
});

describe("trawl map", () => {
  it("prints addresses line by line, or the whole answer with --json, and warns beside them", async () => {
    const site = await startSite({
      "/": '<title>Fixture</title><a href="/about">About</a>',
      "/sitemap.xml": "<urlset><url><loc>/listed</loc></url><url><loc>/pricing</loc></url></urlset>",
    });
    const env = { DATA_DIR: join(temporaryFolder(), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const lines = (...paths: string[]) => paths.map((path) => `${site.url}${path}\n`).join("");
    expect(await runCommand(["map", site.url], env)).toEqual({
      code: 0,
      stdout: lines("/", "/listed", "/pricing", "/about"),
      stderr: "",
    });
    const some = await runCommand(["map", site.url, "--search", "pricing", "--limit", "1", "--no-subdomains"], env);
    expect(some.stdout).toBe(lines("/pricing"));
    expect((await runCommand(["map", site.url, "--sitemap", "only"], env)).stdout).toBe(lines("/listed", "/pricing"));
    const whole = await runCommand(["map", site.url, "--json"], env);
    expect(JSON.parse(whole.stdout)).toMatchObject({ success: true, links: [{ title: "Fixture" }, {}, {}, {}] });
    const empty = await runCommand(["map", `${site.url}/nowhere`], env);
    expect([empty.code, empty.stdout, empty.stderr]).toEqual([0, "", expect.stringContaining("answered 404")]);
    const refused = await runCommand(["map", "http://10.0.0.1/"], env);
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
    const crawled = await runCommand(["crawl", site.url, "-o", join(folder, "pages/")], env);
    expect(crawled).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/^(scraping: .*\n)*completed: 3 of 3 pages\n$/),
    });
    const host = new URL(site.url).host.replace(":", "-");
    expect(pageFiles(join(folder, "pages"))).toEqual([`${host}-a-b-c-1.md`, `${host}-about.md`, `${host}.md`]);
    expect(readFileSync(join(folder, "pages", `${host}-about.md`), "utf8")).toMatch(
      /^---\nurl: "http:.*\/about"\ntitle: "About"\ndate: "\d{4}-.*"\ndescription: ""\n---\n\n# About\n$/,
    );

    const list = join(folder, "list.txt");
    writeFileSync(list, `# addresses\n${site.url}/about\n\nnot an address\n`);
    const read = await runCommand(["batch", list, "--json"], env);
    expect(read.code).toBe(0);
    expect(JSON.parse(read.stdout)).toMatchObject({ markdown: "# About", metadata: { statusCode: 200 } });
    expect(read.stderr).toBe("trawl: Invalid URL: not an address\ncompleted: 1 of 1 pages\n");
    const missing = await runCommand(["batch", join(folder, "nowhere")], env);
    expect([missing.code, missing.stderr.trim().split("\n").length]).toEqual([2, 1]);
    const refused = await runCommand(["crawl", `${site.url}/private/`], env);
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
    const { code, stderr } = await runCommand(args, { DATA_DIR: join(temporaryFolder(), "data") });
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
    const { stderr } = await runCommand(args, { DATA_DIR: join(temporaryFolder(), "data") });
    expect(stderr).toBe(`trawl: ${line}\n`);
  });
});
