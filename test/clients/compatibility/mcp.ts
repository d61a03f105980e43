// Every tool of firecrawl-mcp, over stdio.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type Answer, cannot, fileOf, must, once, type Row, until, withBrowser, works } from "./rows.ts";
import { lampSchema, paper, type World } from "./world.ts";

export async function firecrawlMcp({ url, key, site }: World, folder: string) {
  const main = fileOf("firecrawl-mcp", "dist/index.js");
  const env = { PATH: process.env.PATH ?? "", HOME: folder, FIRECRAWL_API_URL: url, FIRECRAWL_API_KEY: key };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main], env, cwd: folder, stderr: "ignore" }),
  );
  const { tools } = await client.listTools();

  /** What a tool answers, read from its text where it has no structured content. */
  const call = async (name: string, args: object): Promise<Answer> => {
    const result: Answer = await client.callTool({ name: `firecrawl_${name}`, arguments: { ...args } }, undefined, {
      timeout: 150_000,
    });
    const text = result.content?.map((part: { text?: string }) => part.text ?? "").join("\n") ?? "";
    if (result.isError) throw new Error(text);
    if (result.structuredContent) return result.structuredContent;
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const holds = (answer: Answer, words: string) => must(JSON.stringify(answer).includes(words), answer);
  const monitor = once(() =>
    call("monitor_create", { name: "Nets", page: `${site}/a`, scheduleText: "daily at 9am", goal: "new text" }),
  );
  const monitorId = async () => idOf(await monitor());
  const check = once(async () => call("monitor_run", { id: await monitorId() }));
  const crawl = once(() => call("crawl", { url: site, limit: 3 }));
  const agent = once(() => call("agent", { prompt: "the lamp", urls: [`${site}/lamp`], schema: lampSchema }));
  const scraped = once(() => call("scrape", { url: `${site}/lamp`, formats: ["markdown"], maxAge: 0 }));
  const searched = once(() => call("search", { query: "nets" }));
  const interacted = once(() =>
    call("interact", { url: `${site}/lamp`, code: "await page.title()", language: "node", timeout: 120 }),
  );
  const file = join(folder, "page.html");
  await writeFile(file, "<h1>Kept</h1>");

  const rows: Record<string, Row> = {
    firecrawl_scrape: works(async () => holds(await scraped(), "Desk lamp")),
    firecrawl_map: works(async () => holds(await call("map", { url: site }), `${site}/b`)),
    firecrawl_search: works(async () => holds(await searched(), `${site}/a`)),
    firecrawl_find_tools: cannot("The tools of the hosted service's partners; this server refuses with 403.", () =>
      call("find_tools", { query: "nets" }),
    ),
    firecrawl_search_feedback: works(async () => {
      const searchId = idOf(await call("search", { query: "other nets" }));
      const valuableSources = [{ url: `${site}/a`, reason: "it fits" }];
      await call("search_feedback", { searchId, rating: "good", valuableSources });
    }),
    firecrawl_feedback: works(async () => {
      const jobId = (await scraped()).metadata?.scrapeId ?? findId(await scraped(), "scrapeId");
      await call("feedback", { endpoint: "scrape", jobId, rating: "good" });
    }),
    firecrawl_crawl: works(async () => must(await crawl(), "none")),
    firecrawl_check_crawl_status: works(async () => {
      const started = await crawl();
      const read = () => call("check_crawl_status", { id: idOf(started) });
      holds(await until(read, (found) => JSON.stringify(found).includes("completed")), "completed");
    }),
    firecrawl_extract: cannot("The client reports the tool as removed, whatever the server.", () =>
      call("extract", { urls: [`${site}/lamp`], schema: lampSchema, prompt: "the lamp" }),
    ),
    firecrawl_agent: works(async () => must(idOf(await agent()), await agent())),
    firecrawl_agent_status: works(async () => {
      const read = async () => call("agent_status", { id: idOf(await agent()) });
      holds(await until(read, (found) => JSON.stringify(found).includes("completed")), "L-1");
    }),
    firecrawl_interact: withBrowser(async () => holds(await interacted(), "Desk lamp")),
    firecrawl_interact_stop: withBrowser(async () => {
      const scrapeId = findId(await interacted(), "scrapeId") ?? (await scraped()).metadata?.scrapeId;
      await call("interact_stop", { scrapeId });
    }),
    firecrawl_parse: works(async () => holds(await call("parse", { filePath: file }), "Kept")),
    firecrawl_monitor_create: works(async () => must(await monitorId(), await monitor())),
    firecrawl_monitor_list: works(async () => {
      const id = await monitorId();
      holds(await call("monitor_list", {}), id);
    }),
    firecrawl_monitor_get: works(async () => holds(await call("monitor_get", { id: await monitorId() }), "Nets")),
    firecrawl_monitor_update: works(async () =>
      holds(await call("monitor_update", { id: await monitorId(), body: { retentionDays: 7 } }), "7"),
    ),
    firecrawl_monitor_delete: works(async () => {
      const made = await call("monitor_create", {
        name: "Gone",
        page: `${site}/b`,
        scheduleText: "hourly",
        goal: "text",
      });
      await call("monitor_delete", { id: idOf(made) });
    }),
    firecrawl_monitor_run: works(async () => must(idOf(await check()), await check())),
    firecrawl_monitor_checks: works(async () => {
      const id = idOf(await check());
      holds(await call("monitor_checks", { id: await monitorId() }), id);
    }),
    firecrawl_monitor_check: works(async () => {
      const checkId = idOf(await check());
      holds(await call("monitor_check", { id: await monitorId(), checkId }), checkId);
    }),
    firecrawl_research_search_papers: works(async () =>
      holds(await call("research_search_papers", { query: "attention" }), paper),
    ),
    firecrawl_research_inspect_paper: works(async () =>
      holds(await call("research_inspect_paper", { paperId: paper }), "Vaswani"),
    ),
    firecrawl_research_related_papers: works(async () =>
      holds(await call("research_related_papers", { seed_ids: [paper], intent: "images" }), "Attention in images"),
    ),
    firecrawl_research_read_paper: works(async () =>
      holds(await call("research_read_paper", { paperId: paper, question: "decoder layers" }), "six identical layers"),
    ),
    firecrawl_research_search_github: cannot("The client reports the tool as removed, whatever the server.", () =>
      call("research_search_github", { query: "nets" }),
    ),
    firecrawl_developer_search: works(async () =>
      holds(await call("developer_search", { query: "retry on 502" }), "issue:acme/http#12"),
    ),
    firecrawl_credit_usage: works(async () => must(await call("credit_usage", {}), "none")),
  };
  return { methods: tools.map(({ name }) => name), rows, close: () => client.close() };
}

/** The first value under a name, wherever it stands; answers in words have it as a UUID. */
function findId(answer: Answer, name: string): string | undefined {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return new RegExp(`"${name}":\\s*"([^"]+)"`).exec(text)?.[1];
}

export function idOf(answer: Answer): string {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return findId(answer, "id") ?? /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";
}
