// What a solver brings back: the page as its browser shows it, and the cookies and the user agent that the host lets through.
import { bareUrl, isObject } from "../../base/index.ts";
import type { Page } from "../../engines/index.ts";
import type { ClearanceCookie } from "../strategy/clearance-cookies.ts";

export interface Solution {
  finalUrl: string;
  page: Pick<Page, "status" | "headers" | "contentType" | "body">;
  cookies: ClearanceCookie[];
  userAgent: string | null;
}

const cookieName = /^[\w!#$%&'*+.^`|~-]+$/;
const cookieValue = /^[\x20-\x3a\x3c-\x7e]*$/;
const agentName = /^[\x20-\x7e]{1,512}$/;
const sameSites = ["Strict", "Lax", "None"] as const;
/** Said of the bytes that its browser received, and not of what it made of them. */
const headersOfBytes = new Set([
  "content-type",
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "set-cookie",
]);

/** Null where the answer holds no page. */
export function readSolution({ solution }: Record<string, unknown>): Solution | null {
  if (!isObject(solution)) return null;
  const { url, response, status, headers, cookies, contentType } = solution;
  if (typeof url !== "string" || typeof response !== "string" || response.trim() === "") return null;
  const userAgent =
    typeof solution.userAgent === "string" && agentName.test(solution.userAgent) ? solution.userAgent : null;
  const isPdf = contentType === "application/pdf";
  return {
    finalUrl: url,
    page: {
      status: Number.isInteger(status) && Number(status) >= 100 && Number(status) <= 599 ? Number(status) : 200,
      headers: readHeaders(headers),
      contentType: isPdf ? contentType : "text/html; charset=utf-8",
      body: Buffer.from(response, isPdf ? "base64" : "utf8"),
    },
    cookies: (Array.isArray(cookies) ? cookies : []).flatMap((each) => readCookie(each, userAgent)),
    userAgent,
  };
}

export function isSamePage(one: string, other: string): boolean {
  return bareUrl(one).replace(/#.*$/, "") === bareUrl(other).replace(/#.*$/, "");
}

function readHeaders(headers: unknown): Page["headers"] {
  const pairs = isObject(headers) ? Object.entries(headers) : [];
  const texts = pairs.flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && !headersOfBytes.has(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [],
  );
  return Object.fromEntries(texts);
}

/** As Selenium, Puppeteer and Playwright name its parts. One that could not be sent as it is, is left out. */
function readCookie(given: unknown, userAgent: string | null): ClearanceCookie[] {
  if (!isObject(given)) return [];
  const { name, value, domain, path = "/", expires, expiry, httpOnly, secure, sameSite } = given;
  if (typeof name !== "string" || typeof value !== "string" || typeof domain !== "string" || typeof path !== "string")
    return [];
  if (!cookieName.test(name) || !cookieValue.test(value)) return [];
  const until = Number(expires ?? expiry ?? -1);
  return [
    {
      name,
      value,
      domain: domain.toLowerCase(),
      path,
      expires: Number.isFinite(until) && until > 0 ? until : -1,
      httpOnly: httpOnly === true,
      secure: secure === true,
      sameSite: sameSites.find((each) => each === sameSite) ?? "Lax",
      ...(userAgent === null ? {} : { userAgent }),
    },
  ];
}
