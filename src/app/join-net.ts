// Outgoing network access as configured, and our user agent.
import { createPrivateKey } from "node:crypto";
import { mailPortOf } from "../adapters/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import {
  type CompanyProxy,
  createCompanyProxy,
  createNet,
  type HostShare,
  type Net,
  type NetOptions,
  type Upstream,
} from "../net/index.ts";

export interface NetPartDeps {
  log: Logger;
  clock: Clock;
  ownPorts: () => readonly number[];
  userAgent: string;
  /** Null where no other process asks the same hosts. */
  hostShare: HostShare | null;
}

/** PostgreSQL's. */
const defaultDatabasePort = 5432;

export function joinNet(config: Config, { log, clock, ownPorts, userAgent, hostShare }: NetPartDeps): Net {
  const { databaseUrl } = config;
  const databasePorts = databaseUrl === null ? [] : [Number(new URL(databaseUrl).port) || defaultDatabasePort];
  return createNet({
    allowedPrivateHosts: config.allowedPrivateHosts,
    dnsServer: config.dnsServer,
    proxies: {
      basic: basicProxies(config),
      enhanced: config.proxyEnhanced,
      countries: config.proxyCountries,
      cooldownMs: config.proxyCooldownMs,
    },
    ...companyNetwork(config),
    hasCompanyPages: config.proxyFromEnv,
    signing: signingOf(config),
    ownPorts: () => [...ownPorts(), ...databasePorts],
    mailServer: mailServerOf(config),
    userAgent,
    limits: {
      connectMs: config.connectTimeoutMs,
      idleMs: config.idleTimeoutMs,
      wireBytes: config.maxPageBytes,
      decodedBytes: config.maxPageDecodedBytes,
      perHost: config.hostConcurrency,
    },
    clock,
    hostShare,
    log,
  });
}

export type CompanySettings = Pick<Config, "httpProxy" | "httpsProxy" | "allProxy" | "noProxy" | "certificates">;

/** What every connection needs inside a company's network. */
export function companyNetwork(config: CompanySettings) {
  const { httpProxy: http, httpsProxy: https, allProxy: all, noProxy: exceptions, certificates } = config;
  const companyProxy: CompanyProxy | null = createCompanyProxy({ http, https, all, exceptions });
  return { companyProxy, ...(certificates.length > 0 ? { certificates } : {}) };
}

function signingOf({ botSigningKey: key, publicUrl: agent }: Config): NonNullable<NetOptions["signing"]> | null {
  return key === null || agent === null ? null : { key: createPrivateKey(key), agent };
}

/** Host and port of SMTP_URL. */
export function mailServerOf({ smtpUrl }: Config): { host: string; port: number } | null {
  if (smtpUrl === null) return null;
  const url = new URL(smtpUrl);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: mailPortOf(url) };
}

function basicProxies({ proxyServer, proxyPool, proxyUsername, proxyPassword }: Config): Upstream[] {
  const named = proxyServer === null ? proxyPool : [proxyServer];
  const login = { username: proxyUsername ?? "", password: proxyPassword ?? "" };
  return named.map((proxy) => (proxy.username === "" ? { ...proxy, ...login } : proxy));
}

/** Our user agent, with a contact URL only where the operator has set one: no other contact could answer for this server. */
export function userAgent({ publicUrl }: Pick<Config, "publicUrl">, version: string): string {
  return `Mozilla/5.0 (compatible; TrawlBot/${version}${publicUrl === null ? "" : `; +${publicUrl}`})`;
}
