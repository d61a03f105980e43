// The browser of a server among others: its own, or that of a server that renders for it. Those that only answer or work leave
// rendering to servers with the role "browser" while there are any; one without Chromium leaves it to one that has it.
import type { Logger } from "../base/index.ts";
import type { BrowserEngine, BrowserStatus, RenderOutcome, RenderRequest } from "../engines/index.ts";
import { stoppedBy } from "../net/index.ts";
import type { NodeRow } from "../store/index.ts";
import type { OpenChannel } from "./calls.ts";
import type { Directory, Role } from "./directory.ts";
import { renderOver } from "./remote-render.ts";

interface NodeBrowserDeps {
  /** The browser of this server, whether or not it is available. */
  own: BrowserEngine;
  role: Role;
  directory: Directory;
  openChannel: OpenChannel;
  log: Logger;
}

type Has = (node: NodeRow) => boolean;

/** Servers that may end while they render one page. */
const tries = 2;
const whyNone = (reason = "") => `${reason} Or start a server with --role browser on the same database.`.trimStart();

export type NodeBrowser = ReturnType<typeof createNodeBrowser>;

export function createNodeBrowser({ own, role, directory, openChannel, log }: NodeBrowserDeps) {
  /** Pages that this server has sent to others. */
  const sent = new Map<string, number>();
  let rendering = 0;

  const able = (has: Has) =>
    directory.others().filter((node) => (node.role === "browser" || node.role === "all") && has(node));

  /** Whether others do what needs a browser. */
  function leavesToOthers(): boolean {
    const nodes = able(({ hasBrowser }) => hasBrowser);
    if (nodes.length > 0 && !own.status().available) return true;
    return (role === "api" || role === "worker") && nodes.some((node) => node.role === "browser");
  }

  /** The least busy one. */
  async function pick(has: Has, exclude: readonly NodeRow[]): Promise<NodeRow | null> {
    const left = () => able(has).filter(({ id }) => !exclude.some((other) => other.id === id));
    if (left().length === 0) await directory.look();
    const busy = (node: NodeRow) => node.load + (sent.get(node.id) ?? 0) + (node.role === "browser" ? 0 : 1000);
    const [first = null] = left().toSorted((one, other) => busy(one) - busy(other));
    return first;
  }

  function countSent({ id }: NodeRow, change: 1 | -1): void {
    const count = (sent.get(id) ?? 0) + change;
    if (count > 0) sent.set(id, count);
    else sent.delete(id);
  }

  /** Null when no server with a browser is left, and this one may do it. */
  async function renderThere(request: RenderRequest): Promise<RenderOutcome | null> {
    const failed: NodeRow[] = [];
    for (let lost = 0; lost < tries; ) {
      const node = await pick(({ hasBrowser }) => hasBrowser, failed);
      if (node === null) return lost === 0 || own.status().available ? null : ended;
      failed.push(node);
      const channel = await openChannel(node, "/internal/render");
      if (channel === null) {
        directory.doubt(node);
        continue;
      }
      countSent(node, 1);
      const outcome = await renderOver(channel, request).finally(() => countSent(node, -1));
      if (outcome !== null) return outcome;
      if (request.signal.aborted) {
        const { code, message } = stoppedBy(request.signal);
        return { ok: false, code, message };
      }
      lost += 1;
      directory.doubt(node);
      log.warn({ node: node.url }, "the server that rendered a page ended; another one does");
    }
    return ended;
  }

  /** Renders here, for this server or another. */
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

  /** What features use. */
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
    /** Pages that are rendered here now. */
    count: () => rendering,
    leavesToOthers,
    pickForSession: () => pick(({ hasSessions }) => hasSessions, []),
  };
}

const ended: RenderOutcome = {
  ok: false,
  code: "SCRAPE_SITE_ERROR",
  message: "The server that was rendering the page stopped",
};
