// The cleaned HTML (API.md 2.2): without what was left out, addresses absolute, the largest picture of a srcset.
// Changes the tree, so it is asked last.
import { render } from "dom-serializer";
import type { AnyNode, ChildNode, Element, ParentNode } from "domhandler";
import type { Addresses } from "./addresses.ts";
import { largestOf } from "./image-source.ts";
import { attribute, isElement, walk } from "./nodes.ts";

export function toHtml(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>, addresses: Addresses): string {
  removeAll(dropped);
  const kept = nodes.filter((node) => !dropped.has(node));
  for (const node of kept) {
    if (!isElement(node)) continue;
    makeAbsolute(node, addresses);
    walk(node, (below) => {
      if (isElement(below)) makeAbsolute(below, addresses);
      return true;
    });
  }
  return render(kept, { encodeEntities: "utf8" }).trim();
}

/** Parent by parent: taking nodes out one at a time costs the square of a parent's children. */
function removeAll(dropped: ReadonlySet<AnyNode>): void {
  const parents = new Set<ParentNode>();
  for (const node of dropped) if (node.parent) parents.add(node.parent);
  for (const parent of parents) parent.children = parent.children.filter((child) => !dropped.has(child));
}

function makeAbsolute(element: Element, addresses: Addresses): void {
  const largest = largestOf(attribute(element, "srcset"));
  if (largest !== null && element.name === "img") element.attribs.src = largest;
  delete element.attribs.srcset;
  for (const name of ["href", "src"]) {
    const written = attribute(element, name);
    const address = written === undefined || written.startsWith("#") ? null : addresses.web(written);
    if (address !== null) element.attribs[name] = address;
  }
}
