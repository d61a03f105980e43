// The way out, as the settings want it, and who we say we are on it.
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import { createNet, type Net } from "../net/index.ts";

export interface NetPartDeps {
  log: Logger;
  clock: Clock;
  ownPorts: () => readonly number[];
  userAgent: string;
}

/** PostgreSQL's. */
const defaultDatabasePort = 5432;

export function joinNet(config: Config, { log, clock, ownPorts, userAgent }: NetPartDeps): Net {
  const { proxyServer, proxyUsername, proxyPassword, databaseUrl } = config;
  const databasePorts = databaseUrl === null ? [] : [Number(new URL(databaseUrl).port) || defaultDatabasePort];
  return createNet({
    allowedPrivateHosts: config.allowedPrivateHosts,
    dnsServer: config.dnsServer,
    proxy:
      proxyServer === null
        ? null
        : {
            url: proxyServer,
            ...(proxyUsername === null ? {} : { username: proxyUsername }),
            ...(proxyPassword === null ? {} : { password: proxyPassword }),
          },
    ownPorts: () => [...ownPorts(), ...databasePorts],
    userAgent,
    limits: {
      connectMs: config.connectTimeoutMs,
      idleMs: config.idleTimeoutMs,
      wireBytes: config.maxPageBytes,
      decodedBytes: config.maxPageDecodedBytes,
      perHost: config.hostConcurrency,
    },
    clock,
    log,
  });
}

/** Who we say we are, with a contact URL only where the operator has given one: nobody else could answer for it. */
export function userAgent({ publicUrl }: Pick<Config, "publicUrl">, version: string): string {
  return `Mozilla/5.0 (compatible; TrawlBot/${version}${publicUrl === null ? "" : `; +${publicUrl}`})`;
}
