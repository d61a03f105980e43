import { describe, expect, it } from "vitest";
import { createDocumentJson } from "./document-json.ts";

const made = () => ({ markdown: "# One", links: ["https://a.test/"], metadata: { title: "One" } });

describe("the JSON of a finished document", () => {
  it("is the document", () => expect(JSON.parse(createDocumentJson(made()).whole().toString())).toEqual(made()));

  it("with other metadata names every field once, even when it is handed a whole document", () => {
    const json = createDocumentJson(made());
    json.write();
    const answered = { ...made(), warning: "Two.", metadata: { title: "Two" } };
    const text = json.with(answered).toString();
    expect(JSON.parse(text)).toEqual(answered);
    expect(text).toHaveLength(JSON.stringify(answered).length);
  });

  it("knows that its outputs are not written yet", () => expect(createDocumentJson(made()).isWritten()).toBe(false));

  it("stays true: the document cannot be changed any more", () => {
    const document = made();
    createDocumentJson(document);
    expect(() => Object.assign(document, { markdown: "# Two" })).toThrow(TypeError);
  });
});
