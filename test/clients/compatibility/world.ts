// What clients are tried against: the real app with a browser, a site, a search service, and a second app with a language model.
import { type AgentModel, inTurn, startAgentModel } from "../../support/agent-model.ts";
import { startApp, type TestApp, testKey } from "../../support/app.ts";
import { quickBrowser } from "../../support/browser.ts";
import { startDeveloperSources } from "../../support/developer-sources.ts";
import { anyEngine } from "../../support/engines.ts";
import { productPage } from "../../support/extract.ts";
import { type FixtureSite, startSite } from "../../support/fixture-site.ts";
import { page } from "../../support/jobs.ts";
import { type PaperSources, startPaperSources } from "../../support/paper-sources.ts";
import { type SearchService, startSearchService } from "../../support/search-service.ts";

export interface World {
  url: string;
  key: string;
  /** The same with a language model. */
  modelUrl: string;
  site: string;
  close(): Promise<void>;
}

/** One that the sources of papers know. */
export const paper = "arxiv:1706.03762";

export const lampSchema = {
  type: "object",
  properties: { name: { type: "string" }, sku: { type: "string" } },
  required: ["name", "sku"],
};

export async function startWorld(): Promise<World> {
  const site: FixtureSite = await startSite({
    "/": page("Nets", ["/a", "/b"]),
    "/a": page("A"),
    "/b": page("B"),
    // Its answer does not come: for jobs that are cancelled.
    "/slow": () => undefined,
    "/lamp": productPage({ name: "Desk lamp", sku: "L-1" }),
  });
  const service: SearchService = await startSearchService();
  service.results = [{ url: `${site.url}/a`, title: "A", content: "The text of A" }];
  const model: AgentModel = await startAgentModel();
  model.play({ step: inTurn(), answer: () => ({ includePaths: ["^/a$"], limit: 5 }) });
  const papers: PaperSources = await startPaperSources();
  const developer = await startDeveloperSources();
  const env = {
    ...papers.env,
    ...developer.env,
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    SEARXNG_ENDPOINT: service.url,
    ...quickBrowser,
    REQUESTS_PER_MINUTE: "100000",
  };
  const app: TestApp = await startApp(anyEngine, env);
  const withModel: TestApp = await startApp(anyEngine, { ...env, ...model.env });
  return {
    url: app.url,
    key: testKey,
    modelUrl: withModel.url,
    site: site.url,
    async close() {
      await app.stop();
      await withModel.stop();
      await model.close();
      await service.close();
      await papers.close();
      await developer.close();
      await site.close();
    },
  };
}
