// The quality of a main part that the rules chose, in the same terms as the model's.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { isElement, type PageParts } from "../../html/index.ts";
import { type BlockVerdict, blockVerdicts } from "./block-verdicts.ts";
import { type Block, PageBlocks } from "./blocks.ts";
import type { PageSign } from "./feature-names.ts";
import type { Quality } from "./learned-main.ts";
import stored from "./page-sign-patterns.json" with { type: "json" };
import { readSignValues } from "./page-signs.ts";
import type { MainContent } from "./rule-based-main.ts";

/** Signs of a kind of page, the surest first. */
const kinds = Object.entries(stored.pageTypes) as [sign: PageSign, pageType: string][];

/** Undefined when the rules measured nothing. A page without any sign of its kind counts as an article. */
export function ruleQuality(parts: PageParts, { shares }: MainContent): Quality | undefined {
  if (shares === undefined || !Number.isFinite(shares.text)) return undefined;
  const signs = readSignValues(parts);
  const mainTextShare = share(shares.text);
  return {
    pageType: kinds.find(([sign]) => signs.get(sign) === 1)?.[1] ?? "article",
    mainTextShare,
    boilerplateShare: share(1 - mainTextShare),
    confidence: share(Number.isFinite(shares.plain) ? shares.plain : 0),
  };
}

function share(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;
}

/** The verdict on each visible block, and which element decided it. */
export function ruleVerdicts(
  whole: readonly ChildNode[],
  hidden: ReadonlySet<AnyNode>,
  main: MainContent,
): BlockVerdict[] {
  const page = new PageBlocks(whole, hidden);
  const roots = new Set<AnyNode>(main.nodes);
  return blockVerdicts(page, (block) => {
    const { isKept, by } = decide(page, block, main.dropped, roots);
    const name = by === null ? "the main part" : nameOf(by);
    const reason = isKept ? `inside of ${name}` : by === null ? `outside of ${name}` : `${name} frames the text`;
    return { isKept, reason };
  });
}

function decide(
  { elements, texts }: PageBlocks,
  { owner, textFirst }: Block,
  dropped: ReadonlySet<AnyNode>,
  roots: ReadonlySet<AnyNode>,
): { isKept: boolean; by: Element | null } {
  let inside: Element | null = null;
  let node: AnyNode | null = texts[textFirst] ?? elements[owner]?.element ?? null;
  for (; node !== null; node = node.parent) {
    if (!isElement(node)) continue;
    if (dropped.has(node)) return { isKept: false, by: node };
    if (roots.has(node)) inside ??= node;
  }
  return { isKept: inside !== null, by: inside };
}

/** As a selector would name it. */
function nameOf({ name, attribs }: Element): string {
  const [first] = (attribs.class ?? "").trim().split(/\s+/, 1);
  return `<${name}>${attribs.id ? `#${attribs.id.slice(0, 60)}` : first ? `.${first.slice(0, 60)}` : ""}`;
}
