// A world of our own inside a page: it sees the page's tree, and nothing of what the page's scripts did to the language, the
// clock or the window. Only plain values come back from it.
import type { CDPSession } from "playwright-core";

export interface IsolatedWorld {
  /** Runs one of our functions there; it is sent as its own text. Rejects when the page goes to another document. */
  run<Argument, Result>(program: (argument: Argument) => Result | Promise<Result>, argument: Argument): Promise<Result>;
  /** Runs a script of ours there. */
  load(script: string): Promise<void>;
}

/** Of the frame that the session is for, as long as it shows its present document. */
export async function openWorld(session: CDPSession): Promise<IsolatedWorld> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "reader",
  });
  return {
    async run(program, argument) {
      const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
        functionDeclaration: String(program),
        executionContextId,
        arguments: [{ value: argument }],
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return result.value;
    },
    async load(expression) {
      await session.send("Runtime.evaluate", { expression, contextId: executionContextId });
    },
  };
}
