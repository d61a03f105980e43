/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, sent there as its own text: it may use nothing from outside itself.

/**
 * What nodes are asked, by the functions of the language and not by their names: in a form that holds a field of the name
 * "children", and in a document that holds a picture of the name "body", those names mean the field and the picture.
 */
export function openTree() {
  const getter = <Owner extends object, Name extends keyof Owner>(owner: Owner, name: Name) => {
    const get = Object.getOwnPropertyDescriptor(owner, name)?.get as () => Owner[Name];
    return (self: Owner): Owner[Name] => get.call(self);
  };
  const parent = getter(Node.prototype, "parentNode");
  const type = getter(Node.prototype, "nodeType");
  const first = getter(Node.prototype, "firstChild");
  const next = getter(Node.prototype, "nextSibling");
  const childNodes = (node: Node): Node[] => {
    const found: Node[] = [];
    for (let child = first(node); child !== null; child = next(child)) found.push(child);
    return found;
  };
  const isElement = (node: Node | null): node is Element => node !== null && type(node) === Node.ELEMENT_NODE;
  return {
    type,
    parent,
    isElement,
    parentElement: getter(Node.prototype, "parentElement"),
    document: getter(Node.prototype, "ownerDocument"),
    value: getter(Node.prototype, "nodeValue"),
    text: getter(Node.prototype, "textContent"),
    childNodes,
    children: (node: Node): Element[] => childNodes(node).filter(isElement),
    root: (node: Node): Node => Node.prototype.getRootNode.call(node),
    contains: (node: Node, other: Node): boolean => Node.prototype.contains.call(node, other),
    name: getter(Element.prototype, "localName"),
    html: getter(Element.prototype, "outerHTML"),
    shadow: getter(Element.prototype, "shadowRoot"),
    box: (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element),
    attribute: (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name),
    setAttribute: (element: Element, name: string, value: string): void =>
      Element.prototype.setAttribute.call(element, name, value),
    removeAttribute: (element: Element, name: string): void => Element.prototype.removeAttribute.call(element, name),
    matches: (element: Element, selector: string): boolean => Element.prototype.matches.call(element, selector),
    all: (node: Node, selector: string): Element[] => {
      const owner = isElement(node) ? Element : type(node) === Node.DOCUMENT_NODE ? Document : DocumentFragment;
      return [...owner.prototype.querySelectorAll.call(node, selector)];
    },
    view: getter(Document.prototype, "defaultView"),
    body: getter(Document.prototype, "body"),
    top: getter(Document.prototype, "documentElement"),
    doctype: getter(Document.prototype, "doctype"),
    implementation: getter(Document.prototype, "implementation"),
  };
}

export type TreeAccess = ReturnType<typeof openTree>;
