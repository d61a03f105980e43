// The plain engine: one GET, no scripts.
import { bareUrl } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { type ArchiveUse, type Fetch, isConnectionHeader } from "../../net/index.ts";
import type { Outcome, Page } from "../page/fetched-page.ts";
import { waitAsAsked } from "../page/retry-after.ts";
import { type WayRequest, wayOf } from "../visitor/proxy-way.ts";
import { type Identity, ownIdentity } from "../visitor/user-agents.ts";
import { acceptLanguage } from "../visitor/visitor-country.ts";

export interface HttpEngineDeps {
  /** net's, the only way out. */
  fetch: Fetch;
  /** How we identify ourselves, unless a mobile device is requested. */
  userAgent: string;
  /** Another identity. If it throws, pages fail with its error: they are not requested under any other name. */
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
  /** What its exchanges are kept in, or what answers in place of the site. */
  archive?: ArchiveUse | undefined;
}

export type HttpEngine = (request: EngineRequest) => Promise<Outcome>;

const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

export function createHttpEngine(deps: HttpEngineDeps): HttpEngine {
  const own = ownIdentity(deps.userAgent);
  const heads = new WeakMap<EngineRequest["options"], Head>();

  function headOf(options: EngineRequest["options"], identity: Identity): Head {
    const known = heads.get(options);
    if (known?.identity === identity) return known;
    const head = makeHead(options, identity);
    heads.set(options, head);
    return head;
  }

  return async (request) => {
    const { url, options, signal, mayFollow, conditions } = request;
    const identity = deps.findIdentity ? await deps.findIdentity() : own;
    const { ownHeaders, plain, secure, ignoredHeaders } = headOf(options, identity);
    const usual = url.startsWith("https:") ? secure : plain;
    const headers = conditions === undefined ? usual : { ...usual, ...conditions, ...ownHeaders };
    const { skipTlsVerification } = options;
    const asked = { url, headers, signal, skipTlsVerification, way: wayOf(request), archive: request.archive };
    const ask = () => (mayFollow ? deps.fetch({ mayFollow, ...asked }) : deps.fetch(asked));
    let outcome = await ask();
    if (outcome.ok && (await waitAsAsked(outcome.retryAfterSeconds, request))) outcome = await ask();
    if (!outcome.ok) return outcome;
    const page: Page = {
      url: url === outcome.url ? url : bareUrl(url),
      finalUrl: outcome.url,
      status: outcome.status,
      headers: outcome.headers,
      contentType: outcome.contentType,
      body: outcome.body,
      wireBytes: outcome.wireBytes,
      redirects: outcome.redirects,
      isPrivate: outcome.isPrivate,
      proxy: outcome.proxy,
      engine: "http",
      ignoredHeaders,
    };
    return { ok: true, page };
  };
}

/** What every page of a request is asked with, made once: a job has many. */
interface Head {
  identity: Identity;
  /** The caller's, as they are sent. */
  ownHeaders: Readonly<Record<string, string>>;
  /** All headers for http, and for https. */
  plain: Readonly<Record<string, string>>;
  secure: Readonly<Record<string, string>>;
  ignoredHeaders: string[];
}

function makeHead({ headers, mobile, location }: EngineRequest["options"], identity: Identity): Head {
  const { userAgent, hints } = mobile ? identity.mobile : identity.desktop;
  const sent = Object.entries(headers).filter(([name]) => !isConnectionHeader(name));
  const ownHeaders = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
  const named = { "user-agent": userAgent };
  const usual = { accept, "accept-language": acceptLanguage(location), ...ownHeaders };
  // With another User-Agent no client hints are sent, which would contradict it.
  const secureHints = "user-agent" in ownHeaders ? {} : hints;
  return {
    identity,
    ownHeaders,
    plain: { ...named, ...usual },
    secure: { ...named, ...secureHints, ...usual },
    ignoredHeaders: Object.keys(headers).filter(isConnectionHeader),
  };
}
