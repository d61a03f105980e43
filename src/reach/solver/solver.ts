// An outside solver (FLARESOLVERR_URL): a browser of the operator that is asked for a page behind a challenge. What it is asked
// for is checked before, and what it was led to after: it connects by itself, out of sight of the guard.
import {
  bareUrl,
  type Clock,
  createDeadline,
  createSemaphore,
  type ErrorCode,
  type Logger,
  minuteMs,
  type Release,
  secondMs,
} from "../../base/index.ts";
import type { Page } from "../../engines/index.ts";
import type { Net } from "../../net/index.ts";
import type { ClearanceCookie } from "../strategy/clearance-cookies.ts";
import { isSamePage, readSolution } from "./solution.ts";
import { createSolverCalls, type SolverFailure, solverFailure } from "./solver-calls.ts";
import { createSolverSessions } from "./solver-sessions.ts";

export interface SolveRequest {
  url: string;
  /** Pages that share it may share a session, and come one after the other. */
  key: string;
  keepsSession: boolean;
  signal: AbortSignal;
  /** When the signal will end it, by performance.now(). */
  endsAt: number;
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
}

export type SolveOutcome =
  | { ok: true; page: Page; cookies: ClearanceCookie[]; userAgent: string | null }
  | { ok: false; code: ErrorCode; message: string };

export interface Solver {
  solve(request: SolveRequest): Promise<SolveOutcome>;
  /** Whether it answers, in a sentence. */
  examine(signal: AbortSignal): Promise<{ isAnswering: boolean; message: string }>;
  close(): Promise<void>;
}

export interface SolverDeps {
  net: Pick<Net, "fetch" | "checkResolved">;
  clock: Clock;
  log: Logger;
}

/** Each is a browser on the solver's machine. */
const maxPages = 3;
const maxSolveMs = 90 * secondMs;
/** The solver gives up this much earlier than we do, so that it can say why. */
const graceMs = 2 * secondMs;
const graceShare = 0.2;
const leastSolveMs = secondMs;
/** Who had less time than this cannot say that it hangs. */
const fairMs = 10 * secondMs;
/** After as many failures in a row it is left alone. */
const failuresBeforeRest = 2;
const restMs = minuteMs;

export function createSolver({ net, clock, log }: SolverDeps, { url: address }: { url: string }): Solver {
  const calls = createSolverCalls(net, address);
  const sessions = createSolverSessions(calls, { maxSessions: maxPages });
  const turns = createSemaphore({ places: maxPages, placesPerKey: 1 });
  let failures = 0;
  let restsUntil = 0;

  function note(failure: SolverFailure | null, waitedMs: number): void {
    if (failure?.code === "ABORTED" || (failure?.code === "SCRAPE_TIMEOUT" && waitedMs < fairMs)) return;
    failures = failure?.isItsOwn ? failures + 1 : 0;
    const fields = { solver: calls.origin, reason: failure?.message };
    if (failure !== null) log[failure.isItsOwn ? "warn" : "info"](fields, "the solver failed");
    if (failures >= failuresBeforeRest) restsUntil = clock.now() + restMs;
  }

  async function ask({ url, key, keepsSession }: SolveRequest, signal: AbortSignal, until: number) {
    const taken = keepsSession ? await sessions.take(key, signal) : { ok: true as const, id: null };
    if (!taken.ok) return taken;
    const leftMs = until - performance.now();
    const maxTimeout = Math.round(Math.max(leastSolveMs, leftMs - Math.min(graceMs, leftMs * graceShare)));
    const session = taken.id === null ? {} : { session: taken.id };
    const reply = await calls.post({ cmd: "request.get", url, maxTimeout, ...session }, signal);
    const solution = reply.ok ? readSolution(reply.json) : null;
    if (keepsSession) sessions.giveBack(key, solution !== null);
    if (!reply.ok) return reply;
    return solution ?? solverFailure("SCRAPE_SITE_ERROR", "answered without a page", true);
  }

  /** Waits for its turn. */
  async function askInTurn(request: SolveRequest) {
    const ms = Math.min(request.endsAt - performance.now(), maxSolveMs);
    const until = performance.now() + ms;
    const deadline = createDeadline(request.signal, ms);
    let leave: Release | null = null;
    try {
      leave = await turns.acquire(deadline.signal, request.key).catch(() => null);
      if (leave === null) return solverFailure("SCRAPE_TIMEOUT", "was busy with other pages", false);
      if (restsUntil > clock.now())
        return solverFailure("SCRAPE_SITE_ERROR", "is not asked for a minute, because it failed twice in a row", false);
      const since = performance.now();
      const asked = await ask(request, deadline.signal, until);
      note("ok" in asked ? asked : null, performance.now() - since);
      return asked;
    } finally {
      leave?.();
      deadline.clear();
    }
  }

  return {
    async solve(request) {
      const { url, mayFollow } = request;
      const from = await net.checkResolved(url);
      if ("problem" in from) return { ok: false, code: "URL_NOT_ALLOWED", message: from.message };
      const asked = await askInTurn(request);
      if ("ok" in asked) return asked;
      const to = await net.checkResolved(asked.finalUrl);
      if ("problem" in to) {
        const message = "The solver of FLARESOLVERR_URL was led to a URL that is not allowed";
        return { ok: false, code: "URL_NOT_ALLOWED", message };
      }
      const finalUrl = bareUrl(to.url);
      const isElsewhere = !isSamePage(url, finalUrl);
      if (isElsewhere && mayFollow && !(await mayFollow(finalUrl))) {
        const message = "The page redirects to a URL that the site's robots.txt forbids";
        return { ok: false, code: "ROBOTS_BLOCKED", message };
      }
      const page: Page = {
        url: bareUrl(url),
        finalUrl,
        ...asked.page,
        engine: "solver",
        proxy: "none",
        redirects: isElsewhere ? [bareUrl(url)] : [],
        isPrivate: from.isPrivate || to.isPrivate,
        ignoredHeaders: [],
      };
      return { ok: true, page, cookies: asked.cookies, userAgent: asked.userAgent };
    },

    async examine(signal) {
      const found = await calls.findSessions(signal);
      if (!found.ok) return { isAnswering: false, message: found.message };
      const message = found.keepsSessions
        ? `FlareSolverr at ${calls.origin} answers and keeps sessions`
        : `${calls.origin} answers, but not as FlareSolverr: no sessions are used`;
      return { isAnswering: true, message };
    },

    close: sessions.close,
  };
}
