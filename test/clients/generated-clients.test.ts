// Clients that generators make of openapi.json: what they make compiles, and reaches a server.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256 } from "../../src/base/index.ts";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const packages = join(import.meta.dirname, "node_modules");
const description = join(root, "openapi.json");

/** The same call, as a user of either client writes it: an answer, and a failure with its code. */
const calls = {
  "openapi-typescript": `
    import createClient from "openapi-fetch";
    import type { paths } from "./openapi-typescript/types.d.ts";
    export async function call(baseUrl: string, token: string, url: string, id: string) {
      const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
      const { data } = await client.POST("/v2/scrape", { body: { url, formats: ["markdown", "links"] } });
      const { error, response } = await client.GET("/v2/crawl/{id}", { params: { path: { id } } });
      const markdown: string | undefined = data?.data.markdown ?? undefined;
      return { markdown, links: data?.data.links, status: response.status, code: error?.code };
    }`,
  "openapi-ts": `
    import { createClient } from "./openapi-ts/client";
    import { readCrawl, scrape } from "./openapi-ts";
    export async function call(baseUrl: string, token: string, url: string, id: string) {
      const client = createClient({ baseUrl, auth: token });
      const { data } = await scrape({ client, body: { url, formats: ["markdown", "links"] } });
      const { error, response } = await readCrawl({ client, path: { id } });
      const markdown: string | undefined = data?.data.markdown ?? undefined;
      return { markdown, links: data?.data.links, status: response?.status, code: error?.code };
    }`,
};
type Name = keyof typeof calls;
const names = Object.keys(calls) as Name[];

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
};

let folder: string;
let app: TestApp;
let site: FixtureSite;
beforeAll(async () => {
  // Made once for each openapi.json: generators take seconds.
  const versions = readFileSync(join(import.meta.dirname, "package.json"));
  const made = sha256(Buffer.concat([readFileSync(description), versions, readFileSync(import.meta.filename)]));
  folder = join(packages, ".cache", `generated-${made.slice(0, 16)}`);
  [app, site] = await Promise.all([
    useApp(anyEngine),
    startSite({ "/": '<main><h1>Generated</h1><p>Text of the page.</p><a href="/next">Next</a></main>' }),
    existsSync(folder) ? undefined : generate(folder),
  ]);
});
afterAll(() => Promise.all([app.stop(), site.close()]));

/** What does not compile is thrown away and made again by the next run. */
async function generate(target: string): Promise<void> {
  const fresh = `${target}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const tool = (path: string, ...words: string[]) =>
    run(process.execPath, [join(packages, path), ...words], { cwd: fresh, env: { ...process.env, CI: "1" } });
  await Promise.all([
    tool("openapi-typescript/bin/cli.js", description, "-o", "openapi-typescript/types.d.ts"),
    tool("@hey-api/openapi-ts/bin/run.js", "-i", description, "-o", "openapi-ts", "-c", "@hey-api/client-fetch"),
  ]);
  for (const name of names) writeFileSync(join(fresh, `call-${name}.ts`), calls[name]);
  writeFileSync(
    join(fresh, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: names.map((name) => `call-${name}.ts`) }),
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: fresh }).catch((error) => error);
  if (stdout !== "") {
    rmSync(fresh, { recursive: true });
    throw new Error(`the generated clients do not compile:\n${stdout}`);
  }
  for (const name of readdirSync(dirname(target)))
    if (name.startsWith("generated-") && join(dirname(target), name) !== fresh)
      rmSync(join(dirname(target), name), { recursive: true });
  renameSync(fresh, target);
}

it.each(names)("%s makes a client that compiles, and that scrapes a page and reads an error", async (name) => {
  const outfile = join(folder, `call-${name}.mjs`);
  await build({
    entryPoints: [join(folder, `call-${name}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    logLevel: "error",
  });
  const { call } = await import(pathToFileURL(outfile).href);
  expect(await call(app.url, app.key, site.url, "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b01")).toEqual({
    markdown: expect.stringContaining("# Generated"),
    links: [`${site.url}/next`],
    status: 404,
    code: "JOB_NOT_FOUND",
  });
});
