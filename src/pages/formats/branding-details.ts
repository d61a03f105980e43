/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, beside `branding-script.ts`: what single elements say of the look. Sent there as text, so these functions may
// use each other and nothing else.

interface Colours {
  hexOf(color: string): string | null;
  isColourful(hex: string): boolean;
}

export function readDetails({ hexOf, isColourful }: Colours) {
  const body = document.body ?? document.documentElement;
  const all = (selector: string, most = 300) => [...document.querySelectorAll(selector)].slice(0, most).filter(isShown);
  const stackOf = (element: Element | undefined) =>
    element &&
    getComputedStyle(element)
      .fontFamily.split(",")
      .map((name) => name.trim().replace(/^["']|["']$/g, ""));
  const ratioOf = (element: Element | undefined) => {
    if (!element) return undefined;
    const { lineHeight, fontSize } = getComputedStyle(element);
    const ratio = Number.parseFloat(lineHeight) / Number.parseFloat(fontSize);
    return Number.isFinite(ratio) ? Math.round(ratio * 100) / 100 : undefined;
  };
  const [heading] = all("h1,h2,h3");
  const [paragraph] = all("p");
  const [h3] = all("h3");
  const [small] = all("small,figcaption,[class*=caption i]");
  const sizeOf = (element: Element | undefined) => element && getComputedStyle(element).fontSize;
  const weights = all("p,h1,h2,h3,h4,b,strong,small,a,button,span,label,li", 1000).map((each) =>
    Number(getComputedStyle(each).fontWeight),
  );
  const weightIn = (from: number, to: number) => mostOf(weights.filter((weight) => weight >= from && weight <= to));
  const input = document.querySelector(
    "input:not([type=hidden]):not([type=submit]):not([type=button]),textarea,select",
  );
  return present({
    brandName: brandName(),
    colors: present(statusColours({ hexOf, isColourful })),
    fontStacks: present({
      primary: stackOf(paragraph ?? body),
      heading: stackOf(heading),
      body: stackOf(body),
      paragraph: stackOf(paragraph),
    }),
    lineHeights: present({ heading: ratioOf(heading), body: ratioOf(paragraph ?? body) }),
    fontSizes: present({ h3: sizeOf(h3), small: sizeOf(small) }),
    fontWeights: present({ light: weightIn(100, 300), medium: weightIn(500, 600), bold: weightIn(700, 900) }),
    spacing: present(spacing(all)),
    focusBorderColor: input && isShown(input) ? focusColour(input as HTMLElement, hexOf) : undefined,
    icons: present(iconLook(all("svg", 100), hexOf)),
    layout: present(layout(all)),
  });
}

/** Without what is not known. */
function present<Value extends object>(value: Value): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } {
  const isEmpty = (one: unknown) =>
    one === undefined ||
    one === null ||
    one === "" ||
    (typeof one === "object" && Object.keys(one as object).length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, one]) => !isEmpty(one))) as ReturnType<
    typeof present<Value>
  >;
}

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width >= 1 && height >= 1 && getComputedStyle(element).visibility !== "hidden";
}

function mostOf<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0];
}

/** Of the parts of a title the one that the host is named for, else the last. */
function brandName(): string {
  for (const name of ["og:site_name", "application-name"]) {
    const meta = document.querySelector(`meta[property="${name}" i],meta[name="${name}" i]`);
    const text = meta?.getAttribute("content")?.trim();
    if (text) return text;
  }
  const isNumeric = /^[\d.]+$|:/.test(location.hostname);
  const label = isNumeric ? location.hostname : (location.hostname.replace(/^www\./, "").split(".")[0] ?? "");
  const parts = document.title.split(/\s+[|–—·•:-]\s+|:\s+/).map((part) => part.trim());
  const keyOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const own = parts.find((part) => keyOf(part) !== "" && keyOf(part) === keyOf(label));
  return own ?? ((parts.length > 1 && parts.at(-1)) || label);
}

/** Colours whose custom property says what they are for, else of elements that do. */
function statusColours({ hexOf, isColourful }: Colours): Record<string, string | undefined> {
  const names: Record<string, RegExp> = {
    success: /(?:^|[\s_-])(?:success|positive|valid)(?:$|[\s_-])/i,
    warning: /(?:^|[\s_-])(?:warning|warn|caution)(?:$|[\s_-])/i,
    error: /(?:^|[\s_-])(?:error|danger|negative|destructive|invalid)(?:$|[\s_-])/i,
  };
  const properties: [string, string][] = [];
  for (const [name, values] of document.documentElement.computedStyleMap())
    if (name.startsWith("--")) properties.push([name, String([...values][0] ?? "").trim()]);
  const signs = ["success", "positive", "valid", "warn", "caution", "error", "danger", "negative", "destructive"];
  const selector = signs.map((sign) => `[class*=${sign} i],[role*=${sign} i],[name*=${sign} i],[id*=${sign} i]`).join();
  const elements = [...document.querySelectorAll(selector)].slice(0, 200).filter(isShown);
  const found = Object.entries(names).map(([role, name]) => {
    const named = properties
      .filter(([property, value]) => name.test(property.slice(2)) && CSS.supports("color", value))
      .sort((one, other) => one[0].length - other[0].length)[0];
    if (named) return [role, hexOf(named[1]) ?? undefined];
    const says = (element: Element) =>
      ["class", "role", "name", "id"].some((each) => name.test(element.getAttribute(each) ?? ""));
    const element = elements.find(says);
    if (!element) return [role, undefined];
    const { backgroundColor, borderTopColor, color } = getComputedStyle(element);
    const colours = [backgroundColor, borderTopColor, color].map(hexOf);
    return [role, colours.find((hex) => hex !== null && isColourful(hex)) ?? undefined];
  });
  return Object.fromEntries(found);
}

function spacing(all: (selector: string) => Element[]) {
  const kinds = {
    section: "section",
    container: "[class*=container i],[class*=wrapper i]",
    button: "button,[role=button],a[class*=btn i],a[class*=button i]",
    card: "[class~=card i],[class*=card- i],[class*=-card i]",
  };
  const measure = (first: keyof CSSStyleDeclaration, second: keyof CSSStyleDeclaration) => {
    const each = Object.entries(kinds).map(([name, selector]) => {
      const [element] = all(selector);
      const style = element && getComputedStyle(element);
      const pixels = style && (Number.parseFloat(String(style[first])) || Number.parseFloat(String(style[second])));
      return [name, pixels || undefined];
    });
    return present(Object.fromEntries(each)) as Record<string, number>;
  };
  const gaps = all("main *,body *")
    .map((element) => getComputedStyle(element))
    .filter(({ display }) => /grid|flex/.test(display))
    .map(({ columnGap }) => Number.parseFloat(columnGap))
    .filter((gap) => gap > 0);
  return {
    padding: measure("paddingTop", "paddingLeft"),
    margins: measure("marginTop", "marginBottom"),
    gridGutter: mostOf(gaps),
  };
}

/** Its transitions would show the colour from before. */
function focusColour(input: HTMLElement, hexOf: Colours["hexOf"]): string | undefined {
  const before = document.activeElement as HTMLElement | null;
  const transition = input.style.transition;
  input.style.transition = "none";
  const usual = getComputedStyle(input).borderTopColor;
  input.focus({ preventScroll: true });
  const { borderTopColor, outlineStyle, outlineWidth, outlineColor } = getComputedStyle(input);
  const hasOutline = outlineStyle !== "none" && outlineWidth !== "0px";
  const shown = borderTopColor !== usual || !hasOutline ? borderTopColor : outlineColor;
  const hex = document.activeElement === input ? hexOf(shown) : null;
  input.blur();
  input.style.transition = transition;
  if (before && before !== document.body) before.focus({ preventScroll: true });
  return hex ?? undefined;
}

function iconLook(drawings: Element[], hexOf: Colours["hexOf"]) {
  const styles: ("outline" | "solid" | "duotone")[] = [];
  const colours: string[] = [];
  for (const drawing of drawings) {
    const box = drawing.getBoundingClientRect();
    if (box.width > 64 || box.height > 64) continue;
    const shapes = [...drawing.querySelectorAll("path,circle,rect,line,polyline,polygon,ellipse")].slice(0, 20);
    const looks = shapes.map((shape) => getComputedStyle(shape));
    const fills = looks.filter(({ fill }) => fill !== "none");
    const strokes = looks.filter(({ stroke }) => stroke !== "none");
    const tints = new Set(fills.map(({ fill, fillOpacity, opacity }) => `${fill} ${fillOpacity} ${opacity}`));
    if (looks.length === 0) continue;
    styles.push(fills.length === 0 ? "outline" : tints.size > 1 ? "duotone" : "solid");
    for (const { fill, stroke } of fills.length === 0 ? strokes : fills)
      colours.push(hexOf(fills.length === 0 ? stroke : fill) ?? "");
  }
  return { style: mostOf(styles), primaryColor: mostOf(colours.filter((hex) => hex !== "")) };
}

function layout(all: (selector: string, most?: number) => Element[]) {
  const pixels = (value: number) => `${Math.round(value)}px`;
  const heightOf = (element: Element | undefined) => element && pixels(element.getBoundingClientRect().height);
  const boxes = all("main,main *,body > *,[class*=container i]", 1500);
  const widest = (fits: (style: CSSStyleDeclaration) => boolean) =>
    boxes
      .filter((box) => fits(getComputedStyle(box)))
      .sort((one, other) => other.getBoundingClientRect().width - one.getBoundingClientRect().width)[0];
  const bounded = widest(({ maxWidth }) => /^\d+(?:\.\d+)?px$/.test(maxWidth));
  const grid = widest(({ display }) => display === "grid");
  const columns = grid
    ? getComputedStyle(grid)
        .gridTemplateColumns.split(" ")
        .filter((track) => /\dpx$/.test(track))
    : [];
  return {
    grid: present({
      columns: columns.length || undefined,
      maxWidth: bounded && getComputedStyle(bounded).maxWidth,
    }),
    headerHeight: heightOf(all("header,[role=banner]")[0]),
    footerHeight: heightOf(all("footer,[role=contentinfo]")[0]),
  };
}

export const detailHelpers = [
  present,
  isShown,
  mostOf,
  brandName,
  statusColours,
  spacing,
  focusColour,
  iconLook,
  layout,
].join("\n");
