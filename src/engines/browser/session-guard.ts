// What is said to the pages of a session on behalf of a user who is not there. Questions (alert, confirm, prompt, leaving a
// page) hold a page up until they are answered, for every later program too: where no client can answer, the answer is no. And
// no context keeps downloads, whoever made it: what Chromium does by itself there is its own choice.
import type { DevtoolsClient } from "../../net/index.ts";

const lookMs = 500;

/** `isDriven`: whether a client of the session's user is connected; it has its own way with them then. */
export async function guardPages(client: DevtoolsClient, isDriven: () => boolean): Promise<void> {
  /** Sessions of pages that ask something now. */
  const asking = new Set<string>();
  const call = (method: string, params: object, sessionId?: string) => {
    // The page may be gone, or somebody was faster.
    client.call(method, params, sessionId).catch(() => undefined);
  };
  const answer = () => {
    if (isDriven()) return;
    for (const sessionId of asking) call("Page.handleJavaScriptDialog", { accept: false }, sessionId);
  };
  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    const { type, browserContextId } = targetInfo as { type: string; browserContextId?: string };
    if (type !== "page") return;
    call("Page.enable", {}, String(sessionId));
    call("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
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
