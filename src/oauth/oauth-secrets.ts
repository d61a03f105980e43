// Texts of codes, tokens and secrets of clients. Each has 256 random bits, so a plain hash of it cannot be reversed.
import { timingSafeEqual } from "node:crypto";
import { newSecret } from "../accounts/index.ts";
import { sha256 } from "../base/index.ts";

const prefixes = {
  access: "trawl_at_",
  refresh: "trawl_rt_",
  code: "trawl_ac_",
  client: "trawl_client_",
  secret: "trawl_cs_",
};

export function makeSecret(kind: keyof typeof prefixes): { text: string; hash: string } {
  const text = prefixes[kind] + newSecret();
  return { text, hash: sha256(text) };
}

export function isAccessToken(text: string): boolean {
  return text.startsWith(prefixes.access);
}

export function isHash(text: string, hash: string | null): boolean {
  return hash !== null && timingSafeEqual(Buffer.from(sha256(text)), Buffer.from(hash));
}
