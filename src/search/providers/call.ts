// One question to a provider's service, and everything that can go wrong with it as one sentence. Keys never get into it.
import { holdsSecret } from "../../base/index.ts";
import type { FetchFailure, FetchSuccess } from "../../net/index.ts";
import { isObject, type JsonObject, textOf } from "./json.ts";
import type { ProviderDeps, ProviderFailure } from "./provider.ts";

/** Whom to ask: the service, and what its failures are called. */
export interface Service {
  name: string;
  /** Base address. Only its origin is ever asked, redirects included. */
  endpoint: string;
  /** The settings that name it, for the operator who reads a failure. */
  setting: string;
  /** Keys and passwords: nothing that holds a part of one leaves this file. */
  secrets: readonly string[];
  /** Statuses with a meaning of their own; the sentence continues the name of the service. */
  statuses?: Readonly<Record<number, string>>;
}

export interface Question {
  /** Appended to the endpoint. */
  path: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  body?: JsonObject;
}

const maxAnswerBytes = 5 * 1024 * 1024;
const maxMessage = 160;

export async function ask(
  { net }: Pick<ProviderDeps, "net">,
  service: Service,
  question: Question,
  signal: AbortSignal,
): Promise<{ ok: true; json: JsonObject } | ProviderFailure> {
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
): { ok: true; json: JsonObject } | ProviderFailure {
  const text = body.toString("utf8");
  const json = parse(text);
  if (status < 200 || status > 299) return refused(service, status, json);
  if (isObject(json)) return { ok: true, json };
  const isHtml = /^\s*<(?:!doctype|html|head|body|!--)/i.test(text);
  const problem = isHtml ? "answered HTML instead of JSON" : "answered something that is not a JSON object";
  return failure(service, `${problem}: check ${service.setting}`, false, status);
}

function refused(service: Service, status: number, json: unknown): ProviderFailure {
  const own = service.statuses?.[status];
  const retry = status === 408 || status === 429 || status >= 500;
  if (own !== undefined) return failure(service, `${own} (${status})${messageOf(service, json)}`, retry, status);
  if (status === 401 || status === 403) {
    return failure(
      service,
      `refused its key (${status})${messageOf(service, json)}: check ${service.setting}`,
      retry,
      status,
    );
  }
  if (status === 429) return failure(service, "has had enough requests for now (429)", retry, status);
  const problem = status >= 500 ? "failed" : "did not accept the search";
  return failure(service, `${problem} (${status})${messageOf(service, json)}`, retry, status);
}

function unreachable(service: Service, { code }: FetchFailure): ProviderFailure {
  const { setting } = service;
  if (code === "SCRAPE_TIMEOUT") return failure(service, "did not answer in time", true);
  if (code === "ABORTED") return failure(service, "was not waited for", true);
  if (code === "URL_NOT_ALLOWED") {
    return failure(service, `redirects to another address, which is refused: check ${setting}`, false);
  }
  if (code === "SCRAPE_TOO_MANY_REDIRECTS") return failure(service, `redirects in a circle: check ${setting}`, false);
  if (code === "SCRAPE_PAGE_TOO_LARGE") return failure(service, "answered more than 5 MB", false);
  if (code === "SCRAPE_SSL_ERROR") return failure(service, "has a certificate that cannot be trusted", false);
  if (code === "SCRAPE_DNS_RESOLUTION_ERROR")
    return failure(service, `has a name that does not resolve: check ${setting}`, true);
  return failure(service, "cannot be reached", true);
}

export function unknownShape(service: Service): ProviderFailure {
  return failure(service, "answered JSON of an unknown shape", false);
}

export function failure({ name }: Service, problem: string, retry: boolean, status?: number): ProviderFailure {
  return { ok: false, cause: `${name} ${problem}.`, retry, ...(status === undefined ? {} : { status }) };
}

/** What the service says of its refusal, as `: words`; nothing when that may hold a part of a key. */
function messageOf({ secrets }: Service, json: unknown): string {
  if (!isObject(json)) return "";
  const { error, message, detail } = json;
  const found = [message, error, detail].flatMap((each) =>
    isObject(each) ? [each.message, each.error, each.detail] : [each],
  );
  const words = (found.map(textOf).find((text) => text !== "") ?? "").replace(/\s+/g, " ").trim();
  if (words === "" || holdsSecret(words, secrets)) return "";
  const short = words.length > maxMessage ? `${words.slice(0, maxMessage)}…` : words;
  return `: ${short.replace(/[.\s]+$/, "")}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
