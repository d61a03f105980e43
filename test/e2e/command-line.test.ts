// What the command line promises besides the work of each verb: flags, outputs, servers, interrupts, exit codes.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorTable } from "../../src/base/index.ts";
import { verbs } from "../../src/cli/command/verb-table.ts";
import { openPageFolder, stemOf } from "../../src/cli/files/page-files.ts";
import { toFlag } from "../../src/cli/service/flags.ts";
import { type Document, requestFields } from "../../src/contract/index.ts";
import { openZip } from "../../src/documents/packages/containers.ts";
import type { TestApp } from "../support/app.ts";
import { removeFolder } from "../support/cleanup.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runCli, startCli } from "../support/server-process.ts";
import { useApp } from "../support/shared-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const cli = join(import.meta.dirname, "../../dist/cli.js");
/** A busy machine takes long to start a process. */
const pagesOf = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".md"));

let site: FixtureSite;
beforeAll(async () => {
  site = await startSite({
    "/": '<title>Home, sweet</title><meta name="description" content="The first page"><h1>Home</h1><p>Hello \u001b[31mred\u009b2J</p><a href="/a">A</a> <a href="/b">B</a>',
    "/a": "<title>=SUM(A1)</title><h1>A</h1><p>Page a.</p>",
    "/b": "<title>B</title><h1>B</h1><p>Page b.</p>",
  });
});
afterAll(() => site.close());

/** One store for commands that come one after the other; those that are killed have their own. */
let env: Record<string, string>;
beforeAll(async () => {
  env = { DATA_DIR: join(await mkdtemp(join(tmpdir(), "t-")), "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
});
afterAll(() => removeFolder(dirname(env["DATA_DIR"] ?? "")));
const localEnv = () => ({ ...env, DATA_DIR: join(temporaryFolder(), "data") });

describe("flags", () => {
  it("exist for every scrape option, and those of a crawl beside the crawl's own", async () => {
    const { stdout } = await runCommand(["scrape", "--help"], {});
    const { fields } = requestFields("scrape");
    const absent = Object.keys(fields).filter(
      (name) => !["url", "alexandria"].includes(name) && !stdout.includes(`--${toFlag(name)}`),
    );
    expect(absent).toEqual([]);
    expect(toFlag("redactPII")).toBe("redact-pii");
    const crawl = (await runCommand(["crawl", "--help-all"], {})).stdout;
    for (const flag of ["--only-main-content", "--max-depth", "--include-paths", "--limit", "--wait-for", "--api-url"])
      expect(crawl).toContain(flag);
    expect(crawl.match(/^ {2}\$ trawl crawl /gm)).toHaveLength(2);
  });

  it("of a crawl are the ten that people need first, and all of them in groups with --help-all", async () => {
    const { stdout: short } = await runCommand(["crawl", "--help"], {});
    expect(short.length).toBeLessThan(2000);
    expect(short.match(/^ {2}(?:-\w, )?--(?!help)/gm)).toHaveLength(10);
    expect(short).toContain("--help-all");
    const { code, stdout: all } = await runCommand(["crawl", "--help-all"], {});
    expect(code).toBe(0);
    for (const group of ["Request:", "Each page:", "Output and server:"]) expect(all).toContain(`\n${group}\n`);
  });

  it("every verb has help with its own two examples", () => {
    expect(verbs.flatMap(({ name, examples }) => examples.filter((line) => !line.includes(`trawl ${name}`)))).toEqual(
      [],
    );
  });

  it("reach the request: lists, numbers, objects and their opposites", async () => {
    const words = ["scrape", site.url, "--exclude-tags", "h1,a", "--wait-for", "0", "--no-only-main-content"];
    const { code, stdout } = await runCommand([...words, "--location", "DE,de", "--headers", "X-Test: yes"], env);
    expect([code, stdout]).toEqual([0, "Hello [31mred2J\n"]);
    expect(site.headers()).toMatchObject({ "x-test": "yes", "accept-language": expect.stringMatching(/^de/) });
  });

  it("nearly right are answered with the right one", async () => {
    expect((await runCommand(["scrap", "x"], {})).stderr).toBe(
      "trawl: Unknown command: scrap. Did you mean scrape? See trawl help.\n",
    );
    const option = await runCommand(["map", "http://a.test", "--serch", "x"], {});
    expect([option.code, option.stderr]).toEqual([
      2,
      "trawl: Unknown option --serch. Did you mean --search? See trawl help.\n",
    ]);
    expect((await runCommand(["crawl", "http://a.test", "--limit"], {})).stderr).toContain("--limit needs a value");
  });
});

describe("trawl explain", () => {
  it("prints the whole entry of a code, whatever its case, without a store or a server", async () => {
    const data = join(temporaryFolder(), "untouched");
    const { code, stdout } = await runCommand(["explain", "scrape-Timeout"], { DATA_DIR: data });
    const [entry = ""] = /## SCRAPE_TIMEOUT\n[\s\S]*?(?=\n## )/.exec(readFileSync("docs/errors.md", "utf8")) ?? [];
    const said = entry.split("\n").map((line) => line.replace(/^(?:## |- |\d+: |\*\*.*?\*\* )/, ""));
    expect([code, said.length > 10]).toEqual([0, true]);
    for (const line of said) expect(stdout).toContain(line);
    expect(stdout).toContain("(status 408)");
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#scrape_timeout$/m);
    expect(existsSync(data)).toBe(false);
  });

  it("links the server of the settings, or the path alone when they are broken, and prints JSON", async () => {
    const entry = async (env: Record<string, string>) =>
      JSON.parse((await runCommand(["explain", "thread_not_found", "--json"], env)).stdout);
    expect(await entry({ PUBLIC_URL: "https://trawl.test" })).toMatchObject({
      code: "thread_not_found",
      status: 404,
      retry: false,
      causes: expect.arrayContaining(["All runs of the thread have expired."]),
      charge: "Nothing is charged.",
      link: "https://trawl.test/docs/errors#thread_not_found",
    });
    expect((await entry({ PORT: "none" })).link).toBe("/docs/errors#thread_not_found");
  });

  it("lists all codes without one, and names the nearest to an unknown one", async () => {
    const { stdout } = await runCommand(["explain"], {});
    for (const name of Object.keys(errorTable)) expect(stdout).toMatch(new RegExp(`^${name} +\\d{3} +\\S`, "m"));
    const refusal = async (word: string) => {
      const { code, stderr } = await runCommand(["explain", word], {});
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refusal("SCRAPE_TIMOUT")).toContain(": SCRAPE_TIMOUT. Did you mean SCRAPE_TIMEOUT? trawl explain");
    expect(await refusal("proxy")).toContain("Did you mean SCRAPE_PROXY_ERROR?");
    expect(await refusal("x")).toBe("trawl: Unknown error code: x. trawl explain without a code lists all codes.\n");
  });
});

describe("what is printed", () => {
  it("a URL alone is scraped, and nothing of a page steers the terminal", async () => {
    const { code, stdout } = await runCli([site.url], env);
    expect(code).toBe(0);
    expect(stdout).toContain("# Home");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stdout).not.toMatch(/[\u001b\u009b]/);
  });

  it("one format as it is, several as one object, files and folders with -o", async () => {
    const folder = temporaryFolder();
    expect((await runCommand(["scrape", site.url, "-f", "links"], env)).stdout).toBe(`${site.url}/a\n${site.url}/b\n`);
    const both = JSON.parse((await runCommand(["scrape", site.url, "-f", "markdown,links"], env)).stdout);
    expect(both).toMatchObject({
      markdown: expect.stringContaining("# Home"),
      links: [expect.any(String), expect.any(String)],
    });
    await runCommand(["scrape", site.url, "-o", join(folder, "page.md")], env);
    expect(readFileSync(join(folder, "page.md"), "utf8")).toContain("# Home");
    await runCommand(["scrape", site.url, "-o", join(folder, "pages/")], env);
    expect(pagesOf(join(folder, "pages"))).toHaveLength(1);
    const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';
    const data = await runCommand(["scrape", `${site.url}/b`, "-f", "json", "--schema", schema], env);
    expect(JSON.parse(data.stdout)).toMatchObject({ title: "B" });
  });

  it("a crawl as lines of JSON, a table, a ZIP file, or llms.txt", async () => {
    const folder = temporaryFolder();
    const lines = await runCommand(["crawl", site.url, "--jsonl"], env);
    expect(
      lines.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).metadata.title)
        .sort(),
    ).toEqual(["=SUM(A1)", "B", "Home, sweet"]);
    expect(lines.stderr).toBe("completed: 3 of 3 pages\n");
    const table = (await runCommand(["crawl", site.url, "--csv"], env)).stdout;
    expect(table).toMatch(/^url,title,description,language,statusCode,markdown\r\n/);
    expect(table).toContain(",'=SUM(A1),");
    expect(table).toContain(',"Home, sweet",The first page,');
    await runCommand(["crawl", site.url, "--zip", "-o", join(folder, "site.zip")], env);
    const zip = openZip(readFileSync(join(folder, "site.zip")));
    const name = zip.names.find((each) => each.endsWith("-b.md")) ?? "";
    expect([zip.names.length, zip.read(name)?.toString()]).toEqual([3, expect.stringContaining("Page b.")]);
    await runCommand(["crawl", site.url, "--llms-txt", "-o", folder], env);
    expect(readFileSync(join(folder, "llms.txt"), "utf8")).toMatch(
      /^# Home, sweet\n\n> The first page\n\n## Pages\n\n- \[Home, sweet\]\(http.*\): The first page\n/,
    );
    expect(readFileSync(join(folder, "llms-full.txt"), "utf8")).toContain("Page b.");
    expect((await runCommand(["crawl", site.url, "--csv", "--zip"], env)).code).toBe(2);
  });

  it.each([{}, { NO_COLOR: "1" }])(
    "progress on a terminal is one line that is overwritten, without colours (%o)",
    async (more) => {
      const { stdout, stderr } = await runCommand(["crawl", site.url, "--jsonl"], { ...env, ...more }, true);
      expect(stdout.trim().split("\n")).toHaveLength(3);
      const lines = stderr.split("\r\u001b[K");
      expect(lines.at(-1)).toBe("completed: 3 of 3 pages\n");
      expect(lines.at(-2)).toMatch(/^3 of 3 pages, [\d.]+\/s, 127\.0\.0\.1:\d+$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(lines.join("")).not.toMatch(/\u001b/);
    },
  );

  it("pages that failed make a job partly done", async () => {
    const broken = await startSite({
      "/": '<h1>Home</h1><a href="/loop">Loop</a>',
      "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
    });
    const { code, stderr } = await runCommand(["crawl", broken.url, "--jsonl"], env);
    expect([code, stderr]).toEqual([3, expect.stringContaining("1 failed")]);
    await broken.close();
  });

  it("a closed pipe ends quietly", async () => {
    const { stdout, stderr } = await run(
      "sh",
      ["-c", `node ${cli} completion bash | head -n 1; node ${cli} map ${site.url} | head -n 1`],
      {
        env: { PATH: process.env["PATH"], OPEN_SEARCH: "0", ...env },
      },
    );
    expect([stdout, stderr]).toEqual([`_trawl() {\n${site.url}/\n`, ""]);
  });

  it("completion offers verbs and flags", async () => {
    const script = (await runCommand(["completion", "bash"], {})).stdout;
    const offered = async (line: string) => {
      const words = line.split(" ");
      const program = `${script}\nCOMP_WORDS=(${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length - 1}; _trawl; echo "\${COMPREPLY[@]}"`;
      return (await run("bash", ["-c", program])).stdout.trim();
    };
    expect(await offered("trawl scr")).toBe("scrape");
    expect(await offered("trawl keys cr")).toBe("create");
    expect(await offered("trawl keys create --na")).toBe("--name");
    expect(await offered("trawl scrape --only-m")).toBe("--only-main-content");
    expect((await runCommand(["completion", "fish"], {})).stdout).toContain(
      "complete -c trawl -n __fish_use_subcommand -a scrape",
    );
    expect((await runCommand(["completion", "zsh"], {})).stdout).toMatch(/^#compdef trawl\n/);
    expect((await runCommand(["completion", "tcsh"], {})).code).toBe(2);
  });
});

describe("a folder of pages", () => {
  it.each([
    ["https://example.com/", "example.com"],
    ["https://example.com/a/b?c=1#d", "example.com-a-b-c-1-d"],
    ["https://con/", "_con"],
    ["https://nul.example/", "_nul.example"],
    ["https://example.com/../..", "example.com"],
    ["https://example.com/a:b*c|d<e>", "example.com-a-b-c-d-e"],
    ["https://example.com/ünï/中文", "example.com-ünï-中文"],
    ["", "page"],
  ])("%s becomes %s", (url, stem) => {
    expect(stemOf(url)).toBe(stem);
  });

  it("has short names, and no page takes the file of another, even where case does not count", async () => {
    const folder = temporaryFolder();
    const page = (url: string): Document => ({
      markdown: url,
      metadata: { sourceURL: url, title: 'A "title"\nof two lines' },
    });
    const long = `https://example.com/${"é".repeat(500)}`;
    const urls = ["https://example.com/A", "https://example.com/a", "https://example.com/a/", long, `${long}x`];
    writeFileSync(join(folder, "example.com-note.md"), "mine");
    for (let round = 0; round < 2; round += 1) {
      const pages = await openPageFolder(folder);
      for (const url of [...urls, "https://example.com/note"]) await pages.write(page(url));
    }
    const names = readdirSync(folder);
    expect(names).toHaveLength(7);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(7);
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBeLessThan(255);
    expect(readFileSync(join(folder, "example.com-note.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(folder, "example.com-note-2.md"), "utf8")).toContain(
      'title: "A \\"title\\"\\nof two lines"',
    );
  });
});

/** A site whose pages wait until they are let through, but for the first few. */
async function slowSite(pages: number, quick: number) {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const slow = await startSite((path) => (_request, response) => {
    const number = Number(/\d+/.exec(path)?.[0] ?? 0);
    const links = Array.from({ length: pages }, (_, place) => `<a href="/p${place + 1}">${place + 1}</a>`).join(" ");
    const answer = () =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<title>P${number}</title><h1>Page ${number}</h1>${number === 0 ? links : ""}`);
    if (path === "/robots.txt" || path.includes("sitemap")) response.writeHead(404).end();
    else if (isOpen || number <= quick) answer();
    else waiting.push(answer);
  });
  return {
    ...slow,
    open() {
      isOpen = true;
      for (const answer of waiting.splice(0)) answer();
    },
  };
}

describe("a crawl that does not come to its end", () => {
  it("is cancelled by Ctrl-C, and what is done is kept and named", async () => {
    const slow = await slowSite(6, 2);
    const folder = join(temporaryFolder(), "pages/");
    const { kill, stderr, finished } = startCli(["crawl", slow.url, "-o", folder], localEnv());
    await expect.poll(() => existsSync(folder) && pagesOf(folder).length).toBe(3);
    kill("SIGINT");
    const { code } = await finished;
    expect([code, pagesOf(folder).length]).toEqual([130, 3]);
    expect(stderr()).toMatch(/Cancelled job [\w-]{36}\. The 3 pages read so far are kept\./);
    await slow.close();
  });

  it("goes on where it was after its process was killed", async () => {
    const slow = await slowSite(6, 2);
    const folder = join(temporaryFolder(), "pages/");
    const own = localEnv();
    const killed = startCli(["crawl", slow.url, "-o", folder], own);
    await expect
      .poll(
        () =>
          existsSync(join(folder, ".trawl-job.json")) &&
          JSON.parse(readFileSync(join(folder, ".trawl-job.json"), "utf8"))?.written,
      )
      .toBe(3);
    killed.kill("SIGKILL");
    await killed.finished;
    slow.open();
    const again = startCli(["crawl", slow.url, "-o", folder], own);
    expect((await again.finished).code).toBe(0);
    expect(again.stderr()).toMatch(
      /Continuing job [\w-]{36}: 3 pages are already in the folder\.[\s\S]*completed: 7 of 7 pages/,
    );
    expect(pagesOf(folder)).toHaveLength(7);
    expect(slow.asked.filter((path) => path === "/p1")).toHaveLength(1);
    await slow.close();
  });

  it("leaves at once with a second Ctrl-C", async () => {
    const json = (body: object): string => JSON.stringify({ success: true, ...body });
    const running = { status: "scraping", total: 9, completed: 0, creditsUsed: 0, data: [] };
    // A server whose job neither ends nor can be cancelled.
    const stuck = await startSite(() => (request, response) => {
      if (request.method === "DELETE") return;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        request.method === "POST" ? json({ id: "1", url: "" }) : json({ ...running, errors: [], robotsBlocked: [] }),
      );
    });
    const { kill, stderr, finished } = startCli(["crawl", "https://a.test", "--api-url", stuck.url], {});
    const looks = () => stuck.asked.filter((path) => path.startsWith("/v2/crawl/1")).length;
    await expect.poll(looks).toBeGreaterThan(0);
    kill("SIGINT");
    await expect.poll(stderr).toContain("Press Ctrl-C again to quit at once");
    kill("SIGINT");
    expect((await finished).code).toBe(130);
    await stuck.close();
  });
});

describe("against a server", () => {
  let app: TestApp;
  let onServer: Record<string, string>;
  beforeAll(async () => {
    app = await useApp(anyEngine);
    onServer = { TRAWL_API_URL: app.url, TRAWL_API_KEY: app.key, DATA_DIR: "/dev/null/nowhere" };
  });
  afterAll(() => app.stop());

  it("works without its own store, by settings or by flags", async () => {
    expect((await runCommand(["scrape", `${site.url}/b`], onServer)).stdout).toBe("# B\n\nPage b.\n");
    const { TRAWL_API_URL: _, TRAWL_API_KEY: __, ...bare } = onServer;
    const flags = ["--api-url", app.url, "--api-key", app.key];
    expect((await runCommand([...flags, "map", site.url], bare)).stdout.split("\n")).toHaveLength(4);
    const firecrawl = { ...bare, FIRECRAWL_API_URL: app.url, FIRECRAWL_API_KEY: app.key };
    for (const word of ["credit-usage", "usage"])
      expect((await runCommand([word, "--json"], firecrawl)).stdout).toContain("remainingCredits");
    const folder = temporaryFolder();
    const crawled = await runCommand(["crawl", site.url, "-o", `${folder}/pages/`], onServer);
    expect([crawled.code, crawled.stderr]).toEqual([0, "completed: 3 of 3 pages\n"]);
    expect(pagesOf(join(folder, "pages"))).toHaveLength(3);
    mkdirSync(join(folder, "in"));
    writeFileSync(join(folder, "in", "note.md"), "# Note\n\nText");
    expect((await runCommand(["parse", join(folder, "in", "note.md")], onServer)).stdout).toContain("# Note");
    const schema = '{"type":"object","properties":{"title":{"type":"string"}}}';
    expect(
      JSON.parse((await runCommand(["extract", `${site.url}/b`, "--schema", schema], onServer)).stdout),
    ).toMatchObject({
      title: "B",
    });
    const agent = await runCommand(
      ["agent", "the title", "--urls", `${site.url}/b`, "--schema", schema, "--wait"],
      onServer,
    );
    expect([agent.code, JSON.parse(agent.stdout)]).toEqual([0, expect.objectContaining({ title: "B" })]);
  });

  it("names a job, tells its state and cancels it", async () => {
    const slow = await slowSite(3, 0);
    const { stdout } = await runCommand(["crawl", slow.url, "--no-wait"], onServer);
    const id = stdout.trim();
    expect(id).toMatch(/^[\w-]{36}$/);
    expect((await runCommand(["status", id], onServer)).stdout).toMatch(/^status +scraping$/m);
    expect(
      JSON.parse((await runCommand(["activity", "--endpoint", "crawl", "--json"], onServer)).stdout).data[0],
    ).toMatchObject({ id });
    expect((await runCommand(["cancel", id], onServer)).stdout).toBe(`Cancelled job ${id}.\n`);
    expect(JSON.parse((await runCommand(["status", id, "--json"], onServer)).stdout)).toMatchObject({
      status: "cancelled",
    });
    const unknown = await runCommand(["status", "00000000-0000-7000-8000-000000000000"], onServer);
    expect([unknown.code, unknown.stderr]).toEqual([1, "trawl: Job not found\n"]);
    await slow.close();
  });

  it("fails with one line for a wrong key, a server that is away, and a bad request", async () => {
    const wrong = await runCommand(["scrape", site.url, "--api-key", "fc-wrong"], onServer);
    expect([wrong.code, wrong.stderr]).toEqual([1, "trawl: Unauthorized: Invalid token\n"]);
    const away = await runCommand(["scrape", site.url, "--api-url", "http://127.0.0.1:9"], onServer);
    expect([away.code, away.stderr]).toEqual([1, "trawl: http://127.0.0.1:9 does not answer.\n"]);
    const bad = await runCommand(["scrape", site.url, "--timeout", "5"], onServer);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^trawl: timeout: .*1000.*\n$/)]);
    expect((await runCommand(["index", "stats"], onServer)).code).toBe(2);
    expect((await runCommand(["usage", "--team", "x"], onServer)).code).toBe(2);
  });
});

it.each(["keys", "teams", "index", "browser", "monitor", "store"])("trawl %s --help lists its verbs", async (word) => {
  for (const words of [
    [word, "--help"],
    ["help", word],
  ]) {
    const { code, stdout } = await runCommand(words, {});
    expect(code).toBe(0);
    const members = verbs.filter(({ name }) => name.startsWith(`${word} `));
    expect(
      members.filter(({ name, summary }) => !stdout.includes(`trawl ${name}`) || !stdout.includes(summary)),
    ).toEqual([]);
    expect(stdout).not.toContain("trawl scrape");
  }
});

it("trawl doctor --json says the same as data, with what to do", async () => {
  const { code, stdout } = await runCommand(["doctor", "--json"], {
    DATA_DIR: temporaryFolder(),
    CHROMIUM_PATH: "/nowhere",
    PROXY_SERVER: "http://127.0.0.1:9",
  });
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { subject: string; state: string; fix?: string }[];
  };
  expect([code, ok]).toEqual([1, false]);
  const subjects = findings.map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining([
      "Node",
      "Disk",
      "Clock",
      "Port",
      "Store",
      "Browser",
      "Sandbox",
      "Proxy",
      "Language model",
      "Search",
      "Open search",
    ]),
  );
  expect(findings.filter(({ state }) => state === "failed")).toEqual([
    expect.objectContaining({ subject: "Proxy", fix: expect.stringContaining("PROXY_SERVER") }),
  ]);
});

it("help takes little CPU, because it loads nothing that it does not need", async () => {
  const tell =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error((user + system) / 1000) })";
  const cpuMs = async (...words: string[]) => {
    const { stderr } = await run(process.execPath, [
      "--import",
      `data:text/javascript,${encodeURIComponent(tell)}`,
      ...words,
    ]);
    return Number(stderr.trim().split("\n").at(-1));
  };
  const [bare, help]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    bare.push(await cpuMs("--eval", "0"));
    help.push(await cpuMs(cli, "--help"));
  }
  // Beside a bare start of Node, because a busy machine makes both dearer.
  expect(Math.min(...help)).toBeLessThan(2.5 * Math.min(...bare));
});
