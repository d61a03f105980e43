// The names of a paper: by which a caller asks for one, and by which two sources mean the same.
import { doiIn } from "../sources/research-source.ts";

export type IdKind = "arxiv" | "pmid" | "pmcid" | "doi" | "openalex";
/** Values without prefix or version. */
export type PaperIds = Partial<Record<IdKind, string[]>>;

export interface PaperName {
  kind: IdKind;
  value: string;
}

const arxivId = /^(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/i;

/** Null for what is no name of a paper. */
export function readPaperName(text: string): PaperName | null {
  const given = decode(text).trim();
  const [, prefix = "", rest = ""] = /^(arxiv|pmid|pmcid|doi|openalex):\s*(.+)$/i.exec(given) ?? [];
  const kind = prefix.toLowerCase();
  if (kind === "pmid") return /^\d{1,9}$/.test(rest) ? { kind, value: rest } : null;
  if (kind === "pmcid") return /^(?:PMC)?\d{1,9}$/i.test(rest) ? { kind, value: pmcid(rest) } : null;
  if (kind === "openalex") return /^W\d+$/i.test(rest) ? { kind, value: rest.toUpperCase() } : null;
  if (kind === "doi" || /^(?:https?:\/\/(?:dx\.)?doi\.org\/)?10\.\d{4,9}\//i.test(given)) {
    const value = doiIn(kind === "doi" ? rest : given);
    return value === null ? null : (arxivOfDoi(value) ?? { kind: "doi", value });
  }
  const written =
    kind === "arxiv" ? rest : (/arxiv\.org\/(?:abs|pdf|html)\/(.+?)(?:\.pdf)?$/i.exec(given)?.[1] ?? given);
  const value = arxivId.exec(written)?.[1];
  return value === undefined ? null : { kind: "arxiv", value };
}

/** arXiv registers its own DOIs. */
function arxivOfDoi(doi: string): PaperName | null {
  const value = /^10\.48550\/arxiv\.(.+)$/i.exec(doi)?.[1];
  return value !== undefined && arxivId.test(value) ? { kind: "arxiv", value } : null;
}

function pmcid(text: string): string {
  return `PMC${text.replace(/\D/g, "")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function paperIdsOf(names: readonly (PaperName | null)[]): PaperIds {
  const ids: PaperIds = {};
  for (const name of names) if (name) ids[name.kind] = [...new Set([...(ids[name.kind] ?? []), name.value])];
  return ids;
}

export function joinIds(one: PaperIds, other: PaperIds): PaperIds {
  return paperIdsOf([...paperNames(one), ...paperNames(other)]);
}

export function paperNames(ids: PaperIds): PaperName[] {
  return Object.entries(ids).flatMap(([kind, values]) => values.map((value) => ({ kind: kind as IdKind, value })));
}

export function nameText({ kind, value }: PaperName): string {
  return `${kind}:${value}`;
}
