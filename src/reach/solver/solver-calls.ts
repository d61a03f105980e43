// The protocol of FlareSolverr, which Byparr speaks, too: a command is posted to /v1 and answered with JSON. Each failure is one
// sentence. https://github.com/FlareSolverr/FlareSolverr#usage
import { decodeEscapes, holdsSecret, isObject } from "../../base/index.ts";
import { aboutProxy, type FetchFailure, type FetchFailureCode, type Net } from "../../net/index.ts";

export type SolverCommand =
  | { cmd: "request.get"; url: string; maxTimeout: number; session?: string }
  | { cmd: "sessions.create" | "sessions.destroy"; session: string };

export interface SolverReply {
  ok: true;
  json: Record<string, unknown>;
}

export interface SolverFailure {
  ok: false;
  code: FetchFailureCode;
  message: string;
  /** The solver itself failed, not the page that it was asked for. */
  isItsOwn: boolean;
}

export type SolverCalls = ReturnType<typeof createSolverCalls>;

/** Of a page, as JSON. */
const maxReplyBytes = 32 * 1024 * 1024;
const maxGreetingBytes = 64 * 1024;
const maxReason = 200;
/** What FlareSolverr and Byparr answer when the page is at fault. */
const statusesOfPages = new Set([408, 500, 502, 504]);
/** FlareSolverr says who it is, and Byparr redirects to its documentation. */
const greeting = /flaresolverr/i;

/** `address`: FLARESOLVERR_URL, with or without the /v1. */
export function createSolverCalls(net: Pick<Net, "fetch">, address: string) {
  const { origin, password, href } = new URL(address);
  const base = href.replace(/\/+$/, "").replace(/\/v1$/, "");
  let keepsSessions: boolean | null = null;

  async function post(command: SolverCommand, signal: AbortSignal): Promise<SolverReply | SolverFailure> {
    const outcome = await net.fetch({
      url: `${base}/v1`,
      allowOrigin: origin,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(command),
      limits: { wireBytes: maxReplyBytes, decodedBytes: maxReplyBytes },
      followRedirects: false,
      // It answers when the page is there; the signal ends it.
      idleMs: 0,
      signal,
    });
    if (!outcome.ok) return unreachable(outcome);
    const { status } = outcome;
    const json = parse(outcome.body.toString("utf8"));
    if (json === null) {
      const what = status < 400 ? "answered with something that is not a JSON object" : `failed (${status})`;
      return solverFailure("SCRAPE_SITE_ERROR", `${what}: check FLARESOLVERR_URL`, true);
    }
    if (status < 300 && json.status !== "error") return { ok: true, json };
    const reason = reasonOf(json);
    if (status < 300 || (statusesOfPages.has(status) && reason !== null))
      return solverFailure("SCRAPE_SITE_ERROR", `did not get past the check${reason ?? ""}`, false);
    const what = `rejected the request (${status})${reason ?? ""}: check FLARESOLVERR_URL`;
    return solverFailure("SCRAPE_SITE_ERROR", what, true);
  }

  /** Whether it keeps a browser for later requests, as FlareSolverr does and Byparr does not. */
  async function findSessions(signal: AbortSignal): Promise<{ ok: true; keepsSessions: boolean } | SolverFailure> {
    if (keepsSessions !== null) return { ok: true, keepsSessions };
    const limits = { wireBytes: maxGreetingBytes, decodedBytes: maxGreetingBytes };
    const outcome = await net.fetch({ url: `${base}/`, allowOrigin: origin, followRedirects: false, limits, signal });
    if (!outcome.ok) return unreachable(outcome);
    const { status } = outcome;
    if (status >= 500) return solverFailure("SCRAPE_SITE_ERROR", `failed (${status})`, true);
    if (status === 401 || status === 403)
      return solverFailure("SCRAPE_SITE_ERROR", `rejected the request (${status}): check FLARESOLVERR_URL`, true);
    keepsSessions = greeting.test(outcome.body.toString("utf8"));
    return { ok: true, keepsSessions };
  }

  /** Its own words, as `: words`; empty where they may hold a part of the password, null where it says nothing. */
  function reasonOf({ message, detail, error }: Record<string, unknown>): string | null {
    const text = [message, detail, error].find((each) => typeof each === "string") ?? "";
    const words = String(text).replace(/\s+/g, " ").trim();
    if (words === "") return null;
    if (holdsSecret(words, [password, decodeEscapes(password)])) return "";
    return `: ${words.slice(0, maxReason).replace(/[.\s]+$/, "")}`;
  }

  return { origin, post, findSessions };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function unreachable(outcome: FetchFailure): SolverFailure {
  const { code, isRefusal } = outcome;
  const proxy = aboutProxy(outcome);
  if (code === "SCRAPE_TIMEOUT") return solverFailure(code, `did not answer in time${proxy}`, true);
  if (code === "ABORTED") return solverFailure(code, "was asked by a request that has ended", false);
  if (code === "SCRAPE_PAGE_TOO_LARGE") return solverFailure(code, "answered with more than 32 MB", false);
  if (code === "SCRAPE_SSL_ERROR") return solverFailure(code, `has an untrusted certificate${proxy}`, true);
  if (code === "SCRAPE_DNS_RESOLUTION_ERROR") return solverFailure(code, "has a host name that does not resolve", true);
  return solverFailure(
    "SCRAPE_SITE_ERROR",
    `${isRefusal ? "closed the connection" : "cannot be reached"}${proxy}`,
    true,
  );
}

export function solverFailure(code: FetchFailureCode, what: string, isItsOwn: boolean): SolverFailure {
  return { ok: false, code, message: `The solver of FLARESOLVERR_URL ${what}`, isItsOwn };
}
