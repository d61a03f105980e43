// What monitors and teams share of notices: the entries that are told, and what is told.
import type { Caller } from "../../accounts/index.ts";
import type { NotifyEntry } from "../../contract/index.ts";
import type { Notice } from "../../notices/index.ts";
import type { NoticeKind, Statements } from "../../store/index.ts";

export type KeptEntry = NotifyEntry & { id: string };
export type ShownEntry = { id: string; channel: string } & Record<string, unknown>;

/** Of a team or a monitor, which a row names by its ID. */
export interface EntryOwner extends Pick<Caller, "teamId" | "baseUrl"> {
  ownerId: string;
}

/** Checks, keeps and shows the entries of an owner. */
export interface EntryBook {
  /** Throws 400 or 403 with the field. An entry that names an earlier one keeps the secrets that it sends masked. */
  accept(given: readonly NotifyEntry[], owner: EntryOwner): Promise<KeptEntry[]>;
  /** In the transaction that writes their owner. */
  write(statements: Statements, entries: readonly KeptEntry[], owner: EntryOwner): Promise<void>;
  /** By owner, in their order. */
  show(ownerIds: readonly string[]): Promise<Map<string, ShownEntry[]>>;
  /** Why entries have no effect as long as the server is set up as it is. */
  warningsOf(entries: readonly { channel: string }[]): string[];
}

/** One notice of a message, as it lies in the outbox. */
export interface ToldNotice {
  kind: NoticeKind;
  facts: Record<string, unknown>;
  at: number;
}

/** Null when what it is about is no longer stored, or there is nothing to tell. */
export type NoticeWriter = (told: ToldNotice, teamId: string, baseUrl: string) => Promise<Notice | null>;
