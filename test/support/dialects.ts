// What tests of dialects start from: an app with credits to count, a search service and a site, all on loopback.
import { startApp, type TestApp, testKey } from "./app.ts";
import type { TestEngine } from "./engines.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";
import { type SearchService, startSearchService } from "./search-service.ts";

const credits = 10_000;

export interface DialectKit {
  app: TestApp;
  service: SearchService;
  site: FixtureSite;
  stop(): Promise<void>;
}

export async function startDialects(
  engine: TestEngine,
  pages: Parameters<typeof startSite>[0] = {},
  env: Record<string, string> = {},
): Promise<DialectKit> {
  const service = await startSearchService();
  const site = await startSite(pages);
  const app = await startApp(engine, {
    SEARXNG_ENDPOINT: service.url,
    OWN_INDEX: "0",
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    CHROMIUM_PATH: "/nowhere/chromium",
    CREDITS_PER_MONTH: String(credits),
    ...env,
  });
  return {
    app,
    service,
    site,
    async stop() {
      await app.stop();
      await service.close();
      await site.close();
    },
  };
}

/** What the team has used of its credits so far. */
export async function creditsUsed(app: TestApp): Promise<number> {
  return credits - (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;
}

/** One credit, and few requests a minute. */
export function startPoorApp(engine: TestEngine, requestsPerMinute: number): Promise<TestApp> {
  return startApp(engine, {
    CREDITS_PER_MONTH: "1",
    RATE_LIMIT_SCRAPE: String(requestsPerMinute),
    TRAWL_API_KEYS: `acme:${testKey}`,
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  });
}
