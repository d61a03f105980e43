// Published test vectors of Web Authentication level 3, section 16: "none" attestation with ES256.
import { createPublicKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isHashOf, isSignedBy, readAuthenticatorData, readClientData, readPublicKey } from "./webauthn.ts";

const fromHex = (...parts: string[]) => Buffer.from(parts.join(""), "hex").toString("base64url");

const hostHash = "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5";
const credentialId = "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4";
const x = "afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61";
const y = "930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220";

const registered = fromHex(
  `${hostHash}59000000008446ccb9ab1db374750b2367ff6f3a1f0020${credentialId}`,
  `a5010203262001215820${x}225820${y}`,
);
const signedIn = {
  authenticatorData: fromHex(`${hostHash}1900000000`),
  clientDataJSON: Buffer.from(
    '{"type":"webauthn.get","challenge":"OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag","origin":"https://example.org","crossOrigin":false}',
  ).toString("base64url"),
  signature: fromHex(
    "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd38",
    "0221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87",
  ),
};
const jwk = { kty: "EC", crv: "P-256", x: fromHex(x), y: fromHex(y) };
const spki = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "der" }).toString("base64url");

describe("the published vectors", () => {
  it("a new key is read with its id, for its host", () => {
    const data = readAuthenticatorData(registered);
    expect(data?.credentialId?.toString("hex")).toBe(credentialId);
    expect(data && isHashOf(data.hostHash, "example.org")).toBe(true);
    expect(data && isHashOf(data.hostHash, "example.com")).toBe(false);
  });

  it("a device that did not verify its owner is not taken for one that did", () => {
    expect(readAuthenticatorData(registered)?.isVerified).toBe(false);
    expect(readAuthenticatorData(signedIn.authenticatorData)).toMatchObject({ isVerified: false, signCount: 0 });
  });

  it("the browser's data is read", () => {
    expect(readClientData(signedIn.clientDataJSON)).toMatchObject({
      type: "webauthn.get",
      origin: "https://example.org",
    });
    expect(readClientData(fromHex("00"))).toBeNull();
  });

  it("the signature is that of the key, over exactly this data", () => {
    const key = readPublicKey(spki);
    if (key === null) throw new Error("the key cannot be read");
    expect(isSignedBy(key, signedIn)).toBe(true);
    expect(isSignedBy(key, { ...signedIn, authenticatorData: fromHex(`${hostHash}1d00000000`) })).toBe(false);
    expect(isSignedBy(key, { ...signedIn, signature: fromHex("3006020101020101") })).toBe(false);
  });
});
