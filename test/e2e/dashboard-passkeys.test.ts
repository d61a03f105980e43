// Passkeys over HTTP, with a device made of keys: what signs in, and everything that must not.
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMovableClock, startApp, type TestApp } from "../support/app.ts";
import { bystanders, engines } from "../support/engines.ts";

const api = "/dashboard/api";
const origin = "http://localhost:3002";

const kinds = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "prime256v1" }),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync("ed25519"),
};

interface Device {
  id: Buffer;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

function makeDevice(kind: keyof typeof kinds = "ES256", name = "a device of sixteen"): Device {
  return { id: Buffer.from(name), ...kinds[kind]() };
}

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");

interface Said {
  type: string;
  challenge: string;
  origin?: string;
  host?: string;
  /** 1: somebody was there; 4: it was the owner; 64: a new key follows. */
  flags: number;
  count?: number;
}

/** What a browser and a device say, as bytes. */
function say(device: Device, { type, challenge, origin: at = origin, host = "localhost", flags, count = 0 }: Said) {
  const client = Buffer.from(JSON.stringify({ type, challenge: base64url(challenge), origin: at }));
  const number = Buffer.alloc(4);
  number.writeUInt32BE(count);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(device.id.length);
  const made = flags & 64 ? [Buffer.alloc(16), length, device.id] : [];
  const hash = createHash("sha256").update(host).digest();
  return { client, data: Buffer.concat([hash, Buffer.from([flags]), number, ...made]) };
}

function newKey(device: Device, challenge: string, said: Partial<Said> = {}) {
  const { client, data } = say(device, { type: "webauthn.create", challenge, flags: 1 | 4 | 64, ...said });
  const publicKey = device.publicKey.export({ type: "spki", format: "der" });
  return {
    name: "laptop",
    clientDataJSON: base64url(client),
    authenticatorData: base64url(data),
    publicKey: base64url(publicKey),
  };
}

function answer(device: Device, challenge: string, said: Partial<Said> = {}) {
  const { client, data } = say(device, { type: "webauthn.get", challenge, flags: 1 | 4, ...said });
  const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
  const algorithm = device.privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  const passkey = {
    id: base64url(device.id),
    clientDataJSON: base64url(client),
    authenticatorData: base64url(data),
    signature: base64url(sign(algorithm, signed, device.privateKey)),
  };
  return { passkey };
}

describe.each(bystanders)("passkeys on $name", (engine) => {
  let app: TestApp;
  const clock = createMovableClock("2026-03-10T09:30:00Z");
  beforeAll(async () => {
    app = await startApp(engine, { PUBLIC_URL: origin }, clock);
  });
  afterAll(() => app.stop());

  async function visit(team: string) {
    const { id } = await app.accounts.teams.findOrCreate(team);
    const { secret } = await app.accounts.people.createSignInLink(id);
    const signedIn = await app.call("POST", `${api}/sign-in`, { key: null, body: { link: secret } });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { csrf } = (await app.get(`${api}/session`, { key: null, headers: { cookie } })).body;
    const headers = { cookie, "x-trawl-csrf": csrf };
    const call = (method: string, path: string, body?: object) =>
      app.call(method, `${api}/${path}`, { key: null, headers, ...(body ? { body } : {}) });
    const challengeOf = async () => (await call("POST", "passkeys/challenge", {})).body.challenge as string;
    return {
      call,
      challengeOf,
      add: async (device: Device) => call("POST", "passkeys", newKey(device, await challengeOf())),
    };
  }

  const challenge = async () => {
    const { body } = await app.call("POST", `${api}/sign-in/challenge`, { key: null, body: {} });
    expect(body).toMatchObject({ success: true, host: "localhost" });
    return body.challenge as string;
  };
  const signIn = (body: object) => app.call("POST", `${api}/sign-in`, { key: null, body });

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])("sign in with %s", async (kind) => {
    const device = makeDevice(kind, `device ${kind}`);
    const person = await visit(kind);
    expect((await person.add(device)).body).toEqual({ success: true, id: base64url(device.id) });
    const opened = await signIn(answer(device, await challenge()));
    expect(opened.status).toBe(200);
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const session = await app.get(`${api}/session`, { key: null, headers: { cookie } });
    expect(session.body.team.name).toBe(kind);
    const [listed] = (await person.call("GET", "passkeys")).body.passkeys;
    expect(listed).toMatchObject({ name: "laptop", lastUsedAt: expect.any(String) });
  });

  it("refuse an answer that was given before, elsewhere, to something else, too late, or by another key", async () => {
    const device = makeDevice("ES256", "the only device");
    const person = await visit("careful");
    await person.add(device);
    const used = answer(device, await challenge());
    expect((await signIn(used)).status).toBe(200);
    const stranger = { ...makeDevice(), id: device.id };
    const late = await challenge();
    clock.advance(5 * 60_000);
    const attempts = [
      used,
      answer(device, await challenge(), { origin: "http://evil.example" }),
      answer(device, await challenge(), { host: "evil.example" }),
      answer(device, await challenge(), { type: "webauthn.create" }),
      answer(device, await challenge(), { flags: 1 }),
      answer(device, await person.challengeOf()),
      answer(device, "a challenge of my own"),
      answer(device, late),
      answer(stranger, await challenge()),
    ];
    for (const [place, attempt] of attempts.entries()) {
      const { status, body } = await signIn(attempt);
      expect([place, status, body.code]).toEqual([place, 401, "SIGN_IN_FAILED"]);
    }
    expect((await signIn(answer(makeDevice("ES256", "unknown"), await challenge()))).body.code).toBe("SIGN_IN_FAILED");
    // Ten tries in a quarter of an hour, whoever makes them.
    expect((await signIn(answer(device, await challenge()))).body.code).toBe("RATE_LIMITED");
    clock.advance(15 * 60_000);
    expect((await signIn(answer(device, await challenge()))).status).toBe(200);
  });

  it("notice a copy of a key by its count", async () => {
    const device = makeDevice("ES256", "counting device");
    await (await visit("counting")).add(device);
    expect((await signIn(answer(device, await challenge(), { count: 7 }))).status).toBe(200);
    expect((await signIn(answer(device, await challenge(), { count: 7 }))).status).toBe(401);
    expect((await signIn(answer(device, await challenge(), { count: 8 }))).status).toBe(200);
  });

  it("are added once, for oneself, with a key that can be checked", async () => {
    const device = makeDevice("ES256", "added device");
    const [person, other] = [await visit("adding"), await visit("adding others")];
    const add = async (said: Partial<Said>, given: object = {}) =>
      person.call("POST", "passkeys", { ...newKey(device, await person.challengeOf(), said), ...given });
    const weak = generateKeyPairSync("ec", { namedCurve: "secp521r1" }).publicKey.export({
      type: "spki",
      format: "der",
    });
    const refused = [
      await add({ origin: "http://evil.example" }),
      await add({ flags: 1 | 64 }),
      await add({ flags: 1 | 4 }),
      await add({}, { publicKey: base64url(weak) }),
      await add({}, { publicKey: base64url("no key") }),
      await person.call("POST", "passkeys", newKey(device, await other.challengeOf())),
      await person.call("POST", "passkeys", newKey(device, await challenge())),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    const unreadable = await add({}, { clientDataJSON: "not base64!" });
    expect([unreadable.status, unreadable.body.details[0].path]).toEqual([400, ["clientDataJSON"]]);
    const made = newKey(device, await person.challengeOf());
    expect((await person.call("POST", "passkeys", made)).status).toBe(200);
    expect((await person.call("POST", "passkeys", made)).status).toBe(400);
    expect((await other.add(device)).status).toBe(400);
  });

  it("are removed by their owner alone, and then open nothing", async () => {
    const device = makeDevice("ES256", "removed device");
    const [person, other] = [await visit("removing"), await visit("removing others")];
    await person.add(device);
    const path = `passkeys/${base64url(device.id)}`;
    const foreign = await other.call("DELETE", path);
    expect([foreign.status, foreign.body.code]).toEqual([404, "PASSKEY_NOT_FOUND"]);
    expect((await person.call("DELETE", path)).status).toBe(200);
    expect((await signIn(answer(device, await challenge()))).status).toBe(401);
  });
});

describe("passkeys at a bare IP address", () => {
  it("are refused with the URL that works", async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    const app = await startApp(engine);
    const { status, body } = await app.call("POST", `${api}/sign-in/challenge`, { key: null, body: {} });
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining(`http://localhost:${new URL(app.url).port}/dashboard`),
    ]);
    await app.stop();
  });
});
