// Options of Jina Reader: headers, and on POST also fields of the body under their camel-case names. The header wins.
import * as z from "zod";
import { ServiceError } from "../../base/index.ts";
import { badField } from "../frame/cause.ts";

type Headers = Readonly<Record<string, string | undefined>>;

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])).max(100)]);
const option = (description: string) => value.optional().describe(description);

/** The body's fields; each is also a header (`targetSelector` is `X-Target-Selector`). */
export const readerFields = {
  respondWith: option("content, markdown, html, text, screenshot or pageshot; several separated by commas for JSON"),
  returnFormat: option("The same as respondWith"),
  targetSelector: option("CSS selectors of what to keep"),
  removeSelector: option("CSS selectors of what to remove"),
  waitForSelector: option("CSS selector of an element to wait for"),
  timeout: option("Seconds, 1 to 180"),
  noCache: option("true fetches the page again"),
  cacheTolerance: option("Age of a cached copy in seconds, 3600 by default"),
  withLinksSummary: option("The page's links; all keeps every one"),
  withImagesSummary: option("The page's images; all keeps every one"),
  retainImages: option("all, none or alt"),
  retainLinks: option("all, none or text"),
  tokenBudget: option("A page with more tokens is refused with 409, uncharged"),
  maxTokens: option("The content is cut there"),
  setCookie: option("Cookies to send"),
  userAgent: option("User-Agent to send"),
  referer: option("Referer to send"),
  locale: option("Language to prefer"),
  keepImgDataUrl: option("Keep images that are data URLs"),
  doNotTrack: option("Do not cache the page"),
  robotsTxt: option("Obey the site's robots.txt"),
  engine: option("auto, browser, direct or curl"),
};

export const readerBody = z.strictObject({
  url: z.string().max(8192).optional().describe("URL of the page"),
  html: z.string().optional().describe("HTML to read instead; url is then its base"),
  pdf: z.string().optional().describe("A PDF to read instead, in base64"),
  file: z.string().optional().describe("A file to read instead, in base64"),
  ...readerFields,
});

export type ReaderBody = z.output<typeof readerBody>;
export type ReaderFields = z.output<z.ZodObject<typeof readerFields>>;

/** Headers of Jina that have no effect here. */
const withoutEffect =
  /^x-(?:proxy|proxy-url|with-generated-alt|with-iframe|with-shadow-dom|remove-overlay|base|no-gfm|markdown-chunking|respond-timing|md-.+)$/;

export function ignoredHeaders(headers: Headers): string[] {
  return Object.keys(headers).filter((name) => withoutEffect.test(name));
}

const modes = ["content", "markdown", "html", "text", "screenshot", "pageshot", "no-content"] as const;
export type Mode = (typeof modes)[number];

export type ReaderOptions = ReturnType<typeof readOptions>;

const headerNames = new Map(
  Object.keys(readerFields).map((name) => [
    name,
    `x-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ]),
).set("doNotTrack", "dnt");

export function readOptions(headers: Headers, body: ReaderFields) {
  const read = (name: keyof ReaderFields) => {
    const header = headers[headerNames.get(name) ?? ""];
    return header ?? (body[name] === undefined ? undefined : [body[name]].flat().join(", "));
  };
  const number = (name: keyof ReaderFields, least: number) => {
    const text = read(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text.trim()) || Number(text) < least)
      throw badField(name, `Must be a number of at least ${least}`);
    return Number(text);
  };
  const one = <const Word extends string>(name: keyof ReaderFields, words: readonly Word[], otherwise: Word): Word => {
    const text = read(name)?.trim().toLowerCase();
    const found = words.find((word) => word === (text ?? otherwise));
    if (found === undefined) throw badField(name, `Must be one of ${words.join(", ")}`);
    return found;
  };
  const isSet = (name: keyof ReaderFields) =>
    !["", "false", "0", "none"].includes(read(name)?.trim().toLowerCase() ?? "");
  const summary = (name: keyof ReaderFields) =>
    !isSet(name) ? ("none" as const) : read(name)?.trim() === "all" ? ("all" as const) : ("named" as const);

  const asked = modesOf(read("respondWith") ?? read("returnFormat"));
  const target = selectors(read("targetSelector"));
  const removed = selectors(read("removeSelector"));
  const waited = read("waitForSelector");
  const engine = one("engine", ["auto", "browser", "direct", "curl", ""], "auto");
  const seconds = number("timeout", 1);
  const age = isSet("noCache") ? 0 : (number("cacheTolerance", 0) ?? 3600);
  const sent = sentHeaders(read);
  const locale = read("locale");
  return {
    modes: asked,
    /** Of a v2 scrape, without its formats. */
    scrape: {
      onlyMainContent:
        asked.some((mode) => mode === "content") && !asked.includes("markdown") && !asked.includes("text"),
      ...(target.length > 0 ? { includeTags: target } : {}),
      ...(removed.length > 0 ? { excludeTags: removed } : {}),
      maxAge: Math.round(age * 1000),
      ...(seconds === undefined ? {} : { timeout: Math.round(Math.min(seconds, 180) * 1000) }),
      ...(waited === undefined ? {} : { actions: [{ type: "wait", selector: waited }] }),
      ...(engine === "browser" && waited === undefined ? { waitFor: 1 } : {}),
      ...(engine === "direct" || engine === "curl" ? { fastMode: true } : {}),
      ...(Object.keys(sent).length > 0 ? { headers: sent } : {}),
      ...(locale === undefined ? {} : { location: { languages: [locale] } }),
      ...(isSet("keepImgDataUrl") ? { removeBase64Images: false } : {}),
      ...(read("doNotTrack")?.trim() === "1" || body.doNotTrack === true ? { storeInCache: false } : {}),
    },
    tokenBudget: number("tokenBudget", 1),
    maxTokens: number("maxTokens", 1),
    obeysRobots: isSet("robotsTxt"),
    links: summary("withLinksSummary"),
    images: summary("withImagesSummary"),
    retainImages: one("retainImages", ["all", "none", "alt"], "all"),
    retainLinks: one("retainLinks", ["all", "none", "text"], "all"),
    hasTarget: target.length > 0,
    /** Whether parts of the page are chosen or removed. */
    hasSelectors: target.length + removed.length > 0,
    /** Options that were given, as the caller wrote them. */
    given: givenNames(headers, body),
    /** Of these, those that another one leaves without effect. */
    outdone: [
      ...(read("respondWith") === undefined ? [] : (["returnFormat"] as const)),
      ...(isSet("noCache") ? (["cacheTolerance"] as const) : []),
    ],
  };
}

function givenNames(headers: Headers, body: ReaderFields): ReadonlyMap<keyof ReaderFields, string> {
  const names = new Map<keyof ReaderFields, string>();
  for (const field of readerFieldNames) {
    const header = headerNames.get(field) ?? "";
    if (headers[header] !== undefined) names.set(field, header);
    else if (body[field] !== undefined) names.set(field, field);
  }
  return names;
}

/** Names of options that were given and have no effect where these have none. */
export function withoutUse({ given, outdone }: ReaderOptions, useless: readonly (keyof ReaderFields)[]): string[] {
  return [...useless, ...outdone].flatMap((field) => given.get(field) ?? []);
}

export const readerFieldNames = Object.keys(readerFields) as (keyof ReaderFields)[];

function modesOf(text = "content"): Mode[] {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  return names.map((name) => {
    if (name === "" || name === "default") return "content";
    const mode = modes.find((each) => each === name);
    if (mode !== undefined) return mode;
    if (name === "readerlm-v2" || name === "vlm")
      throw new ServiceError("NOT_IMPLEMENTED", `${name} is not available.`);
    throw badField("respondWith", `Must be one of ${modes.join(", ")}`);
  });
}

function selectors(text = ""): string[] {
  return text
    .split(/,\s+/)
    .map((selector) => selector.trim())
    .filter((selector) => selector !== "");
}

function sentHeaders(read: (name: keyof ReaderFields) => string | undefined): Record<string, string> {
  const cookies = read("setCookie")
    ?.split(/,\s*(?=[^;,=\s]+=)/)
    .map((cookie) => cookie.split(";", 1)[0]?.trim() ?? "");
  const pairs: [string, string | undefined][] = [
    ["Cookie", cookies?.join("; ")],
    ["User-Agent", read("userAgent")],
    ["Referer", read("referer")],
  ];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ""));
}
