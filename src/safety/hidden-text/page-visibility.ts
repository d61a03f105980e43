// Whether an element or its text is visible: by its styles, or by the marks of a browser.
import type { AnyNode, Document, Element } from "domhandler";
import {
  attribute,
  hiddenMark,
  isElement,
  isText,
  noAttributes,
  orderOf,
  type PageParts,
  walk,
} from "../../html/index.ts";
import { areAlike, type Colour, colourOf, white } from "./css-values.ts";
import { PageStyles } from "./page-styles.ts";
import { hint } from "./rule-hints.ts";
import { type BoxKind, isFontTiny, isMoving, type ShownStyle, type Trick, trickOf } from "./tricks.ts";

/** "later": hidden at first for an ordinary reason: a click or a scroll shows it, or it is for screen readers. */
export type ElementVisibility = "visible" | "hidden" | "later";

/** Names of parts that are opened, selected or scrolled to. */
const laterNames =
  /accordion|collaps|tab-?(?:pane|panel|content|item|body)|(?:^|[\s_-])tabs?(?:$|[\s_-])|faq|answer|expand|disclosure|toggle|(?:show|read|see|view)-?more|menu|(?:^|[\s_-])nav|drop-?down|carousel|slide|swiper|lazy|tooltip|popover|spoiler|step|panel|loading|preload/i;
const fadingNames =
  /(?:^|[\s_-])(?:aos|wow|fade|reveal|anim|appear|motion|in-?view|scroll|elementor-invisible|gsap|sal|intro)|data-(?:aos|w-id|framer|anim|sal|scroll|motion|reveal)/i;
const screenReaderNames =
  /(?:^|[\s_-])(?:sr-?only|visually-?hidden|screen-?reader|a11y|assistive|accessib|visuallyhidden|hidden-visually|element-invisible|skip|offscreen|hide-?text|ir)(?:$|[\s_-])|screen-?reader|sr-only|visually-?hidden/i;
/** With so many transparent elements, the page fades its parts in. */
const manyFaded = 4;
const longNames = 600;
const maxVisited = 500;
const maxNamedIds = 2000;
const opaque = 0.9;
const clear = 0.05;

const inlineNames = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u var".split(
    " ",
  ),
);

const linkBlue: Colour = { red: 0, green: 0, blue: 238, alpha: 1 };

/** Not inherited. */
const ownHints = hint.trick;
/** Its own or inherited text style needs a closer look. */
const suspect = 64;
const colourHints = hint.pageColour | hint.otherColour;

/** The style of an element's text. */
interface TextStyle {
  /** Null when it is not set or cannot be resolved. */
  colour: Colour | null;
  colourOf: Element | null;
  /** Null when an image or an unknown background is behind the text. */
  background: Colour | null;
  backgroundOf: Element | null;
  /** The background is clipped to the text. */
  isPainted: boolean;
  isTiny: boolean;
  tinyOf: Element | null;
}

const unknownStyle: TextStyle = {
  colour: null,
  colourOf: null,
  background: null,
  backgroundOf: null,
  isPainted: false,
  isTiny: false,
  tinyOf: null,
};

export class PageVisibility {
  private readonly styles: PageStyles;
  private readonly parts: PageParts;
  readonly isRendered: boolean;
  /** By the order of the elements. */
  private readonly textStyles: TextStyle[] = [];
  private readonly hints: number[] = [];
  private readonly start: TextStyle;
  private opened: Set<string> | null = null;
  private faded: number | null = null;

  /** `isRendered`: a browser has marked what is hidden. */
  constructor(root: Document, parts: PageParts, isRendered: boolean) {
    this.parts = parts;
    this.isRendered = isRendered;
    this.styles = new PageStyles(root, parts);
    this.start = parts.hasForeignStyles ? unknownStyle : { ...unknownStyle, background: white };
  }

  /** Whether a style sheet of the page may hide anything. */
  get hasRules(): boolean {
    return this.styles.hasHints;
  }

  /** Of an element with everything below it. */
  of(element: Element): ElementVisibility {
    if (element.attribs === noAttributes && this.isRendered) return "visible";
    if (!this.isRendered && (this.hintsOf(element) & ownHints) === 0) return "visible";
    const inline = this.styles.inline(element);
    const box = this.boxOf(element);
    const own = trickOf(inline, box) ?? (isFontTiny(inline.get("font-size")) ? "size" : null);
    const mark = attribute(element, hiddenMark);
    if (this.isRendered) {
      const trick = isTrick(mark) ? mark : own;
      return trick === null ? "visible" : this.judge(element, trick, inline, own !== null);
    }
    const style = this.styles.of(element);
    const trick =
      own !== null && trickOf(style, box) === null && !isFontTiny(style.get("font-size"))
        ? null
        : (own ?? trickOf(style, box));
    return trick === null ? "visible" : this.judge(element, trick, style, own !== null);
  }

  private boxOf({ name }: Element): BoxKind {
    if (this.parts.hasForeignStyles || this.isRendered) return "unknown";
    return inlineNames.has(name) ? "inline" : "block";
  }

  /** Whether a style of the page shows what an attribute hides: `[hidden]{display:block}`. */
  showsAgainst(element: Element): boolean {
    const display = this.styles.displayOf(element);
    return display !== undefined && !/^(?:none|initial|inherit|unset|revert|revert-layer)$/.test(display);
  }

  /** A cheap check: most elements cannot hide text. */
  mayHideText(element: Element): boolean {
    if (this.isRendered) return element.attribs !== noAttributes && attribute(element, hiddenMark) === "text";
    return (this.hintsOf(element) & suspect) !== 0;
  }

  /** Whether the element's own text has the colour of its background, or is too small to read. */
  hidesText(element: Element): boolean {
    if (!this.mayHideText(element)) return false;
    if (this.isRendered) return true;
    const text = this.textStyleOf(element);
    const { colour, isPainted, isTiny } = text;
    if (isTiny && (text.tinyOf === element || !this.parts.hasForeignStyles)) return true;
    if (isPainted || !this.isAlike(text)) return false;
    if (colour !== null && colour.alpha < clear) return true;
    return !this.parts.hasForeignStyles || (text.backgroundOf !== null && text.backgroundOf === text.colourOf);
  }

  /** Its own hints, and those that its text inherits. */
  private hintsOf(element: Element): number {
    const known = this.hints[orderOf(element)];
    if (known !== undefined) return known;
    const { parent } = element;
    const above = parent && isElement(parent) ? this.hintsOf(parent) & ~ownHints : 0;
    const byRules = this.styles.hintsByRules(element);
    const byItself = element.attribs === noAttributes ? 0 : this.styles.hintsByAttribute(element) | oldHints(element);
    const own = byRules | byItself;
    const all = own === 0 ? above : above | own | this.suspicion(element, own, byItself, above | own);
    this.hints[orderOf(element)] = all;
    return all;
  }

  private suspicion(element: Element, own: number, byItself: number, all: number): number {
    if ((own & (hint.small | hint.clear)) !== 0) return suspect;
    if (!this.parts.hasForeignStyles) {
      const isAlike =
        (all & hint.pageColour) !== 0 || ((all & hint.otherColour) !== 0 && (all & hint.background) !== 0);
      return isAlike ? suspect : 0;
    }
    // Another sheet may paint what is above and below: colours count where letters and background are of one element.
    const isPainted = (byItself & (colourHints | hint.background)) !== 0;
    const isBoth = (own & colourHints) !== 0 && (own & hint.background) !== 0;
    return (isPainted || isBoth) && this.isAlike(this.deriveTextStyle(element, unknownStyle)) ? suspect : 0;
  }

  private isAlike({ colour, background }: TextStyle): boolean {
    return colour !== null && (colour.alpha < clear || (background !== null && areAlike(colour, background)));
  }

  private judge(element: Element, trick: Trick, style: ShownStyle, isInline: boolean): ElementVisibility {
    const isAnimated = trick === "opacity" || trick === "place" || trick === "size";
    if (isAnimated && (trick === "place" ? style.has("moves") : isMoving(style))) return "later";
    if (isInline && !isAnimated) return "hidden";
    if (this.hasLaterName(element, trick, isInline)) return "later";
    if (this.styles.canShow(element, trick) || this.isOpened(element)) return "later";
    if (trick === "opacity" && this.countFaded() >= manyFaded) return "later";
    return trick === "visibility" && this.showsAgain(element) ? "later" : "hidden";
  }

  private hasLaterName(element: Element, trick: Trick, isInline: boolean): boolean {
    const { attribs, name } = element;
    if (name === "nav" || /^(?:tabpanel|region|menu|navigation|listbox|tooltip)$/.test(attribs.role ?? "")) return true;
    const keys = trick === "opacity" ? Object.keys(attribs).join(" ") : "";
    const names = `${attribs.class ?? ""} ${attribs.id ?? ""} ${keys}`.slice(0, longNames);
    if (!isInline && laterNames.test(names)) return true;
    if (trick === "opacity") return name === "figure" || laterNames.test(names) || fadingNames.test(names);
    const isCut = trick === "clip" || trick === "place" || trick === "size";
    return isCut && !isInline && screenReaderNames.test(names);
  }

  /** A button or link of the page opens it by its id. */
  isOpened(element: Element): boolean {
    const id = attribute(element, "id");
    if (id === undefined || id === "") return false;
    this.opened ??= openedIds(this.parts);
    return this.opened.has(id);
  }

  private countFaded(): number {
    if (this.faded !== null) return this.faded;
    let count = 0;
    if (this.parts.body) {
      walk(this.parts.body, (node) => {
        if (isElement(node) && /opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)/i.test(attribute(node, "style") ?? "")) count += 1;
        return count < manyFaded ? true : "stop";
      });
    }
    this.faded = count;
    return count;
  }

  private showsAgain(element: Element): boolean {
    let visited = 0;
    let isShown = false;
    walk(element, (node) => {
      visited += 1;
      if (isElement(node) && this.styles.of(node).get("visibility") === "visible") isShown = true;
      return isShown || visited > maxVisited ? "stop" : true;
    });
    return isShown;
  }

  private textStyleOf(element: Element): TextStyle {
    const known = this.textStyles[orderOf(element)];
    if (known) return known;
    const { parent } = element;
    const above = parent && isElement(parent) ? this.textStyleOf(parent) : this.start;
    const text = this.deriveTextStyle(element, above);
    this.textStyles[orderOf(element)] = text;
    return text;
  }

  private deriveTextStyle(element: Element, above: TextStyle): TextStyle {
    const style = this.styles.paintOf(element);
    const old = element.attribs === noAttributes ? null : oldAttributes(element);
    const isLink = element.name === "a" && attribute(element, "href") !== undefined;
    if (style.size === 0 && old === null && !isLink) return above;
    const text: TextStyle = { ...above };
    const colour = style.get("-webkit-text-fill-color") ?? style.get("color") ?? old?.colour;
    if (colour !== undefined && !/^(?:inherit|currentcolor)$/.test(colour)) {
      Object.assign(text, { colour: colourOf(colour), colourOf: element });
    } else if (isLink && colour === undefined) Object.assign(text, { colour: linkBlue, colourOf: element });
    this.setBackground(text, element, style, old?.background);
    if (/\btext\b/.test(style.get("background-clip") ?? "")) text.isPainted = true;
    if (isFontTiny(style.get("font-size"))) Object.assign(text, { isTiny: true, tinyOf: element });
    else if (/px|rem|pt|medium|large|small|calc|vw/.test(style.get("font-size") ?? "")) text.isTiny = false;
    return text;
  }

  private setBackground(text: TextStyle, element: Element, style: ShownStyle, old: string | undefined): void {
    if (style.get("background-image") === "some") {
      Object.assign(text, { background: null, backgroundOf: element });
      return;
    }
    const written = style.get("background-color") ?? old;
    if (written === undefined) return;
    const colour = written === "currentcolor" ? text.colour : colourOf(written);
    if (colour !== null && colour.alpha < clear) return;
    Object.assign(text, {
      background: colour !== null && colour.alpha >= opaque ? colour : null,
      backgroundOf: element,
    });
  }
}

function isTrick(mark: string | undefined): mark is Trick {
  return mark !== undefined && mark !== "text";
}

/** Colours in presentational attributes always get a closer look. */
function oldHints(element: Element): number {
  const old = oldAttributes(element);
  return old === null ? 0 : (old.colour ? hint.pageColour : 0) | (old.background ? hint.background : 0);
}

const painted = new Set(["body", "table", "tbody", "tr", "td", "th"]);

/** Colours in presentational attributes. */
function oldAttributes(element: Element): { colour?: string | undefined; background?: string | undefined } | null {
  const { name } = element;
  if (name === "font") return { colour: oldColour(attribute(element, "color")) };
  if (!painted.has(name)) return null;
  if (attribute(element, "background") !== undefined) return { background: "unknown" };
  const background = oldColour(attribute(element, "bgcolor"));
  const colour = name === "body" ? oldColour(attribute(element, "text")) : undefined;
  return background === undefined && colour === undefined ? null : { colour, background };
}

function oldColour(written: string | undefined): string | undefined {
  const value = written?.trim().toLowerCase();
  return value !== undefined && /^[\da-f]{6}$/.test(value) ? `#${value}` : value;
}

/** The ids that buttons and links of the page open. */
function openedIds({ body }: PageParts): Set<string> {
  const ids = new Set<string>();
  if (body === null) return ids;
  walk(body, (node: AnyNode) => {
    if (isText(node) || !isElement(node) || node.attribs === noAttributes) return true;
    const { attribs } = node;
    for (const id of (attribs["aria-controls"] ?? "").split(/\s+/)) if (id !== "") ids.add(id);
    for (const name of ["href", "data-target", "data-bs-target", "data-toggle-target", "popovertarget"]) {
      const value = attribs[name];
      if (name === "popovertarget" && value) ids.add(value);
      else if (value?.startsWith("#") && value.length > 1) ids.add(value.slice(1));
    }
    return ids.size < maxNamedIds ? true : "stop";
  });
  return ids;
}
