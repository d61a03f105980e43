// What a command works with: the client of a server, or the same client on parts of this process and the local store.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import type { Caller } from "../../accounts/index.ts";
import type { Parts } from "../../app.ts";
import { createHttpTransport, Trawl } from "../../client/index.ts";
import type { Config } from "../../config.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { printable } from "../terminal/printing.ts";
import { UsageError } from "./usage-error.ts";

export interface Target {
  apiUrl?: string | undefined;
  apiKey?: string | undefined;
  team?: string | undefined;
}

export interface Local {
  config: Config;
  parts: Parts;
  caller: Caller;
}

export interface WorkPlace {
  client: Trawl;
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
  /** The parts of this process; null when a server does the work. */
  local: Local | null;
  /** The bytes behind a URL of a picture in an answer; null when it is gone. */
  readMedia(url: string): Promise<Uint8Array | null>;
}

/** `-` is standard input. */
export async function readInputFile(file: string): Promise<string> {
  try {
    return file === "-" ? await readText(process.stdin) : await readFile(file, "utf8");
  } catch {
    throw new UsageError(`Cannot read the file ${printable(file)}.`);
  }
}

/** A server is used when one is named; Ctrl-C aborts the signal. */
export async function withService(place: Target, work: (service: WorkPlace) => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  await interruptible(
    () => stopping.abort(),
    async () => {
      try {
        const server = await serverOf(place);
        if (server === null) await withLocal(place.team, (local) => work(localService(local, signal)));
        else await work(remoteService(server, signal));
      } catch (error) {
        // Whoever interrupts knows why the work ended.
        if (!signal.aborted) throw error;
      }
    },
  );
}

/** The server that options or settings name; null for the local store. */
export async function serverOf({
  apiUrl,
  apiKey,
  team,
}: Target): Promise<{ apiUrl: string; apiKey: string | undefined } | null> {
  // Loaded late: help needs no settings.
  const { loadConfig } = await import("../../config.ts");
  const config = loadConfig();
  const url = apiUrl ?? config.apiUrl ?? config.firecrawlApiUrl;
  if (url === null) return null;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError("--api-url must be a URL that starts with http:// or https://.");
  if (team !== undefined)
    throw new UsageError("--team is for the local store. A server knows the team by its API key.");
  return { apiUrl: url, apiKey: apiKey ?? config.apiKey ?? config.firecrawlApiKey ?? undefined };
}

/** Where the server that has these settings is reached from this machine. */
export function localUrl({ host, port }: Config): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Opens the local store and everything that works on it. */
export async function withLocal<Result>(
  team: string | undefined,
  work: (local: Local) => Promise<Result>,
): Promise<Result> {
  // Loaded late: a command that asks a server needs none of it.
  const [{ openLocal }] = await Promise.all([import("./open-local.ts")]);
  return openLocal(team, work);
}

/** Verbs whose work a server cannot do for them. */
export async function requireLocal(place: Target, verb: string): Promise<void> {
  if ((await serverOf(place)) !== null)
    throw new UsageError(
      `trawl ${verb} works on the local store only. Run it on the machine of the server, without --api-url.`,
    );
}

function localService({ config, parts, caller }: Local, signal: AbortSignal): WorkPlace {
  return {
    client: new Trawl({ transport: parts.direct(caller) }),
    signal,
    local: { config, parts, caller },
    async readMedia(url) {
      const found = await parts.readMedia(url.split("/").at(-1) ?? "");
      if (!found) return null;
      const read: Uint8Array[] = [];
      for await (const part of found.parts) read.push(part);
      return Buffer.concat(read);
    },
  };
}

function remoteService(server: { apiUrl: string; apiKey: string | undefined }, signal: AbortSignal): WorkPlace {
  return {
    client: new Trawl({ transport: createHttpTransport(server) }),
    signal,
    local: null,
    async readMedia(url) {
      const answer = await globalThis.fetch(new URL(url, server.apiUrl), { signal });
      return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
    },
  };
}
