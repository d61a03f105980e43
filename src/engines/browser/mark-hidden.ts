/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, sent there as text: these functions may use each other and nothing else.
import type { TreeAccess } from "./tree-access.ts";

/**
 * Tells what a person does not see of a tree: elements with everything below them, by how they are hidden, and "text" for
 * elements whose own text cannot be told from its background. By computed styles and boxes, as the page looks now.
 */
function markHidden(
  root: Document | ShadowRoot,
  mark: (element: Element, how: string) => void,
  tree: TreeAccess,
): void {
  const maxElements = 30_000;
  const skipped =
    /^(?:head|script|style|noscript|template|svg|canvas|option|select|textarea|iframe|object|video|audio)$/;
  const page = tree.document(root) ?? (root as Document);
  const view = tree.view(page);
  const top: Element | null = tree.top(page);
  if (view === null || top === null) return;
  const hidingOf = readHiding(view, top, tree);
  const hidesText = readText(root, page, view, tree);
  const hasText = (element: Element): boolean =>
    tree.childNodes(element).some((node) => tree.type(node) === Node.TEXT_NODE && /\S/.test(tree.value(node) ?? ""));

  let left = maxElements;
  const look = (place: Node): void => {
    for (const child of tree.children(place)) {
      left -= 1;
      if (left < 0) return;
      if (skipped.test(tree.name(child))) continue;
      const style = view.getComputedStyle(child);
      const hiding = hidingOf(child, style);
      if (hiding !== null) {
        if (/\S/.test(tree.text(child) ?? "")) mark(child, hiding);
        continue;
      }
      if (hasText(child) && hidesText(child, style)) mark(child, "text");
      look(child);
    }
  };
  const start = root === page ? tree.body(page) : root;
  if (start !== null) look(start);
}

/** How an element is hidden with everything below it; null: it is not. */
function readHiding(view: Window, top: Element, tree: TreeAccess) {
  const maxBelow = 300;
  const farAway = -990;
  const isRightToLeft = view.getComputedStyle(top).direction === "rtl";

  /** A shape in which nothing of the box is left. */
  const isNoShape = (path: string, box: DOMRect): boolean => {
    const [, shape, inside = ""] = /^(inset|circle|ellipse|polygon|rect|xywh)\((.*)\)$/.exec(path) ?? [];
    if (shape === undefined) return false;
    const [sizes = ""] = inside.split(/\b(?:at|round)\b/);
    const inPixels = (value: string, size: number): number =>
      value.endsWith("%") ? (Number.parseFloat(value) / 100) * size : Number.parseFloat(value);
    const values = sizes.trim().split(/[\s,]+/);
    const [first = "0", second = first, third = first, fourth = second] = values;
    if (shape === "inset")
      return (
        inPixels(first, box.height) + inPixels(third, box.height) >= box.height ||
        inPixels(second, box.width) + inPixels(fourth, box.width) >= box.width
      );
    if (shape === "circle" || shape === "ellipse")
      return sizes.trim() !== "" && (inPixels(first, 1) === 0 || inPixels(second, 1) === 0);
    if (shape === "rect")
      return (
        inPixels(third, box.height) <= inPixels(first, box.height) ||
        inPixels(second, box.width) <= inPixels(fourth, box.width)
      );
    if (shape === "xywh") return inPixels(third, 1) === 0 || inPixels(fourth, 1) === 0;
    const points = inside.split(",").map((point) =>
      point
        .trim()
        .split(/\s+/)
        .map((value, axis) => inPixels(value, axis === 0 ? box.width : box.height)),
    );
    const area = points.reduce((sum, [x = 0, y = 0], place) => {
      const [nextX = 0, nextY = 0] = points[(place + 1) % points.length] ?? [];
      return sum + x * nextY - nextX * y;
    }, 0);
    return Math.abs(area) < 1;
  };
  /** Pictures of one transparent colour let nothing through. */
  const isMasked = (mask: string): boolean => {
    const [, stops] = /gradient\((.*)\)$/.exec(mask) ?? [];
    const colours = stops?.match(/rgba?\([^()]*\)/g) ?? [];
    return (
      colours.length > 0 && colours.every((colour) => /,\s*0(?:\.0\d*)?\)$/.test(colour) && colour.startsWith("rgba"))
    );
  };
  const isCut = (style: CSSStyleDeclaration, box: DOMRect): string | null => {
    const [, edges] = /^rect\(([^()]*)\)$/.exec(style.clip) ?? [];
    if (edges !== undefined && /absolute|fixed/.test(style.position)) {
      const [top, right, bottom, left] = edges.split(/[\s,]+/).map(Number.parseFloat);
      if (Number(bottom) - Number(top) <= 1 || Number(right) - Number(left) <= 1) return "clip";
    }
    if (isNoShape(style.clipPath, box)) return "clip";
    const isClipping = /hidden|clip/.test(`${style.overflowX} ${style.overflowY}`) && style.display !== "contents";
    if (isClipping && (box.width <= 1 || box.height <= 1)) return "size";
    return style.transform !== "none" && (box.width === 0 || box.height === 0) ? "place" : null;
  };
  const isAway = (style: CSSStyleDeclaration, box: DOMRect): boolean => {
    if (Number.parseFloat(style.textIndent) < farAway) return true;
    if (box.width === 0 || box.height === 0) return false;
    if (box.bottom + view.scrollY <= 0) return true;
    return !isRightToLeft && box.right + view.scrollX <= 0;
  };
  const isAllHidden = (element: Element): boolean => {
    const below = tree.all(element, "*").slice(0, maxBelow);
    return below.every((each) => view.getComputedStyle(each).visibility !== "visible");
  };
  return (element: Element, style: CSSStyleDeclaration): string | null => {
    if (style.display === "none") return "display";
    if (style.visibility !== "visible" && isAllHidden(element)) return "visibility";
    if (Number.parseFloat(style.opacity) < 0.05 || isMasked(style.maskImage)) return "opacity";
    if (/opacity\(\s*0(?:\.0\d*)?%?\s*\)/.test(style.filter)) return "opacity";
    if (style.display === "contents") return null;
    if (style.getPropertyValue("content-visibility") === "hidden" && style.display !== "inline") return "display";
    const box = tree.box(element);
    return isCut(style, box) ?? (isAway(style, box) ? "place" : null);
  };
}

/** Whether the text of an element cannot be seen although the element can: too small, transparent, or of the colour behind it. */
function readText(root: Document | ShadowRoot, page: Document, view: Window, tree: TreeAccess) {
  const leastDifference = 10;
  const maxAround = 5;
  const pictures = "img,picture,video,canvas,svg,iframe,object";
  const body = tree.body(page);
  const colourOf = (text: string): number[] | null => {
    const numbers = /^rgba?\(([^()]*)\)$/
      .exec(text)?.[1]
      ?.split(/[\s,/]+/)
      .map(Number.parseFloat);
    return numbers === undefined || numbers.length < 3 ? null : numbers;
  };
  const alphaOf = (colour: number[]): number => colour[3] ?? 1;
  const paints = (style: CSSStyleDeclaration): boolean =>
    style.backgroundImage !== "none" || alphaOf(colourOf(style.backgroundColor) ?? [0, 0, 0, 1]) > 0.1;
  /** A picture that was not loaded may fill what is around it. */
  const boxOf = (element: Element): DOMRect => {
    const box = tree.box(element);
    const around = tree.parentElement(element);
    const isEmpty = (box.width <= 1 || box.height <= 1) && tree.matches(element, pictures);
    return isEmpty && around !== null ? tree.box(around) : box;
  };
  const touches = (one: DOMRect, other: DOMRect): boolean =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  /** Something that is no ancestor may lie behind a text: a picture, or a part that is placed there. */
  const isCovered = (element: Element): boolean => {
    const own = tree.box(element);
    let isPlaced = false;
    let around: Element | null = element;
    for (let nth = 0; nth < maxAround && around !== null && around !== body; nth += 1) {
      isPlaced ||= /absolute|fixed/.test(view.getComputedStyle(around).position);
      for (const side of ["::before", "::after"]) {
        const added = view.getComputedStyle(around, side);
        if (added.content !== "none" && paints(added)) return true;
      }
      const isBehind = (each: Element) => {
        const style = view.getComputedStyle(each);
        const isPicture = tree.matches(each, pictures);
        const mayLieBehind = isPlaced || /absolute|fixed/.test(style.position);
        return each !== element && mayLieBehind && (isPicture || paints(style)) && touches(own, boxOf(each));
      };
      const media = tree.all(around, pictures).slice(0, 20);
      const above: Element | null = tree.parentElement(around);
      const beside = above === null ? [] : tree.children(above).slice(0, 20);
      if ([...media, ...beside].some((each) => !tree.contains(each, element) && isBehind(each))) return true;
      around = above;
    }
    return false;
  };
  /** Null when it is unknown. */
  const backgroundOf = (element: Element): number[] | null => {
    for (let place: Element | null = element; place !== null; place = tree.parentElement(place)) {
      const style = view.getComputedStyle(place);
      if (style.backgroundImage !== "none") return null;
      const colour = colourOf(style.backgroundColor);
      if (colour === null) return null;
      if (alphaOf(colour) > 0.9) return colour;
      if (alphaOf(colour) > 0.05) return null;
    }
    if (root !== page) return null;
    return /dark/.test(view.getComputedStyle(tree.top(page)).colorScheme) ? null : [255, 255, 255];
  };
  return (element: Element, style: CSSStyleDeclaration): boolean => {
    if (Number.parseFloat(style.fontSize) < 1.5) return true;
    if (
      /text/.test(style.backgroundClip) ||
      style.textShadow !== "none" ||
      Number.parseFloat(style.webkitTextStrokeWidth) > 0
    )
      return false;
    const colour = colourOf(style.webkitTextFillColor || style.color);
    if (colour === null) return false;
    if (alphaOf(colour) < 0.05) return true;
    const background = backgroundOf(element);
    if (background === null) return false;
    const isAlike = [0, 1, 2].every((at) => Math.abs(Number(colour[at]) - Number(background[at])) <= leastDifference);
    return isAlike && !isCovered(element);
  };
}

export type MarkHidden = typeof markHidden;
export const markHiddenText = `(...given) => { ${readHiding} ${readText} return (${markHidden})(...given); }`;
