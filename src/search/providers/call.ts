// One call to a search service, with every failure as one sentence. Keys never get into it.
import { holdsSecret } from "../../base/index.ts";
import { aboutProxy, type FetchFailure, type FetchSuccess } from "../../net/index.ts";
import { type AnswerObject, asText, isAnswerObject, parseJson } from "./json.ts";
import type { ProviderDeps, ProviderFailure } from "./search-provider.ts";

/** The service to call, and what its failures are called. */
export interface Service {
  name: string;
  /** Base URL. Only its origin is ever called, redirects included. */
  endpoint: string;
  /** The setting that configures it, for the operator who reads a failure. */
  setting: string;
  /** Keys and passwords: no text that holds part of one leaves this file. */
  secrets: readonly string[];
  /** Messages for particular statuses; each continues a sentence that starts with the service's name. */
  statuses?: Readonly<Record<number, string>>;
}

export interface ServiceCall {
  /** Appended to the endpoint. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  body?: AnswerObject;
}

const maxAnswerBytes = 5 * 1024 * 1024;
const maxMessage = 160;

export async function ask(
  { net }: Pick<ProviderDeps, "net">,
  service: Service,
  question: ServiceCall,
  signal: AbortSignal,
): Promise<{ ok: true; json: AnswerObject } | ProviderFailure> {
  const url = new URL(service.endpoint);
  url.pathname = url.pathname.replace(/\/+$/, "") + question.path;
  for (const [name, value] of Object.entries(question.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { body } = question;
  const outcome = await net.fetch({
    url: url.href,
    allowOrigin: url.origin,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...question.headers,
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    limits: { wireBytes: maxAnswerBytes, decodedBytes: maxAnswerBytes },
    maxRedirects: 3,
    signal,
  });
  return outcome.ok ? readAnswer(service, outcome) : unreachable(service, outcome);
}

function readAnswer(
  service: Service,
  { status, body }: FetchSuccess,
): { ok: true; json: AnswerObject } | ProviderFailure {
  const text = body.toString("utf8");
  const json = parseJson(text);
  if (status < 200 || status > 299) return refused(service, status, json);
  if (isAnswerObject(json)) return { ok: true, json };
  const isHtml = /^\s*<(?:!doctype|html|head|body|!--)/i.test(text);
  const problem = isHtml ? "answered with HTML instead of JSON" : "answered with something that is not a JSON object";
  return serviceFailure(service, `${problem}: check ${service.setting}`, false, status);
}

function refused(service: Service, status: number, json: unknown): ProviderFailure {
  const own = service.statuses?.[status];
  const retry = status === 408 || status === 429 || status >= 500;
  if (own !== undefined) return serviceFailure(service, `${own} (${status})${messageOf(service, json)}`, retry, status);
  if (status === 401 || status === 403) {
    return serviceFailure(
      service,
      `rejected its key (${status})${messageOf(service, json)}: check ${service.setting}`,
      retry,
      status,
    );
  }
  if (status === 429) return serviceFailure(service, "is rate-limited (429)", retry, status);
  const problem = status >= 500 ? "failed" : "rejected the search";
  return serviceFailure(service, `${problem} (${status})${messageOf(service, json)}`, retry, status);
}

function unreachable(service: Service, outcome: FetchFailure): ProviderFailure {
  const { setting } = service;
  const { code } = outcome;
  const proxy = aboutProxy(outcome);
  if (code === "SCRAPE_TIMEOUT") return serviceFailure(service, `did not answer in time${proxy}`, true);
  if (code === "ABORTED") return serviceFailure(service, "was called by a request that has ended", true);
  if (code === "URL_NOT_ALLOWED") {
    return serviceFailure(service, `redirects to another origin, which is refused: check ${setting}`, false);
  }
  if (code === "SCRAPE_TOO_MANY_REDIRECTS")
    return serviceFailure(service, `redirects too many times: check ${setting}`, false);
  if (code === "SCRAPE_PAGE_TOO_LARGE") return serviceFailure(service, "answered with more than 5 MB", false);
  if (code === "SCRAPE_SSL_ERROR") return serviceFailure(service, `has an untrusted certificate${proxy}`, false);
  if (code === "SCRAPE_DNS_RESOLUTION_ERROR")
    return serviceFailure(service, `has a host name that does not resolve: check ${setting}`, true);
  return serviceFailure(service, `cannot be reached${proxy}`, true);
}

export function unknownShape(service: Service): ProviderFailure {
  return serviceFailure(service, "answered with JSON of an unknown shape", false);
}

export function serviceFailure({ name }: Service, problem: string, retry: boolean, status?: number): ProviderFailure {
  return { ok: false, cause: `${name} ${problem}.`, retry, ...(status === undefined ? {} : { status }) };
}

/** The service's own message, as `: words`; empty when it may hold part of a key. */
function messageOf({ secrets }: Service, json: unknown): string {
  if (!isAnswerObject(json)) return "";
  const { error, message, detail } = json;
  const found = [message, error, detail].flatMap((each) =>
    isAnswerObject(each) ? [each.message, each.error, each.detail] : [each],
  );
  const words = (found.map(asText).find((text) => text !== "") ?? "").replace(/\s+/g, " ").trim();
  if (words === "" || holdsSecret(words, secrets)) return "";
  const short = words.length > maxMessage ? `${words.slice(0, maxMessage)}…` : words;
  return `: ${short.replace(/[.\s]+$/, "")}`;
}
