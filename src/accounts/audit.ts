// The audit log: each administrative act is one row, written in the transaction of the act.
import { type Clock, cutPage, isoTime, newId, readCursor } from "../base/index.ts";
import type { AuditActorType, AuditRow, Store } from "../store/index.ts";
import { type Caller, keylessName } from "./caller.ts";

/** Where an act comes from. */
export interface RequestOrigin {
  ip?: string | null;
  requestId?: string | null;
}

/** Who acts. */
export interface Actor extends RequestOrigin {
  type: AuditActorType;
  id: string | null;
  name: string;
}

export interface AuditAct {
  action: string;
  target: { type: string; id: string | null; name: string };
  /** Never a key, a token, a password, a code or a secret. */
  details?: object;
}

export const commandLine: Actor = { type: "cli", id: null, name: "command line" };
export const systemActor: Actor = { type: "system", id: null, name: "server" };

export function originOf({ ip = null, requestId = null }: RequestOrigin): Required<RequestOrigin> {
  return { ip, requestId };
}

/** Who acts in a request. */
export function actorOf(caller: Caller): Actor {
  const { session, keyId, keyName } = caller;
  const origin = originOf(caller);
  if (session) return { type: "person", id: session.personId, name: session.personName, ...origin };
  if (keyId !== null) return { type: "key", id: keyId, name: keyName, ...origin };
  return { type: "system", id: null, name: keylessName, ...origin };
}

export function personActor(id: string, name: string, origin: RequestOrigin): Actor {
  return { type: "person", id, name, ...originOf(origin) };
}

export function auditRow(
  teamId: string,
  actor: Actor,
  at: number,
  { action, target, details = {} }: AuditAct,
): AuditRow {
  return {
    teamId,
    at,
    id: newId(at),
    action,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    ip: actor.ip ?? null,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name,
    details: JSON.stringify(details),
    requestId: actor.requestId ?? null,
  };
}

export interface AuditFilter {
  action?: string | undefined;
  actor?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

const exportedAtOnce = 500;

export function createAudit({ store, clock }: { store: Store; clock: Clock }) {
  return {
    async page(
      teamId: string,
      { limit, cursor: from, ...filter }: AuditFilter & { limit: number; cursor?: string | undefined },
    ) {
      const place = from === undefined ? undefined : readCursor(from);
      const rows = await store.audit.list({
        ...filter,
        ...{ teamId, limit: limit + 1, order: "latest first" },
        after: place && { at: place.createdAt, id: place.rowId },
      });
      const { page, cursor, hasMore } = cutPage(rows, limit, ({ at, id }) => ({ createdAt: at, rowId: id }));
      return { rows: page.map(shownAuditRow), cursor, hasMore };
    },

    /** Every row up to now, oldest first, a few at a time. That they were exported is a row, too. */
    async *export(teamId: string, filter: AuditFilter, actor: Actor) {
      const now = clock.now();
      const to = Math.min(filter.to ?? now + 1, now + 1);
      const target = { type: "audit", id: null, name: "audit log" };
      await store.audit.add([auditRow(teamId, actor, now, { action: "audit.exported", target, details: filter })]);
      for (let after: { at: number; id: string } | undefined; ; ) {
        const rows = await store.audit.list({
          ...filter,
          ...{ teamId, to, after, limit: exportedAtOnce, order: "oldest first" },
        });
        yield rows.map(shownAuditRow);
        const last = rows.at(-1);
        if (last === undefined || rows.length < exportedAtOnce) return;
        after = { at: last.at, id: last.id };
      }
    },
  };
}

/** A row as its readers see it. */
export function shownAuditRow(row: AuditRow) {
  return {
    id: row.id,
    at: isoTime(row.at),
    action: row.action,
    actor: { type: row.actorType, id: row.actorId, name: row.actorName },
    ip: row.ip,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    details: JSON.parse(row.details) as Record<string, unknown>,
    requestId: row.requestId,
  };
}
