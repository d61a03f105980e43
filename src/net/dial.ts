// Opens TCP connections: to addresses that were decided before, and to what an operator has set.
import { connect, isIP, type LookupFunction, type Socket } from "node:net";

const attemptMs = 1000;
const readBufferBytes = 64 * 1024;

/** Rejects with the system's error, or with the signal's reason. */
export function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [only] = addresses;
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, records);
    else done(null, records[0]?.address ?? "", records[0]?.family);
  };
  // With several addresses the name is only what node calls them by.
  const how = addresses.length === 1 && only !== undefined ? { host: only } : { host: "checked", lookup };
  const options = {
    ...how,
    port,
    noDelay: true,
    keepAlive: true,
    highWaterMark: readBufferBytes,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
  };
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect(options);
    const end = () => socket.destroy(signal.reason);
    signal.addEventListener("abort", end);
    socket.once("error", (error) => {
      signal.removeEventListener("abort", end);
      reject(error);
    });
    socket.once("connect", () => {
      signal.removeEventListener("abort", end);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}

/** Whether something answers there: the system's code of the reason, or `timeout`; null when the connection opens. */
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
