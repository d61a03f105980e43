// Every fenced block of README and docs: shell lines are run as written, with the URLs of a real server and a site on
// loopback; requests in JSON are sent; answers in JSON are checked against the contract. Whatever is not run has a reason in one
// table, and a block that is neither fails the test.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { errorTable } from "../src/base/index.ts";
import { settingSections } from "../src/config.ts";
import { document } from "../src/contract/fields/document.ts";
import { lacksChromium } from "./support/browser.ts";
import { openSite, sitemapOf } from "./support/jobs.ts";
import { startServer } from "./support/server-process.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { textPdf } from "./support/text-pdf.ts";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);
const fromTable = "made from the table of tools, whose lines test/e2e/connect.test.ts runs";

/** By page and beginning: blocks that are not run here, with the reason or the test that runs the same. */
const notRun: Record<string, string> = {
  "README.md: npm start": "sets up this checkout and serves on a fixed port; test/e2e/serve.test.ts starts servers",
  "README.md: export TRAWL_KEY": "test/readme.test.ts",
  "README.md: {": "test/readme.test.ts compares it with the real answer",
  "README.md: DATABASE_URL=": "needs that database; test/store runs on PostgreSQL",
  "README.md: import": "test/readme.test.ts",
  "README.md: node dist/cli.js scrape": "test/readme.test.ts",
  "adding.md: npm run test:watch": "waits for changes; test/scaffold.test.ts runs the scaffolds",
  "archive.md: {": "needs the archive of an earlier job; test/e2e/archive.test.ts sends such requests",
  "connect.md: ": fromTable,
  "dialects.md: ": fromTable,
  "doors.md: PUBLIC_URL=": "as in README; test/e2e/oauth.test.ts sets a public URL",
  "doors.md: curl": "needs a key with admin; test/e2e/team-policy.test.ts sends the same",
  "doors.md: OIDC_ISSUER=": "needs that provider; test/e2e/sign-in-oidc.test.ts has one on loopback",
  "deploy.md: sudo": "changes the machine; `npm run prove -- deploy` checks the unit",
  "flows.md: POST": "needs a session in a browser; test/e2e/flows.test.ts sends the same",
  "network.md: puppeteer": "test/clients/browser-address.test.ts",
  "secrets.md: trawl secret set": "needs a file with a password; test/e2e/team-secrets.test.ts sets secrets",
  "monitors.md: curl -X POST http://localhost:3002/v2/feed": "needs a page with a list; test/e2e/list-feeds.test.ts",
  "models.md: OPENAI_API_KEY=": "needs a key that costs money; test/e2e/doctor.test.ts",
  "models.md: curl -s": "needs a language model; test/e2e/models.test.ts sends the same to one on loopback",
  "reach.md: attempt": "what a command prints; test/e2e/reach.test.ts reads it",
  "reach.md: curl -X POST": "needs a person; test/e2e/reach-handoff.test.ts plays one",
  "reach.md: docker run": "starts a program of others; test/support/solver-server.ts speaks its protocol",
  "reach.md: openssl genpkey": "as in README; test/e2e/signed-requests.test.ts sets a key",
  "tutorial.md: ": "test/guides.test.ts",
  "self-hosting.md: npm start": "as in README",
  "self-hosting.md: TRAWL_API_KEYS=": "as in README; test/e2e/serve.test.ts sets keys",
  "self-hosting.md: HOST=127.0.0.1": "as in README; test/e2e/http.test.ts is behind a proxy",
  "self-hosting.md: export HTTPS_PROXY": "needs that network; test/e2e/company-network.test.ts has one on loopback",
  "self-hosting.md: mkdir -p /etc/chromium":
    "changes the machine; test/e2e/company-network.test.ts has the policy in a namespace",
  "self-hosting.md: location /": "a part of nginx.conf",
  "self-hosting.md: DATABASE_URL=": "needs that database; test/store runs on PostgreSQL",
  "self-hosting.md: BLOBS=": "as in README; test/store/blob-places.test.ts and test/clients/blobs-s3.test.ts set them",
  "self-hosting.md: OTEL_": "as in README; test/e2e/traces.test.ts sets it",
  "self-hosting.md: node dist/cli.js store": "needs that database; test/e2e/store-verbs.test.ts copies both ways",
};

interface Snippet {
  name: string;
  page: string;
  language: string;
  text: string;
}

function snippetsOf(file: string): Snippet[] {
  const page = file.replace("docs/", "");
  const text = readFileSync(join(root, file), "utf8");
  return Array.from(text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm), ([, language = "", code = ""]) => ({
    name: `${page}: ${code.split("\n")[0]}`,
    page,
    language,
    text: code,
  }));
}

const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const all = ["README.md", ...docs.map((name) => `docs/${name}`)].flatMap(snippetsOf);
const isNotRun = ({ name }: Snippet) => Object.keys(notRun).some((begin) => name.startsWith(begin));
const snippets = all.filter((snippet) => !isNotRun(snippet));
const inLanguage = (...names: string[]) => snippets.filter(({ language }) => names.includes(language));
const shell = inLanguage("sh", "bash");
const json = inLanguage("json").map((snippet) => ({ ...snippet, value: JSON.parse(snippet.text) }));
const isRequest = ({ value }: { value: object }) => "url" in value && "formats" in value;
/** Formats that a language model makes: test/e2e/models.test.ts has one. */
const needModel = ["summary", "question", "highlights", "query", "deterministicJson"];
const needBrowser = ["branding", "screenshot"];
/** Sessions and what runs in them, in the order in which they need each other. */
const inBrowser = ["sessions.md", "programs.md"];

const examplePage = `<title>Example Domain</title><main><h1>Example Domain</h1><p>Ada founded Example Inc in 1987.</p>
<table><caption>The fleet</caption><tr><th>Boat</th><th>Seats</th></tr><tr><td>Aurora</td><td>120</td></tr></table>
<video src="/ferry.mp4"></video></main>`;
const key = "fc-00000000000000000000000000000001";

/** A server and a site, and the texts of snippets with their URLs. */
async function startAll() {
  const sitemap = sitemapOf("/", "/pricing");
  const site = await openSite((path) =>
    path === "/sitemap.xml" ? sitemap : path === "/robots.txt" ? undefined : examplePage,
  );
  const folder = temporaryFolder();
  prepareFiles(folder);
  const env = {
    PATH: process.env.PATH ?? "",
    DATA_DIR: join(folder, "data"),
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    OPEN_SEARCH: "0",
    TRAWL_API_KEYS: `default:${key}:0`,
    HOST: "127.0.0.1",
  };
  const server = await startServer(env);
  const here = (text: string) =>
    text
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3002/g, server.url)
      .replaceAll(/https:\/\/(?:example\.com|hook\.example\.net)/g, site.url)
      .replaceAll(/^(?:node dist\/cli\.js|trawl) /gm, `"${process.execPath}" "${join(root, "dist/cli.js")}" `)
      // A busy machine takes longer to start a program.
      .replaceAll('"timeout": 30', '"timeout": 200')
      .replaceAll("--name laptop", "--name laptop | head -n 1 > keys")
      .replaceAll("LAST-FOUR", '"$(tail -n 1 keys | tail -c 5)"');
  return {
    url: server.url,
    here,
    /** What the lines print; a failure where they print nothing, or an answer that is one. */
    async runLines({ name, text }: Snippet, more: Record<string, string> = {}): Promise<string> {
      const options = { env: { ...env, TRAWL_KEY: key, KEY: key, ...more }, cwd: folder, timeout: 100_000 };
      const { stdout } = await run("sh", ["-ec", here(text)], options);
      if (stdout.trim() === "" || /"success":\s*false/.test(stdout)) throw new Error(`${name} printed: ${stdout}`);
      return stdout;
    },
  };
}

type World = Awaited<ReturnType<typeof startAll>>;

/** A page's blocks go on from each other. */
async function runPage({ runLines }: World, page: string): Promise<void> {
  for (const block of shell) if (block.page === page) await runLines(block);
}

/** A session is opened, a program runs in it, and Playwright connects to it. */
async function runSession({ runLines, here }: World): Promise<void> {
  const [open] = shell.filter(({ page }) => page === "sessions.md") as [Snippet];
  const [execute] = shell.filter(({ page }) => page === "programs.md") as [Snippet];
  const [connect] = inLanguage("js") as [Snippet];
  const { id, cdpUrl } = JSON.parse(await runLines(open)) as { id: string; cdpUrl: string };
  const answer = JSON.parse(await runLines(execute, { ID: id }));
  expect(answer).toEqual(json.find(({ page }) => page === "programs.md")?.value);
  const tell = "console.log(await page.title()); await browser.close();";
  const program = `const [, cdpUrl] = process.argv;\n${here(connect.text)}\n${tell}`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program, cdpUrl], { cwd: root });
  expect(stdout.trim()).toBe("Example Domain");
}

/** Requests are taken; what answers look like is checked below and in test/format-examples.test.ts. */
async function sendRequests({ url, here }: World): Promise<void> {
  const lacking = [...needModel, ...(lacksChromium ? needBrowser : [])];
  const requests = json.filter(isRequest).filter(({ text }) => !lacking.some((format) => text.includes(`"${format}"`)));
  expect(requests.length).toBeGreaterThan(3);
  for (const { name, text } of requests) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v2/scrape`, { method: "POST", headers, body: here(text) });
    const { success, error } = (await response.json()) as { success: boolean; error?: string };
    expect([name, response.status, success, error]).toEqual([name, 200, true, undefined]);
  }
}

describe("snippets of the docs", () => {
  it("are run, or have a reason", () => {
    const left = snippets.filter(({ language }) => !["sh", "bash", "js", "json"].includes(language));
    expect(left.map(({ name }) => name)).toEqual([]);
    expect(inLanguage("js").map(({ page }) => page)).toEqual(["sessions.md"]);
    expect(Object.keys(notRun).filter((begin) => !all.some(({ name }) => name.startsWith(begin)))).toEqual([]);
  });

  it("work as written", async () => {
    const world = await startAll();
    const pages = [...new Set(shell.map(({ page }) => page))].filter((page) => !inBrowser.includes(page));
    expect(pages.length).toBeGreaterThan(5);
    const results = await Promise.allSettled([
      ...pages.map((page) => runPage(world, page)),
      ...(lacksChromium ? [] : [runSession(world)]),
      sendRequests(world),
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it("that are answers are as the contract has them", () => {
    const answers = json.filter((snippet) => !isRequest(snippet) && !inBrowser.includes(snippet.page));
    expect(answers.length).toBeGreaterThan(3);
    for (const { name, value } of answers) {
      if (value.success === false) expect(Object.keys(errorTable), name).toContain(value.code);
      else if (!isOfEndpoint(value)) {
        expect(
          Object.keys(value).filter((field) => !(field in document.shape)),
          name,
        ).toEqual([]);
        expect(document.safeParse({ metadata: {}, ...value }).error, name).toBeUndefined();
      }
    }
  });
});

/** Whether a response of the API has all of its fields; documents are looked at more closely. */
function isOfEndpoint(value: object): boolean {
  const { paths, components } = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
  const fieldsOf = ({ $ref = "", properties = {} }): string[] =>
    Object.keys($ref === "" ? properties : (components.schemas[$ref.split("/").at(-1) ?? ""]?.properties ?? {}));
  const answers = Object.values(paths).flatMap((path) =>
    Object.values(path as object).map(({ responses }) => responses?.[200]?.content?.["application/json"]?.schema ?? {}),
  );
  return answers.some((schema) => Object.keys(value).every((field) => fieldsOf(schema).includes(field)));
}

/** The files that the lines name. */
function prepareFiles(folder: string): void {
  const files = join(root, "test/documents/files");
  for (const name of ["report.docx", "slides.pptx"]) cpSync(join(files, name), join(folder, name));
  cpSync(join(files, "title.png"), join(folder, "scan.png"));
  writeFileSync(join(folder, "report.pdf"), textPdf("A report"));
  mkdirSync(join(folder, "handbook"));
  writeFileSync(join(folder, "handbook/nets.md"), "# Nets\n\nOf many kinds.\n");
  writeFileSync(join(folder, "schema.json"), '{"type":"object","properties":{"title":{"type":"string"}}}');
}

describe("docs/migration.md", () => {
  it("names settings that there are", () => {
    const text = readFileSync(join(root, "docs/migration.md"), "utf8");
    const known = new Set(
      Object.values(settingSections).flatMap((section) => Object.values(section).map(({ env }) => env)),
    );
    const table = text.slice(text.indexOf("| Firecrawl | Trawl |")).split("\n").slice(2);
    const named = table
      .filter((line) => line.startsWith("|"))
      .flatMap((line) =>
        Array.from((line.split("|")[2] ?? "").matchAll(/`([A-Z][A-Z_]+)(?:=\w+)?`/g), ([, name]) => name ?? ""),
      );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
