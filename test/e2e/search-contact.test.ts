// Whom sources of open search see as the contact of a server, and where its operator learns how to set it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { anyEngine } from "../support/engines.ts";
import { startSources } from "../support/search-sources.ts";
import { startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const { homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const hint = "set SEARCH_CONTACT to a URL or email address of yours.";
const sentence = `Search sources see ${homepage}, this project, as the contact: ${hint}`;

let servers: Awaited<ReturnType<typeof startSources>>;
const env = () => {
  const others =
    "-keenable,-mwmbl,-stackexchange,-github,-readthedocs,-arxiv,-crossref,-europepmc,-openalex,-gdelt,-openverse,-govuk,-federalregister";
  return {
    OPEN_SEARCH: "1",
    SEARCH_ENGINES: others,
    SEARCH_PACE: "0",
    CHROMIUM_PATH: "/nowhere/chromium",
    ...servers.env,
  };
};
beforeAll(async () => {
  servers = await startSources(["wikipedia", "wikidata", "commons", "hackernews"]);
});
afterAll(() => servers.close());

async function search(more: Record<string, string> = {}) {
  const app = await startApp(anyEngine, { ...env(), ...more });
  onTestFinished(() => app.stop());
  return (await app.call("POST", "/v2/search", { body: { query: "otters" } })).body;
}
const agents = () => Object.values(servers.sources).flatMap(({ agents: each }) => each);

it("sources see the homepage of the project unless SEARCH_CONTACT or PUBLIC_URL names another contact", async () => {
  const seen = async (more: Record<string, string>) => {
    for (const source of Object.values(servers.sources)) source.agents.length = 0;
    await search(more);
    return new Set(agents().map((agent) => /\(\+(.*)\)$/.exec(agent)?.[1]));
  };
  expect(await seen({})).toEqual(new Set([homepage]));
  expect(await seen({ PUBLIC_URL: "https://ours.example" })).toEqual(new Set(["https://ours.example"]));
  const both = { SEARCH_CONTACT: "ops@example.org", PUBLIC_URL: "https://ours.example" };
  expect(await seen(both)).toEqual(new Set(["ops@example.org"]));
});

it("a source that refuses for want of a contact is named with the setting", async () => {
  const { wikipedia, hackernews } = servers.sources;
  onTestFinished(() => {
    for (const source of Object.values(servers.sources)) source.fault = null;
  });
  if (wikipedia) wikipedia.fault = "403";
  if (hackernews) hackernews.fault = "403";
  const hidden = hint.replace(/\.$/, "");
  const { warning } = await search();
  expect(warning).toContain(`Wikipedia wants a contact (403): ${hidden}; it is asked again in 60 s.`);
  expect(warning).toContain("Hacker News refused the search (403); it is asked again in 60 s.");
  if (hackernews) hackernews.fault = "agent";
  expect((await search()).warning).toContain(
    `Hacker News wants a contact (403): ${hidden}; it is asked again in 60 s.`,
  );
  const { warning: own } = await search({ SEARCH_CONTACT: "ops@example.org" });
  expect(own).toContain("Wikipedia refused the search (403); it is asked again in 60 s.");
});

it("the first start, doctor and the dashboard say how to set one's own", async () => {
  const folder = { DATA_DIR: join(temporaryFolder(), "data"), ...env() };
  const first = await startServer(folder);
  expect(first.stdout()).toContain(`  Contact    ${sentence}\n`);
  const { stdout } = await runCommand(["doctor"], folder);
  expect(stdout).toContain(`-       Search contact       ${sentence}\n`);
  const link = /\/dashboard\/sign-in#([\w-]{43})/.exec(first.stdout())?.[1];
  const signedIn = await fetch(`${first.url}/dashboard/api/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ link }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const health = await fetch(`${first.url}/dashboard/api/health?quick=true`, { headers: { cookie } });
  expect((await health.json()).findings).toContainEqual({
    subject: "Search contact",
    state: "absent",
    message: sentence,
  });
  const own = await runCommand(["doctor"], { ...folder, SEARCH_CONTACT: "ops@example.org" });
  expect(own.stdout).toMatch(/^ok +Search contact +Search sources see ops@example\.org as the contact\.$/m);
});

it("the homepage is one constant, and the release steps name it", () => {
  expect(new URL(homepage).protocol).toBe("https:");
  expect(readFileSync(join(root, "docs/releasing.md"), "utf8")).toMatch(/`homepage` in `package\.json`/);
  const copies = ["src/app/join-search.ts", "src/app/open-platform.ts", "src/cli/verbs/serve.ts"];
  for (const file of copies) expect(readFileSync(join(root, file), "utf8")).not.toContain(homepage);
});
