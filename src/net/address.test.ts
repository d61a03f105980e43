import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globalIpv6, type IpAddress, isGlobal, parseAddress, parseRange, specialIpv4, specialIpv6 } from "./address.ts";

const readRange = (text: string) => {
  const range = parseRange(text);
  if (range === null) throw new Error(text);
  return range;
};

/** By hand, beside the table: the first address after a block may lie in the next block. */
const followedBySpecial = new Set(["224.0.0.0/4", "240.0.0.0/4"]);
const precededBySpecial = new Set(["240.0.0.0/4"]);

describe("special IPv4 space", () => {
  it.each(specialIpv4)("%s is refused from its first to its last address, and no further", (text) => {
    const { first, last } = readRange(text);
    const at = (value: bigint): IpAddress => ({ family: 4, value });
    expect([isGlobal(at(first)), isGlobal(at(last)), isGlobal(at((first + last) / 2n))]).toEqual([false, false, false]);
    if (first > 0n) expect(isGlobal(at(first - 1n))).toBe(!precededBySpecial.has(text));
    if (last < 2n ** 32n - 1n) expect(isGlobal(at(last + 1n))).toBe(!followedBySpecial.has(text));
  });

  it("is whole: these blocks of the registry and of ours are in it", () => {
    const edges = [
      "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255",
      "169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1",
      "192.31.196.1 192.52.193.1 192.88.99.0 192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255",
      "198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 100.100.100.200",
    ];
    for (const text of edges.join(" ").split(" ")) expect([text, isGlobal(read(text))]).toEqual([text, false]);
    const outside =
      "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 172.15.255.255";
    const more =
      "172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255";
    for (const text of `${outside} ${more} 192.18.0.1`.split(" ")) {
      expect([text, isGlobal(read(text))]).toEqual([text, true]);
    }
  });
});

describe("IPv6 space", () => {
  it.each(specialIpv6)("%s is refused from its first to its last address, and no further", (text) => {
    const { first, last } = readRange(text);
    const at = (value: bigint): IpAddress => ({ family: 6, value });
    expect([isGlobal(at(first)), isGlobal(at(last))]).toEqual([false, false]);
    expect([isGlobal(at(first - 1n)), isGlobal(at(last + 1n))]).toEqual([true, true]);
  });

  it("is global within 2000::/3 only", () => {
    const { first, last } = readRange(globalIpv6);
    const at = (value: bigint): IpAddress => ({ family: 6, value });
    expect([first - 1n, first, last, last + 1n].map((value) => isGlobal(at(value)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it.each([
    "::",
    "::1",
    "::7f00:1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff:fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
  ])("%s is refused", (text) => expect(isGlobal(read(text))).toBe(false));

  it.each(["2606:4700:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8", "2001:200::1", "2003::1"])(
    "%s is global",
    (text) => expect(isGlobal(read(text))).toBe(true),
  );
});

describe("reading addresses", () => {
  it.each(["", "localhost", "127.1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "fe80::1%lo", "[::1]", " ::1"])(
    "%j is none",
    (text) => expect(parseAddress(text)).toBeNull(),
  );

  it("every spelling of an IPv6 address is the same address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
        expect(parseAddress(text)).toEqual(parseAddress(canonical));
      }),
    );
  });

  it("an IPv4 address and its mapped form are judged alike", () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(parseAddress(`::ffff:${text}`)).toEqual(parseAddress(text));
        expect(isGlobal(read(`::ffff:${text}`))).toBe(isGlobal(read(text)));
      }),
    );
  });

  it("an address is within its own range of any length", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (text, length) => {
        const range = readRange(`${text}/${length}`);
        const { value } = read(text);
        expect(range.first <= value && value <= range.last).toBe(true);
        expect(range.last - range.first + 1n).toBe(1n << BigInt(32 - length));
      }),
    );
  });
});

function read(text: string): IpAddress {
  const address = parseAddress(text);
  if (address === null) throw new Error(text);
  return address;
}
