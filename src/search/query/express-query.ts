// A query as text for a provider: what it does not support is left out of the text and checked afterwards.
import { type Clause, hasSeveralTerms, printClause, type SearchQuery, startsWithOperator } from "./parse-query.ts";

/** What a provider may support; a negated operator needs `negation`, too. */
export type Operator = "phrase" | "negation" | "site" | "inurl" | "intitle" | "related";

export interface ExpressedQuery {
  readonly text: string;
  /** What the text does not say, or not exactly. */
  readonly unexpressed: readonly Clause[];
}

/** The query as text for a provider that understands these operators. */
export function expressQuery(query: SearchQuery, supports: ReadonlySet<Operator>): ExpressedQuery {
  const texts: string[] = [];
  const unexpressed: Clause[] = [];
  for (const clause of query.clauses) {
    const isExact = isExpressible(clause, supports);
    const text = isExact ? printForProvider(clause) : hintOf(clause, supports);
    if (text !== "") texts.push(text);
    if (!isExact) unexpressed.push(clause);
  }
  return { text: texts.join(" "), unexpressed };
}

function isExpressible(clause: Clause, supports: ReadonlySet<Operator>): boolean {
  if (clause.isNegated && !supports.has("negation")) return false;
  if (clause.kind === "word") return !(clause.isNegated && startsWithOperator(clause.text));
  if (hasSeveralTerms(clause) || (clause.kind === "site" && clause.port !== null)) return false;
  return supports.has(clause.kind);
}

function printForProvider(clause: Clause): string {
  if (clause.kind !== "word" || clause.isNegated) return printClause(clause);
  // Plain text here (`--help`, `site: x`), but an operator to services.
  const text = clause.text.replace(/^-+/, "");
  return startsWithOperator(text) ? plainWords(text) : text;
}

/** Words that help to find what cannot be asked for. */
function hintOf(clause: Clause, supports: ReadonlySet<Operator>): string {
  if (clause.isNegated) return "";
  switch (clause.kind) {
    case "phrase":
      return plainWords(clause.text);
    case "intitle":
    case "inurl":
      return clause.terms.map(({ text }) => plainWords(text)).join(" ");
    case "site":
      return supports.has("site") ? `site:${clause.host}` : clause.host;
    default:
      return "";
  }
}

/** Without the characters that would turn a word into an operator. */
function plainWords(text: string): string {
  return text
    .replace(/:/g, " ")
    .replace(/(^| )-+/g, "$1")
    .replace(/ +/g, " ")
    .trim();
}
