// The live view of a session in a web browser: the page, and the WebSocket that it opens. The token in the URL is the key.
import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { liveViewInput } from "../contract/index.ts";
import type { LiveView } from "../operations/index.ts";
import { liveViewPage, liveViewPolicy } from "./live-view-page.ts";
import type { Watch } from "./watch.ts";

export interface LiveViewDeps {
  /** Throws when the token does not permit this view of the session. */
  openLiveView(id: string, token: string, takesPart: boolean): Promise<LiveView>;
  /** The same, for a session whose browser may be at another server. */
  checkLiveView(id: string, token: string, takesPart: boolean): Promise<void>;
}

declare module "fastify" {
  interface FastifyRequest {
    liveView: LiveView | null;
  }
}

/** A viewer with this much unread data gets no further pictures until it has caught up: the next one is newer anyway. */
const maxWaitingBytes = 512 * 1024;
/** Input that was sent and not yet performed by the browser; more than a hand can produce. */
const maxPendingMoves = 10;
const maxPendingInputs = 500;
const maxUnansweredPings = 2;
/** Pages may have URLs, titles and dialog messages of megabytes. */
const maxUrlLength = 2000;
const maxQuestionLength = 2000;
const maxTitleLength = 300;
const policyViolation = 1008;

export const liveViewStream = "/view/:id/stream";

export function addLiveViewPage(app: FastifyInstance, { checkLiveView }: Pick<LiveViewDeps, "checkLiveView">): void {
  app.get("/view/:id", async (request, reply) => {
    const { id, token, takesPart } = readView(request);
    await checkLiveView(id, token, takesPart);
    return reply
      .header("content-security-policy", liveViewPolicy)
      .header("x-frame-options", "SAMEORIGIN")
      .type("text/html; charset=utf-8")
      .send(liveViewPage(takesPart));
  });
}

export function addLiveViewSocket(
  app: FastifyInstance,
  { openLiveView }: Pick<LiveViewDeps, "openLiveView">,
  take: (watch: Watch) => void,
): void {
  app.decorateRequest("liveView", null);
  app.get(
    liveViewStream,
    {
      websocket: true,
      preValidation: async (request) => {
        const { id, token, takesPart } = readView(request);
        request.liveView = await openLiveView(id, token, takesPart);
      },
    },
    (socket, { liveView, log }) => {
      if (liveView)
        take(startLiveWatch(socket, liveView, (error) => log.debug({ err: error }, "live view input failed")));
    },
  );
}

function readView({ params, query }: FastifyRequest): { id: string; token: string; takesPart: boolean } {
  const { id } = params as { id: string };
  const { token, control } = query as { token?: unknown; control?: unknown };
  return { id, token: typeof token === "string" ? token : "", takesPart: control === "1" };
}

function startLiveWatch(socket: WebSocket, view: LiveView, logFailure: (error: unknown) => void): Watch {
  let unansweredPings = 0;
  let pending = 0;
  socket.on("pong", () => {
    unansweredPings = 0;
  });
  socket.on("ping", (data) => {
    if (socket.bufferedAmount <= maxWaitingBytes) socket.pong(data);
  });

  async function act(text: string): Promise<void> {
    const input = parse(text);
    if (view.input === null || input === null || pending >= maxPendingInputs) return socket.close(policyViolation);
    if (input.type === "mouse" && input.action === "move" && pending >= maxPendingMoves) return;
    pending += 1;
    try {
      await view.input(input);
    } finally {
      pending -= 1;
    }
  }
  socket.on("message", (data) => void act(String(data)).catch(logFailure));

  let leave = () => {};
  const ended = new Promise<void>((done) => {
    socket.once("close", () => {
      leave();
      done();
    });
  });
  /** Messages that the viewer has not been sent: of each kind only the latest matters. */
  const news = new Map<string, object>();
  const tell = () => {
    if (news.size === 0 || socket.bufferedAmount > maxWaitingBytes) return;
    for (const [type, facts] of news) socket.send(JSON.stringify({ type, ...facts }));
    news.clear();
  };
  try {
    leave = view.watch({
      onFrame(picture) {
        if (socket.bufferedAmount <= maxWaitingBytes) socket.send(picture, tell);
      },
      onPage({ url, title }) {
        news.set("page", { url: url.slice(0, maxUrlLength), title: title.slice(0, maxTitleLength) });
        tell();
      },
      onQuestion(question) {
        const { kind = null, message = "", suggestion = "" } = question ?? {};
        const texts = {
          message: message.slice(0, maxQuestionLength),
          suggestion: suggestion.slice(0, maxQuestionLength),
        };
        news.set("question", { kind, ...texts });
        tell();
      },
      onEnd: () => socket.close(1000, "The session has ended."),
    });
  } catch (error) {
    socket.close(1013, error instanceof Error ? error.message : "");
  }
  return {
    ended,
    ping() {
      if (unansweredPings >= maxUnansweredPings) return socket.terminate();
      unansweredPings += 1;
      socket.ping();
      // Web pages do not see pings: this tells them that the connection is alive.
      news.set("alive", {});
      tell();
    },
    stop: () => socket.close(1001, "The server is stopping."),
    cut: () => socket.terminate(),
  };
}

function parse(text: string) {
  try {
    const reading = liveViewInput.safeParse(JSON.parse(text));
    return reading.success ? reading.data : null;
  } catch {
    return null;
  }
}
