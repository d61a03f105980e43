// The frame around every page: navigation, search box, theme, and links within the page. Its parts are those of the dashboard.

import type { GuideHeading } from "../pages/guide-html.ts";
import { toHtmlText } from "../pages/html-text.ts";
import type { MenuGroup } from "./guide-menu.ts";

export interface FramedPage {
  title: string;
  description: string;
  /** Where it is served; null for what only this request got. */
  url: string | null;
  /** Its markdown, if it has some. */
  twinUrl: string | null;
  headings: readonly GuideHeading[];
  html: string;
  /** What the search box holds. */
  query?: string;
}

interface FrameParts {
  menu: readonly MenuGroup[];
  version: string;
  /** Of an asset, with what tells its versions apart. */
  assetUrl(name: string): string;
  hasDashboard: boolean;
}

/** From so many on, a list of them helps. */
const leastHeadings = 3;
const listedDepth = 3;

export function renderFrame(page: FramedPage, { menu, version, assetUrl, hasDashboard }: FrameParts): string {
  const title = page.title === "Documentation" ? "Trawl documentation" : `${page.title} · Trawl`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${toHtmlText(title)}</title>
<meta name="description" content="${toHtmlText(page.description)}">
<link rel="icon" type="image/svg+xml" href="${assetUrl("icon.svg")}">
<link rel="stylesheet" href="${assetUrl("guide-style.css")}">
${page.twinUrl === null ? "" : `<link rel="alternate" type="text/markdown" href="${page.twinUrl}">`}
<script src="${assetUrl("guide-script.js")}"></script>
</head>
<body>
<div class="frame guides">
<a class="skip-link" href="#content">Skip to content</a>
<header class="top-bar">${brand(assetUrl("icon.svg"))}<a class="button" href="#menu">Menu</a></header>
<aside class="side" id="menu" aria-label="Docs" tabindex="-1">
${brand(assetUrl("icon.svg"))}
<a class="button close-menu" href="#content">Close menu</a>
<form class="guide-search" role="search" action="/docs/search">
<input class="input" type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" autocomplete="off" maxlength="200" value="${toHtmlText(page.query ?? "")}">
</form>
<nav aria-label="Pages">
${menu.map((group) => renderGroup(group, page.url)).join("\n")}
</nav>
<div class="side-foot">
<select class="input" data-theme-choice aria-label="Theme" hidden><option value="system">System theme</option><option value="light">Light theme</option><option value="dark">Dark theme</option></select>
<p class="who">${hasDashboard ? '<a href="/dashboard">Dashboard</a> · ' : ""}<a href="/connect">Connect</a> · <a href="/openapi.json">OpenAPI</a> · <a href="/llms.txt">llms.txt</a><br>Trawl ${toHtmlText(version)}</p>
</div>
</aside>
<main id="content" class="content guide" tabindex="-1">
<article class="prose">
${page.html}
</article>
${renderFoot(page, menu)}
</main>
${renderContents(page.headings)}
</div>
</body>
</html>
`;
}

function brand(iconUrl: string): string {
  return `<a class="brand" href="/docs"><img src="${iconUrl}" alt="">Trawl docs</a>`;
}

function renderGroup({ name, links }: MenuGroup, url: string | null): string {
  const items = links.map((link) => {
    const current = link.url === url ? ' aria-current="page"' : "";
    return `<li><a class="nav-link" href="${toHtmlText(link.url)}"${current}>${toHtmlText(link.label)}</a></li>`;
  });
  const title = name === "" ? "" : `<p class="nav-title">${toHtmlText(name)}</p>`;
  return `<div class="nav-group">${title}<ul>${items.join("")}</ul></div>`;
}

function renderContents(headings: readonly GuideHeading[]): string {
  const listed = headings.filter(({ depth }) => depth > 1 && depth <= listedDepth);
  if (listed.length < leastHeadings) return "";
  const items = listed.map(
    ({ depth, text, anchor }) =>
      `<li class="depth-${depth}"><a href="#${toHtmlText(anchor)}">${toHtmlText(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p class="nav-title">On this page</p><ul>${items.join("")}</ul></nav>`;
}

/** The neighbours of a page in the navigation, and its source. */
function renderFoot({ url, twinUrl }: FramedPage, menu: readonly MenuGroup[]): string {
  const links = menu.flatMap((group) => group.links);
  const place = links.findIndex((link) => link.url === url);
  const before = place > 0 ? links[place - 1] : undefined;
  const after = place >= 0 ? links[place + 1] : undefined;
  const step = (link: { label: string; url: string } | undefined, text: string, rel: string) =>
    link ? `<a class="button" rel="${rel}" href="${toHtmlText(link.url)}">${text} ${toHtmlText(link.label)}</a>` : "";
  const source = twinUrl === null ? "" : `<a class="faint" href="${toHtmlText(twinUrl)}">Markdown of this page</a>`;
  return `<footer class="guide-foot">${step(before, "←", "prev")}${step(after, "→", "next")}${source}</footer>`;
}
