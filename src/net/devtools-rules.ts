// Which commands of its debugging protocol a browser may get. Its namespace is the real boundary (no network but
// the guarded proxy, no files); these rules refuse earlier, with a reason.
import { isObject, parseUrl } from "../base/index.ts";

export interface DevtoolsCommand {
  id?: unknown;
  sessionId?: unknown;
  method?: unknown;
  params?: unknown;
}

export type DevtoolsJudgement = { command: DevtoolsCommand } | { refusal: string };

/** Each would reach around these rules, open files or ports, or bring code into the browser itself. */
const refusedMethods = new Set([
  "Target.sendMessageToTarget",
  "Target.exposeDevToolsProtocol",
  "Target.setRemoteLocations",
  "Target.openDevTools",
  "DOM.setFileInputFiles",
  "Browser.executeBrowserCommand",
]);
const refusedDomains = new Set(["Tethering", "Extensions", "PWA", "Cast"]);

/** What a page of the web can be. */
const openSchemes = new Set(["http:", "https:", "about:", "data:", "blob:", "javascript:"]);
/** Domains whose URLs name existing resources and are not navigated to. */
const namingDomains = new Set(["Debugger", "CSS", "DOMDebugger"]);

export function judgeCommand(command: DevtoolsCommand): DevtoolsJudgement {
  const { method } = command;
  if (typeof method !== "string") return { refusal: "A command must name its method." };
  const domain = method.slice(0, method.indexOf("."));
  if (refusedMethods.has(method) || refusedDomains.has(domain)) {
    return { refusal: `${method} is not allowed in a browser session.` };
  }
  const params = isObject(command.params) ? command.params : {};
  if (!namingDomains.has(domain) && isClosedAddress(params.url)) {
    return { refusal: "Only http and https URLs can be opened in a browser session." };
  }
  if (method === "Input.dispatchDragEvent" && isObject(params.data) && params.data.files !== undefined) {
    return { refusal: "Files cannot be dragged into a page of a browser session." };
  }
  // Drivers send this with every context and give up when it fails, so it is changed to a denial instead of refused.
  if (method === "Browser.setDownloadBehavior" || method === "Page.setDownloadBehavior") {
    const { downloadPath: _path, ...others } = params;
    return { command: { ...command, params: { ...others, behavior: "deny" } } };
  }
  return { command };
}

function isClosedAddress(url: unknown): boolean {
  // An invalid URL leads nowhere; Chromium reports it itself.
  const address = typeof url === "string" ? parseUrl(url) : null;
  return address !== null && !openSchemes.has(address.protocol);
}
