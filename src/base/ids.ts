// Ids are version 7 UUIDs: random, but ordered by creation time.
import { hash, randomBytes, randomUUID } from "node:crypto";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID v7 (RFC 9562): 48 bits of milliseconds, then 74 random bits. */
export function newId(nowMs: number = Date.now()): string {
  // Node pools randomness for version 4 UUIDs: everything after the version digit is taken from one.
  return startOf(nowMs) + randomUUID().slice(15);
}

function startOf(ms: number): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/** Sorts before every id created at this time or later. */
export function earliestId(fromMs: number): string {
  return `${startOf(fromMs)}000-8000-000000000000`;
}

/** When an id was created, in milliseconds since 1970; null when it is not a version 7 UUID. */
export function timeOfId(id: string): number | null {
  return isUuid(id) && id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** An API key: full entropy, so a plain hash of it is safe to store. */
export function newKey(): string {
  return `fc-${randomBytes(16).toString("hex")}`;
}

export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}
