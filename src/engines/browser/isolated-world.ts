// An isolated world inside a page: it sees the page's tree, and nothing of what the page's scripts did to the language, the
// clock or the window. Only plain values come back from it.
import type { CDPSession, Frame, Page } from "playwright-core";

/** What runs there is sent as its own text. */
type Program<Argument, Result> = ((argument: Argument) => Result | Promise<Result>) | string;

export interface IsolatedWorld {
  /** Runs one of our functions there. Rejects when the page goes to another document. */
  run<Argument, Result>(program: Program<Argument, Result>, argument: Argument): Promise<Result>;
  /** Runs a script of ours there. */
  load(script: string): Promise<void>;
  /** Of the frame that an element shows which a function of ours finds there: its id. */
  frameOf<Argument>(program: Program<Argument, unknown>, argument: Argument): Promise<string | null>;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** One for each page, kept as long as the page is open: opening another costs time. */
export function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page);
  if (known !== undefined) return known;
  const opening = page.context().newCDPSession(page);
  sessions.set(page, opening);
  opening.catch(() => sessions.delete(page));
  return opening;
}

/** Of the frame that the session is for, or of one in the same process, as long as it shows its present document. */
export async function openWorld(session: CDPSession, inner?: string, worldName = "reader"): Promise<IsolatedWorld> {
  const frameId = inner ?? (await frameIdOf(session));
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName });
  const call = async (program: Program<never, unknown>, argument: unknown, returnByValue: boolean) => {
    const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
      functionDeclaration: String(program),
      executionContextId,
      arguments: [{ value: argument }],
      awaitPromise: true,
      returnByValue,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result;
  };
  return {
    async run(program, argument) {
      return (await call(program, argument, true)).value;
    },
    async load(expression) {
      await session.send("Runtime.evaluate", { expression, contextId: executionContextId });
    },
    async frameOf(program, argument) {
      const { objectId } = await call(program, argument, false);
      if (objectId === undefined) return null;
      const { node } = await session.send("DOM.describeNode", { objectId });
      return node.frameId ?? null;
    },
  };
}

const frameIds = new WeakMap<CDPSession, string>();

/** It stays the same whatever the frame shows. */
async function frameIdOf(session: CDPSession): Promise<string> {
  const known = frameIds.get(session);
  if (known !== undefined) return known;
  const { frameTree } = await session.send("Page.getFrameTree");
  frameIds.set(session, frameTree.frame.id);
  return frameTree.frame.id;
}

/** Id and session of a frame that has its own process; null for one that shares the process of its page. */
export async function sessionOfFrame(frame: Frame): Promise<{ id: string; session: CDPSession } | null> {
  const context = frame.page().context();
  const session = await context.newCDPSession(frame).catch(() => null);
  return session === null ? null : { id: await frameIdOf(session), session };
}
