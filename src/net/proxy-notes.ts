// What the browser's proxy refused and what was private, by authority: a browser tells its driver neither.
import { parseUrl } from "../base/index.ts";
import { portOf } from "./guard.ts";
import { type FetchFailure, toFailure } from "./outcome.ts";

const maxRemembered = 2000;

export type ProxyNotes = ReturnType<typeof createProxyNotes>;

export function createProxyNotes() {
  const failures = new Map<string, FetchFailure>();
  const privateAuthorities = new Set<string>();
  return {
    failed(url: string, error: unknown): void {
      const key = authorityOf(url);
      failures.delete(key);
      failures.set(key, toFailure(error));
      forgetOldest(failures.keys(), failures.size, (each) => failures.delete(each));
    },
    connected: (url: string) => void failures.delete(authorityOf(url)),
    wentPrivate: (url: string) => void privateAuthorities.add(authorityOf(url)),
    failureOf: (url: string): FetchFailure | null => failures.get(authorityOf(url)) ?? null,
    isPrivate: (url: string): boolean => privateAuthorities.has(authorityOf(url)),
  };
}

/** Host and port, the same for http, https, ws and wss. */
function authorityOf(text: string): string {
  const url = parseUrl(text.replace(/^ws/, "http"));
  if (url === null) return text;
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}

function forgetOldest(keys: Iterator<string>, size: number, forget: (key: string) => void): void {
  const oldest = size > maxRemembered ? keys.next().value : undefined;
  if (oldest !== undefined) forget(oldest);
}
