// Opens connections to other servers of this installation.
import type { Duplex } from "node:stream";
import { type Clock, type Logger, secondMs } from "../base/index.ts";
import type { Net } from "../net/index.ts";
import type { NodeRow } from "../store/index.ts";
import { type Channel, createChannel } from "./channel.ts";
import { type NodeKey, newNonce } from "./node-key.ts";

/** A server that does not answer, or not as one of ours. */
class NodeUnreachable extends Error {}

export type NodePath = "/internal/render" | "/internal/call" | "/internal/tunnel";

export interface NodeCalls {
  /** Throws NodeUnreachable. */
  open(node: NodeRow, path: NodePath): Promise<Channel>;
}

export interface NodeCallsDeps {
  net: Pick<Net, "openNodeSocket">;
  key: NodeKey;
  clock: Clock;
  log: Logger;
}

/** What upgrades a connection, and the header that signs it. */
export const nodeProtocol = "trawl-node";
export const nodeHeader = "x-trawl-node";
/** Rendered pages with their pictures. */
const maxAnswerBytes = 512 * 1024 * 1024;
const openMs = 5 * secondMs;
const maxHeadBytes = 8192;

export function createNodeCalls({ net, key, clock, log }: NodeCallsDeps): NodeCalls {
  async function greet(socket: Duplex, node: NodeRow, path: NodePath): Promise<Channel> {
    const nonce = newNonce();
    const lines = [
      `GET ${path} HTTP/1.1`,
      `host: ${new URL(node.url).host}`,
      `upgrade: ${nodeProtocol}`,
      "connection: upgrade",
      `${nodeHeader}: ${key.write({ path, at: clock.now(), nonce })}`,
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const head = await readHead(socket);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const theirs = new RegExp(`^${nodeHeader}: ([\\w-]{22})\r?$`, "im").exec(head)?.[1];
    if (status === 401) log.error({ node: node.url }, otherSecret);
    if (status !== 101 || theirs === undefined) throw new NodeUnreachable(`it answered ${status}`);
    const ofConnection = key.ofConnection(nonce, theirs);
    return createChannel(socket, { key: ofConnection, side: "caller", maxBytes: maxAnswerBytes });
  }

  return {
    async open(node, path) {
      let socket: Duplex | null = null;
      let timer: NodeJS.Timeout | undefined;
      try {
        const opened = await net.openNodeSocket(node.url);
        socket = opened;
        timer = setTimeout(() => opened.destroy(new Error("it did not answer in time")), openMs);
        return await greet(opened, node, path);
      } catch (error) {
        socket?.destroy();
        log.warn({ node: node.url, reason: String(error) }, "another server of this installation does not answer");
        throw new NodeUnreachable(String(error), { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const otherSecret =
  "another server of this installation refused a call: TRAWL_SECRET must be the same on every server, and their clocks right";

/** Up to the empty line; what follows stays in the connection. */
function readHead(socket: Duplex): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = Buffer.alloc(0);
    const stop = () => {
      socket.pause();
      socket.off("data", read);
      socket.off("close", fail);
      socket.off("error", fail);
    };
    const fail = (error?: unknown) => {
      stop();
      socket.on("error", () => undefined);
      reject(error instanceof Error ? error : new Error("it hung up"));
    };
    const read = (piece: Buffer) => {
      text = Buffer.concat([text, piece]);
      const end = text.indexOf("\r\n\r\n");
      if (end < 0 && text.length <= maxHeadBytes) return;
      if (end < 0) return fail(new Error("it answered at length"));
      stop();
      if (text.length > end + 4) socket.unshift(text.subarray(end + 4));
      resolve(text.subarray(0, end).toString("latin1"));
    };
    socket.on("data", read);
    socket.on("close", fail);
    socket.on("error", fail);
  });
}
