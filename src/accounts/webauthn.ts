// What browsers and devices send for passkeys (WebAuthn level 2), read and checked. Attestation is not requested: which device a
// person uses does not matter, so a new key is taken as the browser sends it.
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

export interface ClientData {
  type: string;
  /** As text. */
  challenge: string;
  origin: string;
}

/** Null if it is not client data. */
export function readClientData(encoded: string): ClientData | null {
  try {
    const { type, challenge, origin } = JSON.parse(bytesOf(encoded).toString("utf8")) as Record<string, unknown>;
    if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") return null;
    return { type, origin, challenge: bytesOf(challenge).toString("utf8") };
  } catch {
    return null;
  }
}

export interface AuthenticatorData {
  /** Hash of the host name that the device signed for. */
  hostHash: Buffer;
  /** A person was present, and the device verified its owner. */
  isVerified: boolean;
  signCount: number;
  /** Of a key that was just made. */
  credentialId: Buffer | null;
}

/** The hash of the name, a byte of flags, the count of signatures, and for a new key: the device's model, length and id. */
const place = { flags: 32, signCount: 33, model: 37, idLength: 53, id: 55 } as const;
const flag = { present: 0x01, verified: 0x04, hasKey: 0x40 } as const;

export function readAuthenticatorData(encoded: string): AuthenticatorData | null {
  const bytes = bytesOf(encoded);
  if (bytes.length < place.model) return null;
  const flags = bytes.readUInt8(place.flags);
  const has = (bit: number) => (flags & bit) !== 0;
  let credentialId: Buffer | null = null;
  if (has(flag.hasKey)) {
    if (bytes.length < place.id) return null;
    const end = place.id + bytes.readUInt16BE(place.idLength);
    if (bytes.length < end) return null;
    credentialId = bytes.subarray(place.id, end);
  }
  return {
    hostHash: bytes.subarray(0, place.flags),
    isVerified: has(flag.present) && has(flag.verified),
    signCount: bytes.readUInt32BE(place.signCount),
    credentialId,
  };
}

export function isHashOf(hash: Buffer, text: string): boolean {
  return createHash("sha256").update(text).digest().equals(hash);
}

/** ES256, RS256 or EdDSA, which is what devices are asked for; null for any other key. */
export function readPublicKey(encoded: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytesOf(encoded), format: "der", type: "spki" });
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isKnown =
      (key.asymmetricKeyType === "ec" && namedCurve === "prime256v1") ||
      (key.asymmetricKeyType === "rsa" && modulusLength >= 2048 && modulusLength <= 4096) ||
      key.asymmetricKeyType === "ed25519";
    return isKnown ? key : null;
  } catch {
    return null;
  }
}

export interface SignedAnswer {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

/** Over the device's data and the hash of the browser's. */
export function isSignedBy(key: KeyObject, answer: SignedAnswer): boolean {
  const hash = createHash("sha256").update(bytesOf(answer.clientDataJSON)).digest();
  const signed = Buffer.concat([bytesOf(answer.authenticatorData), hash]);
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", signed, key, bytesOf(answer.signature));
  } catch {
    return false;
  }
}

function bytesOf(encoded: string): Buffer {
  return Buffer.from(encoded, "base64url");
}
