// A team's secrets: sealed for exactly this team and name, bound to hosts, and opened for one run at a time.

import {
  type Clock,
  createSecretMask,
  type Logger,
  passTime,
  refusedField,
  type SecretMask,
  ServiceError,
} from "../base/index.ts";
import type { NewSecret, Sealer, Store, StoredSecret } from "../store/index.ts";
import { type CodeKey, codeOf, readCodeKey } from "./one-time-codes.ts";
import { isHostOf, readSecretHost } from "./secret-hosts.ts";

export interface GivenSecret {
  name: string;
  type: StoredSecret["kind"];
  value: string;
  hosts: readonly string[];
}

/** The secrets of one run. */
export interface RunSecrets {
  /** Everything that the run gives out passes it. It knows codes, too, once they were given. */
  mask: SecretMask;
  /**
   * What to type now into a document of this URL (that of its frame). Throws SECRET_HOST_MISMATCH. Waits for a code that can be
   * used: one is never given twice, and never shortly before it ends.
   */
  valueFor(name: string, documentUrl: string, signal: AbortSignal): Promise<string>;
}

const maxSecrets = 500;
/** A code that has less than this part of its period left may be too late when it arrives. */
const leastPart = 0.1;

export type TeamSecrets = ReturnType<typeof createTeamSecrets>;

export interface SecretParts {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  /** Hides the values that are opened. */
  log: Pick<Logger, "hide">;
}

export function createTeamSecrets({ store, sealer, clock, log }: SecretParts) {
  const purposeOf = (teamId: string, name: string) => `secret ${teamId} ${name}`;

  async function nextCode({ teamId, name }: StoredSecret, key: CodeKey, signal: AbortSignal): Promise<string> {
    for (;;) {
      const now = clock.now();
      const leftMs = key.periodMs - (now % key.periodMs);
      const period = Math.floor(now / key.periodMs);
      const isLate = leftMs < key.periodMs * leastPart;
      if (!isLate && (await store.secrets.takePeriod(teamId, name, period))) return codeOf(key, period);
      await passTime(clock, leftMs, signal);
    }
  }

  return {
    /** Replaces the one of this name. Throws which field cannot be used. */
    async put(teamId: string, { name, type, value, hosts: given }: GivenSecret): Promise<StoredSecret> {
      if (type === "totp" && readCodeKey(value) === null) throw refusedField(["value"], notACodeKey);
      const hosts = given.map((host, place) => {
        const read = readSecretHost(host);
        if (read === null) throw refusedField(["hosts", place], notAHost);
        return read;
      });
      if ((await store.secrets.countOthers(teamId, name)) >= maxSecrets) throw new ServiceError("SECRET_LIMIT");
      const sealed = sealer.seal(value, purposeOf(teamId, name));
      const secret: NewSecret = { teamId, name, kind: type, sealed, hosts: JSON.stringify([...new Set(hosts)]) };
      return store.secrets.put(secret, clock.now());
    },

    list: store.secrets.list,

    async delete(teamId: string, name: string): Promise<void> {
      if (!(await store.secrets.delete(teamId, name))) throw new ServiceError("SECRET_NOT_FOUND");
    },

    /** Throws FLOW_SECRET_MISSING, which names those that the team does not have. */
    async open(teamId: string, names: Iterable<string>): Promise<RunSecrets> {
      const wanted = [...new Set(names)];
      const rows = new Map((await store.secrets.read(teamId, wanted)).map((row) => [row.name, row]));
      const missing = wanted.filter((name) => !rows.has(name));
      if (missing.length > 0) throw missingSecrets(missing);
      const mask = createSecretMask();
      const values = new Map<string, string>();
      for (const [name, { sealed }] of rows) {
        const value = sealer.open(sealed, purposeOf(teamId, name));
        values.set(name, value);
        mask.add(name, value);
        log.hide?.(name, value);
      }
      return {
        mask,
        async valueFor(name, documentUrl, signal) {
          const row = rows.get(name);
          const value = values.get(name);
          if (row === undefined || value === undefined) throw missingSecrets([name]);
          const hosts: string[] = JSON.parse(row.hosts);
          if (!isHostOf(hosts, documentUrl)) throw wrongHost(name, documentUrl, hosts);
          const key = row.kind === "totp" ? readCodeKey(value) : null;
          const typed = key === null ? value : await nextCode(row, key, signal);
          mask.add(name, typed);
          await store.secrets.noteUse(teamId, name, clock.now());
          return typed;
        },
      };
    },
  };
}

const notAHost = "Must be a host name or address, with a port or without, such as example.com";
const notACodeKey =
  "Must be a key in base32, or an otpauth://totp/ URI with algorithm SHA1, SHA256 or SHA512, digits 6 to 8 and period 5 to 120";

function missingSecrets(names: readonly string[]): ServiceError {
  const quoted = names.map((name) => JSON.stringify(name)).join(", ");
  const message = `The team has no secret ${quoted}. Store it with POST /v2/team/secrets.`;
  return new ServiceError("FLOW_SECRET_MISSING", message, { details: { secrets: names } });
}

function wrongHost(name: string, documentUrl: string, hosts: readonly string[]): ServiceError {
  const place = URL.canParse(documentUrl) ? new URL(documentUrl).host : "";
  const where = place === "" ? "a page without a host" : place;
  const message = `The secret ${JSON.stringify(name)} may not be typed on ${where}. It is for ${hosts.join(", ")}.`;
  return new ServiceError("SECRET_HOST_MISMATCH", message, { details: { secret: name, host: place, hosts } });
}
