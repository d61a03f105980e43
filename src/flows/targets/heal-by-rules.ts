// What a step's element has become when no element has its role and name any more: by rules, with a score that must be high and ahead
// of all others. What could do harm is never taken by rules.
import type { FlowTarget } from "../../contract/index.ts";
import type { ElementCandidate, Use } from "./element-candidate.ts";
import { isInContainer, usableFor } from "./find-element.ts";
import { foldName, isSameName, wordSetOf } from "./fold-name.ts";
import riskyWords from "./risky-words.json" with { type: "json" };

export interface HealLimits {
  score: number;
  /** Over the second. */
  lead: number;
}

export interface ScoredCandidate {
  index: number;
  candidate: ElementCandidate;
  /** From 0 to 1. */
  score: number;
  reasons: string[];
}

const roleGroups = [
  ["textbox", "searchbox", "combobox"],
  ["button", "link"],
];

/** What agreement in each is worth. Only what the target has counts against a candidate that lacks it. */
const weights = { name: 5, label: 4, placeholder: 3, near: 2, within: 2, inputType: 1.5, only: 3, position: 0.5 };

const risky = Object.values(riskyWords).flat().map(foldName);
/** Of languages that put no space between words. */
const joined = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** The best first. */
export function scoreCandidates(
  target: FlowTarget,
  candidates: readonly ElementCandidate[],
  use: Use,
): ScoredCandidate[] {
  const group = rolesLike(target.role ?? "");
  const same = usableFor(target, candidates, use).filter(({ candidate }) => group.includes(candidate.role));
  const inForm = (form: string | undefined) => same.filter((each) => each.candidate.form === form).length;
  return same
    .map(({ candidate, index }) => ({
      index,
      candidate,
      ...scoreOf(target, candidate, candidate.form !== undefined && inForm(candidate.form) === 1),
    }))
    .sort((one, other) => other.score - one.score || one.index - other.index);
}

/** Null where none is sure. */
export function healByRules(scored: readonly ScoredCandidate[], target: FlowTarget, limits: HealLimits) {
  const safe = scored.filter(({ candidate }) => !isRisky(target, candidate));
  const [best, second] = safe;
  if (best === undefined || best.score < limits.score) return null;
  // One that is left out for its words still shows how unsure the choice is.
  const rival = Math.max(
    second?.score ?? 0,
    ...scored.filter((each) => !safe.includes(each)).map(({ score }) => score),
  );
  return best.score - rival >= limits.lead ? best : null;
}

/** Roles that people take for the same. */
export function rolesLike(role: string): readonly string[] {
  return roleGroups.find((group) => group.includes(role)) ?? [role];
}

function scoreOf(
  target: FlowTarget,
  candidate: ElementCandidate,
  isOnly: boolean,
): { score: number; reasons: string[] } {
  let [reached, most] = [0, 0];
  const reasons: string[] = [];
  const count = (weight: number, share: number, reason: string) => {
    most += weight;
    reached += weight * share;
    if (share > 0) reasons.push(share === 1 ? reason : `${reason} in part`);
  };
  const wanted = target.name ?? target.text;
  if (wanted !== undefined) count(weights.name, sharedWords(wanted, candidate.name || candidate.text), "same words");
  for (const key of ["label", "placeholder", "near"] as const) {
    const known = target[key];
    // A name is often made of one of them.
    if (known === undefined || (key !== "near" && isSameName(known, wanted))) continue;
    count(weights[key], isSameName(known, candidate[key]) ? 1 : 0, `same ${key}`);
  }
  if (target.within !== undefined) count(weights.within, isInContainer(target, candidate) ? 1 : 0, "same container");
  if (target.inputType !== undefined && target.inputType !== "text")
    count(weights.inputType, target.inputType === candidate.inputType ? 1 : 0, "same input type");
  if (isOnly) count(weights.only, 1, "the only one of its role in its form");
  for (const word of hintsOf(target.css)) {
    const hints = [candidate.nameAttribute, candidate.autocomplete, candidate.href].map(foldName);
    if (hints.includes(foldName(word))) count(weights.inputType, 1, "same attribute");
  }
  return { score: most === 0 ? 0 : Math.round((reached / most) * 100) / 100, reasons };
}

/** Of the recorded selector: the values of attributes. */
function hintsOf(css = ""): string[] {
  return Array.from(css.matchAll(/\[(?:name|autocomplete|href)="([^"]+)"\]/g), ([, value = ""]) => value);
}

function sharedWords(wanted: string, shown: string | undefined): number {
  const [one, other] = [wordSetOf(wanted), wordSetOf(shown)];
  const shared = [...one].filter((word) => other.has(word)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** It says something that does harm and that the recorded name did not say. */
export function isRisky({ name, text }: FlowTarget, candidate: ElementCandidate): boolean {
  const before = foldName(name ?? text);
  const now = foldName(`${candidate.name} ${candidate.text ?? ""}`);
  return risky.some((word) => says(now, word) && !says(before, word));
}

/** Whole words; a word of many languages is known by its beginning, too. */
function says(text: string, word: string): boolean {
  if (joined.test(word)) return text.includes(word);
  const words = ` ${(text.match(/[\p{L}\p{N}']+/gu) ?? []).join(" ")} `;
  return words.includes(` ${word} `) || (word.length >= 5 && words.includes(` ${word}`));
}
