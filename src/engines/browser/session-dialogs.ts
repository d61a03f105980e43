// Questions that a session's pages ask (alert, confirm, prompt, leaving a page). Nobody sees them here, and a page stands still
// until one is answered, for every later program too: so where no client is there to answer, the answer is no.
import type { DevtoolsClient } from "../../net/index.ts";

const lookMs = 500;

/** `isDriven`: whether a client of the session's user is connected; it has its own way with them then. */
export async function answerDialogs(client: DevtoolsClient, isDriven: () => boolean): Promise<void> {
  /** Sessions of pages that ask something now. */
  const asking = new Set<string>();
  const call = (method: string, params: object, sessionId: string) => {
    // The page may be gone, or somebody was faster.
    client.call(method, params, sessionId).catch(() => undefined);
  };
  const answer = () => {
    if (isDriven()) return;
    for (const sessionId of asking) call("Page.handleJavaScriptDialog", { accept: false }, sessionId);
  };
  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    if ((targetInfo as { type: string }).type === "page") call("Page.enable", {}, String(sessionId));
  });
  client.on("Target.detachedFromTarget", ({ sessionId }) => void asking.delete(String(sessionId)));
  client.on("Page.javascriptDialogOpening", (_params, sessionId) => {
    asking.add(sessionId ?? "");
    answer();
  });
  client.on("Page.javascriptDialogClosed", (_params, sessionId) => void asking.delete(sessionId ?? ""));
  // A client may leave without an answer.
  const looking = setInterval(answer, lookMs).unref();
  void client.closed.then(() => clearInterval(looking));
  await client.call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
}
