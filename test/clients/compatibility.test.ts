// Every method of the official clients against the real app, and the page that says what works. `npm run prove --
// compatibility` also runs the clients that take long to install, and writes the page.
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { lacksChromium } from "../support/browser.ts";
import { removeFolder } from "../support/cleanup.ts";
import { firecrawlCli, versionOf } from "./compatibility/cli.ts";
import { aiSdkTools, langchainLoader, largeVersionOf, n8nNode } from "./compatibility/large.ts";
import { firecrawlMcp } from "./compatibility/mcp.ts";
import { type ClientRun, type Row, runRows, writePage } from "./compatibility/rows.ts";
import { sdkV1 } from "./compatibility/sdk-v1.ts";
import { sdkV2 } from "./compatibility/sdk-v2.ts";
import { startWorld, type World } from "./compatibility/world.ts";

const page = new URL("../../docs/compatibility.md", import.meta.url);
const runs: ClientRun[] = [];
const isProof = process.env.TRAWL_PROVE === "compatibility";

// A busy machine may need minutes for all of a client's methods.
describe("compatible", { timeout: 400_000 }, () => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "trawl-clients-"));
    world = await startWorld();
    // The object for v1 takes the runtime's own, which Node has from version 22 on.
    vi.stubGlobal("WebSocket", WebSocket);
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    await world.close();
    await removeFolder(folder);
  });

  async function runClient(client: string, version: string, made: { methods: string[]; rows: Record<string, Row> }) {
    expect(Object.keys(made.rows).sort()).toEqual(made.methods.toSorted());
    const outcomes = await runRows(made.rows, !lacksChromium, 4);
    runs.push({ client, version, outcomes });
    expect(outcomes.filter(({ state }) => state === "fails")).toEqual([]);
  }

  it("the official SDK", async () => {
    await runClient("firecrawl (JavaScript SDK, v2)", await versionOf("firecrawl"), sdkV2(world));
  });

  it("the official SDK's object for v1", async () => {
    await runClient("firecrawl (JavaScript SDK, v1)", await versionOf("firecrawl"), sdkV1(world));
  });

  it("firecrawl-mcp", async () => {
    const { close, ...made } = await firecrawlMcp(world, folder);
    try {
      await runClient("firecrawl-mcp", await versionOf("firecrawl-mcp"), made);
    } finally {
      await close();
    }
  });

  it("firecrawl-cli", async () => {
    await runClient("firecrawl-cli", await versionOf("firecrawl-cli"), await firecrawlCli(world, folder));
  });

  it.runIf(isProof)("LangChain's loader", async () => {
    const name = "@langchain/community";
    await runClient(`FireCrawlLoader of ${name}`, await largeVersionOf(name), await langchainLoader(world));
  });

  it.runIf(isProof)("firecrawl-aisdk", async () => {
    await runClient("firecrawl-aisdk", await largeVersionOf("firecrawl-aisdk"), await aiSdkTools(world));
  });

  it.runIf(isProof)("the n8n node", async () => {
    const name = "@mendable/n8n-nodes-firecrawl";
    await runClient(name, await largeVersionOf(name), await n8nNode(world, folder));
  });

  it.skipIf(lacksChromium)("as the page says", async () => {
    const text = writePage(runs);
    if (isProof) await writeFile(page, text);
    const written = await readFile(page, "utf8");
    const parts = text.split("\n## ").slice(1);
    for (const part of parts) expect(written).toContain(part.trim());
  });
});
