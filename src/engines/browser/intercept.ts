// Looks at a page's requests before they leave the browser. This saves time and is a second layer: what may be reached is
// decided by net's proxy, which also sees what no interception sees.
import type { CDPSession, Page } from "playwright-core";
import type { Net } from "../../net/index.ts";
import type { AnswerForRequest } from "./archived-requests.ts";
import type { AdBlocker } from "./block-ads.ts";
import { placeholderFor, skippableTypes } from "./skipped-requests.ts";

export interface InterceptOptions {
  /** Null: advertisements may stay. */
  adBlocker: AdBlocker | null;
  /** Of the caller: only for the origin they were meant for. */
  headers: Readonly<Record<string, string>>;
  origin: string;
  /** Signs each request; null: none is signed. */
  signer: Net["signer"];
  /** For a browser whose proxy is not ours: whether a URL may be requested at all. */
  allows: ((url: string) => boolean) | null;
  /** Asked before the page itself moves to another URL; null: it may go anywhere. */
  mayFollow: ((url: string) => Promise<boolean>) | null;
  /** Whether images, media and fonts may be skipped now; null: never. */
  maySkip: (() => boolean) | null;
  /** Answers what is left of the requests out of an archive; null: they leave the browser. */
  answer: AnswerForRequest | null;
}

interface PausedRequest {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string> };
  resourceType: string;
  frameId: string;
}

/** The kinds that advertisements come as; every pause costs a round trip. */
const advertisingTypes = ["Document", "Script", "XHR", "Fetch", "Image", "Ping", "Other"] as const;

/** `isLoaded`: its document is there already, else the first that is asked for is the page itself. */
export async function intercept(page: Page, options: InterceptOptions, isLoaded = false): Promise<void> {
  const { adBlocker, headers, origin, signer, allows, mayFollow, maySkip, answer } = options;
  const hasHeaders = Object.keys(headers).length > 0 || signer !== null;
  const isPlain = adBlocker === null && !hasHeaders && allows === null && mayFollow === null && maySkip === null;
  if (isPlain && answer === null) return;
  const session = await page.context().newCDPSession(page);
  const types = new Set([
    ...(adBlocker === null ? (["Document"] as const) : advertisingTypes),
    ...(maySkip === null ? [] : skippableTypes),
  ]);
  const patterns =
    hasHeaders || allows !== null || answer !== null
      ? [{ urlPattern: "*" }]
      : [...types].map((resourceType) => ({ urlPattern: "*", resourceType }));
  const mainFrame = { id: isLoaded ? (await session.send("Page.getFrameTree")).frameTree.frame.id : "" };
  session.on("Fetch.requestPaused", (event) => {
    decide(session, event as PausedRequest).catch(() => undefined); // The page is gone.
  });
  await session.send("Fetch.enable", { patterns });

  async function decide(via: CDPSession, { requestId, request, resourceType, frameId }: PausedRequest): Promise<void> {
    const isFirst = mainFrame.id === "" && resourceType === "Document";
    if (isFirst) mainFrame.id = frameId;
    const isPage = resourceType === "Document" && frameId === mainFrame.id;
    const isRefused =
      (allows !== null && !allows(request.url)) ||
      (isPage && !isFirst && mayFollow !== null && !(await mayFollow(request.url)));
    if (isRefused || (!isPage && adBlocker?.blocks(request.url, resourceType, page.url()) === true)) {
      await via.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
      return;
    }
    const placeholder = maySkip?.() === true ? placeholderFor(resourceType, request.headers) : null;
    if (placeholder === "none") {
      await via.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
      return;
    }
    if (placeholder !== null) {
      await via.send("Fetch.fulfillRequest", { requestId, responseCode: 200, ...placeholder });
      return;
    }
    if (answer !== null) {
      const found = await answer(request).catch(() => null);
      if (found === null) await via.send("Fetch.failRequest", { requestId, errorReason: "AddressUnreachable" });
      else await via.send("Fetch.fulfillRequest", { requestId, ...found });
      return;
    }
    await via.send("Fetch.continueRequest", hasHeaders ? { requestId, headers: headersFor(request) } : { requestId });
  }

  /** A redirect carries what the hop before it was given, so elsewhere it is taken away again. */
  function headersFor(request: PausedRequest["request"]): { name: string; value: string }[] {
    const url = URL.canParse(request.url) ? new URL(request.url) : null;
    const signature = url !== null && /^https?:$/.test(url.protocol) ? (signer?.sign(url) ?? {}) : {};
    const added = { ...(url?.origin === origin ? headers : {}), ...signature };
    const replaced = { ...headers, ...signature };
    const kept = Object.entries(request.headers).filter(([name]) => replaced[name.toLowerCase()] === undefined);
    return [...kept, ...Object.entries(added)].map(([name, value]) => ({ name, value }));
  }
}
