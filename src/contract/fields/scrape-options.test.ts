import { describe, expect, test } from "vitest";
import { optionalScrapeOptions, scrapeOptions } from "./scrape-options.ts";

const day = 24 * 60 * 60 * 1000;

function problems(options: object): string[] {
  return (scrapeOptions.safeParse(options).error?.issues ?? []).map((issue) => issue.path.join("."));
}

describe("after parsing everything is present", () => {
  test("with the defaults of the contract", () => {
    expect(scrapeOptions.parse({})).toEqual({
      formats: [{ type: "markdown" }],
      onlyMainContent: true,
      onlyCleanContent: false,
      includeTags: [],
      excludeTags: [],
      maxAge: 2 * day,
      headers: {},
      waitFor: 0,
      mobile: false,
      skipTlsVerification: true,
      timeout: 60_000,
      parsers: [
        { type: "pdf", mode: "auto", pages: false, blocks: false, pageMarkers: false },
        { type: "image", isDefault: true },
      ],
      actions: [],
      location: { country: "US", languages: [] },
      removeBase64Images: true,
      blockAds: true,
      proxy: "auto",
      storeInCache: true,
      lockdown: false,
      fastMode: false,
      checkPromptInjection: false,
      redactPII: false,
      zeroDataRetention: false,
      trace: false,
    });
    expect(optionalScrapeOptions.parse({}).formats).toEqual([]);
  });

  test.each([{ headers: { Cookie: "a=b" } }, { actions: [{ type: "scrape" }] }, { profile: { name: "shop" } }])(
    "%j makes the page personal",
    (personal) => {
      expect(scrapeOptions.parse(personal)).toMatchObject({ skipTlsVerification: false, storeInCache: false });
      expect(scrapeOptions.parse({ ...personal, skipTlsVerification: true }).skipTlsVerification).toBe(true);
    },
  );

  test("lockdown makes old copies welcome, an explicit age wins", () => {
    expect(scrapeOptions.parse({ lockdown: true }).maxAge).toBe(730 * day);
    expect(scrapeOptions.parse({ lockdown: true, maxAge: 5 }).maxAge).toBe(5);
  });

  test("other names are translated", () => {
    const options = scrapeOptions.parse({
      proxy: "stealth",
      actions: [{ type: "generatePDF" }],
      parsers: [{ type: "pdf", pageMarkdown: true }, "image"],
      formats: ["screenshot", "json"],
      domainTools: true,
    });
    expect(options.proxy).toBe("enhanced");
    expect(options.actions).toEqual([{ type: "pdf", format: "Letter", landscape: false, scale: 1 }]);
    expect(options.parsers).toMatchObject([{ type: "pdf", pages: true }, { type: "image" }]);
    expect(options.formats).toEqual([
      { type: "screenshot", fullPage: false },
      { type: "json", checkPromptInjection: false, evidence: false },
    ]);
    expect(options).not.toHaveProperty("domainTools");
  });
});

test.each([
  [{ formats: ["screenshot", { type: "screenshot", fullPage: true }] }, ["formats.1"]],
  [{ formats: ["changeTracking"] }, ["formats.0"]],
  [{ formats: ["changeTracking", "markdown"] }, []],
  [{ formats: ["rawBase64", "markdown"] }, ["formats.0"]],
  [{ formats: ["rawBase64"] }, []],
  [{ waitFor: 30_001 }, ["waitFor"]],
  [{ waitFor: 30_000 }, []],
  [{ waitFor: 501, timeout: 1000 }, ["waitFor"]],
  [{ waitFor: 1, actions: [{ type: "wait", milliseconds: 60_000 }] }, ["actions"]],
  [{ actions: [{ type: "wait", milliseconds: 60_000 }] }, []],
  [{ actions: [{ type: "wait" }] }, ["actions.0"]],
  [{ actions: [{ type: "wait", milliseconds: 1, selector: "a" }] }, ["actions.0"]],
  [{ actions: new Array(51).fill({ type: "scrape" }) }, ["actions"]],
  [{ fastMode: true, formats: ["screenshot"] }, ["formats.0"]],
  [{ fastMode: true, actions: [{ type: "scrape" }] }, ["actions"]],
  [{ fastMode: true, profile: { name: "shop" } }, ["profile"]],
  [{ zeroDataRetention: true, onlyCleanContent: true }, ["onlyCleanContent"]],
  [{ headers: { "X-Ok": "fine", "bad name": "x" } }, ["headers.bad name"]],
  [{ headers: { "": "x" } }, ["headers."]],
  [{ headers: { "X-Cut": "a\r\nEvil: 1" } }, ["headers.X-Cut"]],
  [{ headers: { "X-Nul": "a\u0000" } }, ["headers.X-Nul"]],
  [{ location: { country: "Germany" } }, ["location.country"]],
  [{ profile: { name: "" } }, ["profile.name"]],
])("%j has problems at %j", (options, paths) => {
  expect(problems(options)).toEqual(paths);
});
