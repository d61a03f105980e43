/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, sent there as its own text: where an element is among what a person sees, and whether a person could use it.
import type { openNames, openRoles } from "./element-names.ts";
import type { TreeAccess } from "./tree-access.ts";

type Roles = ReturnType<typeof openRoles>;
type Names = ReturnType<typeof openNames>;

export function openPlaces(tree: TreeAccess, { roleOf }: Roles, names: Names) {
  const { textOf, givenName, isHidden, clean } = names;
  const containers =
    /^(alertdialog|article|banner|complementary|contentinfo|dialog|form|grid|group|list|listitem|main|navigation|radiogroup|region|row|search|table|tablist|toolbar|treeitem)$/;
  const controls =
    "a[href], button, input, select, textarea, [role=button], [role=link], [role=checkbox], [role=radio], [role=tab], [role=menuitem], [role=switch]";
  const longestText = 120;
  const maxContainers = 8;
  const mostSteps = 400;

  function around(node: Node): Element | null {
    if (tree.isElement(node)) {
      const slot = (node as Element).assignedSlot;
      if (slot !== null && slot !== undefined) return slot;
    }
    const parent = tree.parent(node);
    if (parent === null) return null;
    return tree.isElement(parent) ? parent : ((parent as ShadowRoot).host ?? null);
  }

  /** Of a row or list item without a name: its heading, its row header, its own text without its controls. */
  function contentName(element: Element, role: string): string {
    const head = tree.all(element, "h1, h2, h3, h4, h5, h6, [role=heading]")[0];
    if (head !== undefined && textOf(head) !== "") return textOf(head);
    if (role === "article") return "";
    const header = tree.all(element, "th[scope=row], [role=rowheader]")[0];
    if (header !== undefined && textOf(header) !== "") return textOf(header);
    const parts: string[] = [];
    const read = (node: Node) => {
      for (const child of tree.childNodes(node)) {
        if (tree.type(child) === Node.TEXT_NODE) parts.push(tree.value(child) ?? "");
        if (
          !tree.isElement(child) ||
          tree.matches(child, controls) ||
          /^(script|style|label|ul|ol)$/.test(tree.name(child))
        )
          continue;
        if (isHidden(child)) continue;
        read(child);
        parts.push(" ");
      }
    };
    read(element);
    return clean(parts.join("")).slice(0, longestText);
  }

  function containersOf(element: Element): { role: string; name: string }[] {
    const found: { role: string; name: string }[] = [];
    for (let at = around(element); at !== null && found.length < maxContainers; at = around(at)) {
      const role = roleOf(at);
      if (!containers.test(role)) continue;
      const hasContentName = role === "row" || role === "listitem" || role === "article";
      const name = givenName(at) || (hasContentName ? contentName(at, role) : "");
      if (name !== "") found.push({ role, name });
    }
    return found;
  }

  /** The text just before a field, as far back as the field before it. */
  function nearOf(element: Element): string {
    let node: Node | null = element;
    for (let steps = 0; node !== null && steps < mostSteps; steps += 1) {
      const before: Node | null = previous(node);
      if (before === null) return "";
      node = before;
      if (tree.isElement(node) && /^(input|select|textarea)$/.test(tree.name(node))) {
        if (tree.attribute(node, "type") !== "hidden") return "";
        continue;
      }
      if (tree.type(node) !== Node.TEXT_NODE) continue;
      const text = clean(tree.value(node) ?? "");
      const owner = around(node);
      if (text === "" || owner === null || /^(script|style|option|noscript)$/.test(tree.name(owner))) continue;
      if (owner.checkVisibility?.() === false) continue;
      return text.slice(0, longestText);
    }
    return "";
  }

  function previous(node: Node): Node | null {
    const parent = tree.parent(node);
    if (parent === null) return (node as ShadowRoot).host ?? null;
    const siblings = tree.childNodes(parent);
    let before: Node | undefined = siblings[siblings.indexOf(node as ChildNode) - 1];
    if (before === undefined) return parent;
    for (;;) {
      const last: Node | undefined = tree.childNodes(before).at(-1);
      if (last === undefined) return before;
      before = last;
    }
  }

  return { around, containersOf, nearOf };
}

export function openStates(
  tree: TreeAccess,
  { roleOf, typeOf, has }: Roles,
  { labelsOf }: Names,
  around: (node: Node) => Element | null,
) {
  const leastSize = 2;

  function boxOf(element: Element): DOMRect {
    const boxes = Array.from(element.getClientRects()).filter(({ width, height }) => width > 0 && height > 0);
    return boxes[0] ?? tree.box(element);
  }

  /** Whether it is drawn where somebody could scroll to. */
  function isDrawn(element: Element): boolean {
    const visible = (element as Element & { checkVisibility?(options: object): boolean }).checkVisibility?.({
      checkOpacity: true,
      checkVisibilityCSS: true,
      contentVisibilityAuto: true,
    });
    if (visible === false) return false;
    const box = boxOf(element);
    if (box.width < leastSize || box.height < leastSize) return false;
    for (let at: Element | null = element; at !== null; at = around(at)) {
      if (tree.attribute(at, "aria-hidden") === "true" || has(at, "inert")) return false;
      const { opacity, clipPath, clip, position } = getComputedStyle(at);
      if (Number(opacity) < 0.05 || /^(inset\((50|100)%|circle\(0)/.test(clipPath)) return false;
      if (position === "absolute" && /^rect\((0px|1px), (0px|1px), (0px|1px), (0px|1px)\)$/.test(clip)) return false;
    }
    const { scrollX, scrollY } = window;
    const { scrollWidth, scrollHeight } = tree.top(document) as Element;
    const [left, top] = [box.left + scrollX, box.top + scrollY];
    return left + box.width > 1 && top + box.height > 1 && left < scrollWidth + 1 && top < scrollHeight + innerHeight;
  }

  /** Where it is clicked; null while that is outside of the window. */
  function pointOf(element: Element): { x: number; y: number } | null {
    const box = boxOf(element);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? { x, y } : null;
  }

  function isInside(element: Element, outer: Element): boolean {
    for (let at: Element | null = element; at !== null; at = around(at)) if (at === outer) return true;
    return false;
  }

  /** What is on top there, seen from each of the trees around it. */
  function isOnTop(element: Element, { x, y }: { x: number; y: number }): boolean {
    let target = element;
    for (;;) {
      const root = tree.root(target) as Document | ShadowRoot;
      const hit = root.elementFromPoint(x, y);
      const isOwn = hit !== null && (isInside(hit, target) || labelsOf(target).some((label) => isInside(hit, label)));
      if (!isOwn) return false;
      if (!("host" in root)) return true;
      target = root.host;
    }
  }

  /** What a person would click: the label of a checkbox that is drawn by it. */
  function shownFor(element: Element): Element | null {
    if (isDrawn(element)) return element;
    if (!/^(checkbox|radio)$/.test(typeOf(element))) return null;
    if (tree.attribute(element, "aria-hidden") === "true") return null;
    return labelsOf(element).find(isDrawn) ?? null;
  }

  function isEnabled(element: Element): boolean {
    if (tree.matches(element, ":disabled")) return false;
    for (let at: Element | null = element; at !== null; at = around(at)) {
      if (tree.attribute(at, "aria-disabled") === "true") return false;
    }
    return true;
  }

  function isEditable(element: Element): boolean {
    const name = tree.name(element);
    if (name === "textarea") return !(element as HTMLTextAreaElement).readOnly;
    if (name === "input") {
      const isField = !/^(button|checkbox|file|hidden|image|radio|reset|submit)$/.test(typeOf(element));
      return isField && !(element as HTMLInputElement).readOnly;
    }
    return (element as HTMLElement).isContentEditable === true && roleOf(element) !== "";
  }

  return { boxOf, isDrawn, pointOf, isOnTop, shownFor, isEnabled, isEditable };
}
