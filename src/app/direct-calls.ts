// The client's calls without a server between: each finds its row in the endpoint table and runs the operation here.
import { type Caller, type KeyHolder, type RateState, requireRate } from "../accounts/index.ts";
import { ServiceError } from "../base/index.ts";
import type { SendOptions, Transport } from "../client/index.ts";
import {
  type Endpoint,
  findEndpoint,
  type OperationName,
  type Operations,
  prepareCall,
  stopsWithCaller,
  withIgnoredFields,
} from "../contract/index.ts";

interface DirectDeps {
  operations: Operations<Caller>;
  caller: Caller;
  /** Counts a request of the team, where requests are counted. */
  takeRate?: (holder: KeyHolder, group: string) => Promise<RateState | null>;
}

type Run = (input: unknown, caller: Caller, ...signal: AbortSignal[]) => Promise<unknown> | AsyncIterable<unknown>;

const stoppable: ReadonlySet<string> = new Set(stopsWithCaller);

export function createDirectTransport({ operations, caller, takeRate }: DirectDeps): Transport {
  const runOf = (row: Endpoint) => operations[row.operation as OperationName] as unknown as Run;

  async function countCall({ rateGroup }: Endpoint): Promise<void> {
    const rate = rateGroup === null ? null : await takeRate?.(caller, rateGroup);
    if (rate) requireRate(rate);
  }

  return {
    async send(method, path, options = {}) {
      const found = findEndpoint(method, path);
      if (!found) throw new ServiceError("NOT_FOUND", `There is no endpoint ${method} ${path}.`);
      const { row, params } = found;
      await countCall(row);
      const { query, signal = new AbortController().signal } = options;
      const { input, unknownFields } = prepareCall(row, { params, query: given(query), body: await bodyOf(options) });
      signal.throwIfAborted();
      const result = await runOf(row)(input, caller, ...(stoppable.has(row.operation) ? [signal] : []));
      const response = row.toResponse ? row.toResponse(result as never) : result;
      return withIgnoredFields(response as object, unknownFields);
    },

    watch(path, signal) {
      const found = findEndpoint("WS", path);
      if (!found) return null;
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
