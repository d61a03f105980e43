// Who gets the email of a monitor. An address outside of its team gets one email that asks for consent, and nothing else before
// it has agreed; links hold a sealed token, so the store holds none.
import { ServiceError } from "../../base/index.ts";
import type { Monitor, Statements, Subscription } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { listTeamAddresses } from "../parts/team-addresses.ts";
import type { MonitorSettings, ShownMonitor } from "./monitor-record.ts";

export interface MonitorOptions {
  /** Whether addresses outside of a team are asked first. */
  confirmsMail: boolean;
}

/** An address, and what is known of it. */
export interface Recipient {
  email: string;
  row: Subscription;
  status: Subscription["status"];
  source: Subscription["source"];
}

type Addressed = Pick<Monitor, "id" | "teamId">;
type People = Pick<Statements, "people">;

export type Recipients = ReturnType<typeof createRecipients>;

const purpose = "links in email of monitors";

export function createRecipients({ store, clock }: OperationParts, { confirmsMail }: MonitorOptions) {
  /** Addresses without a row are those from before consent was asked for. */
  function stateOf(
    email: string,
    row: Subscription | undefined,
    members: readonly string[],
  ): Pick<Recipient, "status" | "source"> {
    const isMember = members.includes(email);
    if (!row) return { status: "confirmed", source: isMember ? "team" : "legacy" };
    const { status, source } = row;
    if (status !== "pending" || (confirmsMail && !isMember)) return { status, source };
    return { status: "confirmed", source: isMember ? "team" : source };
  }

  function newRow(monitorId: string, email: string, isAsked: boolean, members: readonly string[]): Subscription {
    const now = clock.now();
    const state = isAsked ? ({ status: "pending", source: "opt_in" } as const) : stateOf(email, undefined, members);
    const request = isAsked ? ({ consentState: "due", consentNextAt: now } as const) : noRequest;
    return { monitorId, email, ...state, createdAt: now, consentAttempts: 0, lastCheckId: null, ...request };
  }

  /** Who gets email about checks: the named addresses, or else the members of the team. */
  async function listFor(
    statements: People,
    { teamId }: Pick<Addressed, "teamId">,
    settings: Notified,
  ): Promise<string[]> {
    const named = checkRecipients(settings);
    return named.length > 0 ? named : listTeamAddresses(statements, teamId);
  }

  return {
    listFor,

    /** In the transaction that names them. `earlier`: what was named until now. A request that was never sent is due again. */
    async name(statements: Statements, monitor: Addressed, settings: Notified, earlier: Notified): Promise<void> {
      const members = await listTeamAddresses(statements, monitor.teamId);
      const rows = rowsByEmail(await statements.subscriptions.list(monitor.id));
      const before = namedRecipients(earlier);
      const named = namedRecipients(settings);
      const fresh = [...new Set([...before, ...named])].filter((email) => !rows.has(email));
      const isAsked = (email: string) => confirmsMail && !members.includes(email) && !before.includes(email);
      await statements.subscriptions.add(fresh.map((email) => newRow(monitor.id, email, isAsked(email), members)));
      for (const email of named) {
        const row = rows.get(email);
        if (row?.status !== "pending" || (row.consentState !== "none" && row.consentState !== "failed")) continue;
        await statements.subscriptions.change(row, {
          consentState: "due",
          consentAttempts: 0,
          consentNextAt: clock.now(),
        });
      }
    },

    /** Those of the addresses that get email, each with its row. */
    async confirmed(monitor: Addressed, emails: readonly string[]): Promise<Recipient[]> {
      const members = await listTeamAddresses(store, monitor.teamId);
      await store.subscriptions.add(emails.map((email) => newRow(monitor.id, email, false, members)));
      const rows = rowsByEmail(await store.subscriptions.list(monitor.id));
      return emails.flatMap((email) => {
        const row = rows.get(email);
        const state = stateOf(email, row, members);
        return row && state.status === "confirmed" ? [{ email, row, ...state }] : [];
      });
    },

    /** Whether an email that asks for consent is still wanted. */
    async isAsked(monitor: Addressed, row: Subscription, settings: Notified): Promise<boolean> {
      const wanted = [...(isMailed(settings) ? checkRecipients(settings) : []), ...(settings.notifyEmails ?? [])];
      const isNamed = wanted.includes(row.email);
      return isNamed && stateOf(row.email, row, await listTeamAddresses(store, monitor.teamId)).status === "pending";
    },

    /** Why no email is sent although it is asked for; null when there is a recipient. */
    async findLack(monitor: Pick<Addressed, "teamId">, settings: Notified): Promise<string | null> {
      if (!isMailed(settings) || (await listFor(store, monitor, settings)).length > 0) return null;
      return "No email is sent: no recipients are named, and no member of the team signs in with an email address.";
    },

    /** As the answers about the monitor show them; absent when none is named. */
    async show(monitor: Addressed, settings: Notified): Promise<Pick<ShownMonitor, "emailRecipientSubscriptions">> {
      const named = namedRecipients(settings);
      if (named.length === 0) return {};
      const members = await listTeamAddresses(store, monitor.teamId);
      const rows = rowsByEmail(await store.subscriptions.list(monitor.id));
      const shown = named.map((email) => {
        const row = rows.get(email);
        const state = stateOf(email, row, members);
        const isSent = row?.consentState === "sent";
        return { email, ...state, ...(state.source === "opt_in" ? { confirmationEmailSent: isSent } : {}) };
      });
      return { emailRecipientSubscriptions: shown };
    },
  };
}

/** The links of emails, whose tokens only this server can make and read. */
export function createMailLinks({ sealer }: Pick<OperationParts, "sealer">) {
  return {
    /** Of a page of this server whose button confirms or unsubscribes. */
    to(action: "confirm" | "unsubscribe", { id, baseUrl }: Pick<Monitor, "id" | "baseUrl">, email: string): string {
      const token = sealer.seal(`${id} ${email}`, purpose);
      return `${baseUrl}/monitoring/email/${action}?token=${encodeURIComponent(token)}`;
    },

    /** The address and monitor that a token names. */
    read(token: string): { monitorId: string; email: string } {
      try {
        const [monitorId = "", email = ""] = sealer.open(token, purpose).split(" ");
        return { monitorId, email };
      } catch (cause) {
        throw new ServiceError("SUBSCRIPTION_NOT_FOUND", undefined, { cause });
      }
    },
  };
}

/** What people do with the links of an email; no key is needed, because only the email has the token. */
export function createSubscriptionOperations(parts: OperationParts) {
  const { store } = parts;
  const links = createMailLinks(parts);

  async function change<Result extends string>(
    token: string,
    decide: (row: Subscription) => { result: Result; status?: Subscription["status"] },
  ) {
    const { monitorId, email } = links.read(token);
    return store.transaction(async (statements) => {
      const monitor = await statements.monitors.lock(monitorId);
      const row = rowsByEmail(await statements.subscriptions.list(monitorId)).get(email);
      if (!monitor || !row) throw new ServiceError("SUBSCRIPTION_NOT_FOUND");
      const { result, status } = decide(row);
      if (status) await statements.subscriptions.change(row, { status });
      return { success: true as const, result, email, monitorName: monitor.name };
    });
  }

  return {
    confirmMonitorEmail: ({ token }) =>
      change(token, ({ status }) =>
        status === "pending" ? { result: "confirmed", status: "confirmed" } : { result: `already_${status}` },
      ),

    unsubscribeMonitorEmail: ({ token }) =>
      change(token, ({ status }) =>
        status === "unsubscribed"
          ? { result: "already_unsubscribed" }
          : { result: "unsubscribed", status: "unsubscribed" },
      ),
  } satisfies ServedOperations;
}

type Notified = Pick<MonitorSettings, "notification"> & Partial<Pick<MonitorSettings, "notifyEmails">>;

const noRequest = { consentState: "none", consentNextAt: null } as const;

export function isMailed({ notification }: Notified): boolean {
  return notification?.email !== undefined && notification.email.enabled !== false;
}

/** Of the email about checks; in lower case, each once. */
function checkRecipients({ notification }: Notified): string[] {
  return [...new Set((notification?.email?.recipients ?? []).map((email) => email.toLowerCase()))];
}

/** The same with those of `notify`. */
function namedRecipients(settings: Notified): string[] {
  return [...new Set([...checkRecipients(settings), ...(settings.notifyEmails ?? [])])];
}

function rowsByEmail(rows: readonly Subscription[]): Map<string, Subscription> {
  return new Map(rows.map((row) => [row.email, row]));
}
