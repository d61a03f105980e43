// Short ways to browser sessions: open one, drive it with an unmodified Playwright, look for what it left behind.
import { readdirSync, readFileSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { expect } from "vitest";
import type { CallOptions, TestApp } from "./app.ts";

export interface OpenedSession {
  id: string;
  cdpUrl: string;
  liveViewUrl?: string;
  interactiveLiveViewUrl?: string;
  expiresAt: string;
}

type Caller = Pick<TestApp, "call">;

export async function openSession(app: Caller, body: object = {}, call: CallOptions = {}): Promise<OpenedSession> {
  const answer = await app.call("POST", "/v2/browser", { body, ...call });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

export function drive({ cdpUrl }: Pick<OpenedSession, "cdpUrl">): Promise<Browser> {
  return chromium.connectOverCDP(cdpUrl);
}

/** Processes of this machine that have this text in their command line. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(text);
      } catch {
        return false;
      }
    });
}
