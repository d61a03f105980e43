// Passkeys: a device makes a key for this host and signs a challenge with it to sign its owner in. Challenges are sealed values, so
// requesting them stores nothing; a challenge that was answered is recorded and rejected from then on.
import { type Clock, minuteMs, ServiceError, sha256 } from "../base/index.ts";
import type { FoundSession, Passkey, Sealer, Store } from "../store/index.ts";
import { auditRow, personActor, type RequestOrigin } from "./audit.ts";
import type { People } from "./people.ts";
import type { OpenedSession } from "./person-sessions.ts";
import {
  isHashOf,
  isSignedBy,
  readAuthenticatorData,
  readClientData,
  readPublicKey,
  type SignedAnswer,
} from "./webauthn.ts";

export interface PasskeyDeps {
  store: Store;
  clock: Clock;
  sealer: Sealer;
  people: Pick<People, "countAttempt" | "openFor">;
}

export interface NewPasskey {
  name: string;
  clientDataJSON: string;
  authenticatorData: string;
  publicKey: string;
}

export interface PasskeyAnswer extends SignedAnswer {
  /** Of the passkey. */
  id: string;
}

const challengeMs = 5 * minuteMs;
const mostPasskeys = 20;
const signInPurpose = "passkey sign-in";
const addPurpose = (personId: string) => `passkey of ${personId}`;

export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys({ store, clock, sealer, people }: PasskeyDeps) {
  const { passkeys } = store;

  function createChallenge(baseUrl: string, purpose: string) {
    const host = hostOf(baseUrl);
    return { challenge: sealer.seal(String(clock.now() + challengeMs), purpose), host };
  }

  /** When the challenge expires; null if it is not ours, has expired, or was made for another purpose. */
  function readChallenge(challenge: string, purpose: string): number | null {
    try {
      const expiresAt = Number(sealer.open(challenge, purpose));
      return expiresAt > clock.now() ? expiresAt : null;
    } catch {
      return null;
    }
  }

  /** The device's data if it signed this challenge, for this host, with its owner present; otherwise null. */
  async function readAnswer(answer: Pick<SignedAnswer, "clientDataJSON" | "authenticatorData">, baseUrl: string) {
    const client = readClientData(answer.clientDataJSON);
    const device = readAuthenticatorData(answer.authenticatorData);
    if (!client || !device?.isVerified || !isHashOf(device.hostHash, hostOf(baseUrl))) return null;
    const isHere = URL.canParse(client.origin) && new URL(client.origin).host === new URL(baseUrl).host;
    return isHere ? { client, device } : null;
  }

  /** The change and its row in the log, together. False when nothing was to change. */
  function change(
    act: "added" | "removed",
    { session, name, origin }: { session: FoundSession; name: string; origin: RequestOrigin },
    work: (on: Store["passkeys"]) => Promise<boolean>,
  ): Promise<boolean> {
    const { personId, personName, teamId } = session;
    const actor = personActor(personId, personName, origin);
    const target = { type: "passkey", id: null, name };
    return store.transaction(async (on) => {
      if (!(await work(on.passkeys))) return false;
      await on.audit.add([auditRow(teamId, actor, clock.now(), { action: `passkey.${act}`, target })]);
      return true;
    });
  }

  /** Once for each challenge, and last: a rejected response must not use it up. */
  async function spend(challenge: string, expiresAt: number): Promise<boolean> {
    return passkeys.spendChallenge(sha256(challenge), expiresAt);
  }

  return {
    startSignIn: (baseUrl: string) => createChallenge(baseUrl, signInPurpose),

    async startAdding({ personId }: FoundSession, baseUrl: string) {
      const known = (await passkeys.listOf(personId)).map(({ id }) => id);
      return { ...createChallenge(baseUrl, addPurpose(personId)), known };
    },

    async add(session: FoundSession, made: NewPasskey, baseUrl: string, origin: RequestOrigin): Promise<string> {
      const { personId } = session;
      if ((await passkeys.listOf(personId)).length >= mostPasskeys)
        throw new ServiceError("BAD_REQUEST", `A person can have at most ${mostPasskeys} passkeys. Remove one first.`);
      const answer = await readAnswer(made, baseUrl);
      const isCreated = answer?.client.type === "webauthn.create" && answer.device.credentialId !== null;
      const expiresAt = answer && isCreated ? readChallenge(answer.client.challenge, addPurpose(personId)) : null;
      if (!answer?.device.credentialId || expiresAt === null || !readPublicKey(made.publicKey)) throw notTaken();
      if (!(await spend(answer.client.challenge, expiresAt))) throw notTaken();
      const { credentialId, signCount } = answer.device;
      const id = credentialId.toString("base64url");
      const { name, publicKey } = made;
      const passkey = { id, personId, name, publicKey, signCount, createdAt: clock.now(), usedAt: null };
      if (!(await change("added", { session, name, origin }, (on) => on.add(passkey)))) throw notTaken();
      return id;
    },

    async signIn(given: PasskeyAnswer, baseUrl: string, origin: RequestOrigin): Promise<OpenedSession> {
      const passkey = await passkeys.find(given.id);
      if (!passkey) throw refused();
      await people.countAttempt(`passkey ${passkey.id}`);
      const answer = await readAnswer(given, baseUrl);
      const expiresAt =
        answer?.client.type === "webauthn.get" ? readChallenge(answer.client.challenge, signInPurpose) : null;
      const key = readPublicKey(passkey.publicKey);
      if (!answer || expiresAt === null || !key || !isSignedBy(key, given)) throw refused();
      // A device that counts signatures never repeats a count; a copy of its key does.
      const { signCount } = answer.device;
      if (passkey.signCount > 0 && signCount <= passkey.signCount) throw refused();
      if (!(await spend(answer.client.challenge, expiresAt))) throw refused();
      const session = await people.openFor(passkey.personId, { by: "passkey", origin });
      if (!session) throw refused();
      await passkeys.noteUse(passkey.id, signCount, clock.now());
      return session;
    },

    list: ({ personId }: FoundSession): Promise<Passkey[]> => passkeys.listOf(personId),

    async remove(session: FoundSession, id: string, origin: RequestOrigin): Promise<void> {
      const { personId } = session;
      const name = (await passkeys.listOf(personId)).find((passkey) => passkey.id === id)?.name ?? "";
      if (!(await change("removed", { session, name, origin }, (on) => on.remove(personId, id))))
        throw new ServiceError("PASSKEY_NOT_FOUND");
    },
  };
}

/** The host name that a passkey belongs to. Browsers make no passkeys for IP addresses. */
function hostOf(baseUrl: string): string {
  const { hostname, port } = new URL(baseUrl);
  if (!/^[\d.]+$|^\[/.test(hostname)) return hostname;
  const place = port ? `localhost:${port}` : "localhost";
  throw new ServiceError(
    "BAD_REQUEST",
    `Passkeys need a host name instead of ${hostname}: open http://${place}/dashboard on this machine, or set PUBLIC_URL.`,
  );
}

function notTaken(): ServiceError {
  return new ServiceError(
    "BAD_REQUEST",
    "This passkey was rejected: its challenge has expired, or it was created for another site.",
  );
}

function refused(): ServiceError {
  return new ServiceError("SIGN_IN_FAILED", "Unknown passkey.");
}
