// The cleaned HTML: without what was left out, with absolute URLs, each picture with the URL that it shows.
// Changes the tree, so it runs last.
import { render } from "dom-serializer";
import type { AnyNode, ChildNode, Element } from "domhandler";
import { attribute, hiddenMark, isElement, noAttributes, walk } from "../../html/index.ts";
import { takeOut } from "../../safety/index.ts";
import { imageSource } from "../links/image-source.ts";
import type { PageUrls } from "../links/page-urls.ts";
import { placeAttributes } from "./file-parts.ts";

const urlAttributes = ["href", "src", "poster", "cite", "action", "formaction", "background", "longdesc"];

export function toHtml(
  nodes: readonly ChildNode[],
  dropped: ReadonlySet<AnyNode>,
  urls: PageUrls,
  isFile = false,
): string {
  const kept = nodes.filter((node) => !dropped.has(node));
  const noscripts: Element[] = [];
  const clean = (node: AnyNode) => {
    if (!isElement(node)) return true;
    if (dropped.has(node)) return false;
    // What is shown of them must not vanish where scripts run.
    if (node.name === "noscript") noscripts.push(node);
    if (node.attribs !== noAttributes) cleanAttributes(node, urls);
    // A frozen object when the element has none.
    if (node.attribs[hiddenMark] !== undefined) delete node.attribs[hiddenMark];
    if (isFile) for (const name of placeAttributes) delete node.attribs[name];
    return true;
  };
  for (const node of kept) if (clean(node) && isElement(node)) walk(node, clean);
  // Only now: the sources of pictures are left out too, and had to be looked at.
  takeOut(dropped);
  for (const noscript of noscripts) noscript.name = "span";
  return render(kept, { encodeEntities: "utf8" }).trim();
}

function cleanAttributes(element: Element, urls: PageUrls): void {
  const { attribs, name } = element;
  const picture = name === "img" || name === "amp-img" ? imageSource(element, urls) : null;
  if (picture !== null) attribs.src = picture.url;
  delete attribs.srcset;
  for (const attributeName of urlAttributes) {
    const written = attribute(element, attributeName);
    if (written === undefined || written.startsWith("#")) continue;
    const url = urls.web(written);
    if (url !== null) attribs[attributeName] = url;
    else if (/^\s*(?:javascript|vbscript):/i.test(written)) delete attribs[attributeName];
  }
  // Event handlers: no other attributes begin so.
  for (const attributeName of Object.keys(attribs)) if (attributeName.startsWith("on")) delete attribs[attributeName];
}
