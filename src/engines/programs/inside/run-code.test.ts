import { afterEach, describe, expect, it, vi } from "vitest";
import type { ProgramSession } from "./program-session.ts";
import { runCode } from "./run-code.ts";

const session = { page: { title: async () => "Form" }, context: {}, browser: {} } as unknown as ProgramSession;
const given = ["page", "context", "browser", "require"];

describe("JavaScript of a caller", () => {
  afterEach(() => {
    for (const name of given) Reflect.deleteProperty(globalThis, name);
    process.exitCode = undefined;
    vi.restoreAllMocks();
  });

  it.each([
    ["return await page.title()", "Form"],
    ["page.title()", "Form"],
    ["'text'", "text"],
    ["({ a: [1, null] })", '{"a":[1,null]}'],
    ["null", "null"],
    ["10n", "10n"],
    ["const a = {}; a.a = a; a", "Object"],
    ["undefined", undefined],
    ["if (true) return 'early'; page.nonsense()", "early"],
  ])("answers %s", async (code, result) => {
    expect(await runCode(code, session)).toEqual(result === undefined ? {} : { result });
    expect(process.exitCode).toBe(undefined);
  });

  it.each([
    ["throw new Error('my own')", "Error: my own"],
    ["throw 'a text'", "a text"],
    ["page.nonsense()", "TypeError"],
    ["const a = ;", "SyntaxError"],
  ])("tells of a failure: %s", async (code, message) => {
    const print = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await runCode(code, session)).toEqual({});
    expect(process.exitCode).toBe(1);
    expect(String(print.mock.calls[0]?.[0])).toContain(message);
  });
});
