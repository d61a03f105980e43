// Passwords as they are stored: scrypt, each with its own salt. Few are checked at the same time, because each takes 32 MB.
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createSemaphore } from "../base/index.ts";

const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;
const atOnce = createSemaphore({ places: 2 });

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function deriveInTurn(password: string, salt: Buffer): Promise<Buffer> {
  return atOnce.run(() => derive(password, salt));
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString("base64url")}$${(await deriveInTurn(password, salt)).toString("base64url")}`;
}

/** Takes the same time whether or not there is a password to compare with. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt = "", key = ""] = (stored ?? "").split("$");
  const expected = stored === null ? Buffer.alloc(keyBytes) : Buffer.from(key, "base64url");
  const derived = await deriveInTurn(password, Buffer.from(salt, "base64url"));
  return timingSafeEqual(derived, expected) && stored !== null;
}
