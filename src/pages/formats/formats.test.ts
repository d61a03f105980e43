import { describe, expect, it } from "vitest";
import { contentFormats as contentModules } from "../../content/outputs/content-formats.ts";
import { type Format, type FormatName, formatNames, formats as rows, scrapeOptions } from "../../contract/index.ts";
import { markdownFormats } from "../../extraction/texts/markdown-formats.ts";
import { thingFormats } from "../../extraction/things/thing-formats.ts";
import {
  answeredFormats,
  askedOfContent,
  browserTasks,
  contestedFields,
  errorWithoutBrowser,
  outputNeeds,
  paidOutputs,
  usableCopies,
} from "./formats.ts";
import { pageFormats } from "./page-formats.ts";
import { planOutputs } from "./plan-outputs.ts";

const markdown: Format = { type: "markdown" };
const links: Format = { type: "links" };
const screenshot: Format = { type: "screenshot", fullPage: false };
const branding: Format = { type: "branding" };
const question: Format = { type: "question", question: "What?" };
const query: Format = { type: "query", prompt: "Who?", mode: "directQuote" };
const json: Format = { type: "json", checkPromptInjection: false, evidence: false };
const chunks: Format = { type: "chunks", maxTokens: 512, overlap: 0 };
const menu: Format = { type: "menu" };
const tracking: Format = { type: "changeTracking", modes: ["json"], tag: null };
const attributes: Format = { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] };
const titles: Format = { type: "attributes", selectors: [{ selector: "a", attribute: "title" }] };

/** Made where the main content is selected, and not by a module. */
const core = ["markdown", "html"];

describe("every row of the contract has a module in the room that its origin names, and every module a row:", () => {
  const namesFrom = (...origins: string[]) =>
    formatNames.filter((name) => origins.includes(rows[name].madeFrom) && !core.includes(name)).sort();

  it.each([
    ["content", contentModules, ["content"]],
    ["extraction, things", thingFormats, ["thing"]],
    ["extraction, texts", markdownFormats, ["text"]],
    ["pages", pageFormats, ["answer", "bytes", "browser", "history"]],
  ])("%s", (_room, modules, origins) => {
    expect(Object.keys(modules).sort()).toEqual(namesFrom(...origins));
  });

  it("answers say how they are made, outputs of a page what they take of it", () => {
    for (const [name, module] of Object.entries(pageFormats)) {
      const { madeFrom } = rows[name as FormatName];
      expect([name, "make" in module]).toEqual([name, madeFrom === "answer" || name === "branding"]);
      expect([name, "fromPage" in module]).toEqual([name, madeFrom === "bytes" || madeFrom === "browser"]);
    }
  });
});

describe("what formats need", () => {
  it("is made by the content room, each query once", () => {
    const asked = askedOfContent([markdown, links, attributes, attributes, titles]);
    expect(asked).toMatchObject({ markdown: true, links: true, html: false, images: false });
    expect(asked.attributes).toEqual({ selectors: [...attributes.selectors, ...titles.selectors] });
  });

  it("is a browser for pictures and plain bytes for rawBase64", () => {
    expect(outputNeeds([markdown, screenshot, screenshot])).toEqual({ browser: ["screenshot"], isRaw: false });
    expect(outputNeeds([{ type: "rawBase64" }])).toEqual({ browser: [], isRaw: true });
  });

  it("is what the browser does before the page is closed", () => {
    const { screenshots, scripts } = browserTasks([markdown, screenshot, branding]);
    expect(screenshots).toEqual([screenshot]);
    expect(Object.keys(scripts ?? {})).toEqual(["branding"]);
    expect(errorWithoutBrowser([screenshot])).toBeNull();
    expect(errorWithoutBrowser([screenshot, branding])).toEqual({
      name: "branding",
      code: "SCRAPE_BRANDING_NOT_SUPPORTED",
    });
  });
});

describe("answers", () => {
  const plan = (formats: Format[], model: string | null = null) =>
    planOutputs({ ...scrapeOptions.parse({}), formats }, model);

  it("are not planned where only content is asked for", () => {
    expect(answeredFormats([markdown, screenshot, tracking])).toEqual([]);
  });

  it("are made in their order: data, texts, things, chunks", () => {
    const names = answeredFormats([chunks, menu, question, json]).map(({ type }) => type);
    expect(names).toEqual(["json", "question", "menu", "chunks"]);
  });

  it("take the first format of a field", () => {
    expect(answeredFormats([query, question])).toEqual([query]);
    expect(contestedFields([query, question, markdown])).toEqual(["answer"]);
    expect(contestedFields([question, question])).toEqual([]);
  });

  it("read the markdown without showing it, data only with a model", () => {
    expect(plan([question]).hidesMarkdown).toBe(true);
    expect(plan([question, markdown]).hidesMarkdown).toBe(false);
    expect(plan([json]).hidesMarkdown).toBe(false);
    expect(plan([json], "a model").hidesMarkdown).toBe(true);
  });

  it("name the model where it adds to what a browser sees", () => {
    expect(plan([branding], "a model")).toMatchObject({ model: "a model", hidesMarkdown: true });
    expect(plan([branding])).toMatchObject({ model: null, hidesMarkdown: false });
    expect(plan([screenshot, chunks, markdown], "a model").model).toBeNull();
  });

  it("name the data and things to look for on the page", () => {
    expect(plan([json, menu])).toMatchObject({ reader: { schema: null, prompt: null }, things: ["menu"] });
    expect(plan([markdown])).toMatchObject({ reader: null, things: [], usesExtractor: false });
    expect(plan([{ type: "deterministicJson", schema: { type: "object" } }]).usesExtractor).toBe(true);
  });
});

it("pays once for what fills the same field, and for data whose changes are followed", () => {
  expect(paidOutputs([question, query])).toEqual(new Set(["question"]));
  expect(paidOutputs([json, tracking])).toEqual(new Set(["json"]));
  expect(paidOutputs([markdown, links, screenshot, { ...tracking, modes: ["git-diff"] }])).toEqual(new Set());
});

it("uses the copies that serve all formats", () => {
  expect(usableCopies([markdown, json])).toBe("any");
  expect(usableCopies([markdown, screenshot])).toBe("documents");
  expect(usableCopies([{ ...screenshot, quality: 50 }])).toBe("none");
  expect(usableCopies([screenshot, tracking])).toBe("none");
});
