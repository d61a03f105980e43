// What the README shows is run as written, with only the URL and the data folder replaced.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startSite } from "./support/fixture-site.ts";
import { startServer } from "./support/server-process.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const readme = read("README.md");
const blocks = Array.from(readme.matchAll(/```(\w+)\n([\s\S]*?)```/g), ([, language, text]) => ({
  language,
  text: text ?? "",
}));
const figures = /<!-- figures -->([\s\S]*)<!-- \/figures -->/.exec(readme)?.[1] ?? "";

/** The page that the README scrapes, as its server sends it. */
const page = `<!doctype html><html lang="en"><head><title>Example Domain</title></head><body><div><h1>Example Domain</h1>
<p>This domain is for use in documentation examples.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div></body></html>`;

async function startAll() {
  const site = await startSite({
    "/": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(page),
  });
  const DATA_DIR = join(temporaryFolder(), "data");
  const server = await startServer({ DATA_DIR, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  const here = (text = "false") =>
    text.replaceAll("http://127.0.0.1:3002", server.url).replaceAll("https://example.com", site.url);
  const env = { PATH: process.env["PATH"], DATA_DIR, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
  return { site, here, env, key: /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none" };
}

describe("the README", () => {
  it("has at most 120 lines and starts with the command", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
    expect(blocks[0]).toEqual({ language: "sh", text: "npm start\n" });
  });

  it("has at most eight figures, all of them in docs/benchmarks.md", () => {
    const rows = figures.trim().split("\n").slice(2);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(8);
    const published = read("docs/benchmarks.md").split("\n");
    expect(rows.filter((row) => !published.includes(row))).toEqual([]);
  });

  it("has no figure outside of that table", () => {
    const words = readme.replace(figures, "").replace(/```[\s\S]*?```/g, "");
    expect(words.match(/\d[\d.,]*\s?(?:µs|ms|s|[KMG]B|×|%|times)(?!\w)/g)).toBeNull();
  });

  it("shows a curl line that works as pasted, and its real answer", async () => {
    const { site, here, env } = await startAll();
    const commands = here(blocks.find(({ text }) => text.includes("curl"))?.text);
    const shown = JSON.parse(blocks.find(({ language }) => language === "json")?.text ?? "{}");
    const { stdout } = await run("sh", ["-ec", commands], { env, cwd: root });
    const answer = JSON.parse(stdout.replaceAll(`${site.url}/`, "https://example.com/"));
    answer.data.metadata.scrapeId = shown.data.metadata.scrapeId;
    expect(answer).toEqual(shown);
    await site.close();
  });

  it("shows commands and SDK calls that work", async () => {
    const { site, here, env, key } = await startAll();
    const commands = here(blocks.find(({ text }) => text.startsWith("node dist/cli.js"))?.text);
    const folder = join(env.DATA_DIR, "../pages");
    const { stdout: printed } = await run("sh", ["-ec", commands.replace("-o pages", `-o ${folder}`)], {
      env,
      cwd: root,
    });
    expect(printed).toMatch(/# Example Domain[\s\S]*laptop/);
    const program = here(blocks.find(({ language }) => language === "js")?.text);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...env, TRAWL_KEY: key },
      cwd: join(import.meta.dirname, "clients"),
    });
    expect(stdout).toContain("# Example Domain");
    await site.close();
  });

  it("names only endpoints that the API has", () => {
    const { paths } = JSON.parse(read("openapi.json"));
    const named = Array.from(readme.matchAll(/`(\/(?:v\d|r)\/[^`]*)`/g), ([, path]) => path ?? "");
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !(path in paths))).toEqual([]);
  });
});
