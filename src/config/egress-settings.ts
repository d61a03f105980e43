// The company's network: its proxy, as programs find it in the environment, and its certificate authority.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseCompanyProxy, parseExceptions, type Upstream } from "../net/index.ts";
import { flag, optional, setting } from "./setting.ts";

const proxy = {
  takes: "the URL of a proxy: http://, https://, socks5:// or socks5h://",
  read: (value: string): Upstream | null | undefined => parseCompanyProxy(value) ?? undefined,
};

/** Programs read these in both cases, and the lower one wins. */
function inBothCases<Entry extends { env: string }>(entry: Entry): Entry & { before: string } {
  return { ...entry, before: entry.env.toLowerCase() };
}

export const egressSettings = {
  httpsProxy: inBothCases(
    setting(
      "HTTPS_PROXY",
      proxy,
      null,
      "Proxy for https:// URLs of everything that is not a scraped page: language models, search services and sources, " +
        "webhooks, the S3 store, traces. Like the next three, it may also be written in lower case, which wins.",
    ),
  ),
  httpProxy: inBothCases(setting("HTTP_PROXY", proxy, null, "The same for http:// URLs.")),
  allProxy: inBothCases(setting("ALL_PROXY", proxy, null, "The same for all other URLs, and for the mail server.")),
  noProxy: inBothCases(
    setting(
      "NO_PROXY",
      { takes: "a list", read: parseExceptions },
      [],
      "Comma-separated hosts that are called without these proxies: a hostname and all names below it, with or without a " +
        "leading dot, IP addresses or CIDR ranges, each optionally with :port; `*` is every host.",
    ),
  ),
  proxyFromEnv: setting(
    "PROXY_FROM_ENV",
    flag,
    false,
    "Set to 1 to fetch pages through these proxies, too. The proxy is given the IP address that this server has checked.",
  ),
  caFile: optional(
    "CA_FILE",
    "PEM file with certificates of authorities that are trusted in addition to the public ones, in every outgoing TLS " +
      "connection and in Chromium. For PostgreSQL, set sslrootcert in DATABASE_URL.",
  ),
  nodeExtraCaCerts: optional(
    "NODE_EXTRA_CA_CERTS",
    "The same, as Node reads it: a file that cannot be read is ignored. Chromium trusts its certificates, too.",
  ),
};

interface CertificateFiles {
  caFile: string | null;
  nodeExtraCaCerts: string | null;
}

/** A text is the problem with CA_FILE. */
export function readCertificates({ caFile, nodeExtraCaCerts }: CertificateFiles): readonly string[] | string {
  const own = caFile === null ? [] : certificatesOf(caFile);
  if (own === null) return `CA_FILE must name a PEM file with certificates: ${caFile} is not one, or cannot be read.`;
  const extra = nodeExtraCaCerts === null ? [] : certificatesOf(nodeExtraCaCerts);
  return [...new Set([...own, ...(extra ?? [])])];
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Null when the file has none, or one that cannot be read. */
function certificatesOf(file: string): string[] | null {
  try {
    const found = readFileSync(file, "latin1").match(certificate) ?? [];
    return found.length > 0 ? found.map((each) => new X509Certificate(each).toString()) : null;
  } catch {
    return null;
  }
}
