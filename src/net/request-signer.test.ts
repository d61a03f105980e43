// The vectors are those of RFC 9421 (B.2.6) and of draft-meunier-web-bot-auth-architecture, which share one key.
import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { expect, it } from "vitest";
import { createRequestSigner, signMessage } from "./request-signer.ts";

const jwk = {
  kty: "OKP",
  crv: "Ed25519",
  d: "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
  x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
};
const key = createPrivateKey({ key: jwk, format: "jwk" });
const keyid = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";
const times = `created=1735689600;keyid="${keyid}";alg="ed25519";expires=4889289600`;

it.each([
  [
    "B.2.6 of RFC 9421",
    [
      ['"date"', "Tue, 20 Apr 2021 02:07:55 GMT"],
      ['"@method"', "POST"],
      ['"@path"', "/foo"],
      ['"@authority"', "example.com"],
      ['"content-type"', "application/json"],
      ['"content-length"', "18"],
    ],
    'created=1618884473;keyid="test-key-ed25519"',
    "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==",
  ],
  [
    "a request of the draft",
    [['"@authority"', "example.com"]],
    `${times};nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"`,
    "QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==",
  ],
  [
    "a request of the draft with a Signature-Agent",
    [
      ['"@authority"', "example.com"],
      ['"signature-agent";key="agent2"', '"https://signature-agent.test"'],
    ],
    `${times};nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"`,
    "RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==",
  ],
  [
    "a directory of the draft",
    [
      ['"@authority";req', "signature-agent.test"],
      ['"content-digest"', "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:"],
    ],
    `${times};tag="http-message-signatures-directory"`,
    "yiHq0TXrbpzbmlttAQMpYoAufitFJUWuNsakB7QQMoN0EHbo5o51bZRVR8az/ptTWCwllix9clrKXfGKwdPzBg==",
  ],
] as [string, [string, string][], string, string][])("signs %s", (_vector, components, parameters, signature) => {
  const signed = signMessage(key, "sig1", components, parameters);
  expect(signed).toEqual({
    "signature-input": `sig1=(${components.map(([name]) => name).join(" ")});${parameters}`,
    signature: `sig1=:${signature}:`,
  });
});

it("names the key by its thumbprint, and no two requests have the same signature", () => {
  const signer = createRequestSigner({ key, agent: "https://bot.example/" }, { now: () => 1_735_689_600_500 } as never);
  const url = new URL("https://Site.test:443/a?b");
  const [one, other] = [signer.sign(url), signer.sign(url)];
  expect(one["signature-input"]).toContain(
    `created=1735689600;keyid="${keyid}";alg="ed25519";expires=1735689660;nonce="`,
  );
  expect(one.signature).not.toBe(other.signature);
  const covered = one["signature-input"]?.replace("sig1=", "");
  const base = `"@authority": site.test\n"signature-agent": "https://bot.example"\n"@signature-params": ${covered}`;
  const bytes = Buffer.from(one.signature?.replace(/^sig1=:|:$/g, "") ?? "", "base64");
  expect(verify(null, Buffer.from(base), createPublicKey(key), bytes)).toBe(true);
  const { body } = signer.directory();
  expect(JSON.parse(body)).toEqual({ keys: [{ kty: "OKP", crv: "Ed25519", kid: keyid, x: jwk.x, use: "sig" }] });
});
