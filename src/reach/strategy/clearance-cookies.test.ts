import { describe, expect, it } from "vitest";
import { type ClearanceCookie, cookieHeader, cookiesOfHost } from "./clearance-cookies.ts";

const now = Date.parse("2026-11-15T12:00:00Z");
const cookie = (name: string, more: Partial<ClearanceCookie> = {}): ClearanceCookie => ({
  name,
  value: "v",
  domain: "shop.example",
  path: "/",
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: "Lax",
  ...more,
});
const kept = (cookies: ClearanceCookie[], url = "https://shop.example/") =>
  cookiesOfHost(cookies, url, now).map(({ name }) => name);

describe("cookies that were won", () => {
  it("are those of the host and its domain, and no others", () => {
    const cookies = [
      cookie("own"),
      cookie("domain", { domain: ".example" }),
      cookie("other", { domain: "ads.example" }),
      cookie("child", { domain: ".www.shop.example" }),
      cookie("similar", { domain: ".hop.example" }),
      cookie("old", { expires: now / 1000 - 1 }),
      cookie("young", { expires: now / 1000 + 60 }),
    ];
    expect(kept(cookies)).toEqual(["own", "domain", "young"]);
    expect(cookiesOfHost(undefined, "https://shop.example/", now)).toEqual([]);
  });

  it("are few and small", () => {
    expect(kept(Array.from({ length: 80 }, (_, index) => cookie(`c${index}`)))).toHaveLength(50);
    expect(kept([cookie("a"), cookie("large", { value: "x".repeat(20_000) }), cookie("b")])).toEqual(["a"]);
  });

  it.each([
    ["https://shop.example/", "a=v; s=v"],
    ["http://shop.example/", "a=v"],
    ["https://shop.example/deep/x", "a=v; s=v; p=v"],
    ["https://shop.example/deeper", "a=v; s=v"],
    ["https://other.example/", null],
  ])("are sent to %s as %j", (url, header) => {
    const cookies = [cookie("a"), cookie("s", { secure: true }), cookie("p", { path: "/deep" })];
    expect(cookieHeader(cookies, url, now)).toBe(header);
  });
});
