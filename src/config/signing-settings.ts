// The key by which sites recognize this server's requests (Web Bot Auth).
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { setting } from "./setting.ts";

const privateKey = {
  takes: "an Ed25519 private key as PEM or JWK, or the path of a file with one",
  /** As PEM. */
  read(value: string): string | null | undefined {
    try {
      const text = /^(?:\{|-----)/.test(value) ? value.replaceAll("\\n", "\n") : readFileSync(value, "utf8").trim();
      const key = createPrivateKey(text.startsWith("{") ? { key: JSON.parse(text), format: "jwk" } : text);
      return key.asymmetricKeyType === "ed25519" ? key.export({ type: "pkcs8", format: "pem" }).toString() : undefined;
    } catch {
      return undefined;
    }
  },
};

export const signingSettings = {
  botSigningKey: setting(
    "BOT_SIGNING_KEY",
    privateKey,
    null,
    "Ed25519 private key that signs every request for a page (Web Bot Auth), so that sites can recognize this server: PEM, JWK " +
      "or the path of a file. Requires PUBLIC_URL, under which the public key is served.",
  ),
};
