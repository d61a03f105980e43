// When a session ends by itself, and what it then comes to.
import { secondMs } from "../../base/index.ts";
import type { SessionEnd, SessionRow } from "../../store/index.ts";

type Life = Pick<SessionRow, "createdAt" | "ttlMs" | "usedAt" | "idleMs">;

/** Its lifetime or its idle time is over, whichever comes first. */
export function endsAt({ createdAt, ttlMs, usedAt, idleMs }: Life): number {
  return Math.min(createdAt + ttlMs, usedAt + idleMs);
}

/** The bill of a session that ends now, or ended by itself before. */
export function endOf(
  session: Life & Pick<SessionRow, "minutePrice">,
  at: number,
  status: SessionEnd["status"],
): SessionEnd {
  const endedAt = Math.max(session.createdAt, Math.min(at, endsAt(session)));
  const durationMs = endedAt - session.createdAt;
  return { status, endedAt, durationMs, credits: sessionPrice(durationMs, session.minutePrice) };
}

/** By the second, rounded up to whole credits; at least one minute. */
export function sessionPrice(durationMs: number, minutePrice: number): number {
  const seconds = Math.ceil(durationMs / secondMs);
  return Math.max(minutePrice, Math.ceil((seconds * minutePrice) / 60));
}
