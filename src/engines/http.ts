// The plain engine: one GET, no scripts.
import { bareUrl } from "../base/index.ts";
import type { ScrapeOptions } from "../contract/index.ts";
import { type Fetch, isConnectionHeader } from "../net/index.ts";
import { acceptLanguage } from "./language.ts";
import type { Outcome } from "./page.ts";
import { waitAsAsked } from "./retry-after.ts";
import { type Identity, ownIdentity, type Visitor } from "./user-agents.ts";
import { type WayRequest, wayOf } from "./way.ts";

export interface HttpEngineDeps {
  /** net's, the only way out. */
  fetch: Fetch;
  /** How we identify ourselves, unless a mobile device is asked for. */
  userAgent: string;
  /** Who we are instead. Pages fail with what it throws: they are asked for under no other name. */
  findIdentity?: (() => Promise<Identity>) | null;
}

export interface EngineRequest extends WayRequest {
  url: string;
  options: Pick<ScrapeOptions, "headers" | "mobile" | "skipTlsVerification"> & WayRequest["options"];
  /** The deadline of the whole scrape; also aborted when the caller is gone. */
  signal: AbortSignal;
  /** Headers that ask for the page only if it has changed: then it may answer 304. */
  conditions?: Readonly<Record<string, string>> | undefined;
  /** Until when a host that asks for a pause is waited for, by performance.now(); jobs come back later instead. */
  patientUntil?: number | undefined;
  /** Whether a redirect to a URL may be followed; every redirect if not given. */
  mayFollow?: ((url: string) => Promise<boolean>) | undefined;
}

export type HttpEngine = (request: EngineRequest) => Promise<Outcome>;

const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

export function createHttpEngine(deps: HttpEngineDeps): HttpEngine {
  const own = ownIdentity(deps.userAgent);
  return async (request) => {
    const { url, options, signal, mayFollow, conditions } = request;
    const identity = deps.findIdentity ? await deps.findIdentity() : own;
    const ignoredHeaders = Object.keys(options.headers).filter(isConnectionHeader);
    const headers: Record<string, string> = {
      ...introduce(options.mobile ? identity.mobile : identity.desktop, url, options.headers),
      accept,
      "accept-language": acceptLanguage(options.location),
      ...conditions,
    };
    for (const [name, value] of Object.entries(options.headers)) {
      if (!isConnectionHeader(name)) headers[name.toLowerCase()] = value;
    }
    const { skipTlsVerification } = options;
    const asked = { url, headers, signal, skipTlsVerification, way: wayOf(request) };
    const ask = () => (mayFollow ? deps.fetch({ ...asked, mayFollow }) : deps.fetch(asked));
    let outcome = await ask();
    if (outcome.ok && (await waitAsAsked(outcome.retryAfterSeconds, request))) outcome = await ask();
    if (!outcome.ok) return outcome;
    const { status, contentType, body, wireBytes, redirects, isPrivate, proxy } = outcome;
    const answered = { status, headers: outcome.headers, contentType, body, wireBytes, redirects, isPrivate, proxy };
    return {
      ok: true,
      page: {
        url: url === outcome.url ? url : bareUrl(url),
        finalUrl: outcome.url,
        ...answered,
        engine: "http",
        ignoredHeaders,
      },
    };
  };
}

/** Who names another User-Agent is not given hints that contradict it. */
function introduce({ userAgent, hints }: Visitor, url: string, own: Readonly<Record<string, string>>) {
  const isOther = Object.keys(own).some((name) => name.toLowerCase() === "user-agent");
  return { "user-agent": userAgent, ...(isOther || !url.startsWith("https:") ? {} : hints) };
}
