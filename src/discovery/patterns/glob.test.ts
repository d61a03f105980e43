import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { readGlob } from "./glob.ts";

describe("an address with a star", () => {
  it.each([
    ["https://site.test/*", "/", true],
    ["https://site.test/*", "/a", true],
    ["https://site.test/*", "/a/b/c", true],
    ["https://site.test/blog/*", "/blog", true],
    ["https://site.test/blog/*", "/blog/", true],
    ["https://site.test/blog/*", "/blog/a/b", true],
    ["https://site.test/blog/*", "/blogs/a", false],
    ["https://site.test/blog/*", "/about", false],
    ["https://site.test/*/reviews", "/lamp/reviews", true],
    ["https://site.test/*/reviews", "/lamp/reviews/", true],
    ["https://site.test/*/reviews", "/a/lamp/reviews", false],
    ["https://site.test/*/reviews", "/reviews", false],
    ["https://site.test/**/reviews", "/reviews", true],
    ["https://site.test/**/reviews", "/a/lamp/reviews", true],
    ["https://site.test/**/reviews", "/a/lamp/reviews/3", false],
    ["https://site.test/a/**/b/*/c", "/a/x/b/b/y/c", true],
    ["https://site.test/a/**/b/*/c", "/a/x/b/c", false],
    ["https://site.test/item-*", "/item-7", true],
    ["https://site.test/item-*", "/item-", true],
    ["https://site.test/item-*", "/items/7", false],
    ["https://site.test/*-lamp-*", "/desk-lamp-2", true],
    ["https://site.test/caf%C3%A9/*", "/caf%C3%A9/menu", true],
    ["https://site.test/a.b/*", "/aXb/c", false],
  ])("%s and the path %s: %s", (url, path, fits) => {
    expect(readGlob(url)?.matches(path)).toBe(fits);
  });

  it.each([
    ["https://site.test/*", "https://site.test/"],
    ["https://site.test/blog/*", "https://site.test/blog/"],
    ["https://site.test/a/b-*/c", "https://site.test/a/"],
    ["https://site.test:8080/**/x", "https://site.test:8080/"],
  ])("%s is looked for from %s on", (url, base) => {
    expect(readGlob(url)?.base.href).toBe(base);
  });

  it("needs a star in its path", () => {
    expect(readGlob("https://site.test/a?b=*")).toBeNull();
    expect(readGlob("https://site.test/a/")).toBeNull();
  });

  it("takes time by its length, not by its stars", () => {
    const glob = readGlob(`https://site.test/${"*a".repeat(400)}b`);
    const spentMs = startCpuTimer();
    expect(glob?.matches(`/${"a".repeat(2000)}`)).toBe(false);
    expect(readGlob(`https://site.test/${"**/a/".repeat(400)}b`)?.matches("/a".repeat(1000))).toBe(false);
    expect(spentMs()).toBeLessThan(1000);
  });
});
