// HTTP message signatures (RFC 9421) by which sites recognize this server's requests, as Web Bot Auth has them: Ed25519, over the
// host and the URL under which the public key is found.
import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Clock, secondMs } from "../base/index.ts";

export interface SigningOptions {
  /** Ed25519. */
  key: KeyObject;
  /** The URL of this server, below which it serves its key. */
  agent: string;
}

export interface RequestSigner {
  /** Headers for a request to this URL. */
  sign(url: URL): Record<string, string>;
  /** The public key, and headers that prove that it is ours. */
  directory(): { body: string; headers: Record<string, string> };
}

/** Sites may take a signature for this long. */
const validSeconds = 60;
const nonceBytes = 48;
/** By the drafts, the media type and the tags. */
const directoryType = "application/http-message-signatures-directory+json";
const requestTag = "web-bot-auth";
const directoryTag = "http-message-signatures-directory";

export function createRequestSigner({ key, agent }: SigningOptions, clock: Clock): RequestSigner {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const keyid = thumbprint(x);
  const { origin, host } = new URL(agent);
  const quotedAgent = `"${origin}"`;

  function parameters(tag: string, nonce: string): string {
    const created = Math.floor(clock.now() / secondMs);
    const times = `created=${created};keyid="${keyid}";alg="ed25519";expires=${created + validSeconds}`;
    return `${times};nonce="${nonce}";tag="${tag}"`;
  }

  return {
    sign(url) {
      const components: Component[] = [
        ['"@authority"', url.host],
        ['"signature-agent"', quotedAgent],
      ];
      const nonce = randomBytes(nonceBytes).toString("base64");
      return {
        "signature-agent": quotedAgent,
        ...signMessage(key, "sig1", components, parameters(requestTag, nonce)),
      };
    },
    directory() {
      const body = JSON.stringify({ keys: [{ kty: "OKP", crv: "Ed25519", kid: keyid, x, use: "sig" }] });
      const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
      const components: Component[] = [
        ['"@authority";req', host],
        ['"content-digest"', digest],
      ];
      const nonce = randomBytes(nonceBytes).toString("base64");
      const signature = signMessage(key, "binding0", components, parameters(directoryTag, nonce));
      return { body, headers: { "content-type": directoryType, "content-digest": digest, ...signature } };
    },
  };
}

/** The identifier of a component, as it is signed, and its value. */
type Component = readonly [name: string, value: string];

/** Signs a message's components (RFC 9421, section 3.1). */
export function signMessage(
  key: KeyObject,
  label: string,
  components: readonly Component[],
  parameters: string,
): Record<string, string> {
  const covered = `(${components.map(([name]) => name).join(" ")});${parameters}`;
  const lines = [...components, ['"@signature-params"', covered] as const].map(([name, value]) => `${name}: ${value}`);
  const signature = sign(null, Buffer.from(lines.join("\n")), key).toString("base64");
  return { "signature-input": `${label}=${covered}`, signature: `${label}=:${signature}:` };
}

/** Of a JSON Web Key (RFC 7638). */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}
