/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside every document of a recorded session, in a world of ours: no page can see it or forbid it. Tells what people and programs
// do there. What the page's own scripts click or change is no event that a person could cause, and is not told.
import type { FlowTarget } from "../../contract/index.ts";
import { type ElementKit, kitText } from "./element-kit.ts";

/** What one document tells. */
export interface PageNote {
  type: "click" | "doubleClick" | "input" | "select" | "check" | "key" | "upload" | "host";
  target?: FlowTarget;
  value?: string | string[];
  isSecret?: boolean;
  checked?: boolean;
  key?: string;
  /** It changed by a script: a program's, if one runs just now. */
  isScripted?: boolean;
  /** Of an element that may have a closed shadow root. */
  host?: number;
  /** Of the frame, absent for the page itself. */
  frame?: { url: string; name: string };
}

/** What all listeners use. What happens before somebody listens waits for that. */
function openNotes(kit: ElementKit) {
  const { tree, around } = kit;
  let send: ((text: string) => void) | null = null;
  const waiting: string[] = [];
  const mostWaiting = 200;
  /** Fields whose text is never taken, whatever they become later. */
  const secrets = new WeakSet<Element>();
  const fieldTypes = /^(button|checkbox|file|hidden|image|radio|reset|submit)$/;
  const subjects =
    "a[href], area[href], button, input, select, textarea, summary, option, label, [role], [contenteditable], [onclick], [tabindex]";
  let known: { element: Element; target: FlowTarget } | null = null;

  const typeOf = (element: Element) => (tree.attribute(element, "type") ?? "").toLowerCase();
  const isField = (element: Element) =>
    /^(input|textarea)$/.test(tree.name(element)) && !fieldTypes.test(typeOf(element));
  const note = (made: PageNote) => {
    if (window !== window.top) made.frame = { url: location.href.split(/[?#]/)[0] ?? "", name: window.name };
    const text = JSON.stringify(made);
    if (send !== null) send(text);
    else if (waiting.length < mostWaiting) waiting.push(text);
  };
  const innermost = (event: Event): Element | null => {
    const [first] = event.composedPath();
    return first instanceof Element ? first : null;
  };
  /** A closed root has its own listener. */
  const isOfClosed = (element: Element, root: Node) => kit.closed.has(element) && root !== kit.closed.get(element);
  const targetOf = (element: Element): FlowTarget => {
    if (known?.element === element) return known.target;
    const target = kit.target(element);
    // Its name may have its text in it.
    if (isField(element)) known = { element, target };
    return target;
  };
  /** What was meant by a click there. */
  const subjectOf = (element: Element): Element => {
    for (let at: Element | null = element; at !== null; at = around(at)) {
      if (tree.matches(at, subjects)) {
        const control = tree.name(at) === "label" ? (at as HTMLLabelElement).control : null;
        const role = tree.attribute(at, "role") ?? "";
        if (control) return control;
        if (
          !/^(presentation|none|main|list|table|grid|rowgroup|row|document|region|group|navigation|form|search|article|dialog|listitem)$/.test(
            role,
          )
        )
          return at;
      }
    }
    return element;
  };
  const watchSecret = (element: Element) => {
    if (typeOf(element) === "password" || tree.attribute(element, "autocomplete") === "one-time-code")
      secrets.add(element);
    return secrets.has(element);
  };
  const connect = (next: typeof send) => {
    send = next;
    for (const text of waiting.splice(0)) send?.(text);
  };

  return { typeOf, isField, note, innermost, isOfClosed, targetOf, subjectOf, watchSecret, connect };
}

/** What is clicked, and what is chosen by that. */
function openPointing(
  { tree }: ElementKit,
  { typeOf, note, innermost, isOfClosed, targetOf, subjectOf, watchSecret }: ReturnType<typeof openNotes>,
) {
  let down: { element: Element; target: FlowTarget } | null = null;
  let untrusted: Element | null = null;

  const onDown = (event: Event, root: Node) => {
    const element = innermost(event);
    if (!event.isTrusted || element === null || isOfClosed(element, root)) return;
    const subject = subjectOf(element);
    watchSecret(subject);
    down = { element: subject, target: targetOf(subject) };
  };
  const onClick = (event: MouseEvent, root: Node) => {
    const element = innermost(event);
    if (element === null || isOfClosed(element, root)) return;
    const subject = subjectOf(element);
    if (!event.isTrusted) {
      untrusted = subject;
      setTimeout(() => {
        untrusted = null;
      });
      return;
    }
    // A script clicked its label; Enter in a field clicks the button of its form; a choice is told when it has changed.
    if (untrusted === subject) return;
    const isByKey =
      event.detail === 0 &&
      subject.getRootNode() instanceof Node &&
      (tree.root(subject) as Document | ShadowRoot).activeElement !== subject;
    const name = tree.name(subject);
    const isChoice =
      name === "select" || name === "option" || (name === "input" && /^(checkbox|radio|file)$/.test(typeOf(subject)));
    if (isByKey || isChoice) return;
    const target = down?.element === subject ? down.target : targetOf(subject);
    note({ type: "click", target });
  };
  const onDouble = (event: Event, root: Node) => {
    const element = innermost(event);
    if (!event.isTrusted || element === null || isOfClosed(element, root)) return;
    note({ type: "doubleClick", target: targetOf(subjectOf(element)) });
  };
  const onChange = (event: Event, root: Node) => {
    const element = innermost(event);
    if (element === null || isOfClosed(element, root)) return;
    const scripted = event.isTrusted ? {} : { isScripted: true };
    const target = () => targetOf(element);
    if (tree.name(element) === "select") {
      const chosen = Array.from((element as HTMLSelectElement).selectedOptions, ({ label }) =>
        label.replace(/\s+/g, " ").trim(),
      );
      note({ type: "select", target: target(), value: chosen, ...scripted });
    } else if (/^(checkbox|radio)$/.test(typeOf(element))) {
      if (event.isTrusted && untrusted !== element)
        note({ type: "check", target: target(), checked: (element as HTMLInputElement).checked });
    } else if (typeOf(element) === "file") {
      note({ type: "upload", target: target(), ...scripted });
    }
  };

  return { onDown, onClick, onDouble, onChange };
}

/** What is typed. */
function openTyping(
  { tree }: ElementKit,
  { typeOf, isField, note, innermost, isOfClosed, targetOf, subjectOf, watchSecret }: ReturnType<typeof openNotes>,
) {
  const keys = /^(Enter|Escape|Tab|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|PageUp|PageDown|Home|End|F\d+)$/;

  const onInput = (event: Event, root: Node) => {
    const element = innermost(event);
    if (element === null || isOfClosed(element, root)) return;
    const editor = (element as HTMLElement).isContentEditable
      ? element.closest("[contenteditable]:not([contenteditable=false])")
      : null;
    if (editor !== null && event.isTrusted) {
      note({ type: "input", target: targetOf(editor), value: tree.text(editor) ?? "" });
      return;
    }
    if (!isField(element)) return;
    const isSecret = watchSecret(element);
    const scripted = event.isTrusted ? {} : { isScripted: true };
    const text = isSecret ? { isSecret } : { value: (element as HTMLInputElement).value };
    note({ type: "input", target: targetOf(element), ...text, ...scripted });
  };
  const onKey = (event: KeyboardEvent, root: Node) => {
    const element = innermost(event);
    if (!event.isTrusted || element === null || event.isComposing || isOfClosed(element, root)) return;
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    const isShortcut = (ctrlKey || altKey || metaKey) && !/^(Control|Alt|Meta|Shift|AltGraph)$/.test(key);
    if (!keys.test(key) && !isShortcut) return;
    const subject = subjectOf(element);
    const isText = isField(subject) || (subject as HTMLElement).isContentEditable;
    const isChooser = tree.name(subject) === "select" || /^(checkbox|radio)$/.test(typeOf(subject));
    // They move in the text, or choose; what becomes of it is told.
    const hasList =
      tree.attribute(subject, "role") === "combobox" || tree.attribute(subject, "aria-autocomplete") !== null;
    if (
      isText &&
      (/^(Arrow(Left|Right)|Home|End)$/.test(key) || (/^(a|c|v|x|z|y)$/i.test(key) && (ctrlKey || metaKey)))
    )
      return;
    if (isText && !hasList && /^Arrow|^Page/.test(key)) return;
    if (isText && tree.name(subject) !== "input" && key === "Enter" && !isShortcut) return;
    if (isChooser && key !== "Tab") return;
    // The click that follows is told.
    if (
      key === "Enter" &&
      !isShortcut &&
      tree.matches(subject, "a[href], button, summary, input[type=submit], input[type=button]")
    )
      return;
    const modifiers = [
      ctrlKey && "Control",
      altKey && "Alt",
      metaKey && "Meta",
      shiftKey && (isShortcut || key === "Tab") && "Shift",
    ];
    const isPage = subject === tree.body(document) || subject === tree.top(document);
    const written = key.length === 1 ? key.toUpperCase() : key;
    note({
      type: "key",
      key: [...modifiers.filter(Boolean), written].join("+"),
      ...(isPage ? {} : { target: targetOf(subject) }),
    });
  };

  return { onInput, onKey };
}

/** Listens to the document and to its closed roots. */
function recordInputs(
  kit: ElementKit,
  { note, innermost, connect }: ReturnType<typeof openNotes>,
  { onDown, onClick, onDouble, onChange }: ReturnType<typeof openPointing>,
  { onInput, onKey }: ReturnType<typeof openTyping>,
): void {
  const { tree } = kit;
  const hosts: Element[] = [];
  const asked = new WeakSet<Element>();

  /** Only the browser knows whether an element has a closed root. */
  const onOver = (event: Event) => {
    const element = innermost(event);
    if (element === null || asked.has(element) || tree.shadow(element) !== null || kit.closed.has(element)) return;
    const mayHost = tree.name(element).includes("-") || tree.children(element).length === 0;
    const isHost = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/.test(
      tree.name(element),
    );
    if (!mayHost || !isHost || (tree.text(element) ?? "").trim() !== "") return;
    asked.add(element);
    hosts.push(element);
    note({ type: "host", host: hosts.length - 1 });
  };
  const listening: { root: EventTarget; type: string; listener: (event: Event) => void }[] = [];
  const renew = () => {
    // A listener that is there already is not added twice; a document that was opened again has lost them.
    for (const { root, type, listener } of listening)
      root.addEventListener(type, listener, { capture: true, passive: true });
  };
  const listen = (root: EventTarget, own: Node) => {
    const on = <Kind extends Event>(type: string, listener: (event: Kind, root: Node) => void) =>
      listening.push({ root, type, listener: (event) => listener(event as Kind, own) });
    on("pointerdown", onDown);
    on("click", onClick);
    on("dblclick", onDouble);
    on("input", onInput);
    on("change", onChange);
    on("keydown", onKey);
    on("pointerover", onOver);
    on("focusin", onOver);
    renew();
  };
  listen(window, document);
  const world = globalThis as unknown as Record<symbol, unknown>;
  world[Symbol.for("recorder")] = {
    connect(binding: string) {
      const send = (globalThis as unknown as Record<string, (text: string) => void>)[binding] ?? null;
      renew();
      connect(send);
    },
    host: (number: number) => hosts[number],
    enter(root: ShadowRoot) {
      if (kit.closed.get(root.host) === root) return;
      kit.closed.set(root.host, root);
      listen(root, root);
    },
  };
}

/** Runs in every document before its own scripts; again it does nothing. */
export const recorderText = `if (globalThis[Symbol.for("recorder")] === undefined) ((kit) => {
  const notes = (${openNotes})(kit);
  (${recordInputs})(kit, notes, (${openPointing})(kit, notes), (${openTyping})(kit, notes));
})(${kitText});`;

/** `binding`: the function of the world that reaches us. */
export function connectText(binding: string): string {
  return `${recorderText} globalThis[Symbol.for("recorder")].connect(${JSON.stringify(binding)})`;
}
