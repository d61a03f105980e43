// Short ways to browser sessions: open one, drive it with an unmodified Playwright, look for what it left behind.
import { on, once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { CallOptions, TestApp } from "./app.ts";

export interface OpenedSession {
  id: string;
  cdpUrl: string;
  liveViewUrl?: string;
  interactiveLiveViewUrl?: string;
  expiresAt: string;
}

export async function openSession(
  app: Pick<TestApp, "call">,
  body: object = {},
  call: CallOptions = {},
): Promise<OpenedSession> {
  const answer = await app.call("POST", "/v2/browser", { body, ...call });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

export function drive({ cdpUrl }: Pick<OpenedSession, "cdpUrl">): Promise<Browser> {
  return chromium.connectOverCDP(cdpUrl, { timeout: 60_000 });
}

/** The status that answers a WebSocket's handshake. */
export function handshake(url: string): Promise<number> {
  return new Promise((done, fail) => {
    const asked = request(url.replace(/^ws/, "http"), {
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-version": "13",
      },
    });
    asked.once("upgrade", (answer, socket) => {
      socket.destroy();
      done(answer.statusCode ?? 0);
    });
    asked.once("response", (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    });
    asked.once("error", fail);
    asked.end();
  });
}

/** Processes that descend from one, itself left out, with their command lines. */
export function descendantsOf(root: number): { pid: number; command: string }[] {
  const parents = new Map<number, number>();
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    const stat = readText(`/proc/${pid}/stat`);
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === root || isBelow(parents.get(pid)));
  return [...parents.keys()]
    .filter((pid) => isBelow(pid))
    .map((pid) => ({ pid, command: readText(`/proc/${pid}/cmdline`) }));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The main process of each Chromium that a session has below a process, by default this one. */
export function browsersBelow(root = process.pid): number[] {
  return descendantsOf(root)
    .filter(({ command }) => command.includes("--remote-debugging-port") && !command.includes("--type="))
    .filter(({ command }) => !/^(\/bin\/)?sh\0|launch\.sh|relay\.cjs|setpriv|unshare/.test(command))
    .map(({ pid }) => pid);
}

/** How many there are when their number stays, or becomes the expected one. */
export async function countBrowsers(expected: number, root = process.pid): Promise<number> {
  for (let tries = 0; tries < 1000 && browsersBelow(root).length !== expected; tries += 1) await setTimeout(100);
  return browsersBelow(root).length;
}

/** For those that a test which failed has left. */
export async function endSessions(app: Pick<TestApp, "call" | "get">, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    const { body } = await app.get("/v2/browser?status=active", { key });
    for (const { id } of body.sessions) await app.call("DELETE", `/v2/browser/${id}`, { key });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the protocol's answers have every shape
type ProtocolAnswer = any;

/** Somebody who writes the protocol's messages by hand. */
export interface RawClient {
  send(method: string, params?: object, sessionId?: string): Promise<ProtocolAnswer>;
  close(): void;
}

export async function connectRaw(cdpUrl: string): Promise<RawClient> {
  const socket = new WebSocket(cdpUrl);
  await once(socket, "open");
  // That its browser was ended is what most tests are about.
  socket.on("error", () => undefined);
  let lastId = 0;
  return {
    async send(method, params = {}, sessionId) {
      lastId += 1;
      const id = lastId;
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      for await (const [data] of on(socket, "message")) {
        const message = JSON.parse(String(data));
        if (message.id !== id) continue;
        if (message.error) throw new Error(message.error.message);
        return message.result;
      }
    },
    close: () => socket.close(),
  };
}

/** Folders in the temporary one that these browsers live in. */
export function foldersOf(pids: readonly number[]): string[] {
  return pids.flatMap((pid) => /--user-data-dir=(\S+?)\/profile/.exec(readText(`/proc/${pid}/cmdline`))?.[1] ?? []);
}
