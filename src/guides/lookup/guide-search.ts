// Finds sections of the site, with the engine of the local index.
import { setImmediate } from "node:timers/promises";
import { createLazy } from "../../base/index.ts";
import type { TextIndex } from "../../search/index.ts";
import { type GuidePage, type GuideSection, sectionsOf, urlOf } from "../pages/guide-page.ts";
import { referencePath } from "../reference/reference-pages.ts";

export interface GuideHit {
  url: string;
  page: string;
  heading: string;
  /** In order; a piece matches the query or lies between two that do. */
  excerpt: { text: string; isMatch: boolean }[];
}

export type FindGuides = (query: string, limit: number) => Promise<GuideHit[]>;

/** Makes an index of texts; its room is loaded with the first search. */
export type OpenTextIndex = (
  texts: { url: string; title: string; headings: string[]; text: string }[],
) => Promise<TextIndex>;

/** Sections of one page before those of others. */
const mostOfPage = 3;
const longestQuery = 200;

export function createGuideSearch(listPages: () => readonly GuidePage[], openTextIndex: OpenTextIndex): FindGuides {
  const opened = createLazy(async () => {
    const sections: GuideSection[] = [];
    for (const page of listPages()) {
      sections.push(...sectionsOf(page).filter(isFound));
      // Others are served between two pages.
      await setImmediate();
    }
    const texts = sections.map((section) => ({
      url: urlOf(section.page.path),
      title: section.heading,
      headings: section.anchor === "" ? [] : [section.page.title],
      text: section.text,
    }));
    return { sections, find: await openTextIndex(texts) };
  });
  return async (query, limit) => {
    const text = query.slice(0, longestQuery);
    if (text.trim() === "") return [];
    const { sections, find } = await opened.open();
    const hits = find(text, mostOfPage * limit).flatMap(({ index, passage }) => {
      const section = sections[index];
      return section ? [{ section, passage }] : [];
    });
    return mixed(hits)
      .slice(0, limit)
      .map(({ section, passage }) => ({
        url: `${urlOf(section.page.path)}${section.anchor === "" ? "" : `#${section.anchor}`}`,
        page: section.page.title,
        heading: section.heading,
        excerpt: passage,
      }));
  };
}

/** Lists of requests lead to what they list, which is found itself. */
function isFound({ page, anchor }: GuideSection): boolean {
  return page.path !== referencePath && (anchor !== "" || !page.path.startsWith(`${referencePath}/`));
}

/** The first few of each page, then the rest. */
function mixed<Hit extends { section: GuideSection }>(hits: readonly Hit[]): Hit[] {
  const counts = new Map<string, number>();
  const rest: Hit[] = [];
  const first = hits.filter((hit) => {
    const count = (counts.get(hit.section.page.path) ?? 0) + 1;
    counts.set(hit.section.page.path, count);
    if (count > mostOfPage) rest.push(hit);
    return count <= mostOfPage;
  });
  return [...first, ...rest];
}
