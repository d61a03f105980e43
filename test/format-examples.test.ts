// The examples of docs/formats.md: a request that the API takes and a response of its shape, for every format.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatNames, formats, scrapeOptions } from "../src/contract/index.ts";

const page = readFileSync(join(import.meta.dirname, "../docs/formats.md"), "utf8");
const examples = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, text]) => JSON.parse(text ?? ""));
const pairs = examples.flatMap((one, index) => ("formats" in one ? [[one, examples[index + 1]]] : []));

it("has an example of every format, as the API takes and gives it", () => {
  const shown = new Set<string>();
  for (const [request, response] of pairs) {
    const read = scrapeOptions.safeParse({ formats: request.formats });
    expect(read.error?.issues ?? [], JSON.stringify(request)).toEqual([]);
    const names = (read.data?.formats ?? []).map(({ type }) => type);
    for (const name of names) {
      shown.add(name);
      const fields = Object.entries(formats[name].returns);
      const [field] = fields.map(([key]) => key);
      expect(response, name).toHaveProperty(field ?? "");
      for (const [key, schema] of fields) expect(schema.safeParse(response[key]).error?.issues ?? [], key).toEqual([]);
    }
  }
  expect([...shown].toSorted()).toEqual([...formatNames].toSorted());
});
