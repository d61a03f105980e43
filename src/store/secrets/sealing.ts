// Secrets that must outlive a process are stored only sealed: AES-256-GCM under a key derived from
// the operator's secret. The purpose is bound in, so a sealed webhook header cannot be opened as something else.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { ServiceError } from "../../base/index.ts";

const version = "v1.";
const nonceBytes = 12;
const tagBytes = 16;

export interface Sealer {
  seal(text: string, purpose: string): string;
  /** Throws when the text was changed, or sealed with another secret or for another purpose. */
  open(sealed: string, purpose: string): string;
}

export function createSealer(secret: string): Sealer {
  if (secret === "") throw new ServiceError("INTERNAL_ERROR", "The secret for sealing is empty.");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "trawl sealing v1", 32));

  return {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(version + purpose));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return version + sealed.toString("base64url");
    },

    open(sealed, purpose) {
      try {
        if (!sealed.startsWith(version)) throw new Error("unknown version");
        const bytes = Buffer.from(sealed.slice(version.length), "base64url");
        if (bytes.length < nonceBytes + tagBytes) throw new Error("too short");
        // Buffer skips what is no base64url; only the exact spelling that seal() wrote is taken.
        if (version + bytes.toString("base64url") !== sealed) throw new Error("not base64url");
        const opener = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
        opener.setAAD(Buffer.from(version + purpose));
        opener.setAuthTag(bytes.subarray(-tagBytes));
        return opener.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + opener.final("utf8");
      } catch (cause) {
        throw new ServiceError(
          "INTERNAL_ERROR",
          "A sealed value cannot be opened: it was changed, or sealed with another secret (TRAWL_SECRET) or purpose.",
          { cause },
        );
      }
    },
  };
}
