/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside a page, sent there as its own text: role and accessible name of elements, as the accessibility tree of Chromium has them.
// They are computed in the page, because a click may take its element away before anybody outside could ask for it.
import type { TreeAccess } from "./tree-access.ts";

/** Roles of elements: what their author says, or else what they are in HTML. */
export function openRoles(tree: TreeAccess) {
  const known = new Set(
    (
      "alert alertdialog application article banner button cell checkbox columnheader combobox complementary contentinfo dialog " +
      "document feed figure form grid gridcell group heading img link list listbox listitem log main menu menubar menuitem " +
      "menuitemcheckbox menuitemradio navigation note option progressbar radio radiogroup region row rowgroup rowheader scrollbar " +
      "search searchbox separator slider spinbutton status switch tab table tablist tabpanel term textbox timer toolbar tooltip " +
      "tree treegrid treeitem"
    ).split(" "),
  );
  const simple: Record<string, string> = {
    article: "article",
    aside: "complementary",
    button: "button",
    datalist: "listbox",
    details: "group",
    dialog: "dialog",
    fieldset: "group",
    figure: "figure",
    hr: "separator",
    li: "listitem",
    main: "main",
    menu: "list",
    meter: "meter",
    nav: "navigation",
    ol: "list",
    optgroup: "group",
    option: "option",
    output: "status",
    progress: "progressbar",
    search: "search",
    summary: "button",
    table: "table",
    tbody: "rowgroup",
    td: "cell",
    textarea: "textbox",
    tfoot: "rowgroup",
    thead: "rowgroup",
    tr: "row",
    ul: "list",
  };
  const inputs: Record<string, string> = {
    button: "button",
    checkbox: "checkbox",
    file: "button",
    hidden: "",
    image: "button",
    number: "spinbutton",
    radio: "radio",
    range: "slider",
    reset: "button",
    search: "searchbox",
    submit: "button",
  };
  const has = (element: Element, name: string) => tree.attribute(element, name) !== null;
  const isNamed = (element: Element) =>
    has(element, "aria-label") || has(element, "aria-labelledby") || has(element, "title");

  function typeOf(element: Element): string {
    return (tree.attribute(element, "type") ?? "").toLowerCase();
  }

  function isInSection(element: Element): boolean {
    for (let at = tree.parentElement(element); at !== null; at = tree.parentElement(at)) {
      if (/^(article|aside|main|nav|section)$/.test(tree.name(at))) return true;
    }
    return false;
  }

  function nativeRole(element: Element): string {
    const name = tree.name(element);
    if (name === "input") {
      const type = typeOf(element);
      const listed = has(element, "list") && !(type in inputs && type !== "search");
      return listed ? "combobox" : (inputs[type] ?? "textbox");
    }
    if (name === "a" || name === "area") return has(element, "href") ? "link" : "";
    if (/^h[1-6]$/.test(name)) return "heading";
    if (name === "select") {
      const size = Number(tree.attribute(element, "size") ?? 0);
      return has(element, "multiple") || size > 1 ? "listbox" : "combobox";
    }
    if (name === "th") return tree.attribute(element, "scope") === "row" ? "rowheader" : "columnheader";
    if (name === "img") return tree.attribute(element, "alt") === "" ? "" : "img";
    if (name === "section") return isNamed(element) ? "region" : "";
    if (name === "form") return "form";
    if (name === "header" || name === "footer")
      return isInSection(element) ? "" : name === "header" ? "banner" : "contentinfo";
    const editable = tree.attribute(element, "contenteditable");
    if (editable !== null && editable !== "false") return "textbox";
    return simple[name] ?? "";
  }

  function roleOf(element: Element): string {
    const given = (tree.attribute(element, "role") ?? "").toLowerCase().split(/\s+/);
    const own = given.find((each) => known.has(each));
    if (own !== undefined) return own === "image" ? "img" : own;
    return given.includes("none") || given.includes("presentation") ? "" : nativeRole(element);
  }

  return { roleOf, typeOf, has };
}

/** What elements say: their text as the page shows it. */
export function openTexts(tree: TreeAccess, { roleOf }: ReturnType<typeof openRoles>) {
  const longest = 500;
  const clean = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, longest);
  const styleOf = (element: Element) => getComputedStyle(element);

  function isHidden(element: Element): boolean {
    if (tree.attribute(element, "aria-hidden") === "true") return true;
    const { display, visibility } = styleOf(element);
    return display === "none" || visibility === "hidden" || visibility === "collapse";
  }

  function shownBy(element: Element, where: "::before" | "::after"): string {
    const { content } = getComputedStyle(element, where);
    return /^"(?:[^"\\]|\\.)*"$/.test(content) ? content.slice(1, -1).replace(/\\(.)/g, "$1") : "";
  }

  /** What is put into a text by an element that is no text itself. */
  function fieldText(element: Element, role: string): string | null {
    if (role === "textbox" || role === "searchbox" || role === "spinbutton" || role === "slider")
      return "value" in element ? String((element as HTMLInputElement).value) : null;
    if (tree.name(element) !== "select") return null;
    return Array.from((element as HTMLSelectElement).selectedOptions, (option) => tree.text(option) ?? "").join(" ");
  }

  /** `labelled`: its own text is no part of its label. */
  function contentOf(element: Element, seen: Set<Element>, root: Element, labelled: Element | null): string {
    if (seen.has(element) || seen.size > 2000) return "";
    seen.add(element);
    const parts: string[] = [shownBy(element, "::before")];
    const isSlot = tree.name(element) === "slot";
    const assigned = isSlot ? (element as HTMLSlotElement).assignedNodes() : [];
    const inner = tree.shadow(element);
    const nodes = assigned.length > 0 ? assigned : tree.childNodes(inner ?? element);
    for (const node of nodes) {
      if (!tree.isElement(node)) {
        if (tree.type(node) === Node.TEXT_NODE) parts.push(tree.value(node) ?? "");
        continue;
      }
      if (/^(script|style|template|noscript)$/.test(tree.name(node)) || isHidden(node) || node === labelled) continue;
      const role = roleOf(node);
      const value = node === root ? null : fieldText(node, role);
      const text = value ?? inlineName(node, role) ?? contentOf(node, seen, root, labelled);
      const isInline = styleOf(node).display.startsWith("inline") && tree.name(node) !== "br";
      parts.push(isInline ? text : ` ${text} `);
    }
    parts.push(shownBy(element, "::after"));
    return parts.join("");
  }

  function inlineName(element: Element, role: string): string | null {
    const given = clean(tree.attribute(element, "aria-label") ?? "");
    if (given !== "") return given;
    if (role === "img" || tree.name(element) === "img") return tree.attribute(element, "alt") ?? "";
    return null;
  }

  function textOf(element: Element, labelled: Element | null = null): string {
    return clean(contentOf(element, new Set(), element, labelled));
  }

  return { textOf, inlineName, isHidden, clean };
}

/** Names from labels, attributes and content. */
export function openNames(
  tree: TreeAccess,
  { roleOf, typeOf, has }: ReturnType<typeof openRoles>,
  { textOf, inlineName, isHidden, clean }: ReturnType<typeof openTexts>,
) {
  const named =
    /^(button|cell|checkbox|columnheader|gridcell|heading|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/;

  function byIds(element: Element, attribute: string): string {
    const root = tree.root(element) as Document | ShadowRoot;
    const ids = (tree.attribute(element, attribute) ?? "").split(/\s+/).filter(Boolean);
    const find = (id: string) => tree.all(root, `[id="${CSS.escape(id)}"]`)[0];
    return clean(
      ids
        .map((id) => find(id))
        .map((each) => (each === undefined ? "" : inlineName(each, roleOf(each)) || textOf(each)))
        .join(" "),
    );
  }

  function labelsOf(element: Element): Element[] {
    if (!/^(input|textarea|select|button|meter|output|progress)$/.test(tree.name(element))) return [];
    return [...((element as HTMLInputElement).labels ?? [])];
  }

  /** Its label as a person reads it. */
  function labelOf(element: Element): string {
    return (
      byIds(element, "aria-labelledby") ||
      clean(
        labelsOf(element)
          .map((label) => textOf(label, element))
          .join(" "),
      )
    );
  }

  /** What its author calls it, without its content. */
  function givenName(element: Element): string {
    const given = byIds(element, "aria-labelledby") || clean(tree.attribute(element, "aria-label") ?? "");
    if (given !== "") return given;
    const captions: Record<string, string> = {
      fieldset: "legend",
      table: "caption",
      figure: "figcaption",
      details: "summary",
    };
    const caption = captions[tree.name(element)];
    const first =
      caption === undefined ? undefined : tree.children(element).find((each) => tree.name(each) === caption);
    return first === undefined ? clean(tree.attribute(element, "title") ?? "") : textOf(first);
  }

  function nameOf(element: Element, role = roleOf(element)): string {
    const given = byIds(element, "aria-labelledby") || clean(tree.attribute(element, "aria-label") ?? "");
    if (given !== "") return given;
    const labels = clean(
      labelsOf(element)
        .map((label) => textOf(label, element))
        .join(" "),
    );
    if (labels !== "") return labels;
    const name = tree.name(element);
    const type = name === "input" ? typeOf(element) : "";
    if (/^(button|submit|reset)$/.test(type)) {
      const value = clean((element as HTMLInputElement).value);
      return value || { submit: "Submit", reset: "Reset" }[type] || clean(tree.attribute(element, "title") ?? "");
    }
    if (type === "image" || /^(img|area)$/.test(name)) {
      const alt = clean(tree.attribute(element, "alt") ?? tree.attribute(element, "value") ?? "");
      return alt || clean(tree.attribute(element, "title") ?? "") || (type === "image" ? "Submit" : "");
    }
    if (/^(fieldset|table|figure)$/.test(name)) return givenName(element);
    if (named.test(role) && name !== "input" && name !== "select" && name !== "textarea") {
      const content = textOf(element);
      if (content !== "") return content;
    }
    const title = clean(tree.attribute(element, "title") ?? "");
    return title || clean(tree.attribute(element, "placeholder") ?? tree.attribute(element, "aria-placeholder") ?? "");
  }

  return { nameOf, textOf, labelOf, labelsOf, givenName, isHidden, clean, has };
}
