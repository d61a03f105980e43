// With RECORD_EXAMPLES=FILE, what the apps of the tests are asked and answer is written down, a line each:
// scripts/record-examples.mjs makes the examples of openapi.json of it.
import { appendFileSync } from "node:fs";
import type { FastifyRequest } from "fastify";

const file = process.env["RECORD_EXAMPLES"];
const mostBytes = 20_000;
const enough = 30;
const seen = new Map<string, number>();

/** `path`: of the route, in the notation of the contract. */
export function recordExample(path: string, request: FastifyRequest, type: string, payload: string | Buffer): void {
  const endpoint = `${request.method} ${path}`;
  const times = seen.get(endpoint) ?? 0;
  if (file === undefined || times >= enough || payload.length > mostBytes) return;
  seen.set(endpoint, times + 1);
  const { url, body } = request;
  const line = JSON.stringify({
    endpoint,
    url,
    body: Buffer.isBuffer(body) ? undefined : body,
    type,
    answer: String(payload),
  });
  if (line.length < 2 * mostBytes) appendFileSync(file, `${line}\n`);
}
