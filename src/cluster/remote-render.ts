// Rendering by another server. The request and its answer are one message each; while the page is rendered, the server that
// does so asks whether it may follow where the page leads. Hanging up ends the rendering.
import type { RenderOutcome, RenderRequest } from "../engines/index.ts";
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

/** Null when the other server has ended, or the request was aborted. */
export async function renderOver(channel: Channel, request: RenderRequest): Promise<RenderOutcome | null> {
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
