// A proxy that pages are fetched through, as an operator or a caller writes it. The browser's own proxy (browser-proxy) is
// another thing: it is ours, and goes out through these.
import { parseUrl } from "../base/index.ts";
import { bareHost } from "./guard.ts";

export type UpstreamProtocol = "http:" | "https:" | "socks5:";

export interface Upstream {
  protocol: UpstreamProtocol;
  hostname: string;
  port: number;
  username: string;
  password: string;
  /** Without credentials: all that messages, traces and the log may say of it. */
  label: string;
  /** A caller's: its host is checked like a target, and nothing of it outlives its request. */
  isCallers: boolean;
}

const defaultPorts: Record<UpstreamProtocol, number> = { "http:": 80, "https:": 443, "socks5:": 1080 };

/** Null for any other text. The host is read as a browser reads the host of a page, whatever the protocol. */
export function parseUpstream(text: string, { isCallers = false } = {}): Upstream | null {
  const [, scheme = "", rest = ""] = /^(https?|socks5):\/\/(.+)$/i.exec(text.trim()) ?? [];
  const protocol = `${scheme.toLowerCase()}:` as UpstreamProtocol;
  // A URL parser leaves out the port that is its scheme's own; no port is that of both.
  const [plain, secure] = [parseUrl(`http://${rest}`), parseUrl(`https://${rest}`)];
  if (!(protocol in defaultPorts) || plain === null || secure === null) return null;
  if (plain.pathname !== "/" || plain.search !== "" || plain.hash !== "" || plain.hostname === "") return null;
  const port = Number(plain.port || secure.port) || defaultPorts[protocol];
  const credentials = [plain.username, plain.password].map(decoded);
  const [username, password] = credentials;
  if (username === undefined || password === undefined) return null;
  const hostname = bareHost(plain.hostname);
  // Messages may be stored and must not repeat what a caller sent.
  const label = isCallers ? "of proxyUrl" : `${protocol}//${plain.hostname}:${port}`;
  return { protocol, hostname, port, username, password, label, isCallers };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
