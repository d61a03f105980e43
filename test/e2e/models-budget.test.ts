// The month's tokens of a team, used by many requests at once over two server processes on one database.
import { describe, expect, it, onTestFinished } from "vitest";
import { environment, headers } from "../support/crawl-servers.ts";
import { openSite } from "../support/jobs.ts";
import { startModelServer } from "../support/model-server.ts";
import { modelKey } from "../support/models.ts";
import { openServer } from "../support/near-server.ts";

const text = "The harbour pilot is Greta Lind, and her boat leaves the pier at dawn. ".repeat(20);
const page = `<main><h1>Harbour</h1><p>${text}</p></main>`;

describe("a month's tokens over two servers", () => {
  it("are not exceeded by requests at the same time, and those beyond them say so", async () => {
    const limit = 3000;
    const site = await openSite(() => page);
    let written = 0;
    const model = await startModelServer(() => {
      written += 1;
      return { text: "The pilot is Greta Lind.", afterMs: 100 };
    });
    onTestFinished(() => model.close());
    const env = {
      ...(await environment("postgres")),
      OPENAI_BASE_URL: model.openai,
      OPENAI_API_KEY: modelKey,
      MODEL_NAME: "test-model",
      LLM_MAX_OUTPUT_TOKENS: "100",
      LLM_TOKENS_PER_MONTH: String(limit),
    };
    const servers = [await openServer(env), await openServer(env)];
    const scrape = async (index: number) => {
      const body = JSON.stringify({ url: `${site.url}/${index}`, formats: ["summary"] });
      const response = await fetch(`${servers[index % 2]?.url}/v2/scrape`, { method: "POST", headers, body });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return (await response.json()) as any;
    };
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => scrape(index)));
    const refused = answers.filter(({ warning }) => warning?.includes("MODEL_BUDGET_EXCEEDED"));
    expect(answers.filter(({ success }) => !success)).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length + written).toBe(16);
    const usage = await fetch(`${servers[0]?.url}/v2/team/token-usage`, { headers });
    const { data } = (await usage.json()) as { data: { remainingTokens: number; planTokens: number } };
    expect(data).toMatchObject({ planTokens: limit, remainingTokens: limit - written * 105 });
    expect(data.remainingTokens).toBeGreaterThanOrEqual(0);
    // What was reserved and not used is free again.
    expect((await scrape(20)).warning ?? "").not.toContain("MODEL_BUDGET_EXCEEDED");
  });
});
