// Which exchanges of a page with servers are wanted: by kind of content, and by URL.
import type { NetworkKind } from "../../contract/index.ts";

export interface NetworkLook {
  /** "all": whatever it is. */
  types: readonly (NetworkKind | "all")[];
  /** Globs over the absolute URL, any of which must fit; none: every URL fits. */
  urls?: readonly string[] | undefined;
}

/** By what the server says it is, else by what the page wanted it for. */
export function networkKindOf(contentType: string, resourceType: string): NetworkKind {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (/^(?:application|text)\/json$|\+json$/.test(type)) return "json";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type.startsWith("image/")) return "image";
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return "xml";
  if (/javascript|ecmascript/.test(type)) return "script";
  if (type === "text/css") return "style";
  if (/^font\/|^application\/(?:x-)?font/.test(type)) return "font";
  if (/^(?:audio|video)\//.test(type)) return "media";
  if (type.startsWith("text/")) return "text";
  return byResource[resourceType] ?? "other";
}

const byResource: Readonly<Record<string, NetworkKind>> = {
  document: "html",
  script: "script",
  stylesheet: "style",
  image: "image",
  font: "font",
  media: "media",
};

/** Data often come as text, or as nothing in particular. */
export function holdsJson(body: string): boolean {
  if (!/^\s*[[{]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** `*` is anything within a segment, `**` anything. Linear in the URL for each pattern, whatever the pattern. */
export function createUrlTest(globs: readonly string[]): (url: string) => boolean {
  const patterns = globs.map(tokensOf);
  return (url) => patterns.length === 0 || patterns.some((tokens) => fits(tokens, url));
}

type Token = "*" | "**" | { character: string };

function tokensOf(glob: string): Token[] {
  return (glob.match(/\*+|[^*]/gsu) ?? []).map((part) =>
    part[0] === "*" ? (part.length > 1 ? "**" : "*") : { character: part },
  );
}

/** The places in the pattern that can be reached, after each character of the URL. */
function fits(tokens: readonly Token[], url: string): boolean {
  let places = withSkipped(tokens, new Set([0]));
  for (const character of url) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if (token === "**" || (token === "*" && character !== "/")) next.add(place);
      else if (typeof token === "object" && token.character === character) next.add(place + 1);
    }
    if (next.size === 0) return false;
    places = withSkipped(tokens, next);
  }
  return places.has(tokens.length);
}

/** A star may stand for nothing. */
function withSkipped(tokens: readonly Token[], places: Set<number>): Set<number> {
  for (const place of places) if (typeof tokens[place] === "string") places.add(place + 1);
  return places;
}
