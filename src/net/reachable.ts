// Whether something answers at a host and port that an operator has set.
import { connect } from "node:net";

/** The system's code of the reason, or `timeout`; null when the connection opens. */
export function whyNotReachable(host: string, port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (reason: string | null) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => end(null));
    socket.once("timeout", () => end("timeout"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
