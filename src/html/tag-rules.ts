// The rules of HTML for its tags: which have no content, which close others, what they may contain. As in htmlparser2's parser.
import type { ContentModel } from "./html-scanner.ts";

/** Whose rules apply in an element: those of HTML, SVG or MathML. */
export type Language = "html" | "svg" | "math";

export interface TagRule {
  name: string;
  /** Never has content, and no end tag. */
  isVoid: boolean;
  /** Open elements that end where this one begins. */
  closes: ReadonlySet<string> | null;
  content: ContentModel;
  /** Whose rules apply inside of it, when they change. */
  language: Language | null;
  /** How drawings write the name. */
  svgName: string | null;
}

const rules = new Map<string, TagRule>();

/** The rule of a name in lower case, or of one that drawings write otherwise. */
export function tagRule(name: string): TagRule {
  return rules.get(name) ?? makeRule(name);
}

function makeRule(name: string): TagRule {
  return { name, isVoid: false, closes: null, content: "markup", language: null, svgName: null };
}

function change(names: string, changes: Partial<TagRule>): void {
  for (const name of names.split(" ")) rules.set(name, Object.assign(tagRule(name), changes));
}

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

// These have no rules, but are so frequent that each is made once.
change(
  "html head span b i em strong small u s code sup sub label center font noscript button picture video audio caption thead " +
    "section cite time del ins abbr kbd samp q path g",
  {},
);
change("area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr", {
  isVoid: true,
});

change(
  "p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre " +
    "section table ul",
  { closes: set("p") },
);
change("h1 h2 h3 h4 h5 h6", { closes: set("h1 h2 h3 h4 h5 h6 p") });
change("select input output button datalist textarea", {
  closes: set("input option optgroup select button datalist textarea"),
});
change("tr", { closes: set("tr th td") });
change("th", { closes: set("th") });
change("td", { closes: set("thead th td") });
change("tbody tfoot", { closes: set("thead tbody") });
change("body", { closes: set("head link script") });
change("a", { closes: set("a") });
change("li", { closes: set("li") });
change("option", { closes: set("option") });
change("optgroup", { closes: set("optgroup option") });
change("dd dt", { closes: set("dd dt") });
change("rt rp", { closes: set("rt rp") });

change("script style iframe noembed noframes xmp", { content: "raw" });
change("title textarea", { content: "references" });
change("plaintext", { content: "plain" });

change("svg", { language: "svg" });
change("math", { language: "math" });
change("mi mo mn ms mtext annotation-xml foreignObject desc title", { language: "html" });

for (const svgName of (
  "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix " +
  "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood " +
  "feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight " +
  "feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath"
).split(" ")) {
  change(svgName.toLowerCase(), { svgName });
}
