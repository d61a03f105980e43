// The typed client in a page of a browser: bundled, loaded by a script of another origin than the server's.
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { lacksChromium, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite, page } from "../support/jobs.ts";

it.skipIf(lacksChromium)("works in a page of Chromium", async () => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../../src/client/index.ts")],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "client",
    platform: "browser",
  });
  const site = await openSite({
    "/": page("Nets", ["/a", "/b"]),
    "/a": page("A"),
    "/b": page("B"),
    "/stuck": () => undefined,
  });
  const app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CORS_ORIGINS: site.url });
  onTestFinished(() => app.stop());
  const browser = await chromium.launch({ executablePath: viewerPath, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(site.url);
  await tab.addScriptTag({ content: outputFiles[0]?.text ?? "" });
  const sockets: string[] = [];
  tab.on("websocket", (socket) => sockets.push(new URL(socket.url()).pathname));
  const seen = await tab.evaluate(
    async ({ apiUrl, apiKey, start }) => {
      const { Trawl, TrawlError } = (globalThis as unknown as { client: typeof import("../../src/client/index.ts") })
        .client;
      const trawl = new Trawl({ apiUrl, apiKey });
      const { data } = await trawl.scrape({ url: `${start}/a` });
      const crawl = await trawl.crawl({ url: start, limit: 3 });
      const parsed = await trawl.parse({ file: new Blob(["# Note"]), filename: "note.md" });
      const endpoints: string[] = [];
      for await (const { endpoint } of trawl.allActivity({ limit: 1 })) endpoints.push(endpoint);
      const refused = await trawl.scrape({ url: start, timeout: 5 }).catch((error) => error);
      const aborted = await trawl
        .scrape({ url: `${start}/stuck` }, { signal: AbortSignal.timeout(300) })
        .catch((error: { name: string }) => error.name);
      return {
        markdown: data.markdown,
        crawl: [crawl.status, crawl.data.length],
        parsed: parsed.data.markdown,
        endpoints: endpoints.sort(),
        refused: [refused instanceof TrawlError, refused.status, refused.code],
        aborted,
      };
    },
    { apiUrl: app.url, apiKey: app.key, start: site.url },
  );
  expect(seen).toEqual({
    markdown: expect.stringContaining("# A"),
    crawl: ["completed", 3],
    parsed: "# Note",
    endpoints: expect.arrayContaining(["crawl", "scrape"]),
    refused: [true, 400, "BAD_REQUEST"],
    aborted: "TimeoutError",
  });
  expect(sockets).toEqual([expect.stringMatching(/^\/v2\/crawl\//)]);
});
