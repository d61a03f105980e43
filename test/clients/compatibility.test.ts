// Every method of the official clients against the real app, and the page that says what works. `npm run prove --
// compatibility` also runs the clients that take long to install, and writes the page.
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { strictness } from "../support/answers/strict-answers.ts";
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
const isProof = process.env.TRAWL_PROVE === "compatibility";

interface Made {
  methods: string[];
  rows: Record<string, Row>;
  close?(): Promise<void>;
}

interface TriedClient {
  name: string;
  version(): Promise<string>;
  make(world: World, folder: string): Made | Promise<Made>;
}

const installed = (name: string, make: TriedClient["make"], as = name): TriedClient => ({
  name: as,
  version: () => versionOf(name),
  make,
});
const large = (name: string, make: TriedClient["make"], as = name): TriedClient => ({
  name: as,
  version: () => largeVersionOf(name),
  make,
});

/** In the order of the page. */
const clients: readonly TriedClient[] = [
  installed("firecrawl", sdkV2, "firecrawl (JavaScript SDK, v2)"),
  installed("firecrawl", sdkV1, "firecrawl (JavaScript SDK, v1)"),
  installed("firecrawl-mcp", firecrawlMcp),
  installed("firecrawl-cli", firecrawlCli),
  ...(isProof
    ? [
        large("@langchain/community", langchainLoader, "FireCrawlLoader of @langchain/community"),
        large("firecrawl-aisdk", aiSdkTools),
        large("@mendable/n8n-nodes-firecrawl", n8nNode),
      ]
    : []),
];

// A busy machine may need minutes for all of a client's methods.
describe("compatible", { timeout: 400_000 }, () => {
  const runs = new Map<string, ClientRun>();
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

  it.each(clients)("$name", async ({ name, version, make }) => {
    const { methods, rows, close } = await make(world, folder);
    try {
      expect(Object.keys(rows).sort()).toEqual(methods.toSorted());
      const outcomes = await runRows(rows, !lacksChromium, 4);
      runs.set(name, { client: name, version: await version(), outcomes });
      expect(outcomes.filter(({ state }) => state === "fails")).toEqual([]);
    } finally {
      await close?.();
    }
  });

  it.skipIf(lacksChromium)("the SDK's own types hold for every answer, with no field too many or too few", () => {
    // A fault has failed the client that was answered.
    expect(strictness()?.met.size).toBeGreaterThanOrEqual(50);
  });

  it.skipIf(lacksChromium)("as the page says", async () => {
    const text = writePage(clients.flatMap(({ name }) => runs.get(name) ?? []));
    if (isProof) await writeFile(page, text);
    const written = await readFile(page, "utf8");
    const parts = text.split("\n## ").slice(1);
    expect(parts).toHaveLength(clients.length);
    for (const part of parts) expect(written).toContain(part.trim());
  });
});
