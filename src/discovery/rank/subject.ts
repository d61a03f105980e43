// What a prompt speaks of, beside what it asks: `price of boat 2` asks for a price, and speaks of a boat with the number 2.
import { foldSpelling, isStopWord, stem } from "../../text/index.ts";
import { decodePercent } from "./link-words.ts";

/** A page or a link, as far as it is known: its URL, and its title or what the link says. */
export interface Label {
  url: string;
  text: string;
}

export interface PromptSubject {
  /** How many of the subject's words and numbers a label carries. */
  matches(label: Label): number;
  /**
   * Those that may be what is meant. Where any of `seen` tells its things apart by a number after a word of the subject
   * (boat 1, boat 3), only those with the subject's own number are.
   */
  keep<One extends Label>(labels: readonly One[], seen: readonly Label[]): One[];
  /** Whether a label is of another thing of the same kind: boat 1, when boat 2 is meant. */
  isSibling(label: Label): boolean;
}

const maxWords = 200;
/** Words of requests, and words between a thing and its number. */
const requestWords = new Set(
  "find get give show tell list extract return please want need number no nr num name value page site website what which who how much many all each every".split(
    " ",
  ),
);

/** `asked`: names of what is wanted, which say nothing about the thing that has it. */
export function readSubject(prompt: string, asked: string): PromptSubject {
  const fields = new Set(wordsOf(asked).map(stem));
  const isTelling = (word: string) => !isStopWord(word) && !requestWords.has(word) && !fields.has(stem(word));
  const words = wordsOf(prompt);
  const terms = new Set(words.filter((word) => isTelling(word)).map(stem));
  const numbers = [...numbersIn(words)].filter(({ word }) => isTelling(word));

  const hasSameWord = (label: Label, thing: Numbered) => numbersOf(label).some(({ word }) => word === thing.word);
  const isSame = (label: Label, thing: Numbered) =>
    numbersOf(label).some(({ word, number }) => word === thing.word && number === thing.number);
  return {
    matches: (label) =>
      new Set(
        labelWords(label)
          .map(stem)
          .filter((word) => terms.has(word)),
      ).size,
    keep(labels, seen) {
      const telling = numbers.filter((thing) => seen.some((label) => hasSameWord(label, thing)));
      return labels.filter((label) => telling.every((thing) => isSame(label, thing)));
    },
    isSibling: (label) => numbers.some((thing) => hasSameWord(label, thing) && !isSame(label, thing)),
  };
}

interface Numbered {
  word: string;
  number: string;
}

function numbersOf(label: Label): Numbered[] {
  return [...numbersIn(wordsOf(label.text)), ...numbersIn(wordsOf(pathOf(label)))];
}

/** Numbers with the word before them: boat 2, boat-2, boat no. 2. */
function* numbersIn(words: readonly string[]): Generator<Numbered> {
  for (const [place, word] of words.entries()) {
    if (!/^\d+$/.test(word)) continue;
    const before = words[place - 1] ?? "";
    const thing = /^(?:no|nr|num|number)$/.test(before) ? (words[place - 2] ?? "") : before;
    if (/^\p{L}/u.test(thing)) yield { word: stem(thing), number: word.replace(/^0+(?=\d)/, "") };
  }
}

function labelWords(label: Label): string[] {
  return [...wordsOf(label.text), ...wordsOf(pathOf(label))];
}

function pathOf({ url }: Label): string {
  const { pathname, search } = new URL(url);
  return decodePercent(pathname + search);
}

/** Letters and digits apart: boat2 is boat 2. */
function wordsOf(text: string): string[] {
  return (
    foldSpelling(text.slice(0, 10_000))
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
  ).slice(0, maxWords);
}
