import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../base/index.ts";
import { readJsonBody } from "./json-body.ts";

const limits = { maxJsonDepth: 64, maxJsonObjectKeys: 1000, maxJsonKeys: 100_000, maxJsonItems: 200_000 };
const read = (text: string) => readJsonBody(text, limits);

function failure(text: string): ServiceError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("the text was accepted");
}

describe("reading a JSON body", () => {
  it("gives what JSON.parse gives for any JSON within the limits", () => {
    const values = fc.json({ maxDepth: 8 }).filter((text) => !text.includes("__proto__"));
    fc.assert(
      fc.property(values, (text) => {
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(["", "  \n", "\ufeff"])("takes %j as no body", (text) => expect(read(text)).toBeUndefined());

  it.each(["{", "{]", '{"a":1,}', "nope", '{"a":"\u0000"}', '"open', "}{", "[1]]"])("refuses %j as malformed", (text) =>
    expect(failure(text).code).toBe("BAD_REQUEST_INVALID_JSON"),
  );

  it("counts nesting exactly", () => {
    expect(read(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeInstanceOf(Array);
    expect(failure(`${"[".repeat(65)}${"]".repeat(65)}`).details).toEqual([
      { code: "too_big", path: [], message: "The body has more than 64 levels of nesting" },
    ]);
  });

  it("counts keys of one object exactly, and not those of its neighbours", () => {
    const object = (keys: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1])));
    expect(read(`[${object(1000)},${object(1000)}]`)).toHaveLength(2);
    expect(failure(object(1001)).status).toBe(400);
    expect(failure(`[${Array(101).fill(object(1000)).join(",")}]`).status).toBe(400);
  });

  it("counts items exactly, however they nest", () => {
    expect(read(JSON.stringify(Array(200_000).fill(1)))).toHaveLength(200_000);
    expect(failure(JSON.stringify([Array(100_001).fill(1), Array(100_001).fill(1)])).status).toBe(400);
  });

  it("does not count brackets and colons inside strings", () => {
    const text = JSON.stringify({ a: `${"[{:".repeat(5000)}\\"` });
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it("refuses ten million opening brackets without building them", () => {
    const before = process.memoryUsage().heapUsed;
    expect(failure("[".repeat(10_000_000)).status).toBe(400);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });

  it.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}'])(
    "drops the prototype key of %s",
    (text) => {
      const body = read(text) as Record<string, unknown>;
      expect(Object.keys(body)).toEqual(["a"]);
      expect(body.admin).toBeUndefined();
    },
  );
});
