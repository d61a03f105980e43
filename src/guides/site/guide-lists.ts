// llms.txt and llms-full.txt of the site: its pages by the groups of the navigation, each with its markdown.
import { llmsLine, llmsPart, llmsRule } from "../../text/index.ts";
import { type GuidePage, twinOf } from "../pages/guide-page.ts";
import type { MenuGroup } from "./guide-menu.ts";

const about =
  "Trawl is a self-hosted web data service: scrape, crawl, map, search and extract over one HTTP API that is compatible with Firecrawl.";

type Pages = ReadonlyMap<string, GuidePage>;

export function writePageList(menu: readonly MenuGroup[], pages: Pages, baseUrl: string): string {
  const groups = menu.map(({ name, links }) => {
    const lines = links.flatMap(({ url, label }) => {
      const page = pages.get(url);
      return page ? [llmsLine({ ...asLlmsPage(page, baseUrl), title: label })] : [];
    });
    return `## ${name === "" ? "Start" : name}\n\n${lines.join("\n")}`;
  });
  const api = `## Optional\n\n- [OpenAPI](${baseUrl}/openapi.json): every request as OpenAPI 3.1\n- [All pages in one file](${baseUrl}/llms-full.txt)`;
  return `${["# Trawl", `> ${about}`, ...groups, api].join("\n\n")}\n`;
}

export function writeFullText(menu: readonly MenuGroup[], pages: Pages, baseUrl: string): string {
  const listed = menu.flatMap(({ links }) => links.flatMap(({ url }) => pages.get(url) ?? []));
  return listed
    .map((page) => llmsPart(asLlmsPage(page, baseUrl), page.markdown.replace(/^# .*\n+/, "").trim()))
    .join(llmsRule)
    .concat("\n");
}

function asLlmsPage(page: GuidePage, baseUrl: string) {
  return { url: `${baseUrl}/docs/${twinOf(page)}`, title: page.title, description: page.description };
}
