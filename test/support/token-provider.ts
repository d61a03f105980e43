// An identity provider whose ID tokens say and are signed as a test wants them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface ForgedToken {
  claims?: Record<string, unknown>;
  /** RS256 with the published key unless given. */
  sign?(claims: Record<string, unknown>): Promise<string>;
  nonce?: string;
}

export async function startTokenProvider() {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const other = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "RS256", use: "sig" };
  let next: ForgedToken = {};
  let nonce = "";
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0];
    const send = (body: object) => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (path === "/.well-known/openid-configuration")
      return send({
        issuer: url(),
        authorization_endpoint: `${url()}/auth`,
        token_endpoint: `${url()}/token`,
        jwks_uri: `${url()}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      });
    if (path === "/jwks") return send({ keys: [jwk] });
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: url(), aud: "trawl", sub: "forged", iat: seconds, exp: seconds + 300, nonce },
      ...{ email: "eve@corp.example", email_verified: true },
      ...next.claims,
    };
    const sign = next.sign ?? ((all) => signed(all, privateKey));
    send({ access_token: "a", token_type: "Bearer", id_token: await sign(claims) });
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signed = (claims: Record<string, unknown>, key: CryptoKey | Uint8Array, alg = "RS256") =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: "k" }).sign(key);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: url(),
    /** What the next token is; the nonce is that of the authorization request. */
    give(token: ForgedToken, authorization: string) {
      next = token;
      nonce = new URL(authorization).searchParams.get("nonce") ?? "";
    },
    withOtherKey: (claims: Record<string, unknown>) => signed(claims, other.privateKey),
    withSecret: (claims: Record<string, unknown>, secret: string) =>
      signed(claims, new TextEncoder().encode(secret), "HS256"),
    unsigned: async (claims: Record<string, unknown>) =>
      `${[{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`,
    close: () => new Promise((done) => server.close(done)),
  };
}
