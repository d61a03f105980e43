// `npm run prove -- pgbouncer`: every database of the tests is reached through Debian's PgBouncer in transaction mode.
import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

export const isProofOfPooler = process.env["TRAWL_PROVE"] === "pgbouncer";
/** Of this process: where the pooler listens. */
let poolerPort: number | null = null;

export function enterPooler(port: number | null): void {
  poolerPort = port;
}

const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

export interface Pooler {
  port: number;
  stop(): Promise<void>;
}

export async function startPooler(serverUrl: string): Promise<Pooler> {
  const { hostname, port } = new URL(serverUrl);
  const own = Number(port) + 1;
  const folder = mkdtempSync(join(tmpdir(), "trawl-pooler-"));
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 1000",
    "unix_socket_dir =",
  ];
  writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`);
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid);
  const child = spawn("/usr/sbin/pgbouncer", ["-q", join(folder, "pgbouncer.ini")], { ...nobody, stdio: "inherit" });
  for (let tries = 0; !(await answers(own)); tries += 1) {
    if (tries === 100) throw new Error("PgBouncer does not answer");
    await wait(100);
  }
  return { port: own, stop: async () => void child.kill("SIGKILL") };
}

/** The same database, through the pooler where there is one. */
export function throughPooler(url: string): string {
  if (poolerPort === null) return url;
  const pooled = new URL(url);
  pooled.port = `${poolerPort}`;
  return pooled.href;
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
}
