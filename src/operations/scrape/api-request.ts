// One HTTP request for a caller, through the guard, the proxies and the pace of every page. Nothing of it is cached or indexed.
import { activityRow, type Caller, prices } from "../../accounts/index.ts";
import { bareUrl, newId, ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { acceptLanguage, wayOf } from "../../engines/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

type Input = OperationInput<"apiRequest">;
type Note = Parameters<typeof activityRow>[1];
type Result = NonNullable<Parameters<typeof activityRow>[2]>;

export function createApiRequests({ net, store, clock, credits, checkUrl }: OperationParts) {
  function send(url: string, input: Input, signal: AbortSignal) {
    const { method, headers, body, location, proxy, skipTlsVerification } = input;
    const isJson = typeof body === "object";
    const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
    const usual = Object.entries({
      "accept-language": acceptLanguage(location),
      ...(isJson ? { "content-type": "application/json" } : {}),
    });
    return net.fetch({
      url,
      method,
      headers: { ...Object.fromEntries(usual.filter(([name]) => !named.has(name))), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      signal,
      skipTlsVerification,
      way: wayOf({ options: { proxy, location } }),
    });
  }

  return {
    async apiRequest(input, caller, hangUp) {
      const url = withParams(requireAllowedUrl(checkUrl, input.url), input.params);
      await credits.require(caller.teamId, prices.page);
      const startedAt = clock.now();
      const id = newId(startedAt);
      const target = input.zeroDataRetention ? "" : bareUrl(url);
      const note = { id, endpoint: "scrape", target, createdAt: startedAt };
      const end = endRequest(store, caller, note);
      const outcome = await send(url, input, AbortSignal.any([hangUp, AbortSignal.timeout(input.timeout)]));
      if (!outcome.ok) {
        const isLate = outcome.code === "SCRAPE_TIMEOUT";
        const error = new ServiceError(outcome.code, isLate ? undefined : outcome.message);
        await end({ error, endedAt: clock.now() });
        throw error;
      }
      await end({ credits: prices.page, endedAt: clock.now() });
      const { status, headers, contentType, body, redirects, proxy, durationMs } = outcome;
      return {
        success: true,
        data: {
          url: outcome.url,
          statusCode: status,
          headers: Object.fromEntries(
            Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
          ),
          ...readBody(body, contentType),
          metadata: {
            method: input.method,
            requestId: id,
            redirects,
            proxyUsed: proxy === "enhanced" ? ("stealth" as const) : ("basic" as const),
            creditsUsed: prices.page,
          },
          timing: { total: Math.round(durationMs) },
        },
      };
    },
  } satisfies ServedOperations;
}

/** Its charge and its line in the activity list, together. A request that failed is free. */
function endRequest(store: OperationParts["store"], caller: Caller, note: Note) {
  const { teamId, keyId } = caller;
  return (result: Result) =>
    store.transaction(async ({ charges, activity }) => {
      const { id, endpoint } = note;
      const at = result.endedAt;
      if ("credits" in result) {
        await charges.charge([
          { id, teamId, keyId, jobId: id, endpoint, credits: result.credits, reason: endpoint, at },
        ]);
      }
      await activity.insert([activityRow(caller, note, result)]);
    });
}

function withParams(url: URL, params: Input["params"]): string {
  const whole = new URL(url);
  for (const [name, value] of Object.entries(params)) whole.searchParams.append(name, value);
  return whole.href;
}

function readBody(bytes: Buffer, contentType: string): { body: string; bodyEncoding?: "base64" } {
  const [, charset = "utf-8"] = /charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? [];
  try {
    const body = new TextDecoder(charset, { fatal: true }).decode(bytes);
    if (!body.includes("\0")) return { body };
  } catch {
    // No text, or of an encoding that is none.
  }
  return { body: bytes.toString("base64"), bodyEncoding: "base64" };
}
