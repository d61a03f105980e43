import { describe, expect, test } from "vitest";
import { createIpList, readIpRange } from "./ip-ranges.ts";

describe("lists of addresses", () => {
  test("hold addresses and ranges of both families", () => {
    const list = createIpList(["203.0.113.7", "10.0.0.0/8", "2001:db8::/32", "fe80::1"]);
    for (const inside of ["203.0.113.7", "10.255.0.1", "2001:db8:ffff::1", "fe80::1", "fe80::1%eth0"])
      expect(list.has(inside), inside).toBe(true);
    for (const outside of ["203.0.113.8", "11.0.0.1", "2001:db9::1", "fe80::2"])
      expect(list.has(outside), outside).toBe(false);
  });

  test("count an IPv4 address in IPv6 as IPv4, on both sides", () => {
    expect(createIpList(["127.0.0.1"]).has("::ffff:127.0.0.1")).toBe(true);
    expect(createIpList(["127.0.0.1"]).has("::ffff:7f00:1")).toBe(true);
    expect(createIpList(["::ffff:10.0.0.0/104"]).has("10.20.30.40")).toBe(true);
    expect(createIpList(["::/0"]).has("127.0.0.1")).toBe(false);
    expect(createIpList(["0.0.0.0/0"]).has("::1")).toBe(false);
  });

  test("have nothing that is no address", () => {
    const list = createIpList(["0.0.0.0/0", "::/0"]);
    for (const text of ["", "unknown", "10.1", "0x7f.1", "127.0.0.1, 10.0.0.1", "127.0.0.1:80", "[::1]"])
      expect(list.has(text), text).toBe(false);
  });

  test("are read with their faults", () => {
    const bad = [
      "",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/-1",
      "10.0.0.0/",
      "example.com",
      "::ffff:10.0.0.1/95",
      "fe80::1%1",
    ];
    for (const text of bad) expect(readIpRange(text), text).toBeNull();
    expect(readIpRange("10.0.0.0/8")).toEqual({ address: "10.0.0.0", prefix: 8, family: "ipv4" });
  });
});
