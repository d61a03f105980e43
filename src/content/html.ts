// The cleaned HTML (API.md 2.2): without what was left out, addresses absolute, the largest picture of a srcset.
// Changes the tree, so it is asked last.
import { render } from "dom-serializer";
import type { AnyNode, ChildNode, Element } from "domhandler";
import { removeElement } from "domutils";
import type { Addresses } from "./addresses.ts";
import { largestOf } from "./image-source.ts";
import { attribute, isElement, walk } from "./nodes.ts";

export function toHtml(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>, addresses: Addresses): string {
  const kept = nodes.filter((node) => !dropped.has(node));
  for (const node of dropped) if (!nodes.includes(node as ChildNode)) removeElement(node as ChildNode);
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
