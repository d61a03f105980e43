// Messages between two servers over one connection: each has its length, a signature and the value. A message that the other
// side has not signed, or that comes out of turn, ends the connection.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Duplex } from "node:stream";
import { deserialize, serialize } from "node:v8";

export interface ChannelOptions {
  key: Buffer;
  side: "caller" | "called";
  /** Of one message. */
  maxBytes: number;
}

const lengthBytes = 4;
const headBytes = lengthBytes + 32;

export type Channel = ReturnType<typeof createChannel>;

export function createChannel(socket: Duplex, { key, side, maxBytes }: ChannelOptions) {
  const counts = { sent: 0, received: 0 };
  let pieces: Buffer[] = [];
  let held = 0;
  let waiting: ((message: unknown) => void) | null = null;
  let isGone = false;
  let markClosed = () => {};
  const closed = new Promise<void>((done) => {
    markClosed = done;
  });

  const signatureOf = (from: ChannelOptions["side"], nth: number, bytes: Buffer) =>
    createHmac("sha256", key).update(`${from} ${nth}\n`).update(bytes).digest();

  function gather(): Buffer {
    const all = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    pieces = [all];
    return all;
  }

  /** Undefined while it is not there as a whole. */
  function take(): unknown {
    if (held < headBytes) return undefined;
    const first = pieces[0] as Buffer;
    const head = first.length >= headBytes ? first : gather();
    const size = head.readUInt32BE(0);
    if (size > maxBytes) throw new Error("a message of a server is too large");
    if (held < headBytes + size) return undefined;
    const all = gather();
    const body = all.subarray(headBytes, headBytes + size);
    const expected = signatureOf(side === "caller" ? "called" : "caller", counts.received, body);
    if (!timingSafeEqual(all.subarray(lengthBytes, headBytes), expected)) throw new Error("a message is not signed");
    counts.received += 1;
    pieces = [all.subarray(headBytes + size)];
    held -= headBytes + size;
    return deserialize(body);
  }

  function pump(): void {
    if (waiting === null) return;
    let message: unknown;
    try {
      message = take();
    } catch {
      socket.destroy();
      isGone = true;
    }
    if (message === undefined && !isGone) return;
    const give = waiting;
    waiting = null;
    give(message ?? null);
  }

  const onData = (piece: Buffer) => {
    pieces.push(piece);
    held += piece.length;
    if (held > maxBytes + headBytes) socket.destroy();
    pump();
  };
  const onClose = () => {
    isGone = true;
    markClosed();
    pump();
  };
  const onError = () => socket.destroy();
  socket.on("data", onData);
  socket.on("close", onClose);
  socket.on("end", onError);
  socket.on("error", onError);
  // Whoever had it before may have paused it.
  socket.resume();

  return {
    send(message: unknown): void {
      const bytes = serialize(message);
      const head = Buffer.alloc(lengthBytes);
      head.writeUInt32BE(bytes.length);
      socket.write(Buffer.concat([head, signatureOf(side, counts.sent, bytes), bytes]));
      counts.sent += 1;
    },
    /** The next message of the other side; null when it has hung up. */
    next(): Promise<unknown> {
      return new Promise((give) => {
        waiting = give;
        pump();
      });
    },
    /** Resolves when either side has ended the connection. */
    closed,
    /** Ends the connection at once. */
    cut: () => void socket.destroy(),
    /** The bare connection, for what is no message; the channel is not used any more. */
    release(): Duplex {
      socket.pause();
      socket.off("data", onData);
      socket.off("close", onClose);
      socket.off("end", onError);
      socket.off("error", onError);
      const rest = Buffer.concat(pieces);
      if (rest.length > 0) socket.unshift(rest);
      return socket;
    },
  };
}
