import { describe, expect, it } from "vitest";
import { scrapeOptions } from "../../contract/index.ts";
import { createReplays } from "./replay.ts";

const replays = createReplays({ seal: (text) => text, open: (text) => text });
const url = "https://page.test/";

describe("a page that is to be reopened", () => {
  it("needs no more than its URL, unless something was done on it", () => {
    expect(replays.pack("1", url, scrapeOptions.parse({}))).toBeUndefined();
    const packed = replays.pack("1", url, scrapeOptions.parse({ waitFor: 5 })) ?? "";
    expect(replays.open("1", packed)).toMatchObject({ url, waitFor: 5 });
  });

  it("is not reopened when a caller's own proxy brought it", () => {
    const packed = replays.pack("1", url, { ...scrapeOptions.parse({}), proxyUrl: "http://own.test" });
    expect(packed).toBe("");
    expect(() => replays.open("1", packed ?? "")).toThrow(/proxy of the caller's/);
  });
});
