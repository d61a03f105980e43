// Crawl options from a sentence, through the API, on both engines: the model is a server on loopback with a script.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite, page, pagesFor, runJob } from "../support/jobs.ts";
import { type AskedModel, type ModelReply, type ModelServer, startModelServer } from "../support/model-server.ts";

const prompt = "only the blog, two levels deep";
const key = "sk-secret-of-the-tests";

describe.each([anyEngine])("a crawl by a prompt on $name", (engine) => {
  let app: TestApp;
  let model: ModelServer;
  let answer: (asked: AskedModel) => ModelReply = () => ({ json: {} });
  beforeAll(async () => {
    model = await startModelServer((asked) => answer(asked));
    const env = { OPENAI_BASE_URL: model.openai, OPENAI_API_KEY: key, MODEL_NAME: "test", LLM_TIMEOUT_MS: "4000" };
    app = await startApp(engine, { ...env, ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  });
  afterAll(async () => {
    await app.stop();
    await model.close();
  });
  const preview = (body: object) => app.call("POST", "/v2/crawl/params-preview", { body });
  const openBlog = () =>
    openSite({
      "/": page("Home", ["/blog/a", "/shop/b", "/blog/c"]),
      ...pagesFor(["/blog/a", "/blog/c", "/shop/b"]),
    });

  it("is shown first, and nothing is fetched for it", async () => {
    const site = await openBlog();
    answer = () => ({ json: { includePaths: ["^/blog/.*"], maxDiscoveryDepth: 2, limit: 200, sitemap: "include" } });
    model.asked.length = 0;
    const { status, body } = await preview({ url: site.url, prompt });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          url: `${site.url}/`,
          includePaths: ["^/blog/.*"],
          maxDiscoveryDepth: 2,
          limit: 200,
          sitemap: "include",
        },
      },
    ]);
    expect(site.asked).toEqual([]);
    expect(model.asked[0]?.turns[0]).toContain(prompt);
    const options = Object.keys((model.asked[0]?.schema?.properties ?? {}) as object);
    expect(options).toContain("excludePaths");
    // What a model may not choose for a caller.
    for (const name of ["webhook", "ignoreRobotsTxt", "scrapeOptions", "url"]) expect(options).not.toContain(name);
  });

  it("runs with what was understood; what the caller sent wins, its defaults do not", async () => {
    const site = await openBlog();
    answer = () => ({ json: { includePaths: ["^/blog/"], limit: 1, sitemap: "skip", allowSubdomains: true } });
    const asked = { url: site.url, prompt, limit: 10_000, allowSubdomains: false };
    const { started, paths } = await runJob(app, "/v2/crawl", asked);
    expect(started.promptGeneratedOptions).toEqual({
      includePaths: ["^/blog/"],
      limit: 1,
      sitemap: "skip",
      allowSubdomains: true,
    });
    expect(started.finalCrawlerOptions).toMatchObject({
      includePaths: ["^/blog/"],
      limit: 10_000,
      sitemap: "skip",
      allowSubdomains: false,
    });
    expect(started).not.toHaveProperty("warning");
    expect(paths).toEqual(["/blog/a", "/blog/c"]);
    expect(site.asked.filter((path) => path.includes("sitemap"))).toEqual([]);
  });

  it("leaves out what is not valid, and says so", async () => {
    const site = await openBlog();
    answer = () => ({
      json: {
        includePaths: ["^/blog/", "(unclosed"],
        maxDiscoveryDepth: -3,
        sitemap: "sometimes",
        webhook: "http://x",
      },
    });
    const { body } = await preview({ url: site.url, prompt });
    expect(body.data).toEqual({ url: `${site.url}/`, includePaths: ["^/blog/"] });
    for (const name of ["includePaths", "maxDiscoveryDepth", "sitemap"]) expect(body.warning).toContain(name);
    const { started, paths } = await runJob(app, "/v2/crawl", { url: site.url, prompt });
    expect(started.warning).toContain("includePaths");
    expect(paths).toEqual(["/blog/a", "/blog/c"]);
  });

  // What follows is about the model and its answers, not about what is stored.
  if (engine !== anyEngine) return;

  it("uses patterns that only the slower engine of crawls knows", async () => {
    const site = await openBlog();
    answer = () => ({ json: { includePaths: ["^/blog/(?!c)"] } });
    const { paths } = await runJob(app, "/v2/crawl", { url: site.url, prompt });
    expect(paths).toEqual(["/blog/a"]);
  });

  it.each([
    ["500", { status: 500, error: "boom" }, 503, "MODEL_UNAVAILABLE"],
    ["too slow", { json: {}, afterMs: 12_000 }, 408, "MODEL_TIMEOUT"],
    ["words", { text: "I would rather not." }, 500, "MODEL_ANSWER_UNUSABLE"],
    ["a refused key", { status: 401, error: `bad key ${key}` }, 500, "MODEL_MISCONFIGURED"],
  ] as const)(
    "of which the model makes nothing (%s) is refused by name, and nothing is begun",
    async (_, reply, status, code) => {
      const site = await openBlog();
      answer = () => reply;
      for (const path of ["/v2/crawl", "/v2/crawl/params-preview"]) {
        const refused = await app.call("POST", path, { body: { url: site.url, prompt } });
        expect([refused.status, refused.body.code]).toEqual([status, code]);
        expect(refused.text).not.toContain(key);
      }
      expect(site.asked).toEqual([]);
    },
  );

  it("asks no model for a request that is refused anyway", async () => {
    model.asked.length = 0;
    const refused = await app.call("POST", "/v2/crawl", { body: { url: "http://10.0.0.1/", prompt } });
    expect(refused.status).toBe(403);
    expect((await preview({ url: "http://10.0.0.1/", prompt })).status).toBe(403);
    expect((await preview({ url: "https://example.com" })).status).toBe(400);
    expect(model.asked).toEqual([]);
  });

  it("needs a model: 501 that names the setting", async () => {
    const plain = await startApp(engine);
    onTestFinished(() => plain.stop());
    for (const path of ["/v2/crawl", "/v2/crawl/params-preview"]) {
      const { status, body } = await plain.call("POST", path, { body: { url: "https://example.com", prompt } });
      expect([status, body.code]).toEqual([501, "MODEL_NOT_CONFIGURED"]);
      expect(body.error).toContain("MODEL_NAME");
    }
  });
});
