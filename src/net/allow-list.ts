// ALLOWED_PRIVATE_HOSTS: what may be reached although it is private. An address or range allows that address; a name
// allows what exactly this name resolves to, and nothing else that shares the address.
import { domainToASCII } from "node:url";
import { type AddressRange, type IpAddress, isWithin, parseRange } from "./address.ts";

export type AllowEntry = { port: number | null } & ({ name: string } | { range: AddressRange });

const namePattern = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/;

/**
 * Reads names, addresses and CIDR ranges, each optionally with `:port` (IPv6 with a port in brackets), separated by
 * commas. Undefined when an entry is anything else.
 */
export function parseAllowList(text: string): readonly AllowEntry[] | undefined {
  const entries: AllowEntry[] = [];
  for (const item of text.split(",")) {
    const trimmed = item.trim();
    if (trimmed === "") continue;
    const entry = parseEntry(trimmed);
    if (entry === null) return undefined;
    entries.push(entry);
  }
  return entries;
}

function parseEntry(text: string): AllowEntry | null {
  const whole = parseRange(text);
  if (whole !== null) return { range: whole, port: null };
  const [, bracketed, plain, portText] = /^(?:\[([^\]]*)\]|([^:[\]/?#@\\%\s]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = portText === undefined ? null : Number(portText);
  if (host === undefined || (port !== null && (port < 1 || port > 65535))) return null;
  const range = parseRange(host);
  if (range !== null) return { range, port };
  if (bracketed !== undefined) return null;
  const name = domainToASCII(host.replace(/\.$/, "")).toLowerCase();
  // A last label of digits would be read as an address by every URL parser, so such a name could never match.
  const isName = name.length <= 253 && namePattern.test(name) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name);
  return isName ? { name, port } : null;
}

function matchesPort(entry: AllowEntry, port: number): boolean {
  return entry.port === null || entry.port === port;
}

export function allowsName(list: readonly AllowEntry[], name: string, port: number): boolean {
  return list.some((entry) => "name" in entry && entry.name === name && matchesPort(entry, port));
}

export function allowsAddress(list: readonly AllowEntry[], address: IpAddress, port: number): boolean {
  return list.some((entry) => "range" in entry && isWithin(address, entry.range) && matchesPort(entry, port));
}
