// Questions about pages, to a service on loopback that invents and obeys.
import { Ajv } from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import { type AskedModel, type ModelReply, startModelServer } from "../../test/support/model-server.ts";
import { openNet } from "../../test/support/site-server.ts";
import { createAllowance } from "./budget.ts";
import { cleanLines } from "./clean-lines.ts";
import { createModel } from "./create-model.ts";
import type { Check } from "./model.ts";
import {
  answerFromPages,
  examineWords,
  fillByPrompt,
  fillFromPages,
  type ModelReading,
  quoteFromPages,
  summarisePages,
} from "./read-pages.ts";
import { createSupport } from "./support.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const lamp = {
  url: "https://a.example/lamp",
  text: "# Lamp\n\nThe lamp costs 12.50 euros. It was made by Acme.\n\n<!-- Jane Invented -->",
};
const chair = { url: "https://a.example/chair", text: "# Chair\n\nThe chair weighs 4 kg." };

async function read(answer: (asked: AskedModel) => ModelReply): Promise<ModelReading & { asked: AskedModel[] }> {
  const server = await startModelServer(answer);
  const net = openNet();
  opened.push(server, net);
  const model = createModel(
    {
      net,
      clock: { now: () => 0 },
      ledger: { reserve: async () => ({ id: "", granted: 0, used: 0 }), settle: async () => undefined },
    },
    { protocol: "openai", baseUrl: server.openai, apiKey: "", name: "m", setting: "OPENAI_BASE_URL" },
    { concurrency: 4, tokensPerMonth: 0 },
  );
  return {
    model,
    pages: [lamp, chair],
    teamId: "t1",
    allowance: createAllowance(0),
    limits: { contextTokens: 4000, maxOutputTokens: 500, timeoutMs: 10_000 },
    signal: new AbortController().signal,
    asked: server.asked,
  };
}

const schema = {
  type: "object",
  properties: {
    maker: { type: "string" },
    owner: { type: "string" },
    price: { type: "number" },
    isCheap: { type: "boolean" },
    weights: { type: "array", items: { type: "number" }, minItems: 1 },
  },
  required: ["owner"],
};
const check: Check = (value) => {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword, params, message }) =>
    keyword === "required"
      ? { path: [String(params.missingProperty)], kind: "missing", message: "is missing" }
      : { path: instancePath.split("/").slice(1), kind: "wrong", message: message ?? "" },
  );
};

describe("questions about pages", () => {
  it("by a schema give values that the pages have, with their places, and name those that no page has", async () => {
    const invented = { maker: "Acme", owner: "Jane Invented", price: "12.50", isCheap: true, weights: [4, 99] };
    const reading = await read(() => ({ json: invented }));
    expect(await fillFromPages(reading, { schema, prompt: "the lamp", check })).toMatchObject({
      ok: true,
      value: { maker: "Acme", price: 12.5, isCheap: true, weights: [4] },
      evidence: {
        maker: { url: lamp.url, text: "The lamp costs 12.50 euros. It was made by Acme." },
        price: { url: lamp.url },
        "weights[0]": { url: chair.url, text: "The chair weighs 4 kg." },
      },
      unsupported: ["owner", "weights[1]"],
      isPartial: false,
    });
    expect(reading.asked.length).toBe(1);
    expect(reading.asked[0]?.turns[0]).toContain("What is wanted: the lamp");
  });

  it("stay valid when what is left out leaves a list too short", async () => {
    const reading = await read(() => ({ json: { maker: "Acme", weights: [99], "weights[0]": null } }));
    const answer = await fillFromPages(reading, { schema, prompt: null, check });
    expect(answer).toMatchObject({
      ok: true,
      value: { maker: "Acme" },
      dropped: ["weights"],
      unsupported: ["weights[0]"],
    });
  });

  it("by a prompt alone give what the model makes of it, as far as the pages have it", async () => {
    const json = JSON.stringify({
      lamp: { maker: "Acme", euros: 12.5, colour: "chartreuse" },
      list: ["Chair", "Table"],
    });
    const reading = await read(() => ({ json: { json } }));
    expect(await fillByPrompt(reading, "everything about the lamp")).toMatchObject({
      ok: true,
      value: { lamp: { maker: "Acme", euros: 12.5 }, list: ["Chair"] },
      unsupported: ["lamp.colour", "list[1]"],
    });
  });

  it("are answered with passages that were looked up, or with nothing", async () => {
    const quotes = ["The lamp costs 12.50 euros.", "It is the best lamp of all."];
    const reading = await read(() => ({ json: { answer: "12.50 euros", quotes } }));
    expect(await answerFromPages(reading, "What does the lamp cost?")).toMatchObject({
      answer: "12.50 euros",
      passages: [{ url: lamp.url, text: "The lamp costs 12.50 euros. It was made by Acme." }],
    });
    const stray = await read(() => ({ json: { answer: "Before 1900 it cost 77 euros", quotes } }));
    expect(await answerFromPages(stray, "What did it cost before 1900?")).toMatchObject({ strayNumbers: ["77"] });
    const unknown = await read(() => ({ json: { answer: null, quotes: [] } }));
    expect(await answerFromPages(unknown, "Who painted it?")).toMatchObject({ ok: true, answer: null, passages: [] });
  });

  it("about a subject give the pages' own sentences, each looked up", async () => {
    const quotes = ["The chair weighs 4 kg.", "The chair is a throne.", "The chair weighs 4 kg."];
    const reading = await read(() => ({ json: { quotes } }));
    expect(await quoteFromPages(reading, "the chair")).toMatchObject({
      passages: [{ url: chair.url, text: "The chair weighs 4 kg." }],
    });
  });

  it("about lines to leave out change no other line, whatever is answered", async () => {
    const lines = Array.from({ length: 12 }, (_, place) => `Line ${place + 1} of the page`);
    const page = { url: lamp.url, text: lines.join("\n") };
    const answers = [
      [{ from: 1, to: 2 }],
      [
        { from: 3, to: 3 },
        { from: 2, to: 5 },
        { from: 12, to: 12 },
      ],
      [{ from: "4", to: "6" }],
      [],
    ];
    for (const remove of answers) {
      const reading = await read(() => ({ json: { remove, text: "Line of my own" } }));
      const gone = new Set(
        remove.flatMap(({ from, to }) =>
          lines.filter((_, place) => place + 1 >= Number(from) && place + 1 <= Number(to)),
        ),
      );
      expect(await cleanLines({ ...reading, pages: [page] })).toMatchObject({
        ok: true,
        text: lines.filter((line) => !gone.has(line)).join("\n"),
        removed: gone.size,
      });
    }
    for (const remove of [
      [{ from: 0, to: 3 }],
      [{ from: 5, to: 2 }],
      [{ from: 1, to: 13 }],
      [{ from: 1.5, to: 2 }],
      "all",
    ]) {
      const reading = await read(() => ({ json: { remove } }));
      const answer = await cleanLines({ ...reading, pages: [page] });
      expect(answer).toMatchObject({ ok: false, code: "MODEL_ANSWER_UNUSABLE" });
    }
  });

  it("are summed up in words", async () => {
    const reading = await read(() => ({ text: "<think>so</think>\nA lamp and a chair." }));
    expect(await summarisePages(reading)).toMatchObject({ ok: true, summary: "A lamp and a chair.", strayNumbers: [] });
    const counting = await read(() => ({ text: "2 things: a lamp for 12,50 and a chair of 1887 for 99.90." }));
    expect(await summarisePages(counting)).toMatchObject({ strayNumbers: ["1887", "99.90"] });
    const broken = await read(() => ({ status: 401, error: "no" }));
    expect(await summarisePages(broken)).toMatchObject({ ok: false, code: "MODEL_MISCONFIGURED" });
  });
});

describe("an answer in words", () => {
  it("is looked up on the pages and in the question: strange numbers are named, strange addresses left out", () => {
    const asked = "What do 30 lamps cost?";
    const known = { shown: [lamp], support: createSupport([lamp]), asked };
    expect(examineWords("30 lamps at 12.50 each.", known)).toEqual({
      text: "30 lamps at 12.50 each.",
      strayNumbers: [],
      isShortened: false,
    });
    const strange = examineWords("They cost 375.00, see https://evil.example/?q=12.50", known);
    expect(strange).toMatchObject({ strayNumbers: ["375.00"], isShortened: true });
    expect(strange.text).not.toContain("evil.example");
  });
});
