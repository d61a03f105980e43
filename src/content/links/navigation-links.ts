// Where a page says that it belongs: the next page and others of its series, and its other versions.
import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import type { PageUrls } from "./page-urls.ts";

interface Alternate {
  url: string;
  language?: string;
  type?: string;
}

const places = ["next", "prev", "first", "last", "up"] as const;

export type NavigationLinks = { [Place in (typeof places)[number]]?: string } & { alternates?: Alternate[] };

/** Other names of the same relations. */
const otherNames: Record<string, string> = { previous: "prev", start: "first", begin: "first", end: "last" };
const maxAlternates = 50;
const longestHeader = 20_000;

/** `header`: the response's Link header. Its links count after those of the head and before those of the text. */
export function readNavigation(
  links: readonly Element[],
  anchors: readonly Element[],
  urls: PageUrls,
  header: string,
): NavigationLinks | null {
  const found: NavigationLinks = {};
  const alternates = new Map<string, Alternate>();
  const note = (written: string, of: (name: string) => string | undefined) => {
    const rels = (of("rel") ?? "").toLowerCase().split(/\s+/);
    const target = written.trim();
    const url = target === "" || target.startsWith("#") ? null : urls.web(target);
    if (url === null) return;
    for (const rel of rels) {
      const place = places.find((name) => name === (otherNames[rel] ?? rel));
      if (place) found[place] ??= url;
    }
    if (!rels.includes("alternate") || rels.includes("stylesheet") || alternates.size >= maxAlternates) return;
    const language = of("hreflang")?.trim();
    const type = of("type")?.trim();
    const key = `${url} ${language} ${type}`;
    alternates.set(key, { url, ...(language ? { language } : {}), ...(type ? { type } : {}) });
  };
  const noteElement = (element: Element) => note(attribute(element, "href") ?? "", (name) => attribute(element, name));
  for (const link of links) noteElement(link);
  for (const [, target = "", parameters = ""] of header.slice(0, longestHeader).matchAll(headerLink))
    note(target, (name) => parameterOf(parameters, name));
  for (const anchor of anchors) if (attribute(anchor, "rel") !== undefined) noteElement(anchor);
  if (alternates.size > 0) found.alternates = [...alternates.values()];
  return Object.keys(found).length > 0 ? found : null;
}

/** RFC 8288: `<target>; name="value"; name=value`. */
const headerLink =
  /<([^<>]{0,4000})>((?:\s{0,5};\s{0,5}[\w*-]{1,40}(?:\s?=\s?(?:"[^"]{0,500}"|[^\s;,"]{1,500}))?){0,20})/g;

function parameterOf(parameters: string, name: string): string | undefined {
  const [, quoted, plain] = new RegExp(`;\\s*${name}\\s?=\\s?(?:"([^"]*)"|([^\\s;,"]+))`, "i").exec(parameters) ?? [];
  return quoted ?? plain;
}
