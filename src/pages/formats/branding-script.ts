/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page: how it looks, from the computed styles of what is shown. These functions are sent there as text, so they
// may use each other and nothing else.

import type { Document } from "../../contract/index.ts";
import { detailHelpers, readDetails } from "./branding-details.ts";

export type PageBranding = NonNullable<Document["branding"]>;
type ButtonLook = NonNullable<PageBranding["components"]["buttonPrimary"]>;

/** `readDetails` is handed over, for what is imported has another name in the text of a function. */
function readLook(detailsOf: typeof readDetails): PageBranding {
  const colours = openColours();
  const { hexOf, isColourful, lightness } = colours;
  const counted = countStyles(colours);
  const { bodyFonts, buttons, codeFonts, gaps, headFonts, headSize, input, links, logo, radii } = counted;
  const { brandName, icons, layout, ...details } = detailsOf(colours);
  const { sizes, surfaces, texts, weights } = counted;
  const most = (counts: Map<string, number>, but: (string | undefined)[] = []) =>
    [...counts].filter(([key]) => !but.includes(key)).sort((one, other) => other[1] - one[1])[0]?.[0];
  const rootStyle = getComputedStyle(document.documentElement);
  const bodyStyle = getComputedStyle(document.body ?? document.documentElement);
  const background = hexOf(bodyStyle.backgroundColor) ?? hexOf(rootStyle.backgroundColor) ?? "#FFFFFF";
  const textPrimary = most(texts) ?? hexOf(bodyStyle.color) ?? "#000000";
  const textSecondary = most(texts, [textPrimary]);
  const link = most(links);
  const byCount = [...buttons.values()].sort((one, other) => other.count - one.count);
  const ranked = byCount.map(({ look }) => look);
  const filled = ranked.filter((look) => look.background !== "transparent" && look.background !== background);
  const buttonPrimary = filled.find((look) => isColourful(look.background)) ?? filled[0] ?? ranked[0];
  const buttonSecondary = ranked.find((look) => look !== buttonPrimary);
  const meta = (selector: string) => document.querySelector(selector)?.getAttribute("content") ?? null;
  const theme = hexOf(meta('meta[name="theme-color"]') ?? "transparent");
  const colourful = new Map([...surfaces].filter(([hex]) => isColourful(hex) && hex !== background));
  const primary =
    (buttonPrimary && isColourful(buttonPrimary.background === "transparent" ? "#000000" : buttonPrimary.background)
      ? buttonPrimary.background
      : undefined) ??
    (theme && isColourful(theme) ? theme : undefined) ??
    most(colourful) ??
    (link && isColourful(link) ? link : undefined);
  const secondary = most(colourful, [primary]) ?? (theme && theme !== primary ? theme : undefined);
  const accent = link && isColourful(link) && link !== primary ? link : most(colourful, [primary, secondary]);
  const bodyFont = most(bodyFonts) ?? counted.familyOf(bodyStyle);
  const headFont = most(headFonts) ?? bodyFont;
  const codeFont = most(codeFonts);
  let units = 0;
  let eights = 0;
  for (const [gap, count] of gaps) {
    units += count;
    if (Number.parseFloat(gap) % 8 === 0) eights += count;
  }
  const favicon = webUrl(document.querySelector('link[rel~="icon" i]')?.getAttribute("href"));
  const ogImage = webUrl(meta('meta[property="og:image"]'));
  const weight = headSize.weight;
  const focused = details.focusBorderColor ? { focusBorderColor: details.focusBorderColor } : {};
  const logoImage = logo
    ? {
        logo: logo.source,
        ...(logo.href ? { logoHref: logo.href } : {}),
        ...(logo.alt ? { logoAlt: logo.alt } : {}),
      }
    : {};
  const mover = byCount.find(({ look }) => look === buttonPrimary)?.node ?? document.querySelector("main a,a");
  const moves = mover && transitionOf(getComputedStyle(mover));
  return {
    colorScheme: lightness(background) < 0.4 ? "dark" : "light",
    ...(brandName ? { brandName } : {}),
    ...(logo ? { logo: logo.source } : {}),
    colors: {
      ...(primary ? { primary } : {}),
      ...(secondary ? { secondary } : {}),
      ...(accent ? { accent } : {}),
      background,
      textPrimary,
      ...(textSecondary ? { textSecondary } : {}),
      ...(link ? { link } : {}),
      ...details.colors,
    },
    fonts: [
      { family: bodyFont, role: "body" as const },
      { family: headFont, role: "heading" as const },
      ...(codeFont ? [{ family: codeFont, role: "code" as const }] : []),
    ],
    typography: {
      fontStacks: details.fontStacks ?? {},
      lineHeights: details.lineHeights ?? {},
      fontFamilies: { primary: bodyFont, heading: headFont, ...(codeFont ? { code: codeFont } : {}) },
      fontSizes: {
        ...(headSize.h1 ? { h1: headSize.h1 } : {}),
        ...(headSize.h2 ? { h2: headSize.h2 } : {}),
        ...details.fontSizes,
        body: most(sizes) ?? bodyStyle.fontSize,
      },
      fontWeights: {
        regular: Number(most(weights) ?? bodyStyle.fontWeight),
        ...(weight ? { heading: weight } : {}),
        ...details.fontWeights,
      },
    },
    spacing: {
      baseUnit: units > 0 && eights / units >= 0.5 ? 8 : 4,
      borderRadius: most(radii) ?? "0px",
      ...details.spacing,
    },
    components: {
      ...(buttonPrimary ? { buttonPrimary } : {}),
      ...(buttonSecondary ? { buttonSecondary } : {}),
      ...(input ? { input: { ...input, ...focused } } : {}),
    },
    ...(icons ? { icons } : {}),
    ...(moves ? { animations: moves } : {}),
    ...(layout ? { layout } : {}),
    images: { ...logoImage, ...(favicon ? { favicon } : {}), ...(ogImage ? { ogImage } : {}) },
  };
}

/** Colours as "#RRGGBB", whatever their notation. */
function openColours() {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map<string, string | null>();
  /** "#RRGGBB" of any notation; null for what is mostly seen through. */
  const hexOf = (color: string): string | null => {
    const before = known.get(color);
    if (before !== undefined) return before;
    let hex: string | null = null;
    if (brush) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = "#000";
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data;
      const pair = (value: number) => value.toString(16).padStart(2, "0").toUpperCase();
      hex = alpha < 128 ? null : `#${pair(red)}${pair(green)}${pair(blue)}`;
    }
    known.set(color, hex);
    return hex;
  };
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const lightness = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = channels(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  /** Greys and what is nearly black or white give no site its colour. */
  const isColourful = (hex: string) => Math.max(...channels(hex)) - Math.min(...channels(hex)) > 0.2;
  return { hexOf, lightness, isColourful };
}

/** How often, or over how many letters or pixels, each style is shown. */
function countStyles({ hexOf }: ReturnType<typeof openColours>) {
  // Styles of more elements say nothing new.
  const maxElements = 3000;
  const add = (counts: Map<string, number>, key: string | null, weight: number) => {
    if (key !== null && weight > 0) counts.set(key, (counts.get(key) ?? 0) + weight);
  };
  const familyOf = (style: CSSStyleDeclaration) =>
    (style.fontFamily.split(",")[0] ?? "").trim().replace(/^["']|["']$/g, "");
  const texts = new Map<string, number>();
  const links = new Map<string, number>();
  const surfaces = new Map<string, number>();
  const bodyFonts = new Map<string, number>();
  const headFonts = new Map<string, number>();
  const codeFonts = new Map<string, number>();
  const sizes = new Map<string, number>();
  const weights = new Map<string, number>();
  const gaps = new Map<string, number>();
  const radii = new Map<string, number>();
  const buttons = new Map<string, { look: ButtonLook; count: number; node: Element }>();
  let input: ButtonLook | undefined;
  let logo: ReturnType<typeof logoOf> = null;
  const headSize: { h1?: string; h2?: string; weight?: number } = {};
  const lookOf = (style: CSSStyleDeclaration): ButtonLook => ({
    background: hexOf(style.backgroundColor) ?? "transparent",
    textColor: hexOf(style.color) ?? "transparent",
    borderColor: style.borderTopWidth === "0px" ? "transparent" : (hexOf(style.borderTopColor) ?? "transparent"),
    borderRadius: style.borderTopLeftRadius,
  });

  const walker = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_ELEMENT);
  let seen = 0;
  for (
    let node = walker.currentNode as Element | null;
    node && seen < maxElements;
    node = walker.nextNode() as Element | null
  ) {
    seen += 1;
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    if (box.width < 1 || box.height < 1 || style.visibility === "hidden" || style.opacity === "0") continue;
    const name = node.localName;
    let own = 0;
    for (const child of node.childNodes) if (child.nodeType === 3) own += (child.nodeValue ?? "").trim().length;
    const isButton =
      name === "button" ||
      node.getAttribute("role") === "button" ||
      (name === "input" && /^(?:submit|button)$/.test(node.getAttribute("type") ?? "")) ||
      (name === "a" && /(?:^|[\s_-])(?:btn|button|cta)(?:[\s_-]|$)/i.test(node.getAttribute("class") ?? ""));
    const background = hexOf(style.backgroundColor);
    if (isButton) {
      const look = lookOf(style);
      const key = JSON.stringify(look);
      const before = buttons.get(key) ?? { look, count: 0, node };
      before.count += 1;
      buttons.set(key, before);
    } else if (name === "input" || name === "textarea" || name === "select") input ??= lookOf(style);
    else if (background !== null) add(surfaces, background, Math.min(box.width * box.height, 400_000));
    if (own > 0 && !isButton) {
      const isHead = /^h[1-3]$/.test(name) || node.closest("h1,h2,h3") !== null;
      const isCode = node.closest("code,pre,kbd,samp") !== null;
      add(isCode ? codeFonts : isHead ? headFonts : bodyFonts, familyOf(style), own);
      if (node.closest("a")) add(links, hexOf(style.color), own);
      else if (!isHead && !isCode) add(texts, hexOf(style.color), own);
      if (!isHead && !isCode) {
        add(sizes, style.fontSize, own);
        add(weights, style.fontWeight, own);
      }
    }
    if (name === "h1" && headSize.h1 === undefined) {
      headSize.h1 = style.fontSize;
      headSize.weight = Number(style.fontWeight);
    }
    if (name === "h2") headSize.h2 ??= style.fontSize;
    for (const gap of [style.paddingTop, style.paddingLeft, style.marginTop, style.marginBottom])
      if (/^\d+(?:\.\d+)?px$/.test(gap) && gap !== "0px") add(gaps, gap, 1);
    if (/^\d+(?:\.\d+)?px$/.test(style.borderTopLeftRadius) && style.borderTopLeftRadius !== "0px")
      add(radii, style.borderTopLeftRadius, isButton ? 3 : 1);
    const found = name === "img" || name === "svg" ? logoOf(node, box) : null;
    if (found !== null && found.score > (logo?.score ?? 0)) logo = found;
  }
  return {
    familyOf,
    texts,
    links,
    surfaces,
    bodyFonts,
    headFonts,
    codeFonts,
    sizes,
    weights,
    gaps,
    radii,
    buttons,
    input,
    logo,
    headSize,
  };
}

/** A picture near the top that is named a logo, or leads home from the head of the page. */
function logoOf(node: Element, box: DOMRect) {
  if (box.top + window.scrollY >= 400) return null;
  const around = node.closest("a,[class*=logo i],[id*=logo i],[class*=brand i]");
  const words = [node, around].map((one) =>
    ["class", "id", "alt", "src", "aria-label", "title"].map((each) => one?.getAttribute(each) ?? "").join(" "),
  );
  const isHome =
    around?.localName === "a" && /^(?:\/|\.\/|#)?$|^https?:\/\/[^/]+\/?$/.test(around.getAttribute("href") ?? "-");
  const score =
    (/logo/i.test(words.join(" ")) ? 3 : 0) + (isHome ? 2 : 0) + (node.closest("header,nav,[role=banner]") ? 1 : 0);
  const source =
    node.localName === "img"
      ? webUrl((node as HTMLImageElement).currentSrc || node.getAttribute("src"))
      : node.outerHTML.length < 20_000
        ? `data:image/svg+xml,${encodeURIComponent(node.outerHTML)}`
        : undefined;
  if (source === undefined || score < 2) return null;
  const alt = ["alt", "aria-label", "title"].map((name) => node.getAttribute(name)?.trim()).find(Boolean);
  return { source, score, alt, href: webUrl(node.closest("a")?.getAttribute("href")) };
}

/** The first of its transitions that takes time. */
function transitionOf({ transitionDuration, transitionTimingFunction }: CSSStyleDeclaration) {
  const durations = transitionDuration.split(",").map((one) => one.trim());
  const at = durations.findIndex((one) => Number.parseFloat(one) > 0);
  if (at < 0) return null;
  const easings = transitionTimingFunction.split(/,(?![^(]*\))/).map((one) => one.trim());
  const easing = easings[at % easings.length];
  return { transitionDuration: durations[at] ?? "", ...(easing ? { easing } : {}) };
}

function webUrl(written: string | null | undefined): string | undefined {
  if (!written) return undefined;
  try {
    const url = new URL(written, document.baseURI);
    return /^https?:$/.test(url.protocol) || url.href.startsWith("data:image/") ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export const readLookText = `() => {
  ${openColours} ${countStyles} ${logoOf} ${transitionOf} ${webUrl} ${detailHelpers}
  return (${readLook})(${readDetails});
}`;
