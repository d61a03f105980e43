// The requests of Browserless: what of them a scrape can do, and the names of what it cannot.
import * as z from "zod";
import { badField } from "../frame/cause.ts";

const ms = z.number().min(0).max(300_000);
const text = z.string().max(100_000);

const cookie = z.looseObject({ name: z.string(), value: z.string(), domain: z.string().optional() });

const pageFieldsOfBody = {
  url: z.string().max(8192).optional().describe("URL of the page"),
  html: z.string().max(10_000_000).optional().describe("Not available: give a URL"),
  gotoOptions: z.looseObject({ waitUntil: z.unknown().optional(), timeout: ms.optional() }).optional(),
  waitForTimeout: ms.optional().describe("In milliseconds"),
  waitForSelector: z
    .looseObject({
      selector: z.string().min(1).max(4096),
      timeout: ms.optional(),
      hidden: z.boolean().optional(),
      visible: z.boolean().optional(),
    })
    .optional(),
  viewport: z
    .looseObject({
      width: z.int().min(1).max(7680),
      height: z.int().min(1).max(4320),
      isMobile: z.boolean().optional(),
    })
    .optional(),
  userAgent: z.string().max(2048).optional(),
  setExtraHTTPHeaders: z.record(z.string(), z.string()).optional(),
  cookies: z.array(cookie).max(1000).optional(),
  addStyleTag: z
    .array(z.looseObject({ content: text.optional(), url: z.string().max(8192).optional() }))
    .max(100)
    .optional(),
  bestAttempt: z.coerce.boolean().optional().describe("Answer with what is there at the end of a wait"),
};

const image = z.looseObject({
  type: z.enum(["png", "jpeg", "webp"]).optional(),
  quality: z.int().min(1).max(100).optional(),
  fullPage: z.boolean().optional(),
  encoding: z.enum(["binary", "base64"]).optional(),
});

const paper = z.looseObject({
  format: z.string().max(20).optional(),
  landscape: z.boolean().optional(),
  scale: z.number().min(0.1).max(2).optional(),
});

export const contentRequest = z.strictObject(pageFieldsOfBody);
export const screenshotRequest = z.strictObject({ ...pageFieldsOfBody, options: image.optional() });
export const pdfRequest = z.strictObject({ ...pageFieldsOfBody, options: paper.optional() });

export type PageRequest = z.output<typeof contentRequest>;

/** What the schema takes and a scrape cannot do, by name. */
export function ignoredOf({
  gotoOptions = {},
  waitForSelector = { selector: "" },
  viewport,
  addStyleTag = [],
}: PageRequest) {
  return [
    ...named("gotoOptions", gotoOptions, ["timeout"]),
    ...named("waitForSelector", waitForSelector, ["selector"]),
    ...named("viewport", viewport ?? {}, ["width", "height", "isMobile"]),
    ...(addStyleTag.some(({ url }) => url !== undefined) ? ["addStyleTag.url"] : []),
  ];
}

/** Names of the fields beside those that have an effect, with the path to them. */
export function named(path: string, value: object, known: readonly string[]): string[] {
  return Object.keys(value).flatMap((name) => (known.includes(name) ? [] : [`${path}.${name}`]));
}

/** The same as options of a v2 scrape. Whatever is asked for, the page is rendered. */
export function scrapeOptions(fields: PageRequest): {
  url: string;
  options: Record<string, unknown> & { actions: object[] };
} {
  const { url, html, gotoOptions, waitForTimeout = 0, waitForSelector, viewport, userAgent, cookies = [] } = fields;
  if (html !== undefined) {
    throw badField(
      "html",
      url === undefined ? "HTML of one's own is not rendered here. Give a url." : "Give url or html, not both",
    );
  }
  if (url === undefined) throw badField("url", "Required: url");
  const cookieHeader = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const style = (fields.addStyleTag ?? []).flatMap(({ content }) => content ?? []).join("\n");
  return {
    url,
    options: {
      maxAge: 0,
      onlyMainContent: false,
      blockAds: false,
      waitFor: Math.min(60_000, Math.max(1, Math.round(waitForTimeout))),
      timeout: Math.min(300_000, Math.max(1000, gotoOptions?.timeout ?? 60_000)),
      mobile: viewport?.isMobile === true,
      headers: {
        ...fields.setExtraHTTPHeaders,
        ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
        ...(cookieHeader === "" ? {} : { cookie: cookieHeader }),
      },
      actions: [
        ...(waitForSelector === undefined ? [] : [{ type: "wait", selector: waitForSelector.selector }]),
        ...(style === "" ? [] : [{ type: "executeJavascript", script: addStyle(style) }]),
      ],
    },
  };
}

function addStyle(css: string): string {
  return `document.head.appendChild(document.createElement("style")).textContent = ${JSON.stringify(css)};`;
}
