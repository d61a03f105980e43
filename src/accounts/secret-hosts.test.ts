import { describe, expect, it } from "vitest";
import { isHostOf, readSecretHost } from "./secret-hosts.ts";

describe("the hosts of a secret", () => {
  it.each([
    ["Shop.Example", "shop.example"],
    ["shop.example:8443", "shop.example:8443"],
    ["shop.example.", "shop.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["127.0.0.1:8080", "127.0.0.1:8080"],
    ["[::1]:8080", "[::1]:8080"],
    ["[::1]", "[::1]"],
    ["localhost", "localhost"],
  ])("%s is kept as %s", (written, kept) => {
    expect(readSecretHost(written)).toBe(kept);
  });

  it.each([
    "",
    "https://shop.example",
    "shop.example/login",
    "*.shop.example",
    "me@shop.example",
    "a b",
    ":80",
    "x:0",
    "x:70000",
  ])("%j is no host", (written) => {
    expect(readSecretHost(written)).toBeNull();
  });

  it.each([
    ["shop.example", "https://shop.example/login", true],
    ["shop.example", "https://login.shop.example:8443/", true],
    ["shop.example", "https://evilshop.example/", false],
    ["shop.example", "https://shop.example.evil.test/", false],
    ["shop.example", "https://evil.test/?shop.example", false],
    ["shop.example", "https://shop.example@evil.test/", false],
    ["shop.example:443", "https://shop.example/", true],
    ["shop.example:443", "http://shop.example/", false],
    ["shop.example:8080", "http://a.shop.example:8080/", true],
    ["127.0.0.1", "http://127.0.0.1:9/", true],
    ["0.0.1", "http://127.0.0.1/", false],
    ["[::1]:9", "http://[::1]:9/", true],
    ["shop.example", "about:blank", false],
    ["shop.example", "data:text/html,shop.example", false],
    ["shop.example", "file://shop.example/etc", false],
    ["shop.example", "", false],
  ])("%s: a document of %s is one: %s", (host, url, expected) => {
    expect(isHostOf([host], url)).toBe(expected);
  });
});
