// URLs as a page writes them -> absolute ones.

/** Longer ones are data, not URLs. */
const maxLength = 8192;

/** Paths the URL parser would give back unchanged, so that it is not called: it takes 1-2 µs a URL. */
const plainPath = /^\/(?!\/)[\w\-~%!$&'()*+,;=:@/.]*(?:\?[\w\-~%!$&()*+,;=:@/.?]*)?(?:#[\w\-~%!$&()*+,;=:@/.?]*)?$/;

const unsafeSchemes = new Set(
  "javascript: vbscript: data: file: blob: filesystem: about: view-source: chrome: chrome-extension: moz-extension: http: https:".split(
    " ",
  ),
);

export class PageUrls {
  private readonly base: string;
  private readonly origin: string;
  private readonly page: string;
  private readonly known = new Map<string, string | null>();

  /** `baseHref` is the page's own `<base href>`. */
  constructor(pageUrl: string, baseHref: string | null) {
    this.base = absoluteOf(baseHref ?? "", pageUrl) ?? pageUrl;
    this.page = pageUrl.replace(/#.*$/s, "");
    this.origin = URL.canParse(this.base) ? new URL(this.base).origin : "null";
  }

  /** The absolute http(s) URL, or null for anything else. */
  web(written: string): string | null {
    const known = this.known.get(written);
    if (known !== undefined) return known;
    const url = this.read(written.trim());
    this.known.set(written, url);
    return url;
  }

  /** What a link leads to by any scheme, but those that run code or show what is on the reader's own machine. */
  link(written: string): string | null {
    const web = this.web(written);
    if (web !== null || written.trim() === "" || written.length > maxLength || !URL.canParse(written, this.base))
      return web;
    const { protocol, href } = new URL(written, this.base);
    return unsafeSchemes.has(protocol) ? null : href;
  }

  /** The name of a place on this very page, or null when a URL leads elsewhere. */
  placeOnPage(written: string): string | null {
    const url = this.web(written);
    const at = url?.indexOf("#") ?? -1;
    return url !== null && at >= 0 && url.slice(0, at) === this.page ? url.slice(at + 1) : null;
  }

  private read(written: string): string | null {
    if (written === "" || written.length > maxLength) return null;
    if (this.origin !== "null" && plainPath.test(written) && !written.includes("/.")) return this.origin + written;
    return absoluteOf(written, this.base);
  }
}

function absoluteOf(written: string, base: string): string | null {
  // Checked first because a refused URL costs an exception, and javascript: and mailto: are common.
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(written)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return null;
  try {
    const url = new URL(written, base);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}
