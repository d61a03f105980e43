// An extract with a language model over a server that is killed while the model is asked: all data once, tokens and credits
// charged once.
import { describe, expect, it, onTestFinished } from "vitest";
import { environment, headers, kill, killedOn } from "../support/crawl-servers.ts";
import { openSite } from "../support/jobs.ts";
import { startModelServer } from "../support/model-server.ts";
import { modelKey, pageTextOf } from "../support/models.ts";
import { openServer } from "../support/near-server.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const pages = 6;
const filler = "The hall smells of salt and tar and wet rope in every season of the year. ".repeat(30);
const names = Array.from({ length: pages }, (_, place) => `Sailor ${"ABCDEF"[place]}son`);
const items = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const schema = { type: "object", properties: { crewMembers: { type: "array", items } } };

const read = async ({ url }: Pick<ServerProcess, "url">, path: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  (await (await fetch(`${url}${path}`, { headers })).json()) as any;

describe.each(killedOn("postgres"))("an extract with a model on %s", (engine) => {
  it("survives kills in the middle of its questions: all data once, charged once", async () => {
    const site = await openSite((path) => {
      const name = names[Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)];
      return name === undefined ? undefined : `<main><h1>Ship</h1><p>On board is ${name}.</p><p>${filler}</p></main>`;
    });
    let answered = 0;
    /** Questions from this one on get no answer. */
    let silentFrom = 3;
    let isWaiting = false;
    const model = await startModelServer((asked) => {
      isWaiting = answered >= silentFrom;
      if (isWaiting) return () => {};
      answered += 1;
      const found = pageTextOf(asked).match(/Sailor \w+son/g) ?? [];
      return { json: { crewMembers: found.map((name) => ({ name })) } };
    });
    onTestFinished(() => model.close());
    const env = {
      ...(await environment(engine)),
      OPENAI_BASE_URL: model.openai,
      OPENAI_API_KEY: modelKey,
      MODEL_NAME: "test-model",
      LLM_CONTEXT_TOKENS: "1000",
      LLM_CONCURRENCY: "1",
      LLM_TOKENS_PER_MONTH: "1000000",
    };
    let server = await startServer(env);
    const body = JSON.stringify({ urls: names.map((_, place) => `${site.url}/p/${place}`), schema });
    const started = await fetch(`${server.url}/v2/extract`, { method: "POST", headers, body });
    const { id } = (await started.json()) as { id: string };
    for (const next of [4, Number.POSITIVE_INFINITY]) {
      await expect.poll(() => isWaiting).toBe(true);
      expect((await read(server, `/v2/extract/${id}`)).status).toBe("processing");
      await kill(server);
      silentFrom = answered + next;
      isWaiting = false;
      if (Number.isFinite(next)) server = await startServer(env);
    }
    const last = await openServer(env);
    const path = `/v2/extract/${id}`;
    await expect.poll(async () => (await read(last, path)).status, { interval: 100 }).toBe("completed");
    const ended = await read(last, path);
    expect(ended.data.crewMembers.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
    const credits = pages + Math.ceil(ended.tokensUsed / 15);
    expect(ended.creditsUsed).toBe(credits);
    const history = await read(last, "/v2/team/credit-usage/historical");
    expect(history).toMatchObject({ periods: [{ totalCredits: credits }] });
    // What the service was asked before the kills was used as well, and is shown.
    const tokens = await read(last, "/v2/team/token-usage/historical");
    expect(tokens.periods[0].tokensUsed).toBeGreaterThan(ended.tokensUsed);
    expect(tokens.periods[0].tokensUsed).toBeLessThan(120 * answered);
  }, 300_000);
});
