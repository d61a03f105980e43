// What the README shows is run as it stands there, with only the address and the key replaced.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startSite } from "./support/fixture-site.ts";
import { startServer } from "./support/server-process.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const run = promisify(execFile);
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const blocks = Array.from(readme.matchAll(/```(\w+)\n([\s\S]*?)```/g), ([, language, text]) => ({
  language,
  text: text ?? "",
}));

/** The page that the README scrapes, as its server sends it. */
const page = `<!doctype html><html lang="en"><head><title>Example Domain</title></head><body><div><h1>Example Domain</h1>
<p>This domain is for use in documentation examples.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div></body></html>`;

async function startAll() {
  const site = await startSite({
    "/": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(page),
  });
  const DATA_DIR = join(temporaryFolder(), "data");
  const server = await startServer({ DATA_DIR, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  return { site, server, DATA_DIR, key: /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none" };
}

describe("the README", () => {
  it("is under 200 lines and starts with the command", () => {
    expect(readme.split("\n").length).toBeLessThan(200);
    expect(blocks[0]).toEqual({ language: "sh", text: "npm start\n" });
  });

  it("shows a curl line and the answer that it really gives", async () => {
    const { site, server, key } = await startAll();
    const line = blocks.find(({ text }) => text.startsWith("curl"))?.text ?? "false";
    const shown = JSON.parse(blocks.find(({ language }) => language === "json")?.text ?? "{}");
    const here = line.replace("http://127.0.0.1:3002", server.url).replaceAll("https://example.com", site.url);
    const { stdout } = await run("sh", ["-c", here], { env: { PATH: process.env["PATH"], TRAWL_KEY: key } });
    const answer = JSON.parse(stdout.replaceAll(`${site.url}/`, "https://example.com/"));
    answer.data.metadata.scrapeId = shown.data.metadata.scrapeId;
    expect(answer).toEqual(shown);
    await site.close();
  });

  it("shows commands and SDK calls that work", async () => {
    const { site, server, key, DATA_DIR } = await startAll();
    const env = { PATH: process.env["PATH"], DATA_DIR, TRAWL_KEY: key, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
    const here = (text = "false") =>
      text.replaceAll("http://127.0.0.1:3002", server.url).replaceAll("https://example.com", site.url);
    const commands = here(blocks.find(({ text }) => text.startsWith("node dist/cli.js"))?.text);
    const { stdout: printed } = await run("sh", ["-ec", commands], { env });
    expect(printed).toMatch(/# Example Domain[\s\S]*laptop/);
    const program = here(blocks.find(({ language }) => language === "js")?.text);
    const cwd = join(import.meta.dirname, "clients");
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { env, cwd });
    expect(stdout).toContain("# Example Domain");
    await site.close();
  });

  it.each(Array.from(readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, target]) => target ?? ""))(
    "links to %s, which exists",
    (target) => {
      expect(() => readFileSync(join(import.meta.dirname, "..", target))).not.toThrow(/ENOENT/);
    },
  );
});
