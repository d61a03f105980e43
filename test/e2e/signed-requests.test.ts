// Requests for pages carry signatures by which sites recognize this server (Web Bot Auth), and its public key is served.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  verify,
} from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type Site, startSite } from "../support/site-server.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const jwk = JSON.stringify(privateKey.export({ format: "jwk" }));

let site: Site;
let app: TestApp;
let key: KeyObject;

beforeAll(async () => {
  const html = '<title>A page</title><main><h1>A page</h1><p>Signed.</p></main><img src="/image.png">';
  site = await startSite((request, response) => {
    if (request.url === "/moved") {
      return response.writeHead(302, { location: `http://localhost:${site.port}/` }).end();
    }
    return response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  app = await startApp(anyEngine, {
    BOT_SIGNING_KEY: pem,
    PUBLIC_URL: "https://bot.example",
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1,localhost",
  });
});
afterAll(async () => {
  await app.stop();
  await site.close();
});

function isSigned(base: (covered: string) => string[], headers: IncomingHttpHeaders | Headers): boolean {
  const read = (name: string) => (headers instanceof Headers ? headers.get(name) : String(headers[name]));
  const [, covered = ""] = /^\w+=(.*)$/.exec(read("signature-input") ?? "") ?? [];
  const [, signature = ""] = /^\w+=:(.*):$/.exec(read("signature") ?? "") ?? [];
  const text = [...base(covered), `"@signature-params": ${covered}`].join("\n");
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}

it("the key directory is served, signed with the key in it, and without the private part", async () => {
  const answer = await fetch(`${app.url}/.well-known/http-message-signatures-directory`);
  expect(answer.headers.get("content-type")).toBe("application/http-message-signatures-directory+json");
  const { keys } = (await answer.json()) as { keys: JsonWebKey[] };
  expect(keys).toEqual([{ kty: "OKP", crv: "Ed25519", use: "sig", kid: expect.any(String), x: expect.any(String) }]);
  key = createPublicKey({ key: keys[0] as JsonWebKey, format: "jwk" });
  const digest = answer.headers.get("content-digest");
  const base = () => ['"@authority";req: bot.example', `"content-digest": ${digest}`];
  expect(isSigned(base, answer.headers)).toBe(true);
  expect(answer.headers.get("signature-input")).toContain('tag="http-message-signatures-directory"');
});

it.each([
  ["over HTTP", {}, 3],
  ["in Chromium", { formats: ["screenshot"] }, 3],
])(
  "every request for a page is signed for the host that it goes to, redirects included, %s",
  async (_how, more, least) => {
    site.requests.length = 0;
    const headers = { signature: "of the caller", "x-own": "1" };
    for (const path of ["/", "/moved"]) {
      const { body } = await app.call("POST", "/v2/scrape", {
        body: { url: site.url + path, maxAge: 0, headers, ...more },
      });
      expect(body.error).toBeUndefined();
    }
    const seen = site.requests.map(({ headers: sent }) => sent);
    expect(seen.length).toBeGreaterThanOrEqual(least);
    expect(new Set(seen.map(({ host }) => host))).toEqual(
      new Set([`127.0.0.1:${site.port}`, `localhost:${site.port}`]),
    );
    for (const sent of seen) {
      expect(sent["signature-agent"]).toBe('"https://bot.example"');
      expect(sent["signature-input"]).toMatch(
        /^sig1=\("@authority" "signature-agent"\);created=\d+;.*tag="web-bot-auth"$/,
      );
      const base = () => [`"@authority": ${sent.host}`, '"signature-agent": "https://bot.example"'];
      expect(isSigned(base, sent)).toBe(true);
    }
  },
);

it("is off by default: no signature, no directory", async () => {
  const plain = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
  try {
    site.requests.length = 0;
    await plain.call("POST", "/v2/scrape", { body: { url: site.url, maxAge: 0 } });
    expect(site.requests.map(({ headers }) => headers["signature-agent"])).toEqual([undefined]);
    expect((await plain.get("/.well-known/http-message-signatures-directory")).status).toBe(404);
  } finally {
    await plain.stop();
  }
});

it("a wrong key stops the start with a sentence that does not repeat it, and each form of a key is taken", () => {
  const PUBLIC_URL = "https://bot.example";
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ format: "pem", type: "pkcs8" });
  for (const wrong of [String(rsa), "/nowhere/key.pem", '{"kty":"OKP"}']) {
    expect(() => loadConfig({ BOT_SIGNING_KEY: wrong, PUBLIC_URL })).toThrow(
      "BOT_SIGNING_KEY must be an Ed25519 private key as PEM or JWK, or the path of a file with one.",
    );
  }
  expect(() => loadConfig({ BOT_SIGNING_KEY: jwk })).toThrow("PUBLIC_URL is required with BOT_SIGNING_KEY");
  for (const text of [pem, pem.replaceAll("\n", "\\n"), jwk]) {
    const key = loadConfig({ BOT_SIGNING_KEY: text, PUBLIC_URL }).botSigningKey ?? "";
    expect(createPrivateKey(key).equals(privateKey)).toBe(true);
  }
});

it("no part of the key gets into the log or a response", async () => {
  const { d = "" } = privateKey.export({ format: "jwk" });
  expect(app.logLines.length).toBeGreaterThan(0);
  const status = await app.get("/health/readiness");
  const told = [...app.logLines, status.text].filter((text) => text.includes(d) || text.includes("PRIVATE KEY"));
  expect(told).toEqual([]);
});
