// Closed shadow roots that are written into a page's HTML. No script made them, so only the browser itself can say where they are.

import type { Page, Response } from "playwright-core";
import type { PageNotes } from "./page-scripts.ts";
import { orElse } from "./wait-until-settled.ts";

const written = /shadowrootmode\s*=\s*["']?closed/i;
const maxRoots = 500;
/** For all of them together; a page that lets its tree be read names them at once, and only a busy machine needs more. */
const rootsMs = 10_000;

interface TreeNode {
  backendNodeId: number;
  shadowRootType?: string;
  shadowRoots?: TreeNode[];
  children?: TreeNode[];
  contentDocument?: TreeNode;
}

/** Adds them to the notes under `key`, which the reader of the tree looks at. Pages whose HTML writes none cost one look at it. */
export async function noteWrittenRoots(page: Page, document: Response | null, key: string): Promise<void> {
  const noting = note(page, document, key).catch(() => undefined); // The page is gone, or went elsewhere.
  await orElse(noting, rootsMs, undefined);
}

async function note(page: Page, document: Response | null, key: string): Promise<void> {
  const body = await document?.body();
  if (body === undefined || !written.test(body.toString("latin1"))) return;
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send("DOM.getDocument", { depth: -1, pierce: true });
  for (const backendNodeId of closedRoots(root)) {
    const { objectId } = (await session.send("DOM.resolveNode", { backendNodeId })).object;
    if (objectId === undefined) continue;
    await session.send("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: String(keepRoot),
      arguments: [{ value: key }],
    });
  }
  await session.detach();
}

function closedRoots(document: TreeNode): number[] {
  const found: number[] = [];
  const waiting: TreeNode[] = [document];
  for (let node = waiting.pop(); node !== undefined && found.length < maxRoots; node = waiting.pop()) {
    for (const root of node.shadowRoots ?? []) {
      if (root.shadowRootType === "user-agent") continue;
      if (root.shadowRootType === "closed") found.push(root.backendNodeId);
      waiting.push(root);
    }
    if (node.contentDocument) waiting.push(node.contentDocument);
    for (const child of node.children ?? []) waiting.push(child);
  }
  return found;
}

/** Runs in the page. */
function keepRoot(this: ShadowRoot, key: string): void {
  const view = this.ownerDocument.defaultView as unknown as Record<symbol, PageNotes | undefined> | null;
  view?.[Symbol.for(key)]?.closedRoots.push(this);
}
