// Redacts personal data: each find is replaced by its kind or by stars, or removed.
import { type PersonalKind, personalPatterns } from "./personal-data.ts";
import { type PhoneTest, phoneCandidates } from "./phone-plans.ts";

export type RedactedKind = PersonalKind | "PERSON";

export interface Redaction {
  kinds: ReadonlySet<RedactedKind>;
  style: "tag" | "mask" | "remove";
  /** Also redact what only may be personal. */
  isLoose: boolean;
  /** Names of persons, as written in the text. */
  names: readonly string[];
  /** Recognizes phone numbers of the page's countries; null when the countries are unknown. */
  isPhone: PhoneTest | null;
}

interface Find {
  kind: RedactedKind;
  from: number;
  to: number;
}

const anything =
  /[@\d]|&#|eyJ|-----BEGIN|pass|secret|token|key|contraseña|mot de|senha|\[at\]|\(at\)|(?:sk|pk)[-_]|gh[pousr]_|xox|straße|strasse/i;
const urls = /\b(?:https?|ftp):\/\/[^\s"'<>)\]]{1,4000}/g;
const shortestName = 3;

export function redactText(text: string, redaction: Redaction): string {
  const named = redaction.kinds.has("PERSON") ? nameFinds(text, redaction.names) : [];
  if (named.length === 0 && !anything.test(text)) return text;
  const finds = withoutOverlaps([...patternFinds(text, redaction), ...named]);
  if (finds.length === 0) return text;
  let made = "";
  let at = 0;
  for (const { kind, from, to } of finds) {
    made += text.slice(at, from) + inPlace(text.slice(from, to), kind, redaction.style);
    at = to;
  }
  return made + text.slice(at);
}

function patternFinds(text: string, { kinds, isLoose, isPhone }: Redaction): Find[] {
  // Digits of URLs are not personal.
  const beside = text.replace(urls, (url) => " ".repeat(url.length));
  const finds: Find[] = [];
  for (const { kind, pattern, check, inUrls = false, isLoose: needsLoose = false } of personalPatterns) {
    if (!kinds.has(kind) || (needsLoose && !isLoose)) continue;
    for (const { 0: match, index } of (inUrls ? text : beside).matchAll(pattern)) {
      if (check && !check(match, text.slice(Math.max(0, index - 20), index))) continue;
      finds.push({ kind, from: index, to: index + balancedLength(match) });
    }
  }
  if (isPhone !== null && kinds.has("PHONE")) {
    for (const { 0: match, index } of beside.matchAll(phoneCandidates)) {
      const to = index + balancedLength(match);
      if (isPhone(text.slice(index, to), text.slice(Math.max(0, index - 30), index), text.slice(to, to + 20)))
        finds.push({ kind: "PHONE", from: index, to });
    }
  }
  return finds;
}

/** Without a closing bracket that was not opened inside: it belongs to a link. */
function balancedLength(match: string): number {
  const isOpened = match.split("(").length >= match.split(")").length;
  return match.endsWith(")") && !isOpened ? match.length - 1 : match.length;
}

function nameFinds(text: string, names: readonly string[]): Find[] {
  const finds: Find[] = [];
  for (const name of names) {
    if (name.length < shortestName) continue;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const isWord =
        !/[\p{L}\p{N}]$/u.test(text.slice(0, at).slice(-1)) &&
        !/^[\p{L}\p{N}]/u.test(text.slice(at + name.length, at + name.length + 2));
      if (isWord) finds.push({ kind: "PERSON", from: at, to: at + name.length });
    }
  }
  return finds;
}

/** The first of those that overlap, and of those that begin together the longest. */
function withoutOverlaps(finds: readonly Find[]): Find[] {
  const kept: Find[] = [];
  for (const find of finds.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (find.from >= (kept.at(-1)?.to ?? 0)) kept.push(find);
  }
  return kept;
}

function inPlace(match: string, kind: RedactedKind, style: Redaction["style"]): string {
  if (style === "remove") return "";
  return style === "tag" ? `[${kind}]` : match.replace(/[\p{L}\p{N}]/gu, "*");
}
