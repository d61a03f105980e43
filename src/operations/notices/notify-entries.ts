// Entries of `notify`, of a team or of a monitor: checked when they are given, sealed where they are kept, masked when they are shown.
import { newId, refusedField } from "../../base/index.ts";
import { type ChannelName, type NotifyEntry, notifyChannels } from "../../contract/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import type { NotifyRow } from "../../store/index.ts";
import type { EntryBook, EntryOwner, KeptEntry, ShownEntry } from "../parts/notice-parts.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import { listTeamAddresses } from "../parts/team-addresses.ts";

export type NotifyEntries = ReturnType<typeof createNotifyEntries>;

const purpose = "notify entry";
const mask = "***";
/** Parts of a URL that are shorter are words of its service. */
const leastSecret = 8;

export function createNotifyEntries({ store, clock, sealer, checkUrl, mailer }: OperationParts) {
  function open(row: Pick<NotifyRow, "sealed">): KeptEntry {
    return JSON.parse(sealer.open(row.sealed, purpose));
  }

  async function accept(given: readonly NotifyEntry[], owner: EntryOwner): Promise<KeptEntry[]> {
    const earlier = new Map((await store.notifyEntries.list([owner.ownerId])).map((row) => [row.id, open(row)]));
    const ids = new Set<string>();
    return given.map((entry, place) => {
      const at = ["notify", place];
      const known = entry.id === undefined ? undefined : earlier.get(entry.id);
      if (entry.id !== undefined && !known) throw refusedField([...at, "id"], "There is no entry with this ID here");
      if (entry.id !== undefined && ids.has(entry.id)) throw refusedField([...at, "id"], "Two entries have this ID");
      const id = known?.id ?? newId(clock.now());
      ids.add(id);
      const whole = withSecrets({ ...entry, id }, known, at);
      if ("url" in whole) requireAllowedUrl(checkUrl, whole.url, [...at, "url"]);
      return whole;
    });
  }

  return {
    open,
    accept,

    async write(statements, entries, owner) {
      const { teamId, ownerId, baseUrl } = owner;
      const rows = entries.map((entry, place) => ({
        id: entry.id,
        ...{ teamId, ownerId, place, baseUrl },
        channel: entry.channel,
        shown: JSON.stringify(shownEntry(entry)),
        sealed: sealer.seal(JSON.stringify(entry), purpose),
        createdAt: clock.now(),
      }));
      await statements.notifyEntries.replace(ownerId, rows);
    },

    async show(ownerIds) {
      const shown = new Map<string, ShownEntry[]>();
      for (const row of await store.notifyEntries.list(ownerIds))
        shown.set(row.ownerId, [...(shown.get(row.ownerId) ?? []), JSON.parse(row.shown)]);
      return shown;
    },

    warningsOf(entries) {
      const isMailed = entries.some(({ channel }) => channel === "email");
      return isMailed && mailer === null ? ["No email is sent: SMTP_URL is not set."] : [];
    },
  } satisfies EntryBook & { open: typeof open };
}

function secretsOf(channel: ChannelName): readonly string[] {
  return notifyChannels[channel].secrets;
}

function shownEntry(entry: KeptEntry): ShownEntry {
  const shown: Record<string, unknown> = { ...entry };
  for (const name of secretsOf(entry.channel)) if (shown[name] !== undefined) shown[name] = masked(shown[name]);
  return shown as ShownEntry;
}

/** Of a URL its host is told, of headers their names. */
function masked(value: unknown): unknown {
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.keys(value).map((name) => [name, mask]));
  return URL.canParse(String(value)) ? `${new URL(String(value)).origin}/${mask}` : mask;
}

function withSecrets(entry: KeptEntry, known: KeptEntry | undefined, at: (string | number)[]): KeptEntry {
  const earlier: Record<string, unknown> = known?.channel === entry.channel ? { ...known } : {};
  const whole: Record<string, unknown> = { ...entry };
  for (const name of secretsOf(entry.channel)) {
    const value = whole[name];
    if (typeof value === "object" && value !== null) {
      whole[name] = Object.fromEntries(
        Object.entries(value).map(([key, one]) => {
          const kept = (earlier[name] as Record<string, unknown> | undefined)?.[key];
          return [key, one === mask ? requireKept(kept, [...at, name, key]) : one];
        }),
      );
    } else if (value === mask || (typeof value === "string" && value.endsWith(`/${mask}`))) {
      const kept = requireKept(earlier[name], [...at, name]);
      whole[name] = masked(kept) === value ? kept : requireKept(undefined, [...at, name]);
    }
  }
  return whole as unknown as KeptEntry;
}

function requireKept(kept: unknown, at: (string | number)[]): unknown {
  if (kept === undefined)
    throw refusedField(at, "Is masked, and no earlier value is kept for it: send the value itself");
  return kept;
}

/** Everything in it that no log and no answer may show. */
export function secretTexts(entry: KeptEntry): string[] {
  const values = secretsOf(entry.channel).map((name) => (entry as unknown as Record<string, unknown>)[name]);
  return values
    .flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : [value]))
    .filter((value): value is string => typeof value === "string" && value !== "")
    .flatMap((value) => [value, ...(URL.canParse(value) ? longParts(new URL(value)) : [])]);
}

/** What of a URL may be its secret. */
function longParts({ pathname, searchParams }: URL): string[] {
  return [...pathname.split("/"), ...searchParams.values()].filter((part) => part.length >= leastSecret);
}

/** Throws 400 for an address to which the team may send nothing. */
export async function requireMembers(
  { store }: Pick<OperationParts, "store">,
  given: readonly KeptEntry[],
  teamId: string,
): Promise<void> {
  const members = await listTeamAddresses(store, teamId);
  for (const [place, entry] of given.entries()) {
    if (entry.channel !== "email") continue;
    const outside = entry.to.findIndex((email) => !members.includes(email.toLowerCase()));
    if (outside < 0) continue;
    const message = "Is no address of a member of the team; monitors can ask other people for their consent";
    throw refusedField(["notify", place, "to", outside], message);
  }
}
