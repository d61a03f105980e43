// One-time codes by RFC 6238, as authenticator apps show them.
import { createHmac } from "node:crypto";
import { secondMs } from "../base/index.ts";

const algorithms = ["SHA1", "SHA256", "SHA512"] as const;

export interface CodeKey {
  key: Uint8Array;
  algorithm: (typeof algorithms)[number];
  digits: number;
  periodMs: number;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/** What remains of a text whose bits fill no byte. */
const impossibleRests = [1, 3, 6];

/** Reads a key in base32 or a URI as QR codes hold it. Null for anything else. */
export function readCodeKey(text: string): CodeKey | null {
  const trimmed = text.trim();
  if (!/^otpauth:/i.test(trimmed)) return keyOf(trimmed, new URLSearchParams());
  if (!URL.canParse(trimmed)) return null;
  const { host, searchParams } = new URL(trimmed);
  return host.toLowerCase() === "totp" ? keyOf(searchParams.get("secret") ?? "", searchParams) : null;
}

function keyOf(base32: string, options: URLSearchParams): CodeKey | null {
  const key = readBase32(base32);
  const written = (options.get("algorithm") ?? "SHA1").toUpperCase();
  const algorithm = algorithms.find((each) => each === written);
  const digits = readInteger(options.get("digits"), { unless: 6, least: 6, most: 8 });
  const period = readInteger(options.get("period"), { unless: 30, least: 5, most: 120 });
  if (key === null || algorithm === undefined || digits === null || period === null) return null;
  return { key, algorithm, digits, periodMs: period * secondMs };
}

function readInteger(text: string | null, { unless, least, most }: Record<"unless" | "least" | "most", number>) {
  if (text === null) return unless;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function readBase32(text: string): Uint8Array | null {
  const digits = text.replace(/\s/g, "").replace(/=+$/, "").toUpperCase();
  if (!/^[A-Z2-7]+$/.test(digits) || impossibleRests.includes(digits.length % 8)) return null;
  const bytes: number[] = [];
  let bits = 0;
  let bitCount = 0;
  for (const digit of digits) {
    bits = ((bits << 5) | alphabet.indexOf(digit)) & 0xfff;
    bitCount += 5;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes.push((bits >> bitCount) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** The code of a period; periods are counted from 1970. */
export function codeOf({ key, algorithm, digits }: CodeKey, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const place = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(place) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}
