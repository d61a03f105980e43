// Rendering by another server. The request and its answer are one message each; while the page is rendered, the server that
// does so asks whether it may follow where the page leads. Hanging up ends the rendering.
import type { Logger } from "../base/index.ts";
import type { RenderOutcome, RenderRequest } from "../engines/index.ts";
import { stoppedBy } from "../net/index.ts";
import type { NodeRow } from "../store/index.ts";
import type { NodeCalls } from "./calls.ts";
import type { Channel } from "./channel.ts";

/** Times are told as what is left: the clocks behind them start with each process. */
interface CarriedRequest extends Omit<RenderRequest, "signal" | "mayFollow" | "endsAt" | "patientUntil"> {
  asksToFollow: boolean;
  endsInMs: number | null;
  patientForMs: number | null;
}

type FromRenderer = { kind: "ask"; nth: number; url: string } | { kind: "outcome"; outcome: RenderOutcome };
interface ToRenderer {
  nth: number;
  may: boolean;
}

export interface RemoteRenderDeps {
  calls: NodeCalls;
  log: Logger;
  /** The least busy server with a browser, except these. */
  pick(exclude: readonly NodeRow[]): Promise<NodeRow | null>;
  /** Whether this server could render itself. */
  canRender(): boolean;
  doubt(node: NodeRow): void;
  /** A page more or less that it renders for this one. */
  note(node: NodeRow, change: 1 | -1): void;
}

const tries = 2;

export function createRemoteRender({ calls, log, pick, canRender, doubt, note }: RemoteRenderDeps) {
  async function renderAt(channel: Channel, request: RenderRequest): Promise<RenderOutcome | null> {
    const hangUp = () => channel.cut();
    request.signal.addEventListener("abort", hangUp, { once: true });
    try {
      if (request.signal.aborted) return null;
      channel.send(carry(request));
      for (;;) {
        const message = (await channel.next()) as FromRenderer | null;
        if (message === null) return null;
        if (message.kind === "outcome") return message.outcome;
        const may = (await request.mayFollow?.(message.url)) ?? true;
        channel.send({ nth: message.nth, may } satisfies ToRenderer);
      }
    } finally {
      request.signal.removeEventListener("abort", hangUp);
      channel.cut();
    }
  }

  /** Null when no server with a browser is left, and this one may do it. */
  return async (request: RenderRequest): Promise<RenderOutcome | null> => {
    const failed: NodeRow[] = [];
    for (let lost = 0; lost < tries; ) {
      const node = await pick(failed);
      if (node === null) return lost === 0 || canRender() ? null : ended;
      failed.push(node);
      const channel = await calls.open(node, "/internal/render").catch(() => null);
      if (channel === null) {
        doubt(node);
        continue;
      }
      note(node, 1);
      const outcome = await renderAt(channel, request).finally(() => note(node, -1));
      if (outcome !== null) return outcome;
      if (request.signal.aborted) {
        const { code, message } = stoppedBy(request.signal);
        return { ok: false, code, message };
      }
      lost += 1;
      doubt(node);
      log.warn({ node: node.url }, "the server that rendered a page ended; another one does");
    }
    return ended;
  };
}

const ended: RenderOutcome = {
  ok: false,
  code: "SCRAPE_SITE_ERROR",
  message: "The server that rendered the page ended",
};

function carry({ signal: _, mayFollow, endsAt, patientUntil, ...request }: RenderRequest): CarriedRequest {
  const left = (until: number | undefined) => (until === undefined ? null : until - performance.now());
  return {
    ...request,
    asksToFollow: mayFollow !== undefined,
    endsInMs: left(endsAt),
    patientForMs: left(patientUntil),
  };
}

/** Renders for another server. */
export function createRenderHandler(render: (request: RenderRequest) => Promise<RenderOutcome>) {
  return async (channel: Channel): Promise<null> => {
    const carried = (await channel.next()) as CarriedRequest | null;
    if (carried === null) return null;
    const ending = new AbortController();
    const questions = new Map<number, (may: boolean) => void>();
    let asked = 0;
    void channel.closed.then(() => {
      ending.abort();
      for (const answer of questions.values()) answer(false);
    });
    const mayFollow = (url: string) =>
      new Promise<boolean>((answer) => {
        asked += 1;
        questions.set(asked, answer);
        channel.send({ kind: "ask", nth: asked, url } satisfies FromRenderer);
      });
    void receiveAnswers(channel, questions);

    const { asksToFollow, endsInMs, patientForMs, ...request } = carried;
    const from = performance.now();
    const outcome = await render({
      ...request,
      signal: ending.signal,
      ...(asksToFollow ? { mayFollow } : {}),
      ...(endsInMs === null ? {} : { endsAt: from + endsInMs }),
      ...(patientForMs === null ? {} : { patientUntil: from + patientForMs }),
    });
    channel.send({ kind: "outcome", outcome } satisfies FromRenderer);
    await channel.closed;
    return null;
  };
}

async function receiveAnswers(channel: Channel, questions: Map<number, (may: boolean) => void>): Promise<void> {
  for (;;) {
    const message = (await channel.next()) as ToRenderer | null;
    if (message === null) return;
    questions.get(message.nth)?.(message.may);
    questions.delete(message.nth);
  }
}
