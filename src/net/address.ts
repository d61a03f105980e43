// Which addresses belong to the public internet. Everything the IANA registries give a special purpose is refused,
// whatever its registry row says about reachability: no web site lives there.
import { isIPv4, isIPv6 } from "node:net";

export interface IpAddress {
  family: 4 | 6;
  value: bigint;
}

export interface AddressRange {
  family: 4 | 6;
  first: bigint;
  last: bigint;
}

const bits = { 4: 32, 6: 128 } as const;
/** ::ffff:0:0/96 without its last 32 bits. */
const mappedPrefix = 0xffffn;

/** Special-purpose IPv4 space: https://www.iana.org/assignments/iana-ipv4-special-registry, with multicast. */
export const specialIpv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT, and some clouds' metadata
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // in public space, but inside every Azure network it is the platform
  "169.254.0.0/16", // link-local, cloud metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments, some clouds' metadata
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
] as const;

/** The only global unicast space handed out; loopback, ULA, link-local, multicast, NAT64 and SIIT lie outside it. */
export const globalIpv6 = "2000::/3";

/** Special-purpose space within it: https://www.iana.org/assignments/iana-ipv6-special-registry. */
export const specialIpv6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: carries any IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
] as const;

const specialRanges: readonly AddressRange[] = [...specialIpv4, ...specialIpv6].map(readRange);
const globalRange = readRange(globalIpv6);

/** Reads an IP address; IPv4 mapped into IPv6 is the IPv4 address it holds. Null for any other text, zones included. */
export function parseAddress(text: string): IpAddress | null {
  if (isIPv4(text)) return { family: 4, value: parseIpv4(text) };
  if (!isIPv6(text) || text.includes("%")) return null;
  const value = parseIpv6(text);
  if (value >> 32n === mappedPrefix) return { family: 4, value: value & 0xffffffffn };
  return { family: 6, value };
}

function parseIpv4(text: string): bigint {
  return text.split(".").reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function parseIpv6(text: string): bigint {
  const dotted = text.lastIndexOf(":") + 1;
  const tail = text.includes(".") ? parseIpv4(text.slice(dotted)) : null;
  const plain =
    tail === null ? text : `${text.slice(0, dotted)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [head = "", rest] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = rest === undefined || rest === "" ? [] : rest.split(":");
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

/** Reads `address` or `address/length`; host bits are cut off. Null when it is neither. */
export function parseRange(text: string): AddressRange | null {
  const [base = "", length, ...more] = text.split("/");
  const address = parseAddress(base);
  if (address === null || more.length > 0) return null;
  const { family, value } = address;
  if (length === undefined) return { family, first: value, last: value };
  // A mapped base was written with 128 bits in mind: reading it as IPv4 would open the wrong range.
  const wasMapped = family === 4 && base.includes(":");
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits[family] || wasMapped) return null;
  const size = 1n << BigInt(bits[family] - Number(length));
  const first = value - (value % size);
  return { family, first, last: first + size - 1n };
}

function readRange(text: string): AddressRange {
  const range = parseRange(text);
  if (range === null) throw new Error(`${text} is no range`);
  return range;
}

export function isWithin(address: IpAddress, range: AddressRange): boolean {
  return address.family === range.family && address.value >= range.first && address.value <= range.last;
}

/** True for an address of the public internet. */
export function isGlobal(address: IpAddress): boolean {
  if (address.family === 6 && !isWithin(address, globalRange)) return false;
  return !specialRanges.some((range) => isWithin(address, range));
}
