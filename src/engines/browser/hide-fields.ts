// Keeps passwords and one-time codes out of pictures: their fields show dots, also when a page makes a password readable.
import { scalarText } from "../../base/index.ts";
import type { DevtoolsClient } from "../../net/index.ts";
import { hideFields } from "./hide-fields-scripts.ts";

const worldName = "fields";
/** Sent as text; names that the build gives to functions are not known there. */
const source = `{ const __name = (given) => given; (${hideFields.toString()})(); }`;

export async function hideSecretFields(client: DevtoolsClient): Promise<void> {
  const isReached = async (method: string, params: object, sessionId?: string) => {
    // The page may be gone.
    await client.call(method, params, sessionId).catch(() => undefined);
  };
  const attach = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
    const { type } = targetInfo as { type: string };
    if (type !== "page" && type !== "iframe") return;
    const id = scalarText(sessionId);
    void isReached("Page.enable", {}, id);
    void isReached("Page.addScriptToEvaluateOnNewDocument", { source, worldName, runImmediately: true }, id);
    void isReached("Target.setAutoAttach", attach, id);
  });
  await client.call("Target.setAutoAttach", attach);
}
