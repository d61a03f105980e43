// The verbs of firecrawl-cli, each in a process of its own.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { idOf } from "./mcp.ts";
import { cannot, fileOf, must, notServed, once, type Row, until, withBrowser, works } from "./rows.ts";
import { lampSchema, paper, type World } from "./world.ts";

const run = promisify(execFile);
/** Verbs that set up the user's machine for the hosted service, or only print. */
const own = ["config", "view-config", "login", "logout", "init", "setup", "make", "launch", "env", "version", "help"];

export async function firecrawlCli({ url, key, site }: World, folder: string) {
  const main = fileOf("firecrawl-cli", "dist/index.js");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    FIRECRAWL_API_URL: url,
    FIRECRAWL_API_KEY: key,
    NO_COLOR: "1",
  };
  const cli = async (...words: string[]): Promise<string> => {
    try {
      const { stdout, stderr } = await run(process.execPath, [main, ...words], { env, cwd: folder, timeout: 150_000 });
      return stdout + stderr;
    } catch (error) {
      const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
      throw new Error(`${stderr ?? ""}${stdout ?? ""}` || message);
    }
  };
  const holds = (text: string, words: string) => must(text.includes(words), text);
  const file = join(folder, "notes.html");
  await writeFile(file, "<h1>Kept</h1>");
  const monitor = once(async () =>
    idOf(
      await cli(
        "monitor",
        "create",
        "--name",
        "Nets",
        "--goal",
        "new text",
        "--schedule",
        "daily at 9am",
        "--page",
        `${site}/a`,
      ),
    ),
  );
  const check = once(async () => idOf((await cli("monitor", "run", await monitor())).replaceAll(await monitor(), "")));
  const scraped = once(() => cli("scrape", `${site}/lamp`, "--json", "-f", "markdown,links", "--max-age", "0"));
  const scrapeId = async () => /"scrapeId":\s*"([^"]+)"/.exec(await scraped())?.[1] ?? "";
  const interacted = once(async () =>
    cli("interact", "-s", await scrapeId(), "-c", "await page.title()", "--timeout", "120"),
  );
  const crawl = once(async () => idOf(await cli("crawl", site, "--limit", "3")));
  const agent = once(async () =>
    cli(
      "agent",
      "the lamp",
      "--urls",
      `${site}/lamp`,
      "--schema",
      JSON.stringify(lampSchema),
      "--wait",
      "--poll-interval",
      "1",
      "--json",
    ),
  );
  const rows: Record<string, Row> = {
    "--status": works(async () => must(await cli("--status"), "none")),
    scrape: works(async () => holds(await scraped(), "Desk lamp")),
    crawl: works(async () => holds(await cli("crawl", site, "--limit", "3", "--wait", "--poll-interval", "1"), "# B")),
    "crawl --status": works(async () => {
      const id = await crawl();
      await until(
        () => cli("crawl", id, "--status"),
        (text) => text.includes("completed"),
      );
    }),
    map: works(async () => holds(await cli("map", site), `${site}/b`)),
    parse: works(async () => holds(await cli("parse", file), "Kept")),
    search: works(async () => holds(await cli("search", "nets", "--json"), `${site}/a`)),
    "search --scrape": works(async () => holds(await cli("search", "nets", "--scrape", "--json"), "The text of A")),
    developer: works(async () =>
      holds(await cli("developer", "retry on 502"), "[issue:acme/http#12] (issue) Retry on 502"),
    ),
    "research search-papers": works(async () => holds(await cli("research", "search-papers", "attention"), paper)),
    "research inspect-paper": works(async () => holds(await cli("research", "inspect-paper", paper), "Vaswani")),
    "research related-papers": works(async () =>
      holds(await cli("research", "related-papers", paper, "--intent", "images"), "Attention in images"),
    ),
    "research read-paper": works(async () =>
      holds(await cli("research", "read-paper", paper, "--question", "decoder layers"), "six identical layers"),
    ),
    "research search-github": cannot(
      "The endpoint was switched off; the server answers 410 and names the next one.",
      () => cli("research", "search-github", "nets"),
    ),
    feedback: works(async () => must(await cli("feedback", "scrape", await scrapeId(), "--rating", "good"), "none")),
    "search-feedback": works(async () => {
      const id = idOf(await cli("search", "other nets", "--json"));
      must(await cli("search-feedback", id, "--rating", "good", "--valuable-sources", `${site}/a`), id);
    }),
    agent: works(async () => holds(await agent(), "L-1")),
    interact: withBrowser(async () => holds(await interacted(), "Desk lamp")),
    "interact stop": withBrowser(async () => {
      await interacted();
      await cli("interact", "stop", await scrapeId());
    }),
    "monitor create": works(async () => must(await monitor(), "none")),
    "monitor list": works(async () => {
      const id = await monitor();
      holds(await cli("monitor", "list"), id);
    }),
    "monitor get": works(async () => holds(await cli("monitor", "get", await monitor()), "Nets")),
    "monitor update": works(async () =>
      holds(await cli("monitor", "update", await monitor(), "--retention-days", "7"), "7"),
    ),
    "monitor run": works(async () => must(await check(), "none")),
    "monitor checks": works(async () => {
      const id = await check();
      holds(await cli("monitor", "checks", await monitor()), id);
    }),
    "monitor check": works(async () => {
      const id = await check();
      holds(await cli("monitor", "check", await monitor(), id), id);
    }),
    "monitor delete": works(async () => {
      const words = ["--name", "Gone", "--goal", "text", "--schedule", "hourly", "--page", `${site}/b`];
      await cli("monitor", "delete", idOf(await cli("monitor", "create", ...words)));
    }),
    "experimental download": works(async () => {
      await cli("experimental", "download", site, "--limit", "2", "-y");
    }),
    "credit-usage": works(async () => must(await cli("credit-usage", "--json"), "none")),
    doctor: cannot("It relies on checks of the hosted service and asks the package registry for updates."),
    "doctor JOB": notServed("askSupport", async () => cli("doctor", await crawl())),
  };
  const help = await cli("--help");
  const verbs = [...help.slice(help.indexOf("Commands:")).matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? "");
  const named = new Set(Object.keys(rows).map((name) => name.split(" ")[0]));
  /** Every verb that the help names has a row of its own or one of its words. */
  const missing = verbs.filter((verb) => !named.has(verb) && !own.includes(verb));
  return { methods: [...Object.keys(rows), ...missing], rows };
}

/** The version of an installed client. */
export async function versionOf(name: string): Promise<string> {
  return JSON.parse(await readFile(fileOf(name, "package.json"), "utf8")).version;
}
