// Words seen on many sites, with how often the elements they name were kept: the learned part of names and short texts.
import type { Element } from "domhandler";
import { attribute, noAttributes } from "../../html/index.ts";
import { addLetter, emptyWord, nameWordsOf, wordNumber } from "./word-hash.ts";

/** A word's weight: positive for main text, negative against it. */
export type Lexicon = ReadonlyMap<number, number>;

/** Tags are words too, separate from those of classes. */
function tagWord(name: string): number {
  let hash = addLetter(emptyWord, 60, 0);
  for (let at = 0; at < name.length; at += 1) hash = addLetter(hash, name.charCodeAt(at), 0);
  return wordNumber(hash);
}

const maxNames = 300;

/** The names of an element: its class, id, role and properties. */
export function namesOf(element: Element): string {
  const { attribs } = element;
  if (attribs === noAttributes) return "";
  const { class: classes = "", id = "" } = attribs;
  const role = attribute(element, "role") ?? "";
  const property = attribute(element, "itemprop") ?? "";
  if (role === "" && property === "")
    return id === "" ? classes.slice(0, maxNames) : `${classes} ${id}`.slice(0, maxNames);
  return `${classes} ${id} ${role} ${property}`.slice(0, maxNames);
}

/** Distinct words of an element's names, and its tag. @public for tools/train-content */
export function nameWords(tag: string, names: string): number[] {
  const words = names === "" ? [] : nameWordsOf(names);
  words.push(tagWord(tag));
  return words.length > 1 ? [...new Set(words)] : words;
}

/** Names are read once per page, because most elements repeat them. */
export function createNameScores(lexicon: Lexicon): (element: Element) => number {
  const ofTags = new Map<string, Map<string, number>>();
  return (element) => {
    const names = namesOf(element);
    const known = ofTags.get(element.name) ?? new Map<string, number>();
    const score = known.get(names);
    if (score !== undefined) return score;
    let sum = 0;
    for (const word of nameWords(element.name, names)) sum += lexicon.get(word) ?? 0;
    ofTags.set(element.name, known.set(names, sum));
    return sum;
  };
}
