// The client's calls without a server between: each finds its row in the endpoint table and runs the operation here.
import { type Caller, type CountedRequest, type KeyHolder, type RateState, requireRate } from "../accounts/index.ts";
import { ServiceError } from "../base/index.ts";
import type { SendOptions, Transport } from "../client/index.ts";
import {
  countedName,
  type Endpoint,
  findEndpoint,
  type OperationName,
  type Operations,
  prepareCall,
  requireGroups,
  stopsWithCaller,
  withIgnoredFields,
} from "../contract/index.ts";

interface DirectDeps {
  operations: Operations<Caller>;
  caller: Caller;
  /** Counts a request of the team, where requests are counted. */
  takeRate?: (holder: KeyHolder, group: string) => Promise<RateState | null>;
  /** Takes a request that has been answered, for the hours of its team. */
  countRequest?: (request: CountedRequest) => void;
}

type Run = (input: unknown, caller: Caller, ...signal: AbortSignal[]) => Promise<unknown> | AsyncIterable<unknown>;

const stoppable: ReadonlySet<string> = new Set(stopsWithCaller);

interface Called {
  row: Endpoint;
  params: object;
  path: string;
}

export function createDirectTransport({ operations, caller, takeRate, countRequest }: DirectDeps): Transport {
  const runOf = (row: Endpoint) => operations[row.operation as OperationName] as unknown as Run;

  async function countCall({ rateGroup }: Endpoint): Promise<void> {
    const rate = rateGroup === null ? null : await takeRate?.(caller, rateGroup);
    if (rate) requireRate(rate);
  }

  async function answer({ row, params, path }: Called, options: SendOptions, signal: AbortSignal): Promise<object> {
    requireGroups(caller.allowedGroups, row.group);
    await countCall(row);
    const query = new URLSearchParams(given(options.query) as Record<string, string>);
    const sent = { method: row.method, path: query.size > 0 ? `${path}?${query}` : path, body: options.body };
    const body = await bodyOf(options);
    const { input, unknownFields } = prepareCall(row, { params, query: given(options.query), body });
    signal.throwIfAborted();
    const result = await runOf(row)(input, { ...caller, sent }, ...(stoppable.has(row.operation) ? [signal] : []));
    const response = row.toResponse ? row.toResponse(result as never) : result;
    return withIgnoredFields(response as object, unknownFields);
  }

  return {
    async send(method, path, options = {}) {
      const found = findEndpoint(method, path);
      if (!found) throw new ServiceError("NOT_FOUND", `There is no endpoint ${method} ${path}.`);
      const { row } = found;
      const { signal = new AbortController().signal } = options;
      const { teamId, keyId } = caller;
      const endpoint = countedName(row);
      const startedAt = performance.now();
      const count = (cause: string) => {
        if (endpoint === null || signal.aborted) return;
        countRequest?.({ teamId, keyId, endpoint, cause, ms: performance.now() - startedAt });
      };
      try {
        const response = await answer({ ...found, path }, options, signal);
        count("");
        return response;
      } catch (error) {
        count(error instanceof ServiceError ? error.code : "INTERNAL_ERROR");
        throw error;
      }
    },

    watch(path, signal) {
      const found = findEndpoint("WS", path);
      if (!found) return null;
      requireGroups(caller.allowedGroups, found.row.group);
      const { input } = prepareCall(found.row, { params: found.params });
      return runOf(found.row)(input, caller, signal) as AsyncIterable<unknown>;
    },
  };
}

/** As a query string has them: what is absent is not there. */
function given(query: object = {}): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

async function bodyOf({ body, file }: SendOptions): Promise<unknown> {
  if (!file) return body;
  const bytes = new Uint8Array(await file.content.arrayBuffer());
  return { ...(body as object), file: { filename: file.name, contentType: file.content.type, bytes } };
}
