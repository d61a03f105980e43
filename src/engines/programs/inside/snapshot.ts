// A page as lines of text: Chromium's accessibility tree, with a ref for everything
// that can be pointed at.
import type { CDPSession } from "playwright-core";
import type { SnapshotRefs } from "./work.ts";

interface AccessibilityNode {
  nodeId: string;
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  value?: { value?: unknown };
  properties?: { name: string; value: { value?: unknown } }[];
  childIds?: string[];
  parentId?: string;
  backendDOMNodeId?: number;
}

const interactive = new Set([
  "button",
  "checkbox",
  "combobox",
  "link",
  "listbox",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "radio",
  "searchbox",
  "slider",
  "spinbutton",
  "switch",
  "tab",
  "textbox",
  "treeitem",
]);
/** Boxes without a meaning: their content replaces them. */
const transparent = new Set(["generic", "none", "presentation", "RootWebArea", "InlineTextBox", "LineBreak"]);
const shownStates = ["checked", "disabled", "expanded", "level", "required", "selected"];
const maxLines = 3000;
const maxNameLength = 300;

export async function takeSnapshot(
  protocol: CDPSession,
  isInteractiveOnly: boolean,
): Promise<{ text: string; refs: SnapshotRefs }> {
  const documentId = await readDocumentId(protocol);
  const { nodes } = (await protocol.send("Accessibility.getFullAXTree")) as unknown as { nodes: AccessibilityNode[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const refs: number[] = [];

  const write = (node: AccessibilityNode, depth: number, parentName: string): void => {
    if (lines.length >= maxLines) return;
    const role = String(node.role?.value ?? "");
    const name = oneLine(node.name?.value);
    let below = depth;
    if (!node.ignored && !transparent.has(role)) {
      const line = role === "StaticText" ? textLine(name, parentName) : elementLine(node, role, name);
      if (line !== null && (!isInteractiveOnly || interactive.has(role))) {
        lines.push(`${"  ".repeat(isInteractiveOnly ? 0 : depth)}- ${line}`);
        below += 1;
      }
    }
    for (const id of node.childIds ?? []) {
      const child = byId.get(id);
      if (child !== undefined) write(child, below, name);
    }
  };
  const elementLine = (node: AccessibilityNode, role: string, name: string): string => {
    const states = shownStates.flatMap((state) => {
      const value = node.properties?.find((property) => property.name === state)?.value.value;
      return value === undefined || value === false || value === "false" ? [] : [stateText(state, value)];
    });
    const value = oneLine(node.value?.value);
    const canBePointedAt = node.backendDOMNodeId !== undefined && (interactive.has(role) || name !== "");
    if (canBePointedAt) refs.push(node.backendDOMNodeId as number);
    return [
      role,
      ...(name === "" ? [] : [JSON.stringify(name)]),
      ...states,
      ...(canBePointedAt ? [`[ref=e${refs.length}]`] : []),
      ...(value === "" || value === name ? [] : [`: ${value}`]),
    ].join(" ");
  };

  const [root] = nodes;
  if (root !== undefined) write(root, 0, "");
  if (lines.length >= maxLines) lines.push("- … (the page goes on)");
  return { text: lines.join("\n"), refs: { documentId, nodes: refs } };
}

/** Changes with every document that the page shows. */
export async function readDocumentId(protocol: CDPSession): Promise<string> {
  const { frameTree } = await protocol.send("Page.getFrameTree");
  return frameTree.frame.loaderId;
}

/** Null where the element around it has said it already. */
function textLine(text: string, parentName: string): string | null {
  return text === "" || parentName.includes(text) ? null : `text: ${text}`;
}

function stateText(state: string, value: unknown): string {
  return value === true || value === "true" ? `[${state}]` : `[${state}=${String(value)}]`;
}

function oneLine(value: unknown): string {
  if (value === undefined || value === null) return "";
  return String(value).replace(/\s+/g, " ").trim().slice(0, maxNameLength);
}
