// Where a link of a page leads on the site. Pages link as files do, so that the same text works in a checkout.
import { posix } from "node:path";
import { frontFile, urlOf } from "./guide-page.ts";

/** Files outside docs/ that the server has something for. */
const elsewhere: Readonly<Record<string, string>> = { "README.md": "/docs", "openapi.json": "/openapi.json" };

export interface LinkTarget {
  /** Null for what only the repository has. */
  url: string | null;
  /** The path in the repository. */
  file: string;
}

export interface KnownFiles {
  hasPage(path: string): boolean;
  hasPicture(name: string): boolean;
}

/** `twin` is the file, below docs/, that links. */
export function resolveLink(twin: string, href: string, known: KnownFiles): LinkTarget {
  if (/^(?:https?:\/\/|mailto:|#)/i.test(href)) return { url: href, file: href };
  const [path = "", anchor] = href.split("#");
  const file = posix.normalize(posix.join("docs", posix.dirname(twin), path));
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const inside = file.startsWith("docs/") ? file.slice("docs/".length) : null;
  if (/^[\w+.-]+:/.test(href)) return { url: null, file: href };
  if (inside === null) return { url: elsewhere[file] ?? null, file };
  if (known.hasPicture(inside)) return { url: `/docs/${inside}`, file };
  const page = inside === frontFile ? "" : inside.replace(/\.md$/, "");
  return { url: /\.md$/.test(inside) && known.hasPage(page) ? `${urlOf(page)}${hash}` : null, file };
}
