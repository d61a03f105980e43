import { describe, expect, it } from "vitest";
import type { Format } from "../../contract/index.ts";
import {
  answerPlan,
  contentFormats,
  contestedFields,
  emptyWarnings,
  formatTable,
  outputNeeds,
  paidOutputs,
  usableCopies,
} from "./formats.ts";

const markdown: Format = { type: "markdown" };
const links: Format = { type: "links" };
const screenshot: Format = { type: "screenshot", fullPage: false };
const question: Format = { type: "question", question: "What?" };
const query: Format = { type: "query", prompt: "Who?", mode: "directQuote" };
const json: Format = { type: "json", checkPromptInjection: false, evidence: false };
const tracking: Format = { type: "changeTracking", modes: ["json"], tag: null };
const attributes: Format = { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] };

describe("the table of formats", () => {
  it("has content formats that ask the content room for something", () => {
    for (const [name, row] of Object.entries(formatTable)) {
      expect([name, row.content !== undefined]).toEqual([name, row.source === "content"]);
    }
  });

  it("has answers that say what they ask, and outputs of a page that say how they are made", () => {
    for (const row of Object.values(formatTable)) {
      expect(row.answer !== undefined).toBe(row.source === "answer" || row.source === "text");
      expect(row.fromPage !== undefined).toBe(row.source === "bytes" || row.source === "browser");
    }
  });
});

describe("what formats need", () => {
  it("is made by the content room, each query once", () => {
    const asked = contentFormats([markdown, links, attributes, attributes]);
    expect(asked).toMatchObject({ markdown: true, links: true, html: false, attributes: attributes.selectors });
  });

  it("is a browser for pictures and plain bytes for rawBase64", () => {
    expect(outputNeeds([markdown, screenshot, screenshot])).toEqual({ browser: ["screenshot"], isRaw: false });
    expect(outputNeeds([{ type: "rawBase64" }])).toEqual({ browser: [], isRaw: true });
  });
});

describe("answers", () => {
  it("are none where only content is asked for", () => expect(answerPlan([markdown, screenshot], true)).toBeNull());

  it("take the first format of a field", () => {
    expect(answerPlan([query, question], false)).toMatchObject({ question: "Who?", isQuoted: true });
    expect(contestedFields([query, question, markdown])).toEqual(["answer"]);
    expect(contestedFields([question, question])).toEqual([]);
  });

  it("read the markdown without showing it, data only with a model", () => {
    expect(answerPlan([question], false)?.hidesMarkdown).toBe(true);
    expect(answerPlan([question, markdown], false)?.hidesMarkdown).toBe(false);
    expect(answerPlan([json], false)?.hidesMarkdown).toBe(false);
    expect(answerPlan([json], true)?.hidesMarkdown).toBe(true);
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

it("names what came back empty, once", () => {
  expect(emptyWarnings({ html: "", rawHtml: "", links: [], images: [] })).toEqual([
    "The page is empty.",
    "The page has no links.",
    "The page has no images.",
  ]);
  expect(emptyWarnings({ html: "", warning: "Nothing was found." })).toEqual([]);
  expect(emptyWarnings({ html: "<p>", links: ["https://a.test/"], attributes: [] })).toEqual([]);
  expect(emptyWarnings({ attributes: [{ selector: "img", attribute: "alt", values: [] }] })).toEqual([
    "No element of the page has these attributes: alt of img.",
  ]);
});
