import { describe, expect, it } from "vitest";
import type { CheckUrl } from "../../reach/index.ts";
import { acceptUrls } from "./accept-urls.ts";

/** Allows every host but one. */
const checkUrl: CheckUrl = (text) => {
  const url = new URL(text);
  return url.hostname === "inside.test" ? { problem: "refused", message: "refused" } : { url };
};
const accept = (urls: string[], ignoreInvalidURLs = false) => acceptUrls({ urls, ignoreInvalidURLs }, checkUrl);

describe("a list of URLs", () => {
  it("is accepted in its order, each as often as it is listed", () => {
    const urls = ["https://b.test/", "https://a.test/", "https://b.test/"];
    expect(accept(urls)).toEqual({ urls, first: "https://b.test/", invalid: [] });
  });

  it.each([
    ["BAD_REQUEST", "http://", "Invalid URL"],
    ["URL_NOT_ALLOWED", "http://inside.test/", "This URL is not allowed"],
  ])("throws %s for %s, which it names by its place", (code, bad, message) => {
    const thrown = expect(() => accept(["https://a.test/", bad]));
    thrown.toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }));
    thrown.toThrow(expect.objectContaining({ details: [expect.objectContaining({ path: ["urls", 1] })] }));
  });

  it("leaves invalid ones out where the request says so, as they were sent", () => {
    expect(accept(["http://", "https://a.test/", "http://inside.test/"], true)).toEqual({
      urls: ["https://a.test/"],
      first: "https://a.test/",
      invalid: ["http://", "http://inside.test/"],
    });
  });

  it("throws for a list without a usable URL, with a reason for each", () => {
    const issues = expect.objectContaining({ code: "BAD_REQUEST", message: "No valid URLs provided" });
    expect(() => accept(["http://", "http://inside.test/"], true)).toThrow(issues);
    expect(() => accept([], true)).toThrow(issues);
  });
});
