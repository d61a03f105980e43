// The lists of a Word document: which marks items have, and which number comes next.
import { numberOf } from "../packages/opc.ts";
import { attributeOf, childOf, nodesOf, type XmlNode } from "../packages/xml.ts";

interface ListLevel {
  format: string;
  start: number;
}

export interface NumberedItem {
  isOrdered: boolean;
  number: number;
}

export class Numbering {
  /** Levels by the id that paragraphs name. */
  private readonly lists = new Map<string, Map<number, ListLevel>>();
  private readonly counts = new Map<string, number[]>();
  private readonly abstractOf = new Map<string, string>();

  constructor(root: XmlNode | undefined) {
    const numbering = childOf(root, "numbering");
    const abstracts = new Map<string, Map<number, ListLevel>>();
    const styled = new Map<string, string>();
    for (const each of nodesOf(numbering, "abstractNum")) {
      const id = attributeOf(each, "abstractNumId") ?? "";
      abstracts.set(id, levelsOf(each));
      const link = childOf(each, "styleLink");
      if (link) styled.set(attributeOf(link, "val") ?? "", id);
    }
    for (const each of nodesOf(numbering, "abstractNum")) {
      const link = childOf(each, "numStyleLink");
      const target = link && styled.get(attributeOf(link, "val") ?? "");
      const levels = target === undefined ? undefined : abstracts.get(target);
      if (levels) abstracts.set(attributeOf(each, "abstractNumId") ?? "", levels);
    }
    for (const each of nodesOf(numbering, "num")) {
      const id = attributeOf(each, "numId") ?? "";
      const abstract = attributeOf(childOf(each, "abstractNumId") ?? each, "val") ?? "";
      this.abstractOf.set(id, abstract);
      const levels = new Map(abstracts.get(abstract));
      for (const override of nodesOf(each, "lvlOverride")) this.override(levels, override, id);
      this.lists.set(id, levels);
    }
  }

  /** The item's mark and number; null for a paragraph that is in no list after all. */
  next(numberId: string, level: number): NumberedItem | null {
    if (numberId === "0") return null;
    const levels = this.lists.get(numberId);
    if (!levels) return null;
    const { format, start } = levels.get(level) ?? { format: "bullet", start: 1 };
    const key = this.abstractOf.get(numberId) ?? numberId;
    const counts = this.counts.get(key) ?? [];
    counts.length = level + 1;
    const number = counts[level] === undefined ? start : counts[level] + 1;
    counts[level] = number;
    this.counts.set(key, counts);
    if (format === "none") return null;
    return { isOrdered: format !== "bullet", number };
  }

  private override(levels: Map<number, ListLevel>, override: XmlNode, id: string): void {
    const level = numberOf(override, "ilvl") ?? 0;
    const start = numberOf(childOf(override, "startOverride"), "val");
    const whole = childOf(override, "lvl");
    if (whole) levels.set(level, levelOf(whole));
    const known = levels.get(level);
    if (start === undefined || !known) return;
    levels.set(level, { ...known, start });
    // A list that restarts has its own counters.
    this.abstractOf.set(id, `num ${id}`);
  }
}

function levelsOf(abstract: XmlNode): Map<number, ListLevel> {
  return new Map(nodesOf(abstract, "lvl").map((level) => [numberOf(level, "ilvl") ?? 0, levelOf(level)]));
}

function levelOf(level: XmlNode): ListLevel {
  const format = childOf(level, "numFmt");
  return {
    format: (format && attributeOf(format, "val")) ?? "decimal",
    start: numberOf(childOf(level, "start"), "val") ?? 1,
  };
}
