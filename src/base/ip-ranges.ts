// Lists of IP addresses and ranges (CIDR), as callers and operators write them.
import { BlockList, isIP } from "node:net";

interface IpRange {
  address: string;
  prefix: number;
  family: "ipv4" | "ipv6";
}

const mappedBits = 96;
const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

/** The address as it is compared; null for any other text. One that maps IPv4 counts as IPv4. */
function plainAddress(text: string): { address: string; family: "ipv4" | "ipv6"; isMapped: boolean } | null {
  const [bare = ""] = text.split("%", 1);
  if (isIP(bare) === 4) return { address: bare, family: "ipv4", isMapped: false };
  if (isIP(bare) === 0) return null;
  const written = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, dotted, high, low] = mapped.exec(written) ?? [];
  if (dotted !== undefined) return { address: dotted, family: "ipv4", isMapped: true };
  if (high === undefined || low === undefined) return { address: written, family: "ipv6", isMapped: false };
  const parts = [high, low].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 255];
  });
  return { address: parts.join("."), family: "ipv4", isMapped: true };
}

/** Null for what is neither an address nor a range. */
export function readIpRange(text: string): IpRange | null {
  const [, written = "", length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const plain = plainAddress(written);
  if (plain === null || written.includes("%")) return null;
  const { address, family, isMapped } = plain;
  const most = family === "ipv4" ? 32 : 128;
  const prefix = length === undefined ? most : Number(length) - (isMapped ? mappedBits : 0);
  return prefix >= 0 && prefix <= most ? { address, family, prefix } : null;
}

/** What is no address is on no list. */
export function createIpList(ranges: readonly string[]): { has(address: string): boolean } {
  // Apart: a list that has ::/0 would have every IPv4 address, too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of ranges) {
    const range = readIpRange(text);
    if (range) lists[range.family].addSubnet(range.address, range.prefix, range.family);
  }
  return {
    has(text) {
      const plain = plainAddress(text);
      return plain !== null && lists[plain.family].check(plain.address, plain.family);
    },
  };
}
