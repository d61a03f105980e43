// Answers the dialogs of a session's pages when its user is away. Dialogs (alert, confirm, prompt, leaving a
// page) hold a page up until they are answered, for every later program too: where no client can answer, the answer is no. And
// no context keeps downloads; Chromium's policy denies them before we learn of a context.
import { scalarText, secondMs } from "../../base/index.ts";
import type { DevtoolsClient } from "../../net/index.ts";

interface AttachedTarget {
  type: string;
  targetId: string;
  browserContextId?: string;
}

const lookMs = 500;
/** How long a person has for an answer: the page waits until then. */
const personMs = 60 * secondMs;

export interface Answerers {
  /** Whether a client of the session's user is connected; it has its own way with questions then. */
  isDriven(): boolean;
  /** The target whose questions a person sees, if there is one. */
  attended(): string | null;
}

export async function guardPages(client: DevtoolsClient, { isDriven, attended }: Answerers): Promise<void> {
  /** Of their sessions. */
  const targets = new Map<string, string>();
  /** Sessions of pages that ask something now, and since when. */
  const asking = new Map<string, number>();
  const call = (method: string, params: object, sessionId?: string) => {
    // The page may be gone, or a client answered first.
    client.call(method, params, sessionId).catch(() => undefined);
  };
  const answer = () => {
    if (isDriven()) return;
    const person = attended();
    for (const [sessionId, since] of asking) {
      const isPersons = person !== null && targets.get(sessionId) === person;
      if (isPersons && performance.now() - since < personMs) continue;
      call("Page.handleJavaScriptDialog", { accept: false }, sessionId);
    }
  };
  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    const { type, targetId, browserContextId } = targetInfo as AttachedTarget;
    if (type !== "page") return;
    targets.set(scalarText(sessionId), targetId);
    call("Page.enable", {}, scalarText(sessionId));
    call("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
  });
  client.on("Target.detachedFromTarget", ({ sessionId }) => {
    asking.delete(scalarText(sessionId));
    targets.delete(scalarText(sessionId));
  });
  client.on("Page.javascriptDialogOpening", (_params, sessionId) => {
    asking.set(sessionId ?? "", performance.now());
    answer();
  });
  client.on("Page.javascriptDialogClosed", (_params, sessionId) => void asking.delete(sessionId ?? ""));
  // A client may leave without an answer.
  const looking = setInterval(answer, lookMs).unref();
  void client.closed.then(() => clearInterval(looking));
  await client.call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
}
