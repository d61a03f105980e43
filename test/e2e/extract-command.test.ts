// `trawl extract`, and the example of docs/extract.md, run as it is there with only the address and the key replaced.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import { productPage, productSchema } from "../support/extract.ts";
import { openSite } from "../support/jobs.ts";
import { runCli, startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const lamp = { name: "Desk lamp", sku: "L-1" };

function setUp() {
  const folder = temporaryFolder();
  const schema = join(folder, "schema.json");
  writeFileSync(schema, JSON.stringify(productSchema));
  return { folder, schema, env: { DATA_DIR: join(folder, "data"), ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } };
}

describe("trawl extract", () => {
  it("prints the data as JSON, or the whole answer with --json", async () => {
    const site = await openSite({ "/lamp": productPage(lamp), "/chair": productPage({ name: "Chair" }) });
    const { schema, env } = setUp();
    const url = `${site.url}/lamp`;
    const plain = await runCli(["extract", url, "--schema", schema], env);
    expect([plain.code, JSON.parse(plain.stdout), plain.stderr]).toEqual([0, lamp, ""]);
    const whole = await runCommand(
      ["extract", url, "bad::url", "--schema", schema, "--prompt", "the lamp", "--json"],
      env,
    );
    expect(JSON.parse(whole.stdout)).toMatchObject({ status: "completed", data: lamp, sources: { sku: [url] } });
    expect(JSON.parse(whole.stdout).evidence.sku).toMatchObject({ url, text: "L-1" });
    expect(whole.stderr).toContain("Invalid URL: bad::url");
  });

  it("says in one line what is wrong", async () => {
    const { folder, schema, env } = setUp();
    const site = await openSite({
      "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
    });
    const failed = await runCommand(["extract", `${site.url}/loop`, "--schema", schema], env);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/^trawl: No page could be read: .*\n$/)]);
    writeFileSync(join(folder, "bad.json"), "{");
    const bad = await runCommand(["extract", site.url, "--schema", join(folder, "bad.json")], env);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("is not valid JSON")]);
    const none = await runCommand(["extract", site.url, "--schema", join(folder, "none.json")], env);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("Cannot read the file")]);
    expect((await runCommand(["extract"], env)).code).toBe(2);
    writeFileSync(join(folder, "wrong.json"), '{"type":"thing"}');
    const wrong = await runCommand(["extract", site.url, "--schema", join(folder, "wrong.json")], env);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^trawl: Invalid JSON schema\. .+type.*\n$/)]);
  });
});

describe("docs/extract.md", () => {
  it("shows an example that works", async () => {
    const text = readFileSync(join(import.meta.dirname, "../../docs/extract.md"), "utf8");
    const [, example = "false"] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
    const site = await openSite({
      "/": "<!doctype html><title>Example Domain</title><h1>Example Domain</h1><p>A page.</p>",
    });
    const { env } = setUp();
    const server = await startServer(env);
    const key = /fc-[0-9a-f]{32}/.exec(server.stdout())?.[0] ?? "none";
    const here = example.replaceAll("http://127.0.0.1:3002", server.url).replaceAll("https://example.com", site.url);
    const { stdout } = await run("sh", ["-c", here], { env: { PATH: process.env["PATH"], TRAWL_KEY: key } });
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      data: { title: "Example Domain", price: null },
      sources: { title: [`${site.url}/`] },
      evidence: { title: { url: `${site.url}/`, text: "Example Domain" } },
    });
  });
});
