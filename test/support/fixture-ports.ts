// Ports for the sites of tests. The system hands out any free port, also one that another site had a minute ago; an app that is
// shared by tests would still know what that site said.
import type { Server } from "node:net";

/** Below the ports that Linux hands out by itself, above those of services. */
const first = 12_000;
/** More than the sites of a process; workers are numbered from 1. */
const perWorker = 2000;
const workers = 8;

const holder = globalThis as { trawlNextPort?: number };

/** Resolves when it listens, on a port that no site of this process had before. */
export async function listenOnNewPort(server: Server, host = "127.0.0.1"): Promise<void> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 1) % workers;
  for (;;) {
    const offset = holder.trawlNextPort ?? 0;
    holder.trawlNextPort = (offset + 1) % perWorker;
    if (await canListen(server, first + worker * perWorker + offset, host)) return;
  }
}

/** False when somebody has the port. */
function canListen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off("listening", onListening);
      if (error.code === "EADDRINUSE") done(false);
      else fail(error);
    };
    const onListening = () => {
      server.off("error", onError);
      done(true);
    };
    server.once("error", onError).once("listening", onListening);
    server.listen(port, host);
  });
}
