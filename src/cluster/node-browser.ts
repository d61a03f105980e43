// The browser of a server among others: its own, or that of a server that renders for it. Those that only answer or work leave
// rendering to servers with the role "browser" while there are any; one without Chromium leaves it to whoever has one.
import type { Logger } from "../base/index.ts";
import type { BrowserEngine, BrowserStatus, RenderOutcome, RenderRequest } from "../engines/index.ts";
import type { NodeRow } from "../store/index.ts";
import type { NodeCalls } from "./calls.ts";
import type { Directory, Role } from "./directory.ts";
import { createRemoteRender } from "./remote-render.ts";

export interface NodeBrowserDeps {
  /** The browser of this server, be it there or not. */
  own: BrowserEngine;
  role: Role;
  directory: Pick<Directory, "others" | "look" | "doubt">;
  calls: NodeCalls;
  log: Logger;
}

export interface NodeBrowser {
  /** What features use. */
  engine: BrowserEngine;
  /** Renders here, whoever asked. */
  renderHere(request: RenderRequest): Promise<RenderOutcome>;
  /** Pages that are rendered here now. */
  count(): number;
  /** Whether others do what needs a browser. */
  leavesToOthers(): boolean;
  /** The least busy of the servers that open sessions. */
  pickForSession(): Promise<NodeRow | null>;
}

const whyNone = (reason = "") => `${reason} Or start a server with --role browser on the same database.`.trimStart();

export function createNodeBrowser({ own, role, directory, calls, log }: NodeBrowserDeps): NodeBrowser {
  /** Pages that this server has sent to others. */
  const sent = new Map<string, number>();
  let rendering = 0;

  const able = (has: (node: NodeRow) => boolean) =>
    directory.others().filter((node) => (node.role === "browser" || node.role === "all") && has(node));

  function leavesToOthers(): boolean {
    const nodes = able(({ hasBrowser }) => hasBrowser);
    if (nodes.length > 0 && !own.status().available) return true;
    return (role === "api" || role === "worker") && nodes.some((node) => node.role === "browser");
  }

  async function pick(has: (node: NodeRow) => boolean, exclude: readonly NodeRow[]): Promise<NodeRow | null> {
    const left = () => able(has).filter(({ id }) => !exclude.some((other) => other.id === id));
    if (left().length === 0) await directory.look();
    const busy = (node: NodeRow) => node.load + (sent.get(node.id) ?? 0) + (node.role === "browser" ? 0 : 1000);
    const [first = null] = left().toSorted((one, other) => busy(one) - busy(other));
    return first;
  }

  const renderThere = createRemoteRender({
    calls,
    log,
    doubt: directory.doubt,
    canRender: () => own.status().available,
    pick: (exclude) => pick(({ hasBrowser }) => hasBrowser, exclude),
    note(node, change) {
      const count = (sent.get(node.id) ?? 0) + change;
      if (count > 0) sent.set(node.id, count);
      else sent.delete(node.id);
    },
  });

  async function renderHere(request: RenderRequest): Promise<RenderOutcome> {
    rendering += 1;
    try {
      return await own.render(request);
    } finally {
      rendering -= 1;
    }
  }

  function status(): BrowserStatus {
    const mine = own.status();
    if (leavesToOthers()) {
      const isolated = able(({ hasSessions }) => hasSessions).length > 0;
      return { available: true, sandbox: true, isolated, path: "another server" };
    }
    return mine.available ? mine : { ...mine, reason: whyNone(mine.reason) };
  }

  const engine: BrowserEngine = {
    ...own,
    status,
    async render(request) {
      const outcome = leavesToOthers() ? await renderThere(request) : null;
      if (outcome !== null) return outcome;
      const { available, reason } = own.status();
      return available ? renderHere(request) : { ok: false, code: "BROWSER_NOT_AVAILABLE", message: whyNone(reason) };
    },
  };
  return {
    engine,
    renderHere,
    count: () => rendering,
    leavesToOthers,
    pickForSession: () => pick(({ hasSessions }) => hasSessions, []),
  };
}
