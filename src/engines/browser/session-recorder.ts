// Records what people and programs do in the pages of a session, by its own connection: trusted input from every document and frame,
// addresses that were opened, dialogs and their answers, windows, downloads, errors of the console.
import { randomBytes } from "node:crypto";
import { scalarText } from "../../base/index.ts";
import type { FramePlace, RecordedEvent } from "../../flows/index.ts";
import type { DevtoolsClient } from "../../net/index.ts";
import { connectText, type PageNote, recorderText } from "./recorder-scripts.ts";

export interface SessionRecorder {
  /** In the order in which they happened. */
  events(): readonly RecordedEvent[];
  /** Told of each from now on; returns how to end that. */
  listen(listener: (event: RecordedEvent) => void): () => void;
  close(): void;
}

export interface RecorderDeps {
  /** Whether a program of the session's user ran a script in the browser just now. */
  isScripting(): boolean;
}

interface Target {
  sessionId: string;
  targetId: string;
  type: string;
  /** Of the window that it belongs to. */
  pageId: string;
  historyIndex: number;
  /** The page itself asked for its next document: a click leads there, or a script. */
  isRequested: boolean;
  dialog: { message: string; type: string } | null;
}

interface Frame {
  parentId: string | undefined;
  name: string;
  url: string;
  sessionId: string;
}

const maxEvents = 5000;
const maxTextLength = 10_000;
const maxFrames = 500;
const worldName = "recorder";

interface FrameTree {
  frame: { id: string; parentId?: string; name?: string; url: string; urlFragment?: string };
  childFrames?: FrameTree[];
}

/** A target that is gone answers nothing. */
type Call = ReturnType<typeof openCalls>;

export async function startRecorder(client: DevtoolsClient, { isScripting }: RecorderDeps): Promise<SessionRecorder> {
  const binding = `r${randomBytes(8).toString("hex")}`;
  const targets = new Map<string, Target>();
  const starting: Promise<void>[] = [];
  const call = openCalls(client);
  const { noteFrame, placeOf } = openFrames();
  const { enterDocument, enterRoot } = openDocuments(call, binding);
  const { events, listeners, windows, add } = openEvents();

  async function attach(
    sessionId: string,
    info: { targetId: string; type: string; parentFrameId?: string; url: string },
    around?: string,
  ) {
    const { targetId, type } = info;
    if (type !== "page" && type !== "iframe") return;
    const pageId = type === "page" ? targetId : (targets.get(around ?? "")?.pageId ?? targetId);
    const target: Target = { sessionId, targetId, type, pageId, historyIndex: 0, isRequested: false, dialog: null };
    targets.set(sessionId, target);
    if (type === "page") {
      windows.push(targetId);
      if (windows.length > 1) add(target, { type: "window", url: info.url });
    }
    // Sent at once, in this order: a window that is held may have no renderer, and answers nothing before it goes on.
    const asked = [
      call("Page.enable", {}, sessionId),
      call("Page.addScriptToEvaluateOnNewDocument", { source: recorderText, worldName }, sessionId),
      call("Console.enable", {}, sessionId),
      call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, sessionId),
    ];
    const reading = call("Page.getFrameTree", {}, sessionId);
    asked.push(call("Runtime.runIfWaitingForDebugger", {}, sessionId));
    const tree = await reading;
    if (tree !== null) noteTree(tree.frameTree as FrameTree, sessionId);
    await Promise.all(asked);
  }

  function noteTree({ frame, childFrames = [] }: FrameTree, sessionId: string): void {
    noteFrame(frame, sessionId);
    void enterDocument(frame.id, sessionId);
    for (const child of childFrames) noteTree(child, sessionId);
  }

  function onNote(text: string, sessionId: string, contextId: number): void {
    const target = targets.get(sessionId);
    const note = readNote(text);
    if (target === undefined || note === null) return;
    if (note.type === "host") return void enterRoot(note.host ?? -1, sessionId, contextId);
    if (note.isScripted === true && !isScripting()) return;
    const { type, target: element, value, isSecret, checked, key } = note;
    const frame = placeOf(note, sessionId);
    add(target, {
      type,
      ...(element === undefined ? {} : { target: frame === undefined ? element : { ...element, frame } }),
      ...(value === undefined || isSecret === true ? {} : { value: cut(value) }),
      ...(isSecret === true ? { isSecret } : {}),
      ...(checked === undefined ? {} : { checked }),
      ...(key === undefined ? {} : { key }),
    });
  }

  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }, around) => {
    const info = targetInfo as { targetId: string; type: string; url: string };
    starting.push(attach(scalarText(sessionId), info, around));
  });
  client.on("Target.detachedFromTarget", ({ sessionId }) => void targets.delete(scalarText(sessionId)));
  client.on("Runtime.bindingCalled", ({ name, payload, executionContextId }, sessionId = "") => {
    if (name === binding) onNote(scalarText(payload), sessionId, Number(executionContextId));
  });
  client.on("Page.frameAttached", ({ frameId, parentFrameId }, sessionId = "") =>
    noteFrame({ id: scalarText(frameId), parentId: scalarText(parentFrameId), url: "" }, sessionId),
  );
  client.on("Page.frameNavigated", ({ frame }, sessionId = "") => {
    const info = frame as FrameTree["frame"];
    noteFrame(info, sessionId);
    void enterDocument(info.id, sessionId);
  });
  client.on("Page.documentOpened", ({ frame }, sessionId = "") => {
    void enterDocument((frame as FrameTree["frame"]).id, sessionId);
  });
  noteHistory(client, call, targets, add);
  noteHappenings(client, targets, add);
  await client.call("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  await Promise.all(starting.splice(0));

  return {
    events: () => events,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      listeners.clear();
      client.close();
    },
  };
}

function openCalls(client: DevtoolsClient) {
  return (method: string, params: object, sessionId?: string) =>
    client.call(method, params, sessionId).catch(() => null);
}

/** What happened, in its order. */
function openEvents() {
  const began = performance.now();
  const events: RecordedEvent[] = [];
  const listeners = new Set<(event: RecordedEvent) => void>();
  const windows: string[] = [];

  function add(target: Target, event: Omit<RecordedEvent, "at" | "pageId" | "page">): void {
    if (events.length >= maxEvents) return;
    const { pageId } = target;
    const page = Math.max(0, windows.indexOf(pageId));
    const made: RecordedEvent = { at: Math.round(performance.now() - began), pageId, page, ...event };
    events.push(made);
    for (const listener of listeners) listener(made);
  }

  return { events, listeners, windows, add };
}

type AddEvent = ReturnType<typeof openEvents>["add"];

/** Where the frames of all documents are. */
function openFrames() {
  const frames = new Map<string, Frame>();

  function noteFrame({ id, parentId, name = "", url }: FrameTree["frame"], sessionId: string): void {
    const known = frames.get(id);
    if (known === undefined && frames.size >= maxFrames) frames.delete(frames.keys().next().value as string);
    frames.set(id, { parentId: parentId ?? known?.parentId, name, url: withoutQuery(url), sessionId });
  }

  function placeOf(note: PageNote, sessionId: string): FramePlace[] | undefined {
    if (note.frame === undefined) return undefined;
    const { url, name } = note.frame;
    const own = [...frames].filter(([, frame]) => frame.sessionId === sessionId && frame.url === url);
    const [found] = own.find(([, frame]) => frame.name === name) ?? own[0] ?? [];
    const path: FramePlace[] = [];
    for (let id = found; id !== undefined; ) {
      const frame: Frame | undefined = frames.get(id);
      if (frame?.parentId === undefined) break;
      path.unshift({ ...(frame.name === "" ? {} : { name: frame.name }), url: frame.url });
      id = frame.parentId;
    }
    return path.length > 0 ? path : [{ ...(name === "" ? {} : { name }), url }];
  }

  return { noteFrame, placeOf };
}

/** Enters documents and their closed roots. */
function openDocuments(call: Call, binding: string) {
  /** Of each document: what happens there reaches us. `Runtime.enable` would do that for all, and pages could notice it. */
  async function enterDocument(frameId: string, sessionId: string): Promise<void> {
    const world = await call("Page.createIsolatedWorld", { frameId, worldName }, sessionId);
    const executionContextId = world?.executionContextId;
    if (executionContextId === undefined) return;
    await call("Runtime.addBinding", { name: binding, executionContextId }, sessionId);
    await call("Runtime.evaluate", { expression: connectText(binding), contextId: executionContextId }, sessionId);
  }

  /** A closed shadow root gets its own listeners. */
  async function enterRoot(host: number, sessionId: string, executionContextId: number): Promise<void> {
    const functionDeclaration = "(number) => globalThis[Symbol.for('recorder')].host(number)";
    const given = { functionDeclaration, executionContextId, arguments: [{ value: host }] };
    const found = await call("Runtime.callFunctionOn", given, sessionId);
    const { objectId } = (found?.result ?? {}) as { objectId?: string };
    if (objectId === undefined) return;
    const described = await call("DOM.describeNode", { objectId }, sessionId);
    const { shadowRoots = [] } = (described?.node ?? {}) as {
      shadowRoots?: { backendNodeId: number; shadowRootType: string }[];
    };
    for (const { backendNodeId, shadowRootType } of shadowRoots) {
      if (shadowRootType !== "closed") continue;
      const resolved = await call("DOM.resolveNode", { backendNodeId, executionContextId }, sessionId);
      const root = (resolved?.object ?? {}) as { objectId?: string };
      const enter = "(root) => globalThis[Symbol.for('recorder')].enter(root)";
      const args = { functionDeclaration: enter, executionContextId, arguments: [{ objectId: root.objectId }] };
      if (root.objectId !== undefined) await call("Runtime.callFunctionOn", args, sessionId);
    }
  }

  return { enterDocument, enterRoot };
}

/** Addresses that were opened, and steps back. */
function noteHistory(client: DevtoolsClient, call: Call, targets: ReadonlyMap<string, Target>, add: AddEvent): void {
  /** An address that was opened is one that no document asked for; a step back is told from it by the history. */
  async function onNavigated(target: Target, url: string): Promise<void> {
    const wasRequested = target.isRequested;
    target.isRequested = false;
    const history = await call("Page.getNavigationHistory", {}, target.sessionId);
    const index = Number(history?.currentIndex ?? target.historyIndex);
    const isBack = index < target.historyIndex;
    target.historyIndex = index;
    if (wasRequested || !/^https?:/.test(url)) return;
    add(target, isBack ? { type: "back", url } : { type: "navigate", url });
  }

  client.on("Page.frameRequestedNavigation", ({ frameId, disposition }, sessionId = "") => {
    const target = targets.get(sessionId);
    if (target === undefined) return;
    if (target.targetId === frameId && disposition === "currentTab") target.isRequested = true;
  });
  client.on("Page.frameNavigated", ({ frame }, sessionId = "") => {
    const info = frame as FrameTree["frame"];
    const target = targets.get(sessionId);
    if (target === undefined || target.type !== "page" || info.parentId !== undefined) return;
    void onNavigated(target, `${info.url}${info.urlFragment ?? ""}`);
  });
}

/** Dialogs and their answers, downloads, errors of the console. */
function noteHappenings(client: DevtoolsClient, targets: ReadonlyMap<string, Target>, add: AddEvent): void {
  client.on("Page.javascriptDialogOpening", ({ type, message }, sessionId = "") => {
    const target = targets.get(sessionId);
    if (target !== undefined) target.dialog = { type: scalarText(type), message: scalarText(message) };
  });
  client.on("Page.javascriptDialogClosed", ({ result, userInput }, sessionId = "") => {
    const target = targets.get(sessionId);
    if (target === undefined) return;
    const { dialog } = target;
    target.dialog = null;
    if (dialog !== null && dialog.type !== "beforeunload")
      add(target, { type: "dialog", accept: result === true, value: cut(scalarText(userInput)) });
  });
  client.on("Page.downloadWillBegin", ({ url }, sessionId = "") => {
    const target = targets.get(sessionId);
    if (target !== undefined) add(target, { type: "download", url: scalarText(url).slice(0, 2048) });
  });
  client.on("Console.messageAdded", ({ message }, sessionId = "") => {
    const { level, text } = message as { level: string; text: string };
    const target = targets.get(sessionId);
    if (target !== undefined && level === "error") add(target, { type: "console", value: String(text).slice(0, 1000) });
  });
}

function readNote(text: string): PageNote | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? "";
}

function cut<Value extends string | string[]>(value: Value): Value {
  const short = Array.isArray(value)
    ? value.slice(0, 100).map((each) => each.slice(0, maxTextLength))
    : value.slice(0, maxTextLength);
  return short as Value;
}
