// WARC records: their headers, and their bytes as one gzip member each.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";

export type WarcField = readonly [name: string, value: string];

/** A record with its block, as it is written. */
export interface WarcRecord {
  fields: readonly WarcField[];
  block: Buffer;
}

const compress = promisify(gzip);
/** Up to this size the way to another thread costs more than the work. */
const largestInline = 64 * 1024;
/** Hardly larger than at the usual level, at two thirds of its time. */
const level = 5;

/** `version`: that of the record itself, where it came from elsewhere. */
export function recordBytes({ fields, block }: WarcRecord, version = "WARC/1.1"): Buffer {
  return Buffer.concat([recordHead(fields, version), block, recordEnd]);
}

export function recordHead(fields: readonly WarcField[], version = "WARC/1.1"): Buffer {
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${version}\r\n${lines.join("")}\r\n`);
}

export const recordEnd: Buffer = Buffer.from("\r\n\r\n");

export async function gzipMember(bytes: Buffer): Promise<Buffer> {
  return bytes.length <= largestInline ? gzipSync(bytes, { level }) : compress(bytes, { level });
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash("sha256", bytes, "hex")}`;
}

export function recordId(id: string): string {
  return `<urn:uuid:${id}>`;
}

export const warcDate = (at: number): string => new Date(at).toISOString();

export interface RecordFacts {
  type: "warcinfo" | "response" | "request" | "revisit" | "resource";
  id: string;
  at: number;
  contentType: string;
  block: Buffer;
  /** Between the date and the digests. */
  more?: readonly WarcField[];
}

export function makeRecord({ type, id, at, contentType, block, more = [] }: RecordFacts): WarcRecord {
  const fields: WarcField[] = [
    ["WARC-Type", type],
    ["WARC-Record-ID", recordId(id)],
    ["WARC-Date", warcDate(at)],
    ...more,
    ["WARC-Block-Digest", digestOf(block)],
    ["Content-Type", contentType],
    ["Content-Length", String(block.length)],
  ];
  return { fields, block };
}

/** The record that a file begins with. */
export function warcInfo(facts: { id: string; at: number; software: string; isPartOf: string; filename?: string }) {
  const lines = [`software: ${facts.software}`, "format: WARC File Format 1.1", `isPartOf: ${facts.isPartOf}`];
  const more: WarcField[] = facts.filename === undefined ? [] : [["WARC-Filename", facts.filename]];
  const block = Buffer.from(`${lines.join("\r\n")}\r\n`);
  return makeRecord({
    type: "warcinfo",
    id: facts.id,
    at: facts.at,
    contentType: "application/warc-fields",
    block,
    more,
  });
}
