// Sessions live in one server. What is asked of one goes to the server that holds it, as the call of an operation; what opens one
// goes to a server that opens them.
import type { Caller } from "../accounts/index.ts";
import { errorTable, ServiceError } from "../base/index.ts";
import type { Operations } from "../contract/index.ts";
import type { NodeRow, SessionRow, Store } from "../store/index.ts";
import type { OpenChannel } from "./calls.ts";
import type { Channel } from "./channel.ts";
import type { Directory } from "./directory.ts";
import type { NodeBrowser } from "./node-browser.ts";

const routedNames = [
  ...(["createSession", "executeInSession", "deleteSession", "readSessionHar"] as const),
  ...(["interact", "stopInteraction"] as const),
];
type RoutedName = (typeof routedNames)[number];
export type SessionCalls = Pick<Operations<Caller>, RoutedName>;
type AnyCall = (input: unknown, caller: Caller, signal?: AbortSignal) => Promise<unknown>;

interface SessionRoutesDeps {
  store: Pick<Store, "sessions">;
  directory: Directory;
  openChannel: OpenChannel;
  browser: NodeBrowser;
  /** Whether this server holds the session. */
  holds(id: string): boolean;
}

interface Carried {
  name: RoutedName;
  input: unknown;
  caller: Caller;
}

/** Of what a call threw, the same fields. */
type CarriedError = Pick<ServiceError, "code" | "message" | "status" | "details" | "retryAfterSeconds">;

type CallAnswer = { answer: unknown } | { error: CarriedError };

export function createSessionRoutes({ store, directory, openChannel, browser, holds }: SessionRoutesDeps) {
  /** The server that holds it, unless that is this one or it does not answer. */
  async function holderOf(session: SessionRow | null): Promise<NodeRow | null> {
    if (session?.status !== "active" || holds(session.id)) return null;
    return directory.find(session.owner);
  }

  async function holderById(teamId: string, id: string): Promise<NodeRow | null> {
    return holds(id) ? null : holderOf(await store.sessions.read(teamId, id));
  }

  async function opener(): Promise<NodeRow | null> {
    return browser.leavesToOthers() ? browser.pickForSession() : null;
  }

  /** Null where it is answered here: by what this server holds, or by why it cannot be. */
  const whereTo: { [Name in RoutedName]: (input: never, caller: Caller) => Promise<NodeRow | null> } = {
    createSession: () => opener(),
    executeInSession: ({ id }: { id: string }, { teamId }) => holderById(teamId, id),
    deleteSession: ({ id }: { id: string }, { teamId }) => holderById(teamId, id),
    readSessionHar: ({ id }: { id: string }, { teamId }) => holderById(teamId, id),
    async interact({ id, existingSessionId }: { id: string; existingSessionId?: string }, { teamId }) {
      if (existingSessionId !== undefined) return holderById(teamId, existingSessionId);
      const session = await store.sessions.findOfScrape(teamId, id);
      return session?.status === "active" ? holderOf(session) : opener();
    },
    stopInteraction: async ({ id }: { id: string }, { teamId }) =>
      holderOf(await store.sessions.findOfScrape(teamId, id)),
  };

  /** Null when the server did not take the call. */
  async function callAt(node: NodeRow, carried: Carried, signal: AbortSignal | undefined): Promise<CallAnswer | null> {
    const channel = await openChannel(node, "/internal/call");
    if (channel === null) {
      directory.doubt(node);
      return null;
    }
    const hangUp = () => channel.cut();
    signal?.addEventListener("abort", hangUp, { once: true });
    try {
      if (!signal?.aborted) channel.send(carried);
      const answer = signal?.aborted ? null : ((await channel.next()) as CallAnswer | null);
      if (answer !== null) return answer;
      if (signal?.aborted) throw new ServiceError("ABORTED");
      throw carried.name === "createSession"
        ? new ServiceError("OVERLOADED", "The server that was opening the session ended. Try again.")
        : new ServiceError("SESSION_ENDED", "The server that held the browser of this session ended.");
    } finally {
      signal?.removeEventListener("abort", hangUp);
      channel.cut();
    }
  }

  /** The same operations, wherever a session is. */
  function route(own: SessionCalls): SessionCalls {
    const routed = routedNames.map((name) => {
      const here = own[name] as AnyCall;
      const wherever: AnyCall = async (input, caller, signal) => {
        const node = await whereTo[name](input as never, caller);
        const answer = node && (await callAt(node, { name, input, caller }, signal));
        if (answer === null) return here(input, caller, signal);
        if ("answer" in answer) return answer.answer;
        throw toError(answer.error);
      };
      return [name, wherever];
    });
    return Object.fromEntries(routed) as SessionCalls;
  }

  return {
    route,

    /** A connection to the server that holds a session, at which the request has arrived; null: it is answered here. */
    async openTunnel(id: string, request: (host: string) => Buffer) {
      const node = holds(id) ? null : await holderOf(await store.sessions.readAny(id));
      const channel = node && (await openChannel(node, "/internal/tunnel"));
      if (node === null || channel === null) return null;
      channel.send(request(new URL(node.url).host));
      return channel.release();
    },
  };
}

function toError({ code, message, status, details, retryAfterSeconds }: CarriedError): ServiceError {
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  // A newer server may have codes that this one does not know.
  const known = Object.hasOwn(errorTable, code) ? code : "INTERNAL_ERROR";
  return new ServiceError(known, message, { status, details, ...later });
}

/** Answers a call of another server by what this one holds; `findOwn` answers null before this server has sessions. */
export function createCallHandler(findOwn: () => SessionCalls | null) {
  return async (channel: Channel): Promise<null> => {
    const carried = (await channel.next()) as Carried | null;
    const own = findOwn();
    if (own === null || carried === null || !routedNames.includes(carried.name)) return null;
    const ending = new AbortController();
    void channel.closed.then(() => ending.abort());
    const operation = own[carried.name] as AnyCall;
    channel.send(await answerOf(operation(carried.input, carried.caller, ending.signal)));
    await channel.closed;
    return null;
  };
}

async function answerOf(working: Promise<unknown>): Promise<CallAnswer> {
  try {
    return { answer: await working };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, status, details, retryAfterSeconds } = error;
    return { error: { code, message, status, details, retryAfterSeconds } };
  }
}

/** Serves a request of HTTP that another server hands on. */
export async function handleTunnel(channel: Channel) {
  const request = (await channel.next()) as Buffer | null;
  if (request === null) return null;
  const socket = channel.release();
  socket.unshift(request);
  return socket;
}
