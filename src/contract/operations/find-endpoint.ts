// The row of the endpoint table that serves a method and a path, for faces that have no router.

import type { Endpoint, HttpMethod } from "../table/endpoint.ts";
import { endpoints } from "./all-endpoints.ts";

interface FoundEndpoint {
  row: Endpoint;
  params: Record<string, string>;
}

/** Of two rows that match, the first one: literal paths come before those with names. */
export function findEndpoint(method: HttpMethod, path: string): FoundEndpoint | null {
  for (const row of endpoints as readonly Endpoint[]) {
    if (row.method !== method) continue;
    const names = Array.from(row.path.matchAll(/\{(\w+)\+?\}/g), ([, name]) => name ?? "");
    const pattern = row.path.replace(/\{\w+\+\}/g, "(.+)").replace(/\{\w+\}/g, "([^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (!match) continue;
    return {
      row,
      params: Object.fromEntries(names.map((name, place) => [name, decodeURIComponent(match[place + 1] ?? "")])),
    };
  }
  return null;
}

/** The row under which an operation is documented: its first of v2. */
export function endpointFor(operation: string): Endpoint | undefined {
  return (endpoints as readonly Endpoint[]).find(
    (row) => row.operation === operation && row.path.startsWith("/v2/") && row.method !== "WS",
  );
}
