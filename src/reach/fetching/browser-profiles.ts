// Cookies and local storage that a team keeps from one visit to the next. Sealed for exactly this team and name; any number
// of requests may start from a profile, one at a time may save it.

import type { Caller } from "../../accounts/index.ts";
import { type Clock, newId, ServiceError, secondMs } from "../../base/index.ts";
import type { OperationInput, OperationOutput, ScrapeOptions } from "../../contract/index.ts";
import type { StorageState } from "../../engines/index.ts";
import type { ProfileWriter, Sealer, Store } from "../../store/index.ts";

export interface OpenProfile {
  state: StorageState | undefined;
  /** Whether the state after the visit is saved. */
  saves: boolean;
  /** Lets others write again; with a state it is saved first. Says what went wrong, if anything did. */
  close(state: StorageState | undefined): Promise<string | null>;
}

/** Why a profile is not available now. */
export interface ProfileRefusal {
  code: "PROFILE_BUSY" | "PROFILE_LIMIT";
  message?: string;
}

const maxStateBytes = 5 * 1024 * 1024;
const maxProfiles = 1000;
/** How long after the request's deadline a writer's lease ends, should its process die. */
const graceMs = 30 * secondMs;

export type BrowserProfiles = ReturnType<typeof createBrowserProfiles>;

export function createBrowserProfiles({ store, sealer, clock }: { store: Store; sealer: Sealer; clock: Clock }) {
  const purposeOf = (teamId: string, name: string) => `browser profile ${teamId} ${name}`;

  async function lock(
    { teamId, name, writer }: ProfileWriter,
    timeoutMs: number,
  ): Promise<{ writer: string } | ProfileRefusal> {
    if ((await store.profiles.countOthers(teamId, name)) >= maxProfiles) {
      return {
        code: "PROFILE_LIMIT",
        message: `A team can have at most ${maxProfiles} browser profiles. Delete one first.`,
      };
    }
    const now = clock.now();
    const isHeld = await store.profiles.lock({ teamId, name, writer }, now, now + timeoutMs + graceMs);
    return isHeld ? { writer } : { code: "PROFILE_BUSY" };
  }

  async function read(teamId: string, name: string): Promise<StorageState | undefined> {
    const sealed = await store.profiles.open(teamId, name, clock.now());
    return sealed === null ? undefined : JSON.parse(sealer.open(sealed, purposeOf(teamId, name)));
  }

  async function save(teamId: string, name: string, writer: string, state: StorageState | undefined) {
    const text = state === undefined ? null : JSON.stringify(state);
    const isTooLarge = text !== null && Buffer.byteLength(text) > maxStateBytes;
    const sealed = text === null || isTooLarge ? null : sealer.seal(text, purposeOf(teamId, name));
    const isHeld = await store.profiles.release({ teamId, name, writer }, sealed);
    if (isTooLarge) return `The profile ${name} was not saved: it is larger than ${maxStateBytes} bytes.`;
    return isHeld || text === null ? null : `The profile ${name} was not saved: its write lease had expired.`;
  }

  return {
    /** Null when the request names none. `writer`: who saves it, where others must know. */
    async open(
      teamId: string,
      { profile, timeout, zeroDataRetention }: Pick<ScrapeOptions, "profile" | "timeout" | "zeroDataRetention">,
      writer: string = newId(clock.now()),
    ): Promise<OpenProfile | ProfileRefusal | null> {
      if (profile === undefined) return null;
      const { name } = profile;
      const saves = profile.saveChanges && !zeroDataRetention;
      const lease = saves ? await lock({ teamId, name, writer }, timeout) : null;
      if (lease && "code" in lease) return lease;
      const close = async (state: StorageState | undefined) => lease && save(teamId, name, lease.writer, state);
      try {
        return { state: await read(teamId, name), saves, close };
      } catch (error) {
        await close(undefined);
        throw error;
      }
    },

    async deleteProfile(
      { name }: OperationInput<"deleteProfile">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"deleteProfile">> {
      if (!(await store.profiles.delete(teamId, name))) throw new ServiceError("PROFILE_NOT_FOUND");
      return { success: true };
    },
  };
}

/** Pages that save a profile go one after the other. */
export function savesProfile({ profile }: Pick<ScrapeOptions, "profile">): boolean {
  return profile?.saveChanges ?? false;
}
