// Declarative shadow trees: what an element's own tree shows of the nodes that were written into the element.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { attribute, isElement, isText } from "../../html/index.ts";

interface Host {
  /** The nodes written into the element, by the name of the place they are meant for. */
  slots: Map<string, ChildNode[]>;
}

export class ShadowTrees {
  private readonly hosts: (Host | null)[] = [];
  /** Nodes that are shown in the tree of their element and nowhere else. */
  private placed: Set<AnyNode> | null = null;

  /** True for nodes that are shown elsewhere. */
  isPlaced(node: AnyNode): boolean {
    return this.placed?.has(node) === true;
  }

  enter(template: Element): void {
    const host = template.parent;
    if (host === null || !isElement(host)) {
      this.hosts.push(null);
      return;
    }
    const slots = new Map<string, ChildNode[]>();
    for (let node = template.next; node; node = node.next) {
      if (isText(node) && node.data.trim() === "") continue;
      this.placed ??= new Set();
      this.placed.add(node);
      const name = isElement(node) ? (attribute(node, "slot") ?? "") : "";
      const nodes = slots.get(name);
      if (nodes === undefined) slots.set(name, [node]);
      else nodes.push(node);
    }
    this.hosts.push({ slots });
  }

  leave(): void {
    this.hosts.pop();
  }

  /** What a slot shows: each node once, as in a browser. */
  take(slot: Element): ChildNode[] {
    const host = this.hosts[this.hosts.length - 1];
    const name = attribute(slot, "name") ?? "";
    const nodes = host?.slots.get(name) ?? [];
    host?.slots.delete(name);
    return nodes;
  }
}
