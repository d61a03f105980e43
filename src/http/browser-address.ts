// One URL for every browser tool: a WebSocket at /browser (or /chromium, /chrome, /) opens a browser session and drives it. The key
// may be in the query, for such tools take a URL and nothing else; it is taken out before anything else reads the URL.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Caller, type KeyHolder, requireRate } from "../accounts/index.ts";
import { createIpList, ServiceError } from "../base/index.ts";
import { type Endpoint, endpoints, prepareCall, requireGroups } from "../contract/index.ts";
import { readDialectKey } from "../dialects/index.ts";
import { identifyKey, identifyToken, requireAddress, requireGroup } from "./auth.ts";
import { refuseUpgrade } from "./error-response.ts";
import { applyRate, type Operation, type RouteDeps } from "./routes.ts";

export interface BrowserAddressDeps {
  tickets: {
    issue(ticket: Ticket): string;
    isTicket(token: string): boolean;
    redeem(token: string): Promise<Ticket>;
  };
  /** As its Chromium identifies itself; throws without one. */
  findUserAgent(): Promise<string>;
}

interface Ticket {
  holder: KeyHolder;
  query: Readonly<Record<string, string>>;
}

export interface AddressFaceDeps extends RouteDeps, BrowserAddressDeps {
  log: Parameters<typeof refuseUpgrade>[2]["log"];
  trustProxy: number | string[] | false;
  /** Throws for a web page that has no business here; null where keys are the rule. */
  guard: ((request: Pick<FastifyRequest, "headers">) => void) | null;
}

const addressPath = /^\/*(?:(?:browser|chromium|chrome)\/*)?(?:\?|$)/;
const otherProtocol = /^\/+(?:(?:browser|chromium|chrome)\/+)?playwright\/*(?:\?|$)/;
const tokenPaths =
  /^\/+(?:(?:browser\/+)?json\/+version|browserless\/|(?:chromium\/+)?(?:content|screenshot|pdf|function|scrape|performance|download)\b)/;

const sessionRow = (endpoints as readonly Endpoint[]).find(
  ({ method, path }) => method === "POST" && path === "/v2/browser",
) as Endpoint;

/** Puts a key of the query into a header, where nothing logs or keeps it. Returns the URL without it. */
export function takeTokenFromUrl(request: IncomingMessage): string {
  const { url = "/", headers } = request;
  if (!tokenPaths.test(url) || !/[?&]token=/.test(url)) return url;
  const [path = "", text = ""] = url.split(/\?(.*)/s, 2);
  const query = new URLSearchParams(text);
  const token = query.get("token") ?? "";
  query.delete("token");
  if (headers.authorization === undefined) headers.authorization = `Bearer ${token}`;
  const rest = query.toString();
  request.url = rest === "" ? path : `${path}?${rest}`;
  return request.url;
}

/** The handshakes of tools. `drive` joins one with a session whose URL it has by then. */
export function createBrowserAddress(deps: AddressFaceDeps) {
  async function identify(request: IncomingMessage): Promise<Ticket> {
    const query = Object.fromEntries(new URLSearchParams((request.url ?? "").split("?")[1] ?? ""));
    const { token = null, ...rest } = query;
    const key = readDialectKey(request.headers as Record<string, string | undefined>) ?? token;
    const from = { ip: addressOf(request, deps.trustProxy) };
    if (key === null || !deps.tickets.isTicket(key)) {
      return { holder: await identifyKey(key, from, deps.authentication), query: rest };
    }
    const ticket = await deps.tickets.redeem(key);
    if (ticket.holder.keyId !== null) await requireAddress(ticket.holder, from, deps.authentication);
    return ticket;
  }

  async function open(request: IncomingMessage, socket: Duplex, note: (team: string) => void): Promise<string> {
    deps.guard?.(request as Pick<FastifyRequest, "headers">);
    const { holder, query } = await identify(request);
    note(holder.teamName);
    if (holder.keyId !== null) requireGroups(holder.allowedGroups, sessionRow.group);
    const rate = await deps.takeRate(holder, "browser");
    if (rate) requireRate(rate);
    const { input } = prepareCall(sessionRow, { params: {}, query: {}, body: sessionBody(query) });
    const caller = callerOf(holder, request, deps);
    const gone = new AbortController();
    const leave = () => gone.abort();
    // Only a connection that is read shows that its client has gone.
    const early: Buffer[] = [];
    const keep = (piece: Buffer) => void early.push(piece);
    socket.once("close", leave).once("end", leave).on("data", keep);
    const call = (name: string, ...args: unknown[]) =>
      (deps.operations[name] as Operation)(...(args as [never, Caller]));
    const made = await call("createSession", Object.assign({}, input, { endsWithClients: true }), caller, gone.signal);
    socket.pause().off("close", leave).off("end", leave).off("data", keep);
    if (early.length > 0) socket.unshift(Buffer.concat(early));
    const { id, cdpUrl } = made as { id: string; cdpUrl: string };
    if (gone.signal.aborted || socket.destroyed) {
      await call("deleteSession", { id }, caller);
      throw new ServiceError("ABORTED");
    }
    const { pathname, search } = new URL(cdpUrl);
    return pathname.slice(pathname.lastIndexOf("/cdp/")) + search;
  }

  return {
    isFor: ({ url = "/" }: IncomingMessage) => addressPath.test(url) || otherProtocol.test(url),

    /** The request as one for its session, once that is open; null: it was refused. */
    async admit(request: IncomingMessage, socket: Duplex): Promise<IncomingMessage | null> {
      const startedAt = performance.now();
      const line = { method: "WS", route: "/browser" };
      let team: string | undefined;
      const drop = () => socket.destroy();
      socket.on("error", drop);
      try {
        if (otherProtocol.test(request.url ?? "")) throw new ServiceError("NOT_IMPLEMENTED", noPlaywright);
        request.url = await open(request, socket, (name) => {
          team = name;
        });
        return request;
      } catch (error) {
        const status = refuseUpgrade(error, socket, deps);
        deps.log.info({ ...line, status, ms: Math.round(performance.now() - startedAt), team }, "request");
        return null;
      } finally {
        socket.off("error", drop);
      }
    },
  };
}

const noPlaywright =
  "Playwright's own protocol is not spoken here. Use chromium.connectOverCDP with the same URL and the path /browser.";

const known = new Set(["ttl", "activityTtl", "profile", "saveChanges", "recordSession", "recordNetwork"]);
const numbers = new Set(["ttl", "activityTtl"]);

/** What tools add for other services has no effect. `timeout` is in milliseconds. */
function sessionBody({ timeout, ...query }: Ticket["query"]): object {
  const given = Object.entries(query).filter(([name]) => known.has(name));
  const { profile, saveChanges, ...rest } = Object.fromEntries(
    given.map(([name, value]) => [name, numbers.has(name) ? Number(value) : flagOf(name, value)]),
  );
  const ttl = rest.ttl ?? (timeout === undefined ? undefined : Number(timeout) / 1000);
  return {
    ...rest,
    ...(ttl === undefined ? {} : { ttl }),
    ...(profile === undefined
      ? {}
      : { profile: { name: profile, ...(saveChanges === undefined ? {} : { saveChanges }) } }),
  };
}

function flagOf(name: string, value: string): unknown {
  if (name === "profile") return value;
  return ({ true: true, "1": true, "": true, false: false, "0": false } as Record<string, boolean>)[value] ?? value;
}

/** Who sent a request that no framework has read: the peer, or whom the proxies that are trusted name. */
function addressOf({ headers, socket }: IncomingMessage, trusted: AddressFaceDeps["trustProxy"]): string {
  const named = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim());
  const hops = [socket.remoteAddress ?? "", ...named.filter((hop) => hop !== "").reverse()];
  if (trusted === false) return hops[0] ?? "";
  const known = typeof trusted === "number" ? null : createIpList(trusted);
  const first = hops.findIndex((hop, place) => (known ? !known.has(hop) : place >= Number(trusted)));
  return hops.at(first) ?? "";
}

function callerOf(holder: KeyHolder, { headers, socket }: IncomingMessage, deps: AddressFaceDeps): Caller {
  const forwarded = deps.trustProxy !== false ? headers["x-forwarded-proto"] : undefined;
  const isSecure =
    "encrypted" in socket ||
    String(forwarded ?? "")
      .split(",")[0]
      ?.trim() === "https";
  const baseUrl = deps.publicUrl ?? `${isSecure ? "https" : "http"}://${headers.host ?? "localhost"}`;
  return { apiVersion: "v2", idempotencyKey: null, externalRequestId: null, baseUrl, sent: null, ...holder };
}

/** GET /json/version, as a Chromium answers it. The URL in it opens a session once, and only when it is used. */
export function addBrowserVersion(app: FastifyInstance, deps: AddressFaceDeps): void {
  for (const url of ["/json/version", "/browser/json/version"]) {
    app.get(url, async (request, reply) => {
      const key = readDialectKey(request.headers as Record<string, string | undefined>);
      const holder = await identifyToken(key, request, deps.authentication);
      request.holder = holder;
      requireGroup(sessionRow.group, holder, request);
      const rate = await deps.takeRate(holder, "status");
      if (rate) applyRate(rate, reply);
      const query = request.query as Record<string, string>;
      prepareCall(sessionRow, { params: {}, query: {}, body: sessionBody(query) });
      const userAgent = await deps.findUserAgent();
      const base = (deps.publicUrl ?? `${request.protocol}://${request.host}`).replace(/^http/, "ws");
      return {
        Browser: /\b(?:Headless)?Chrome\/[\d.]+/.exec(userAgent)?.[0] ?? "Chrome",
        "Protocol-Version": "1.3",
        "User-Agent": userAgent,
        webSocketDebuggerUrl: `${base}/browser?token=${deps.tickets.issue({ holder, query })}`,
      };
    });
  }
}
