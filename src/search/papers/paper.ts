// A paper as any source knows it, and several descriptions of the same paper as one.
import { joinIds, nameText, type PaperIds, paperNames } from "./paper-ids.ts";

export interface KnownPaper {
  ids: PaperIds;
  title: string;
  abstract: string;
  authors: readonly string[];
  categories: readonly string[];
  /** YYYY-MM-DD; "" when unknown. */
  created: string;
  updated: string;
  /** Of OpenAlex, by its names. */
  related: readonly string[];
  references: readonly string[];
  citedBy: number;
}

export interface RankedPaper extends KnownPaper {
  /** 0 to 1. */
  score: number;
}

/** Each paper once: two that share a name are the same. In the order in which they were found. */
export function uniquePapers(papers: readonly KnownPaper[]): KnownPaper[] {
  const kept: (KnownPaper | null)[] = [];
  const places = new Map<string, number>();
  for (const paper of papers) {
    const names = paperNames(paper.ids).map(nameText);
    const found = [...new Set(names.flatMap((name) => places.get(name) ?? []))];
    const [place = kept.length, ...others] = found;
    let joined = paper;
    for (const each of [place, ...others]) {
      const other = kept[each];
      if (other) joined = joinPapers(other, joined);
      kept[each] = null;
    }
    kept[place] = joined;
    for (const name of paperNames(joined.ids)) places.set(nameText(name), place);
  }
  return kept.filter((paper) => paper !== null);
}

export function joinPapers(one: KnownPaper, other: KnownPaper): KnownPaper {
  const longer = (first: string, second: string) => (second.length > first.length ? second : first);
  const fuller = <Item>(first: readonly Item[], second: readonly Item[]) =>
    second.length > first.length ? second : first;
  return {
    ids: joinIds(one.ids, other.ids),
    title: one.title || other.title,
    abstract: longer(one.abstract, other.abstract),
    authors: fuller(one.authors, other.authors),
    categories: fuller(one.categories, other.categories),
    created: one.created || other.created,
    updated: one.updated || other.updated,
    related: fuller(one.related, other.related),
    references: fuller(one.references, other.references),
    citedBy: Math.max(one.citedBy, other.citedBy),
  };
}
