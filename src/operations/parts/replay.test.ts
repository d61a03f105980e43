import { describe, expect, it } from "vitest";
import { scrapeOptions } from "../../contract/index.ts";
import { openReplay, packReplay } from "./replay.ts";

const sealer = { seal: (text: string) => text, open: (text: string) => text };
const url = "https://page.test/";

describe("a page that is to be reopened", () => {
  it("needs no more than its URL, unless something was done on it", () => {
    expect(packReplay(sealer, "1", url, scrapeOptions.parse({}))).toBeUndefined();
    const packed = packReplay(sealer, "1", url, scrapeOptions.parse({ waitFor: 5 })) ?? "";
    expect(openReplay(sealer, "1", packed)).toMatchObject({ url, waitFor: 5 });
  });

  it("is not reopened when a caller's own proxy brought it", () => {
    const packed = packReplay(sealer, "1", url, { ...scrapeOptions.parse({}), proxyUrl: "http://own.test" });
    expect(packed).toBe("");
    expect(() => openReplay(sealer, "1", packed ?? "")).toThrow(/caller's own proxy/);
  });
});
