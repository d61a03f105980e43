// Which proxy the environment names for a URL: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, as curl reads them.
import { isIP } from "node:net";
import { type AddressRange, isWithin, parseAddress, parseRange } from "./address.ts";
import { bareHost, portOf } from "./guard.ts";
import { type ProxiedTarget, type ProxyUse, parseUpstream, type Route, type Upstream } from "./upstreams.ts";

export interface CompanyProxySettings {
  /** For http:// and for https://; null: what `all` says. */
  http: Upstream | null;
  https: Upstream | null;
  all: Upstream | null;
  /** What is called directly all the same. */
  exceptions: readonly ProxyException[];
}

export type ProxyException = { port: number | null } & ({ every: true } | { range: AddressRange } | { name: string });

export interface CompanyProxy {
  /** Null: directly. */
  choose(target: ProxiedTarget): Upstream | null;
}

/** Null where the environment names no proxy. */
export function createCompanyProxy({ http, https, all, exceptions }: CompanyProxySettings): CompanyProxy | null {
  if (http === null && https === null && all === null) return null;
  return {
    choose({ protocol, hostname, port }) {
      const named = protocol === "https:" ? https : protocol === "http:" ? http : null;
      const chosen = named ?? all;
      return chosen === null || isExcepted(exceptions, bareHost(hostname), port) ? null : chosen;
    },
  };
}

/** Through the proxy of the environment, or past it, as each target has it. */
export function companyRoute(proxy: CompanyProxy, first: ProxiedTarget): Route {
  let chosen = proxy.choose(first);
  return {
    get use(): ProxyUse {
      return chosen === null ? "none" : "basic";
    },
    get company() {
      return chosen?.label ?? null;
    },
    callers: null,
    upstream(target) {
      chosen = proxy.choose(target);
      return chosen;
    },
    canPassOn: () => false,
  };
}

export function proxiedTarget(url: URL): ProxiedTarget {
  return { protocol: url.protocol, hostname: url.hostname, port: portOf(url) };
}

/** Null for any other text. Without a scheme it is an HTTP proxy; without a port, that of curl. */
export function parseCompanyProxy(text: string): Upstream | null {
  const [, scheme = "http", rest = ""] = /^(?:([a-z][a-z0-9]*):\/\/)?(.*?)\/?$/i.exec(text.trim()) ?? [];
  const known = scheme.toLowerCase();
  const hasPort = /:\d+$/.test(rest);
  const upstream = parseUpstream(
    `${known === "socks5h" ? "socks5" : known}://${rest}${hasPort || known === "https" ? "" : ":1080"}`,
  );
  return upstream && { ...upstream, resolvesNames: known !== "socks5" };
}

/** What cannot match anything is left out: programs that share the variable read it in many ways. */
export function parseExceptions(text: string): readonly ProxyException[] {
  return text
    .split(/[\s,]+/)
    .filter((item) => item !== "")
    .flatMap((item) => readException(item.toLowerCase()) ?? []);
}

function readException(item: string): ProxyException | null {
  if (item === "*") return { every: true, port: null };
  const whole = parseRange(bareHost(item.replace(/\](?=\/|$)/, "").replace(/^\[/, "")));
  if (whole !== null) return { range: whole, port: null };
  const [, host = "", portText] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(item) ?? [];
  const port = portText === undefined ? null : Number(portText);
  const range = parseRange(host.replace(/^\[|\]$/g, ""));
  if (range !== null) return { range, port };
  const name = host.replace(/^\*?\./, "").replace(/\.$/, "");
  return name === "" ? null : { name, port };
}

function isExcepted(exceptions: readonly ProxyException[], host: string, port: number): boolean {
  const address = isIP(host) === 0 ? null : parseAddress(host);
  const name = host.toLowerCase().replace(/\.$/, "");
  return exceptions.some((exception) => {
    if (exception.port !== null && exception.port !== port) return false;
    if ("every" in exception) return true;
    if ("range" in exception) return address !== null && isWithin(address, exception.range);
    return address === null && (name === exception.name || name.endsWith(`.${exception.name}`));
  });
}
