// The official SDK, unmodified: parse.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp, testKey } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { Firecrawl } from "../support/official-sdk.ts";

const file = (name: string) => readFileSync(new URL(`../documents/files/${name}`, import.meta.url));

describe.each([anyEngine])("the SDK's parse on $name", (engine) => {
  let app: TestApp;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  let client: any;
  beforeAll(async () => {
    app = await startApp(engine);
    client = new Firecrawl({ apiKey: testKey, apiUrl: app.url });
  });
  afterAll(() => app.stop());

  it("reads a file", async () => {
    const sent = { data: file("report.docx"), filename: "report.docx" };
    const document = await client.parse(sent, { formats: ["markdown", "links"] });
    expect(document.markdown).toContain("# Catch of the year");
    expect(document.links).toEqual(["https://harbour.example/register"]);
  });

  it("names why a file cannot be read", async () => {
    await expect(client.parse({ data: Buffer.from("x"), filename: "a.docx" })).rejects.toThrow(
      /cannot be read|no entries|not a/i,
    );
  });
});
