import { describe, expect, it } from "vitest";
import { ServiceError } from "../../base/index.ts";
import { createSealer } from "./sealing.ts";

const sealer = createSealer("the operator's secret");

describe("sealing", () => {
  it.each(["", "authorization: Bearer ü€😀", "x".repeat(100_000)])("gives back what was sealed (%#)", (text) => {
    expect(sealer.open(sealer.seal(text, "headers"), "headers")).toBe(text);
  });

  it("never seals the same text to the same value and shows nothing of it", () => {
    const sealed = sealer.seal("password", "headers");
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(sealed).not.toBe(sealer.seal("password", "headers"));
    expect(Buffer.from(sealed.slice(3), "base64url").includes("password")).toBe(false);
  });

  it("opens what another process with the same secret sealed", () => {
    expect(createSealer("the operator's secret").open(sealer.seal("text", "headers"), "headers")).toBe("text");
  });

  function expectRefusal(open: () => string): void {
    expect(open).toThrow(ServiceError);
    expect(open).toThrow(/cannot be opened/);
  }

  it("refuses another secret and another purpose", () => {
    const sealed = sealer.seal("text", "headers");
    expectRefusal(() => createSealer("another secret").open(sealed, "headers"));
    expectRefusal(() => sealer.open(sealed, "profile"));
  });

  it("refuses a change of any single character", () => {
    const sealed = sealer.seal("text", "headers");
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = sealed[place] === "A" ? "B" : "A";
      expectRefusal(() => sealer.open(sealed.slice(0, place) + changed + sealed.slice(place + 1), "headers"));
    }
  });

  it("refuses what is cut, lengthened or no sealed value at all", () => {
    const sealed = sealer.seal("text", "headers");
    for (const text of [
      "",
      "v1.",
      "text",
      sealed.slice(0, -1),
      `${sealed}A`,
      `${sealed}=`,
      `${sealed}\n`,
      `v2${sealed.slice(2)}`,
    ]) {
      expectRefusal(() => sealer.open(text, "headers"));
    }
  });

  it("refuses an empty secret", () => {
    expect(() => createSealer("")).toThrow(/empty/);
  });
});
