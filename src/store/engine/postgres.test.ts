import { afterAll, describe, expect, it } from "vitest";
import { openPostgres } from "./postgres.ts";

const engine = openPostgres("postgres://unknown@127.0.0.1:1/none");
afterAll(() => engine.close());

const coded = (code: string) => Object.assign(new Error("what the server or the network says"), { code });

describe("errors of PostgreSQL", () => {
  it.each(["53100", "53200", "53300", "57014", "57P03", "25006", "58030", "40P01", "ECONNREFUSED", "ENOTFOUND"])(
    "%s: the storage cannot serve now, and nothing was changed",
    (code) => expect(engine.classify(coded(code))).toBe("refused"),
  );

  it.each(["57P01", "57P02", "08006", "08003", "ECONNRESET", "EPIPE"])(
    "%s: the connection was lost, and what it last did is not known",
    (code) => expect(engine.classify(coded(code))).toBe("lost"),
  );

  it.each([
    ["Connection terminated unexpectedly", "lost"],
    ["Query read timeout", "lost"],
    ["timeout exceeded when trying to connect", "refused"],
    ["Connection terminated due to connection timeout", "lost"],
  ])("pg's own error without a code: %s", (message, kind) => expect(engine.classify(new Error(message))).toBe(kind));

  it.each(["23505", "42601", "28P01", "22P02", "ERR_INVALID_ARG_TYPE"])("%s is not about the storage", (code) =>
    expect(engine.classify(coded(code))).toBeNull(),
  );

  it("leaves errors of this program alone", () => {
    expect(engine.classify(new TypeError("x is not a function"))).toBeNull();
    expect(engine.classify("text")).toBeNull();
  });
});
