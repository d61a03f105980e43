/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, in a world of ours, sent there as one text: reads its elements as candidates for a step, and describes one as the
// target of a step. Recording and running use the same, so that what was shown is found by what it was.
import type { FlowTarget } from "../../contract/index.ts";
import type { ElementCandidate } from "../../flows/index.ts";
import { openNames, openRoles, openTexts } from "./element-names.ts";
import { openPlaces, openStates } from "./element-places.ts";
import { openTree, type TreeAccess } from "./tree-access.ts";

export interface KitDeps {
  tree: TreeAccess;
  roles: ReturnType<typeof openRoles>;
  names: ReturnType<typeof openNames>;
  places: ReturnType<typeof openPlaces>;
  states: ReturnType<typeof openStates>;
}

/** What is looked for, so that not every element has to be described. */
export interface Ask {
  /** Roles that would do; empty: an element without a role, or any that people use. */
  roles: readonly string[];
  text?: string | undefined;
  /** How the document is asked for its closed shadow roots; empty: not. */
  notes: string;
}

export interface ReadCandidate extends Omit<ElementCandidate, "frame"> {
  /** It is in the window now. */
  isInWindow: boolean;
}

export interface ReadFrame {
  name: string;
  title: string;
  /** Of what it shows, in the window of its page. */
  left: number;
  top: number;
}

export interface ReadElements {
  candidates: ReadCandidate[];
  /** Those that are shown. */
  frames: ReadFrame[];
  url: string;
}

/** Elements one by one: where they are, and what they are like. */
export function openDescriptions({ tree, roles, names, places, states }: KitDeps) {
  const { roleOf, typeOf } = roles;
  const { nameOf, textOf, labelOf, labelsOf, clean } = names;
  const longestText = 200;
  const closed = new Map<Element, ShadowRoot>();
  const forms: Element[] = [];

  function askForRoots(notes: string): void {
    if (notes === "") return;
    let guest: Node | null = null;
    const meet = (event: Event) => {
      guest = (event as MouseEvent).relatedTarget as Node | null;
    };
    const look = () => {
      const root = guest === null ? null : (tree.root(guest) as ShadowRoot);
      if (root?.host) closed.set(root.host, root);
    };
    window.addEventListener(`${notes}-guest`, meet);
    window.addEventListener(`${notes}-root`, look);
    window.dispatchEvent(new Event(notes));
    window.removeEventListener(`${notes}-guest`, meet);
    window.removeEventListener(`${notes}-root`, look);
  }

  function* elementsOf(root: Document | ShadowRoot): Generator<Element> {
    for (const element of tree.all(root, "*")) {
      yield element;
      const inner = tree.shadow(element) ?? closed.get(element);
      if (inner) yield* elementsOf(inner);
    }
  }

  function formOf(element: Element): string {
    for (let at = places.around(element); at !== null; at = places.around(at)) {
      if (!/^(form|search|dialog)$/.test(roleOf(at))) continue;
      if (!forms.includes(at)) forms.push(at);
      return String(forms.indexOf(at));
    }
    return "";
  }

  function ownText(element: Element): string {
    const parts = tree.childNodes(element).filter((node) => tree.type(node) === Node.TEXT_NODE);
    return clean(parts.map((node) => tree.value(node) ?? "").join(" ")).slice(0, longestText);
  }

  function describe(element: Element, role = roleOf(element)): ReadCandidate {
    const tag = tree.name(element);
    const isField = /^(input|select|textarea)$/.test(tag) || role === "textbox";
    const name = nameOf(element, role).slice(0, longestText);
    const shown = states.shownFor(element);
    const isFile = tag === "input" && typeOf(element) === "file";
    const point = shown === null ? null : states.pointOf(shown);
    const isClear = point === null || states.isOnTop(shown as Element, point);
    const optional: Record<string, string> = {
      label: isField ? labelOf(element) : "",
      placeholder: tree.attribute(element, "placeholder") ?? "",
      text: isField ? "" : textOf(element).slice(0, longestText),
      near: isField && labelsOf(element).length === 0 ? places.nearOf(element) : "",
      inputType: tag === "input" ? typeOf(element) || "text" : "",
      autocomplete: tree.attribute(element, "autocomplete") ?? "",
      nameAttribute: tree.attribute(element, "name") ?? "",
      href: tree.attribute(element, "href") ?? "",
      form: formOf(element),
    };
    return Object.assign(
      {
        role,
        name,
        tag,
        within: places.containersOf(element),
        // People choose a file in a window of the browser, whatever the page draws for its field.
        isReachable: isFile || (shown !== null && isClear),
        isEnabled: states.isEnabled(element),
        isEditable: states.isEditable(element),
        isInWindow: isFile || point !== null,
      },
      Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== "")),
    );
  }

  return { askForRoots, elementsOf, describe, ownText, closed, forms };
}

export function openKit(
  { tree, roles: { roleOf }, names, places, states }: KitDeps,
  { askForRoots, elementsOf, describe, ownText, closed, forms }: ReturnType<typeof openDescriptions>,
) {
  const { nameOf, clean } = names;
  const maxElements = 20_000;
  const maxCandidates = 400;
  const interactive =
    /^(button|checkbox|combobox|gridcell|link|listbox|menuitem|menuitemcheckbox|menuitemradio|option|radio|searchbox|slider|spinbutton|switch|tab|textbox|treeitem)$/;
  const held: { elements: Element[]; frames: Element[] } = { elements: [], frames: [] };

  function fits(element: Element, role: string, { roles, text }: Ask): boolean {
    if (roles.length > 0) return roles.includes(role);
    if (text === undefined) return interactive.test(role);
    const own = ownText(element).toLowerCase();
    return own !== "" && own === clean(text).toLowerCase();
  }

  function readFrames(): ReadFrame[] {
    held.frames = [];
    const frames: ReadFrame[] = [];
    for (const element of elementsOf(document)) {
      if (!/^(iframe|frame)$/.test(tree.name(element)) || !states.isDrawn(element)) continue;
      held.frames.push(element);
      const { left, top } = tree.box(element);
      const { clientLeft, clientTop } = element;
      const title = clean(tree.attribute(element, "title") ?? tree.attribute(element, "aria-label") ?? "");
      const name = tree.attribute(element, "name") ?? "";
      frames.push({ name, title, left: left + clientLeft, top: top + clientTop });
    }
    return frames;
  }

  /** Without ids and classes that look generated. */
  function hintOf(element: Element): string {
    const tag = tree.name(element);
    const id = tree.attribute(element, "id") ?? "";
    if (/^[a-z][a-z_-]{2,30}$/i.test(id)) return `#${id}`;
    for (const name of ["name", "autocomplete", "href"]) {
      const value = tree.attribute(element, name) ?? "";
      if (value !== "" && value.length <= 200 && !/["\\]/.test(value)) return `${tag}[${name}="${value}"]`;
    }
    const classes = (tree.attribute(element, "class") ?? "").split(/\s+/);
    const plain = classes.filter((each) => /^[a-z][a-z-]{2,20}$/.test(each));
    return plain.length === 0 ? "" : `${tag}.${plain.slice(0, 2).join(".")}`;
  }

  return {
    held,
    closed,
    describe,
    elementsOf,
    tree,
    states,
    around: places.around,

    read(ask: Ask): ReadElements {
      askForRoots(ask.notes);
      held.elements = [];
      forms.length = 0;
      const candidates: ReadCandidate[] = [];
      let count = 0;
      for (const element of elementsOf(document)) {
        count += 1;
        if (count > maxElements || candidates.length >= maxCandidates) break;
        const role = roleOf(element);
        if (!fits(element, role, ask)) continue;
        held.elements.push(element);
        candidates.push(describe(element, role));
      }
      return { candidates, frames: readFrames(), url: location.href };
    },

    /** The target of a step, as it will be found again. */
    target(element: Element): FlowTarget {
      const { role, name, tag, within, label, placeholder, text, near, inputType } = describe(element);
      const target: FlowTarget = { tag };
      if (role !== "") target.role = role;
      if (name !== "") target.name = name;
      else if (text !== undefined) target.text = text;
      if (label !== undefined) target.label = label;
      if (placeholder !== undefined) target.placeholder = placeholder;
      if (name === "" && near !== undefined) target.near = near;
      if (inputType !== undefined) target.inputType = inputType;
      const [nearest] = within;
      if (nearest !== undefined) target.within = nearest;
      const isSame = (each: Element) =>
        roleOf(each) === role && (role === "" ? ownText(each) === ownText(element) : nameOf(each) === name);
      const same = [...elementsOf(document)].filter(isSame);
      const index = same.indexOf(element) + 1;
      if (index > 0 && same.length > 1) target.position = { index, of: same.length };
      const css = hintOf(element);
      if (css !== "") target.css = css;
      return target;
    },
  };
}

export type ElementKit = ReturnType<typeof openKit>;

/** Opens the kit in the world where it runs, once; its value is the kit. */
export const kitText = `(() => {
  const key = Symbol.for("elements");
  if (globalThis[key] !== undefined) return globalThis[key];
  const tree = (${openTree})();
  const roles = (${openRoles})(tree);
  const texts = (${openTexts})(tree, roles);
  const names = (${openNames})(tree, roles, texts);
  const places = (${openPlaces})(tree, roles, names);
  const states = (${openStates})(tree, roles, names, places.around);
  const deps = { tree, roles, names, places, states };
  globalThis[key] = (${openKit})(deps, (${openDescriptions})(deps));
  return globalThis[key];
})()`;

/** For functions that run there: the kit that was opened. */
export function kitOf(): ElementKit {
  return (globalThis as unknown as Record<symbol, ElementKit>)[Symbol.for("elements")] as ElementKit;
}
