// Servers of one installation know each other by a key made from TRAWL_SECRET. The opening of a connection is signed with it, and
// each of its messages with a key of that connection alone. Both sides add random bytes to that key, so a recorded opening that
// is sent again is useless: its sender cannot sign a message.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

export interface NodeOpening {
  path: string;
  /** By the store's clock, in milliseconds since 1970. */
  at: number;
  nonce: string;
}

export type NodeKey = ReturnType<typeof createNodeKey>;

const nonceBytes = 16;
export const newNonce = () => randomBytes(nonceBytes).toString("base64url");

export function createNodeKey(secret: string) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "trawl nodes v1", 32));
  const sign = (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest();

  return {
    /** The header that opens a connection. */
    write({ path, at, nonce }: NodeOpening): string {
      return [at, nonce, sign("open", path, String(at), nonce).toString("base64url")].join(".");
    },

    /** Null unless this header was written with the same key, for this path. */
    read(path: string, header: string): NodeOpening | null {
      const [, time = "", nonce = "", signature = ""] = headerPattern.exec(header) ?? [];
      const given = Buffer.from(signature, "base64url");
      const expected = sign("open", path, time, nonce);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return { path, at: Number(time), nonce };
    },

    /** For the messages of one connection. */
    ofConnection: (callersNonce: string, ourNonce: string): Buffer => sign("messages", callersNonce, ourNonce),
  };
}

const headerPattern = /^(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/;
