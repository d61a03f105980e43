// SOCKS5 (RFC 1928, 1929) over a connection to the proxy: a tunnel to an address, never to a name. Own code because it is
// short, and because errors of the known package carry the proxy's credentials.
import { isIP, isIPv4, type Socket } from "node:net";
import { parseAddress } from "./address.ts";

export interface SocksLogin {
  username: string;
  password: string;
}

/** Why a proxy does not open the tunnel. */
export class SocksError extends Error {
  /** The proxy itself refuses us, whatever the target. */
  readonly isItsOwn: boolean;

  constructor(message: string, isItsOwn: boolean) {
    super(message);
    this.isItsOwn = isItsOwn;
  }
}

const noLogin = 0;
const withLogin = 2;
const addressBytes: Record<number, number> = { 1: 4, 4: 16 };
const replies: Record<number, string> = {
  1: "failed",
  2: "does not allow this connection",
  3: "cannot reach the site's network",
  4: "cannot reach the site",
  5: "was refused by the site",
  6: "did not reach the site in time",
  7: "does not open tunnels",
  8: "does not support this kind of address",
};
/** What is wrong with the target and not with the proxy. */
const targetReplies = new Set([1, 2, 3, 4, 5, 6, 8]);

/** Asks the proxy on the other end of `socket` for a tunnel; afterwards the socket is the target's. */
export async function openSocksTunnel(
  socket: Socket,
  address: string,
  port: number,
  { username, password }: SocksLogin,
): Promise<void> {
  const read = reader(socket);
  try {
    const hasLogin = username !== "";
    socket.write(Buffer.from(hasLogin ? [5, 2, noLogin, withLogin] : [5, 1, noLogin]));
    const [version, method] = await read.bytes(2);
    if (version !== 5) throw new SocksError("does not speak SOCKS5", true);
    if (method === withLogin && hasLogin) await logIn(socket, read, { username, password });
    else if (method !== noLogin) throw new SocksError("refuses the credentials", true);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), packAddress(address), packPort(port)]));
    const [, reply = 1, , kind = 0] = await read.bytes(4);
    if (reply !== 0) {
      throw new SocksError(replies[reply] ?? `refused the connection (${reply})`, !targetReplies.has(reply));
    }
    // The address that the proxy dialled from: unused, but it precedes the target's first byte.
    const length = kind === 3 ? ((await read.bytes(1))[0] as number) : (addressBytes[kind] ?? 0);
    await read.bytes(length + 2);
  } finally {
    read.end();
  }
}

async function logIn(socket: Socket, read: Reader, { username, password }: SocksLogin): Promise<void> {
  const [name, secret] = [Buffer.from(username), Buffer.from(password)];
  if (name.length > 255 || secret.length > 255)
    throw new SocksError("does not accept credentials of this length", true);
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]));
  const [, status] = await read.bytes(2);
  if (status !== 0) throw new SocksError("refuses the credentials", true);
}

function packAddress(text: string): Buffer {
  if (isIP(text) === 0) return Buffer.concat([Buffer.from([3, Buffer.byteLength(text)]), Buffer.from(text)]);
  const value = parseAddress(text)?.value ?? 0n;
  const [kind, length] = isIPv4(text) ? [1, 4] : [4, 16];
  // An IPv4 address that is written as IPv6 is sent as what it was judged as.
  const isMapped = length === 16 && parseAddress(text)?.family === 4;
  const bytes = isMapped ? 4 : length;
  const hex = value.toString(16).padStart(bytes * 2, "0");
  return Buffer.concat([Buffer.from([isMapped ? 1 : kind]), Buffer.from(hex, "hex")]);
}

function packPort(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255]);
}

interface Reader {
  bytes(count: number): Promise<Buffer>;
  end(): void;
}

/** Takes exactly as many bytes as requested from the socket; the rest stays in it. */
function reader(socket: Socket): Reader {
  let waiting: { count: number; done(bytes: Buffer): void; fail(error: Error): void } | null = null;
  const closed = () => waiting?.fail(new SocksError("closed the connection", true));
  const failed = (error: Error) => waiting?.fail(error);
  const look = () => {
    if (waiting === null) return;
    const bytes: Buffer | null = waiting.count === 0 ? Buffer.alloc(0) : socket.read(waiting.count);
    if (bytes === null) return;
    // The end of the stream hands out what is left, which may be less.
    if (bytes.length < waiting.count) waiting.fail(new SocksError("closed the connection", true));
    else waiting.done(bytes);
    waiting = null;
  };
  socket.on("readable", look);
  socket.on("end", closed);
  socket.on("close", closed);
  socket.on("error", failed);
  return {
    bytes: (count) =>
      new Promise((done, fail) => {
        waiting = { count, done, fail };
        if (socket.destroyed || socket.readableEnded) closed();
        else look();
      }),
    end() {
      socket.off("readable", look);
      socket.off("end", closed);
      socket.off("close", closed);
      socket.off("error", failed);
    },
  };
}
