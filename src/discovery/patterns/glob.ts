// URLs with a star: `*` matches anything within one segment of a path, `**` for any number of segments, and `/*` at
// the end for everything below.

export interface GlobUrl {
  /** The part before the first star: where to look for pages. */
  base: URL;
  /** Whether the path of a page fits. */
  matches(pathname: string): boolean;
}

/** Null for a URL without a star in its path. */
export function readGlob(url: string): GlobUrl | null {
  const { origin, pathname } = new URL(url);
  if (!pathname.includes("*")) return null;
  const parts = segmentsOf(pathname);
  const first = parts.findIndex((part) => part.includes("*"));
  const folder = parts.slice(0, first).join("/");
  const base = new URL(`/${folder}${folder === "" ? "" : "/"}`, origin);
  if (parts.at(-1) === "*") parts[parts.length - 1] = "**";
  return { base, matches: (path) => matchParts(segmentsOf(path), parts, isAnySegment, matchSegment) };
}

function segmentsOf(pathname: string): string[] {
  return pathname.split("/").filter((part) => part !== "");
}

const isAnySegment = (part: string | undefined) => part === "**";

function matchSegment(segment: string | undefined, part: string | undefined): boolean {
  if (segment === undefined || part === undefined) return false;
  if (!part.includes("*")) return segment === part;
  return matchParts(
    Array.from(segment),
    Array.from(part),
    (letter) => letter === "*",
    (letter, wanted) => letter === wanted,
  );
}

/** Goes back only to the last star, so the work is bounded by the product of both lengths. */
function matchParts(
  texts: readonly string[],
  parts: readonly string[],
  isStar: (part: string | undefined) => boolean,
  fits: (text: string | undefined, part: string | undefined) => boolean,
): boolean {
  let text = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (text < texts.length) {
    if (isStar(parts[part])) {
      star = part;
      part += 1;
      resume = text;
    } else if (part < parts.length && fits(texts[text], parts[part])) {
      text += 1;
      part += 1;
    } else if (star >= 0) {
      part = star + 1;
      resume += 1;
      text = resume;
    } else return false;
  }
  while (isStar(parts[part])) part += 1;
  return part === parts.length;
}
