// Passkeys, as the web browser makes and uses them. The server's challenge is text; everything else goes over the wire as base64url.
import { CallError, call } from "./call.ts";
import type { AnswerOf } from "./queries.ts";

/** ES256, EdDSA, RS256: what the server can check. */
const algorithms = [-7, -8, -257];

/** Browsers make none for bare IP addresses and on pages without TLS. */
export const hasPasskeys = window.PublicKeyCredential !== undefined && !/^[\d.]+$|^\[/.test(window.location.hostname);

export async function addPasskey(name: string): Promise<AnswerOf<"addPasskey">> {
  const { challenge, host, person, known } = await call<AnswerOf<"startPasskey">>(
    "POST",
    "/dashboard/api/passkeys/challenge",
    {},
  );
  const made = await ask(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: new TextEncoder().encode(challenge),
        rp: { id: host, name: "Trawl" },
        user: { id: new TextEncoder().encode(person.id), name: person.name, displayName: person.name },
        pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: known.map((id) => ({ type: "public-key", id: toBytes(id) })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const response = made.response as AuthenticatorAttestationResponse;
  return call("POST", "/dashboard/api/passkeys", {
    name,
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.getAuthenticatorData()),
    publicKey: toText(response.getPublicKey() ?? new ArrayBuffer(0)),
  });
}

/** What signing in takes. */
export async function answerByPasskey() {
  const { challenge, host } = await call<AnswerOf<"startPasskeySignIn">>(
    "POST",
    "/dashboard/api/sign-in/challenge",
    {},
  );
  const given = await ask(() =>
    navigator.credentials.get({
      publicKey: { challenge: new TextEncoder().encode(challenge), rpId: host, userVerification: "required" },
    }),
  );
  const response = given.response as AuthenticatorAssertionResponse;
  return {
    id: toText(given.rawId),
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
  };
}

/** The browser does not say why nothing came of it, so that pages cannot find out which passkeys there are. */
async function ask(run: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await run().catch(() => null);
  if (credential) return credential as PublicKeyCredential;
  throw new CallError(0, "NO_PASSKEY", "No passkey was chosen, or this device has one already.", null);
}

function toText(bytes: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
