// Office Open XML packages: parts, how they refer to each other, and what is known of the document.

import type { ZipArchive } from "../../zip/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { attributeOf, childOf, findNode, nodesOf, parsePart, type XmlNode, xmlText } from "./xml.ts";

export interface Relation {
  target: string;
  type: string;
  /** An address outside of the package: it is shown, never fetched. */
  isExternal: boolean;
}

export type Relations = ReadonlyMap<string, Relation>;

export class OfficePackage {
  readonly zip: ZipArchive;

  constructor(zip: ZipArchive) {
    this.zip = zip;
  }

  part(name: string): XmlNode | undefined {
    const bytes = this.zip.read(name);
    return bytes ? parsePart(bytes) : undefined;
  }

  /** For parts that only say how things look: a document without them is worth reading. */
  partIfReadable(name: string): XmlNode | undefined {
    try {
      return this.part(name);
    } catch (error) {
      if (error instanceof FileFault && error.kind === "limit") throw error;
      return undefined;
    }
  }

  /** Those of one part; targets are names of parts unless they are external. */
  relationsOf(part: string): Relations {
    const slash = part.lastIndexOf("/");
    const folder = part.slice(0, slash + 1);
    const root = this.part(`${folder}_rels/${part.slice(slash + 1)}.rels`);
    const relations = new Map<string, Relation>();
    for (const relation of nodesOf(childOf(root, "Relationships"), "Relationship")) {
      const { Id = "", Target = "", Type = "", TargetMode } = relation.attributes;
      const isExternal = TargetMode === "External";
      const type = Type.slice(Type.lastIndexOf("/") + 1);
      relations.set(Id, { target: isExternal ? Target : resolvePart(folder, Target), type, isExternal });
    }
    return relations;
  }

  /** The part that the package is about. */
  mainPart(otherwise: string): string {
    for (const { type, target, isExternal } of this.relationsOf("").values())
      if (type === "officeDocument" && !isExternal && this.zip.has(target)) return target;
    return otherwise;
  }

  /** The part that a part refers to by a type of relation. */
  related(relations: Relations, type: string): string | undefined {
    for (const relation of relations.values())
      if (relation.type === type && !relation.isExternal) return relation.target;
    return undefined;
  }

  facts(): Pick<ParsedFile, "title" | "author" | "createdAt" | "modifiedAt"> {
    const core = this.related(this.relationsOf(""), "core-properties") ?? "docProps/core.xml";
    const root = this.partIfReadable(core);
    const fact = (name: string) => xmlText(findNode(root, name)).trim();
    return {
      title: fact("title"),
      author: fact("creator"),
      createdAt: fact("created"),
      modifiedAt: fact("modified"),
    };
  }
}

/** A relative target against the folder of the part that names it. */
export function resolvePart(folder: string, target: string): string {
  const path = target.startsWith("/") ? target.slice(1) : folder + target;
  const parts: string[] = [];
  for (const step of path.split("/")) {
    if (step === "..") parts.pop();
    else if (step !== "." && step !== "") parts.push(step);
  }
  return parts.join("/");
}

/** Alternatives of which a reader takes the first that it knows. */
export function chosenAlternative(node: XmlNode): XmlNode | undefined {
  return childOf(node, "Choice") ?? childOf(node, "Fallback");
}

export function numberOf(node: XmlNode | undefined, local: string): number | undefined {
  const number = Number.parseInt(attributeOf(node, local) ?? "", 10);
  return Number.isFinite(number) ? number : undefined;
}
