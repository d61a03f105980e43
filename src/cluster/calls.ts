// Opens connections to other servers of this installation.
import { type Clock, type Logger, secondMs } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import type { NodeRow } from "../store/index.ts";
import { type Channel, createChannel } from "./channel.ts";
import { type NodeKey, newNonce } from "./node-key.ts";

export type NodePath = "/internal/render" | "/internal/call" | "/internal/tunnel";

/** Null when the server does not answer, or not as one of this installation. */
export type OpenChannel = (node: NodeRow, path: NodePath) => Promise<Channel | null>;

interface NodeCallDeps {
  net: Pick<Net, "upgradeNode">;
  clock: Clock;
  log: Logger;
}

/** What upgrades a connection, and the header that signs it. */
export const nodeProtocol = "trawl-node";
export const nodeHeader = "x-trawl-node";
/** Rendered pages with their pictures. */
const maxAnswerBytes = 512 * 1024 * 1024;
const openMs = 5 * secondMs;

export function createNodeCalls({ net, clock, log }: NodeCallDeps, key: NodeKey): OpenChannel {
  async function greet(node: NodeRow, path: NodePath): Promise<Channel> {
    const nonce = newNonce();
    const headers = { upgrade: nodeProtocol, [nodeHeader]: key.write({ path, at: clock.now(), nonce }) };
    const answer = await net.upgradeNode(new URL(path, node.url), headers, openMs);
    const theirs = String(answer.headers[nodeHeader] ?? "");
    if (answer.status === 401) log.error({ node: node.url }, otherSecret);
    if (answer.socket === null || !/^[\w-]{22}$/.test(theirs)) {
      answer.socket?.destroy();
      throw new Error(`it answered ${answer.status}`);
    }
    const ofConnection = key.ofConnection(nonce, theirs);
    return createChannel(answer.socket, { key: ofConnection, side: "caller", maxBytes: maxAnswerBytes });
  }

  return (node, path) =>
    greet(node, path).catch((error: unknown) => {
      log.warn({ node: node.url, reason: String(error) }, "another server of this installation does not answer");
      return null;
    });
}

const otherSecret =
  "another server of this installation refused a call: TRAWL_SECRET must be the same on every server, and their clocks right";
