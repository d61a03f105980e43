// Options of a browser context: window, language, time zone, location.
import type { BrowserContextOptions } from "playwright-core";
import type { Identity } from "../visitor/user-agents.ts";
import { acceptLanguage, placeOf } from "../visitor/visitor-country.ts";
import type { RenderRequest } from "./render.ts";

const desktop = { viewport: { width: 1280, height: 800 } };
const mobile = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

export function contextOptions(request: RenderRequest, identity: Identity): BrowserContextOptions {
  const { options } = request;
  const asked = Object.entries(options.headers).find(([name]) => name.toLowerCase() === "user-agent")?.[1];
  const [locale] = acceptLanguage(options.location).split(",");
  return {
    ...(options.mobile ? mobile : desktop),
    userAgent: asked ?? (options.mobile ? identity.mobile : identity.desktop).userAgent,
    ...(locale === undefined ? {} : { locale }),
    ...placeOf(options.location.country),
    ignoreHTTPSErrors: options.skipTlsVerification,
    serviceWorkers: "block",
    acceptDownloads: false,
    ...(request.storageState === undefined ? {} : { storageState: request.storageState }),
  };
}
