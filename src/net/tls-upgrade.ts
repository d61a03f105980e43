// TLS on a connection that is up. HTTP/2 is named first, as browsers do: a site that goes by the client's order gives it.
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { trustContext } from "./trust.ts";

export interface TlsOptions {
  skipTlsVerification: boolean;
  /** Trusted in addition to the certificates that come with Node. */
  certificates: readonly string[] | null;
}

export interface TlsTarget {
  hostname: string;
  port: number;
  offersHttp2: boolean;
}

/** The given socket is destroyed where that fails, or when the signal ends it. */
export type TlsUpgrade = (socket: Socket, target: TlsTarget, signal: AbortSignal) => Promise<TLSSocket>;

const maxSessions = 100;

/** One for each kind of connection: sessions must not travel from unverified to verified ones. */
export function createTlsUpgrade({ skipTlsVerification, certificates }: TlsOptions): TlsUpgrade {
  /** By host; the one that was set first goes first. */
  const sessions = new Map<string, Buffer>();

  function keepSession(hostname: string, session: Buffer): void {
    sessions.delete(hostname);
    sessions.set(hostname, session);
    const oldest = sessions.size > maxSessions ? sessions.keys().next().value : undefined;
    if (oldest !== undefined) sessions.delete(oldest);
  }

  function encrypt(plain: Socket, { hostname, port, offersHttp2 }: TlsTarget): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const session = sessions.get(hostname);
      const socket = connect({
        socket: plain,
        host: hostname,
        port,
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
        ...(session === undefined ? {} : { session }),
        ...(certificates === null ? {} : { secureContext: trustContext(certificates) }),
        rejectUnauthorized: !skipTlsVerification,
        ALPNProtocols: offersHttp2 ? ["h2", "http/1.1"] : ["http/1.1"],
      });
      socket.on("session", (next: Buffer) => keepSession(hostname, next));
      // It stays: until the connection is used, there is no other listener for errors.
      socket.on("error", reject);
      socket.once("secureConnect", () => resolve(socket));
      // Ends without an error when the site hangs up in the middle of the handshake.
      socket.once("close", () => reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    });
  }

  return async (socket, target, signal) => {
    const end = () => socket.destroy(signal.reason);
    signal.addEventListener("abort", end);
    try {
      return await encrypt(socket, target);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  };
}
