// Asks one provider after the other until one has results, and names those that failed.
import { createDeadline } from "../../base/index.ts";
import type {
  AskedSource,
  ProviderAnswer,
  ProviderOutcome,
  ProviderRequest,
  SearchProvider,
} from "./search-provider.ts";

export interface AskedAnswer extends ProviderAnswer {
  /** Who answered: what it supports decides what is left to filter. */
  provider: SearchProvider;
  /** Who failed before. */
  failed: AskedSource[];
}

export interface AskedInVain {
  ok: false;
  /** `unsupported`: no provider is configured for this kind of result; none was asked. */
  reason: "failed" | "unsupported";
  /** One sentence for each provider that failed. */
  causes: string[];
  failed: AskedSource[];
  /** Whether asking again later may help. */
  retry: boolean;
}

export type AskedOutcome = AskedAnswer | AskedInVain;

/** Leaves time for the next provider when one hangs. */
const providerTimeoutMs = 15_000;

/**
 * Each provider gets its own request, because each has its own operators. An answer without results counts if no other
 * provider has any. The caller checks its signal: here, a missed deadline is a failure like any other.
 */
export async function askProviders(
  providers: readonly SearchProvider[],
  requestFor: (provider: SearchProvider) => ProviderRequest,
  signal: AbortSignal,
  timeoutMs = providerTimeoutMs,
): Promise<AskedOutcome> {
  const causes: string[] = [];
  const failed: AskedSource[] = [];
  let retry = false;
  let empty: AskedAnswer | null = null;
  for (const provider of providers) {
    const request = requestFor(provider);
    if (!provider.supports.sources.has(request.source)) continue;
    if (signal.aborted) break;
    const startedAt = performance.now();
    const outcome = await askOne(provider, request, signal, timeoutMs);
    if (!outcome.ok) {
      causes.push(outcome.cause);
      const ms = Math.round(performance.now() - startedAt);
      failed.push({ name: provider.name, ms, results: 0, error: outcome.cause });
      retry ||= outcome.retry;
    } else if (outcome.results.length > 0) {
      return { ...outcome, provider, failed, warnings: [...causes, ...outcome.warnings] };
    } else {
      empty ??= { ...outcome, provider, failed };
    }
  }
  if (empty !== null) return { ...empty, warnings: [...causes, ...empty.warnings] };
  if (signal.aborted && causes.length === 0)
    return { ok: false, reason: "failed", causes: ["The search timed out."], failed, retry: true };
  return { ok: false, reason: causes.length === 0 ? "unsupported" : "failed", causes, failed, retry };
}

async function askOne(
  provider: SearchProvider,
  request: ProviderRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ProviderOutcome> {
  const deadline = createDeadline(signal, timeoutMs);
  try {
    return await provider.search(request, deadline.signal);
  } finally {
    deadline.clear();
  }
}
