// The navigation: docs/README.md has its groups and their order.
import { lexer, type Token } from "marked";
import { type KnownFiles, resolveLink } from "../pages/guide-links.ts";
import { frontFile, type GuidePage, readableText, urlOf } from "../pages/guide-page.ts";

export interface MenuGroup {
  name: string;
  links: { label: string; url: string }[];
}

const unnamedGroup = "More";
const referenceGroup = "API reference";

/** Each page once, where the front page names it first. */
export function makeMenu(
  guides: readonly GuidePage[],
  reference: readonly GuidePage[],
  known: KnownFiles,
): MenuGroup[] {
  const front = guides.find(({ path }) => path === "");
  const groups: MenuGroup[] = [{ name: "", links: [{ label: "Documentation", url: urlOf("") }] }];
  const listed = new Set([urlOf("")]);
  for (const token of lexer(front?.markdown ?? "")) {
    if (token.type === "heading" && token["depth"] === 2) groups.push({ name: readableText([token]), links: [] });
    for (const { href, text } of linksIn(token)) {
      const { url } = resolveLink(frontFile, href, known);
      if (url === null || listed.has(url) || !/^\/docs\/[^#]+$/.test(url)) continue;
      listed.add(url);
      groups.at(-1)?.links.push({ label: `${text[0]?.toUpperCase()}${text.slice(1)}`, url });
    }
  }
  const rest = guides.filter(({ path }) => !listed.has(urlOf(path)));
  return [
    ...groups,
    { name: unnamedGroup, links: rest.map(asLink).toSorted((one, other) => (one.label < other.label ? -1 : 1)) },
    { name: referenceGroup, links: reference.map(asLink) },
  ].filter(({ links }) => links.length > 0);
}

function asLink({ title, path }: GuidePage) {
  return { label: title, url: urlOf(path) };
}

function linksIn(token: Token): { href: string; text: string }[] {
  if (token.type === "link") return [{ href: token["href"], text: readableText(token.tokens ?? []) }];
  const inner: Token[] = [
    ...(token.type === "list" ? token["items"] : []),
    ...("tokens" in token ? (token.tokens ?? []) : []),
  ];
  const cells = token.type === "table" ? [token["header"], ...token["rows"]].flat() : [];
  return [...inner.flatMap(linksIn), ...cells.flatMap((cell) => (cell.tokens as Token[]).flatMap(linksIn))];
}
