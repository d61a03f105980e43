// One request to a source: through the guard, to its own origin only, with our name and nothing of the caller.
import { type Clock, secondMs } from "../../base/index.ts";
import type { FetchSuccess, Net } from "../../net/index.ts";
import { parseJson } from "../providers/json.ts";
import { parseAnswer } from "../sources/answer-tree.ts";
import type { OpenSource, SourceAnswer, SourceCall, SourcePage } from "../sources/source.ts";
import {
  captcha,
  noContact,
  notFetched,
  rateLimited,
  refusedWith,
  type SourceFailure,
  unknownForm,
  unreadable,
} from "./source-failure.ts";

export interface CallDeps {
  net: Pick<Net, "fetch">;
  clock: Clock;
  userAgent: string;
  /** How to set a contact; null where it has one. */
  contactHint: string | null;
}

const maxAnswerBytes = 5 * 1024 * 1024;
const maxRedirects = 3;
const refusalBytes = 4096;
const accepted = {
  json: "application/json",
  text: "application/json",
  xml: "application/atom+xml, application/rss+xml, application/xml",
  html: "text/html",
};
const formatNames = { json: "JSON", text: "JSON", xml: "XML", html: "HTML" };

export async function callSource(
  { net, clock, userAgent, contactHint }: CallDeps,
  source: OpenSource,
  /** `isMoved`: the operator set it, so it may be private. */
  { base, isMoved }: { base: string; isMoved: boolean },
  call: SourceCall,
  signal: AbortSignal,
): Promise<{ ok: true; answer: SourceAnswer } | SourceFailure> {
  const url = urlOf(base, call);
  const { body, form } = call;
  const sent = body ? JSON.stringify(body) : form && new URLSearchParams(form).toString();
  const type = body ? "application/json" : "application/x-www-form-urlencoded";
  const request = {
    url: url.href,
    headers: {
      "user-agent": userAgent,
      accept: accepted[source.answers],
      ...(sent === undefined ? {} : { "content-type": type }),
      ...call.headers,
    },
    ...(sent === undefined ? {} : { method: "POST" as const, body: sent }),
    limits: { wireBytes: maxAnswerBytes, decodedBytes: maxAnswerBytes },
    maxRedirects,
    signal,
  };
  const isOwn = async (target: string) => new URL(target).origin === url.origin;
  const outcome = isMoved
    ? await net.fetch({ ...request, allowOrigin: url.origin })
    : await net.fetch({ ...request, mayFollow: isOwn, service: "ours" });
  if (!outcome.ok) return notFetched(outcome);
  if (contactHint !== null && isForContact(source, outcome)) return noContact(contactHint);
  return readAnswer(source, outcome, clock.now());
}

function urlOf(base: string, { path, query = {} }: SourceCall): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}

async function readAnswer(
  source: OpenSource,
  { status, headers, body, retryAfterSeconds }: FetchSuccess,
  now: number,
): Promise<{ ok: true; answer: SourceAnswer } | SourceFailure> {
  const seconds = retryAfterSeconds ?? resetSeconds(headers["x-ratelimit-reset"], now);
  const isSuccess = status === 200;
  if (!isSuccess && !source.isLimit) return refusedWith(status, seconds);
  const text = body.toString("utf8");
  const answer = await parse(source, text);
  if (!isSuccess) {
    const isLimit = answer !== null && source.isLimit?.(answer) === true;
    return isLimit ? rateLimited(status, seconds) : refusedWith(status, seconds);
  }
  if (answer !== null) return { ok: true, answer };
  return isHtml(text) ? captcha() : unreadable(formatNames[source.answers]);
}

/** Wikimedia names its policy, others the header that they do not like. */
function isForContact({ wantsContact = false }: OpenSource, { status, body }: FetchSuccess): boolean {
  return status === 403 && (wantsContact || /user-?agent/i.test(body.toString("utf8", 0, refusalBytes)));
}

/** Null when it is not of the source's format. */
async function parse({ answers }: OpenSource, text: string): Promise<SourceAnswer | null> {
  if (answers === "text") return isHtml(text) ? null : { text, json: undefined, tree: null };
  if (answers === "json") {
    const json = parseJson(text);
    return json === undefined ? null : { text, json, tree: null };
  }
  if (answers === "xml" && isHtml(text)) return null;
  const tree = await parseAnswer(text, answers);
  return tree && { text, json: undefined, tree };
}

/** Where none is expected, a page of HTML is there for people: to prove that they are. */
function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype\s+html|html|head|body|!--)/i.test(text.slice(0, 200));
}

/** GitHub names the second at which its window ends. */
function resetSeconds(header: string | string[] | undefined, now: number): number | null {
  const reset = typeof header === "string" && /^\d{9,11}$/.test(header) ? Number(header) : null;
  return reset === null ? null : Math.max(1, Math.ceil(reset - now / secondMs));
}

export interface PageRead {
  ok: true;
  page: SourcePage;
}

/** Reads an answer; whatever it holds, the search goes on. */
export function readSourcePage(source: OpenSource, ...input: Parameters<OpenSource["read"]>): PageRead | SourceFailure {
  try {
    const page = source.read(...input);
    if (page === "refused") return captcha();
    return page === null ? unknownForm() : { ok: true, page };
  } catch {
    return unknownForm();
  }
}
