// Patterns for hosts beside patterns for paths: a crawl of v2 has one list of each sort, which it matches with paths or with whole
// URLs. Where hosts are named, every pattern becomes one of whole URLs.
import { badField } from "../frame/cause.ts";

interface Given {
  select_paths?: readonly string[] | undefined;
  exclude_paths?: readonly string[] | undefined;
  select_domains?: readonly string[] | undefined;
  exclude_domains?: readonly string[] | undefined;
}

const mostPatterns = 1000;
const anyHost = "[^/?#]*";

export function hostAndPathPatterns(given: Given) {
  const {
    select_paths: paths = [],
    exclude_paths: noPaths = [],
    select_domains: hosts = [],
    exclude_domains: noHosts = [],
  } = given;
  if (hosts.length === 0 && noHosts.length === 0) return { includePaths: [...paths], excludePaths: [...noPaths] };
  const includePaths = crossed(hosts, paths);
  if (includePaths.length > mostPatterns)
    throw badField("select_domains", `Together with select_paths more than ${mostPatterns} patterns`);
  return {
    regexOnFullURL: true,
    includePaths,
    excludePaths: [
      ...noHosts.map((host) => urlPattern(hostPart(host), "")),
      ...noPaths.map((path) => urlPattern(anyHost, pathPart(path))),
    ],
  };
}

/** Every host with every path: a page must fit one of both. */
function crossed(hosts: readonly string[], paths: readonly string[]): string[] {
  const hostParts = hosts.length > 0 ? hosts.map(hostPart) : [anyHost];
  const pathParts = paths.length > 0 ? paths.map(pathPart) : [""];
  if (hosts.length === 0 && paths.length === 0) return [];
  return hostParts.flatMap((host) => pathParts.map((path) => urlPattern(host, path)));
}

function urlPattern(host: string, path: string): string {
  return `^https?://${host}(?::[0-9]+)?${path === "" ? "(?:[/?#]|$)" : path}`;
}

/** Without an anchor, a pattern may stand anywhere in the host. */
function hostPart(pattern: string): string {
  const inner = pattern.replace(/^\^/, "").replace(/(?<!\\)\$$/, "");
  const before = pattern.startsWith("^") ? "" : anyHost;
  const after = /(?<!\\)\$$/.test(pattern) ? "" : "[^/?#:]*";
  return `${before}(?:${inner})${after}`;
}

function pathPart(pattern: string): string {
  return pattern.startsWith("^") ? `(?:${pattern.slice(1)})` : `.*(?:${pattern})`;
}
