// How a page looks, read from the computed styles of the rendered page; and what is said where there is no browser.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { startSearchService } from "../support/extract.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { openSite, runJob } from "../support/jobs.ts";
import type { AskedModel, ModelReply } from "../support/model-server.ts";
import { pageTextOf, startModelApp } from "../support/models.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

const words = "The ferry leaves the harbour every morning at nine and carries letters and bread. ".repeat(5);
const page = `<!doctype html><html lang="en"><head><title>Harbour</title><link rel="icon" href="/icon.png">
  <meta property="og:image" content="/share.jpg"><style>
  body { background: #101820; color: rgb(240, 240, 240); font: 400 16px/1.5 Georgia, serif; margin: 0 }
  h1 { font: 700 40px Verdana, sans-serif } h2 { font-size: 24px } a { color: hsl(39 100% 50%) } code { font-family: "Courier New" }
  .cta { background: oklch(0.63 0.26 29); color: white; border: 0; border-radius: 8px; padding: 8px 16px } section { padding: 16px }
  .ghost { background: transparent; color: #fff; border: 1px solid #ffffff; border-radius: 8px } input { background: #fff; border: 1px solid #888 }
  .hidden { display: none; background: #00ff00; color: #00ff00 } </style></head>
  <body><header><a href="/"><img class="site-logo" src="/logo.svg" width="80" height="30" alt="Harbour"></a></header><main>
  <h1>Harbour</h1><section><p>${words}</p><p><a href="/x">Read about the timetable of the ferries</a> <code>ls -l</code></p></section><h2>Tickets</h2>
  <p class="hidden">${words}</p><button class="cta">Buy</button> <button class="cta">Book</button> <button class="ghost">More</button> <input></main>
  <script>window.getComputedStyle = () => { throw new Error("forged") }; Element.prototype.getBoundingClientRect = () => ({ width: 0 });</script></body></html>`;

const detailed = `<!doctype html><title>Timetable | Quayside</title><style>
  :root { --color-success: #0a8f3c; --warning: rgb(200 120 0) } body { margin: 0; font: 16px/1.5 "Open Sans", Georgia, serif; color: #202020 }
  h1 { font: 700 40px/1.2 Verdana, sans-serif } h3 { font-size: 20px } small { font-size: 12px; color: #777777; font-weight: 300 }
  header { height: 64px } footer { height: 120px } .container { max-width: 960px; padding: 0 24px } section { padding: 40px 0; margin: 16px 0 }
  .grid { display: grid; grid-template-columns: repeat(3, 1fr); column-gap: 20px } .card { padding: 12px } .btn { background: #1030c0; color: #fff;
  padding: 8px 16px; transition: color 0.2s ease-in-out, top 0s; border: 0 } .alert-danger { color: #b00020; background: #fff0f0; font-weight: 500 }
  input { border: 1px solid #999; outline: none; transition: border-color 1s } input:focus { border-color: #1030c0 }</style>
  <header><a href="/home"><img class="logo" src="/logo.png" width="90" height="30" alt="Quayside ferries"></a></header><main><div class="container">
  <h1>Timetable</h1><section><p>${words}</p><small>Updated today, and every day of the year at six.</small></section><h3>Cards</h3>
  <div class="grid"><div class="card">One</div><div class="card">Two</div><div class="card">Three</div></div><a class="btn" href="/buy">Buy</a>
  <p class="alert-danger">No ferry today</p><input name="from"><svg width="24" height="24"><path d="M2 2h20" fill="none" stroke="#1030c0"/></svg>
  </div></main><footer>Bye</footer>`;

describe.skipIf(lacksChromium)("branding", () => {
  let site: FixtureSite;
  let service: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    site = await startSite({
      "/": page,
      "/detailed": detailed,
      "/bare": "<p>Nothing but a few words.</p>",
      "/many": `<body>${"<div><b>x</b></div>".repeat(10_000)}</body>`,
    });
    service = await startSearchService(() => [{ url: `${site.url}/`, title: "Harbour", content: "Harbour" }]);
    app = await startApp(anyEngine, {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      ...quickBrowser,
      SEARXNG_ENDPOINT: service.url,
    });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
    await service.close();
  });
  const scrape = async (path: string, formats: unknown[] = ["branding"]) =>
    (await app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats } })).body;

  it("is what the page shows, whatever its scripts say and however its colors are written", async () => {
    const { data } = await scrape("/", ["markdown", "branding"]);
    const logo = `${site.url}/logo.svg`;
    expect(data.markdown).toContain("ferry leaves");
    expect(data.branding).toMatchObject({
      colorScheme: "dark",
      logo,
      colors: {
        background: "#101820",
        textPrimary: "#F0F0F0",
        link: "#FFA600",
        accent: "#FFA600",
        primary: expect.stringMatching(/^#[EF]/),
      },
      fonts: [
        { family: "Georgia", role: "body" },
        { family: "Verdana", role: "heading" },
        { family: "Courier New", role: "code" },
      ],
      typography: { fontSizes: { h1: "40px", h2: "24px", body: "16px" }, fontWeights: { regular: 400, heading: 700 } },
      spacing: { borderRadius: "8px" },
      components: {
        buttonPrimary: { textColor: "#FFFFFF", borderRadius: "8px", borderColor: "transparent" },
        buttonSecondary: { background: "transparent", borderColor: "#FFFFFF" },
        input: { background: "#FFFFFF" },
      },
      images: { logo, favicon: `${site.url}/icon.png`, ogImage: `${site.url}/share.jpg` },
    });
    expect(JSON.stringify(data.branding)).not.toContain("#00FF00");
  });

  it("has what single parts say: names, colors by their meaning, font stacks, spaces, focus, icons, movement and layout", async () => {
    const { branding } = (await scrape("/detailed")).data;
    const sans = ["Open Sans", "Georgia", "serif"];
    expect(branding).toMatchObject({
      brandName: "Quayside",
      colors: {
        textPrimary: "#202020",
        textSecondary: "#777777",
        success: "#0A8F3C",
        warning: "#C87800",
        error: "#B00020",
      },
      typography: {
        fontStacks: { primary: sans, heading: ["Verdana", "sans-serif"], body: sans, paragraph: sans },
        lineHeights: { heading: 1.2, body: 1.5 },
        fontSizes: { h3: "20px", small: "12px" },
        fontWeights: { light: 300, medium: 500, bold: 700 },
      },
      spacing: {
        padding: { section: 40, container: 24, button: 8, card: 12 },
        margins: { section: 16 },
        gridGutter: 20,
      },
      components: { input: { borderColor: "#999999", focusBorderColor: "#1030C0" } },
      icons: { style: "outline", primaryColor: "#1030C0" },
      images: { logoHref: `${site.url}/home`, logoAlt: "Quayside ferries" },
      animations: { transitionDuration: "0.2s", easing: "ease-in-out" },
      layout: { grid: { columns: 3, maxWidth: "960px" }, headerHeight: "64px", footerHeight: "120px" },
    });
    for (const name of ["tone", "personality"]) expect(branding).not.toHaveProperty(name);
  });

  it("says with a language model how the page speaks, in the words that the format has, and otherwise only how it looks", async () => {
    const models = await startModelApp(anyEngine, { ...quickBrowser });
    onTestFinished(() => models.stop());
    const ask = async (reply: ModelReply, more: object = {}) => {
      models.script(() => reply);
      const body = { url: `${site.url}/`, formats: ["branding"], ...more };
      const answer = await models.app.call("POST", "/v2/scrape", { body });
      const { branding, metadata, markdown, warning } = answer.body.data;
      expect([branding.colorScheme, markdown, metadata.creditsUsed]).toEqual(["dark", undefined, 1]);
      const { tone, personality } = branding;
      return { tone, personality, warning, questions: models.asked.length, cached: metadata.cacheState };
    };
    const failed = await ask({ status: 401, error: "no such key" });
    expect(failed).toMatchObject({ tone: undefined, personality: undefined, questions: 1, cached: "miss" });
    expect(failed.warning).toMatch(/did not answer \(MODEL_MISCONFIGURED\): .+ has no tone and no personality\.$/);
    const tone = { voice: "calm ![](https://evil.example/a.png)", emojiUsage: "x".repeat(300) };
    const personality = { tone: "heroic", energy: "low", targetAudience: "islanders", mood: "sad" };
    const told = await ask({ json: { tone, personality } });
    expect(told).toMatchObject({ warning: undefined, questions: 1, cached: "miss" });
    expect([told.tone, told.personality]).toEqual([{ voice: "calm" }, { energy: "low", targetAudience: "islanders" }]);
    expect(models.asked[0]?.system).toContain("It is data");
    expect(pageTextOf(models.asked[0] as AskedModel)).toContain("ferry leaves");
    const { periods } = (await models.app.call("GET", "/v2/team/token-usage/historical")).body;
    expect(periods.at(-1).tokensUsed).toBeGreaterThan(0);
    expect(await ask({ json: {} })).toMatchObject({ ...told, questions: 0, cached: "hit" });
    const silent = await ask({ json: { tone: "calm", personality: { energy: 7 } } }, { maxAge: 0 });
    expect(silent).toMatchObject({ tone: undefined, personality: undefined, questions: 1 });
    expect(silent.warning).toMatch(/could not tell/);
  });

  it("comes with crawls, batches and searches, and is refused for files, which no browser shows", async () => {
    const scrapeOptions = { formats: ["branding"] };
    const dark = { colorScheme: "dark", colors: { background: "#101820" } };
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [`${site.url}/`], ...scrapeOptions });
    expect(batch.data[0].branding).toMatchObject(dark);
    const crawl = await runJob(app, "/v2/crawl", { url: `${site.url}/`, limit: 1, scrapeOptions });
    expect(crawl.data[0].branding).toMatchObject(dark);
    const { body } = await app.call("POST", "/v2/search", { body: { query: "harbour", scrapeOptions } });
    expect(body.data.web[0].branding).toMatchObject(dark);
    const form = new FormData();
    form.set("file", new Blob([page]), "harbour.html");
    form.set("options", JSON.stringify(scrapeOptions));
    expect((await app.call("POST", "/v2/parse", { body: form })).status).toBe(400);
  });

  it("of a page without a style is the browser's own, and one of twenty thousand elements is bounded", async () => {
    const { data } = await scrape("/bare");
    expect(data.branding).toMatchObject({
      colorScheme: "light",
      colors: { background: "#FFFFFF", textPrimary: "#000000" },
    });
    expect(data.branding).not.toHaveProperty("logo");
    expect((await scrape("/many")).data.branding.colorScheme).toBe("light");
  });
});

it("is SCRAPE_BRANDING_NOT_SUPPORTED without a browser, before anything is fetched, and refused where none may be used", async () => {
  const site = await openSite({ "/": page });
  const app = await useApp(anyEngine, withoutBrowser);
  onTestFinished(() => app.stop());
  const scrape = (more: object) =>
    app.call("POST", "/v2/scrape", { body: { url: `${site.url}/`, formats: ["branding"], ...more } });
  const { status, body } = await scrape({});
  expect([status, body.code]).toEqual([501, "SCRAPE_BRANDING_NOT_SUPPORTED"]);
  expect((await scrape({ fastMode: true })).body.details[0].path).toEqual(["formats", 0]);
  expect(site.asked).toEqual([]);
});
