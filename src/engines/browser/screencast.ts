// The picture of a session's page as it changes, what it asks, and mouse, keyboard and answers for it. It follows the newest
// page. The browser makes the next picture only when we ask for it, so a slow server is never flooded.
import { scalarText } from "../../base/index.ts";
import type { LiveViewInput } from "../../contract/index.ts";
import type { DevtoolsClient } from "../../net/index.ts";

/** A dialog that a page waits for. */
export interface PageQuestion {
  kind: "alert" | "confirm" | "prompt" | "beforeunload";
  message: string;
  /** What a prompt suggests. */
  suggestion: string;
}

export interface ScreencastListener {
  /** A JPEG. */
  onFrame(picture: Buffer): void;
  /** Both empty when no page is open any more. */
  onPage(page: { url: string; title: string }): void;
  /** Null when it has been answered. */
  onQuestion(question: PageQuestion | null): void;
}

export interface Screencast {
  /** The target that is shown. */
  readonly pageId: string | null;
  input(input: LiveViewInput): Promise<void>;
  close(): void;
}

interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  title: string;
}

/** Ten pictures a second at most. */
const usualFrameMs = 100;
const lookMs = 1000;
const picture = { format: "jpeg", quality: 60, maxWidth: 1280, maxHeight: 800, everyNthFrame: 1 };
const mouseEvents = { move: "mouseMoved", down: "mousePressed", up: "mouseReleased" };
const buttonBits = { none: 0, left: 1, right: 2, middle: 4 };
const withoutText = 1 | 2 | 4; // Alt, Control, Meta

export async function startScreencast(
  client: DevtoolsClient,
  listener: ScreencastListener,
  frameMs = usualFrameMs,
): Promise<Screencast> {
  const pages = new Map<string, TargetInfo>();
  let shown: { targetId: string; sessionId: string } | null = null;
  let size = { width: 1280, height: 800 };
  let turn: Promise<void> = Promise.resolve();

  const note = ({ targetInfo }: Record<string, unknown>) => {
    const info = targetInfo as TargetInfo;
    if (info.type !== "page") return;
    const before = pages.get(info.targetId);
    pages.set(info.targetId, info);
    if (before === undefined) return follow();
    if (info.targetId !== shown?.targetId || (before.url === info.url && before.title === info.title)) return;
    listener.onPage({ url: info.url, title: info.title });
  };
  client.on("Target.targetCreated", note);
  client.on("Target.targetInfoChanged", note);
  client.on("Target.targetDestroyed", ({ targetId }) => {
    if (pages.delete(scalarText(targetId))) follow();
  });
  client.on("Page.screencastFrame", ({ data, metadata, sessionId: frame }, sessionId) => {
    if (sessionId !== shown?.sessionId) return;
    const { deviceWidth, deviceHeight } = metadata as { deviceWidth: number; deviceHeight: number };
    size = { width: deviceWidth, height: deviceHeight };
    listener.onFrame(Buffer.from(scalarText(data), "base64"));
    setTimeout(() => {
      client.call("Page.screencastFrameAck", { sessionId: frame }, sessionId).catch(() => undefined);
    }, frameMs).unref();
  });

  client.on("Page.javascriptDialogOpening", ({ type, message, defaultPrompt }, sessionId) => {
    if (sessionId !== shown?.sessionId) return;
    const kind = type as PageQuestion["kind"];
    listener.onQuestion({ kind, message: scalarText(message), suggestion: scalarText(defaultPrompt) });
  });
  client.on("Page.javascriptDialogClosed", (_params, sessionId) => {
    if (sessionId === shown?.sessionId) listener.onQuestion(null);
  });

  /** One change after the other; what a page that just went away says does not matter. */
  function follow(): void {
    turn = turn.then(show).catch(() => undefined);
  }

  async function show(): Promise<void> {
    const newest = [...pages.values()].at(-1);
    if (newest?.targetId === shown?.targetId) return;
    const before = shown;
    shown = null;
    if (before !== null) listener.onQuestion(null);
    if (before !== null && pages.has(before.targetId)) {
      await client.call("Target.detachFromTarget", { sessionId: before.sessionId });
    }
    if (newest === undefined) return listener.onPage({ url: "", title: "" });
    const { targetId, url, title } = newest;
    const { sessionId } = await client.call("Target.attachToTarget", { targetId, flatten: true });
    shown = { targetId, sessionId: scalarText(sessionId) };
    listener.onPage({ url, title });
    await client.call("Page.enable", {}, shown.sessionId);
    await client.call("Page.startScreencast", picture, shown.sessionId);
  }

  /** Chromium reports new URLs, but not every new title. */
  const look = setInterval(() => {
    if (shown === null) return;
    client.call("Target.getTargetInfo", { targetId: shown.targetId }).then(note, () => undefined);
  }, lookMs).unref();
  void client.closed.then(() => clearInterval(look));

  await client.call("Target.setDiscoverTargets", { discover: true });
  follow();
  await turn;

  return {
    get pageId() {
      return shown?.targetId ?? null;
    },
    async input(input) {
      if (shown === null) return;
      const { method, params } = commandFor(input, size);
      await client.call(method, params, shown.sessionId);
    },
    close: () => client.close(),
  };
}

function commandFor(input: LiveViewInput, { width, height }: { width: number; height: number }) {
  switch (input.type) {
    case "mouse": {
      const { action, button, clickCount, modifiers } = input;
      const place = { x: input.x * width, y: input.y * height };
      const buttons = action === "up" ? 0 : buttonBits[button];
      const params = { type: mouseEvents[action], ...place, button, buttons, clickCount, modifiers };
      return { method: "Input.dispatchMouseEvent", params };
    }
    case "wheel": {
      const { deltaX, deltaY, modifiers } = input;
      const place = { x: input.x * width, y: input.y * height };
      return {
        method: "Input.dispatchMouseEvent",
        params: { type: "mouseWheel", ...place, deltaX, deltaY, modifiers },
      };
    }
    case "key": {
      const { action, key, code, keyCode, modifiers } = input;
      const written =
        key === "Enter" ? "\r" : [...key].length === 1 && (modifiers & withoutText) === 0 ? key : undefined;
      const type = action === "up" ? "keyUp" : written === undefined ? "rawKeyDown" : "keyDown";
      const text = action === "down" && written !== undefined ? { text: written } : {};
      const params = { type, key, code, windowsVirtualKeyCode: keyCode, modifiers, ...text };
      return { method: "Input.dispatchKeyEvent", params };
    }
    case "text":
      return { method: "Input.insertText", params: { text: input.text } };
    case "answer":
      return { method: "Page.handleJavaScriptDialog", params: { accept: input.accept, promptText: input.text } };
  }
}
