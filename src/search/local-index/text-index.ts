// A few thousand texts that stay in memory, ranked the way pages of the index are: without a store, for texts of the program.
import { setImmediate } from "node:timers/promises";
import { splitWords } from "../../text/index.ts";
import { wordRuns } from "./highlight.ts";
import { type CountedPage, createWordCounter } from "./page-counts.ts";
import { createStemmer, storedText, type TextFields } from "./page-words.ts";
import { type RankedRun, rankPages } from "./rank-pages.ts";
import { createSnippets } from "./snippet.ts";

/** A piece of a passage; the query has those that match. */
export interface PassagePiece {
  text: string;
  isMatch: boolean;
}

export interface FoundText {
  /** The place in the list of texts. */
  index: number;
  passage: PassagePiece[];
}

export type TextIndex = (query: string, limit: number) => FoundText[];

/** Texts counted before other work gets a turn. */
const sliceSize = 100;
/** Words of a longer query beyond these do not rank. */
const mostWords = 16;
/** A word that is being typed is completed from so many letters on. */
const leastPrefix = 3;

export async function createTextIndex(texts: readonly TextFields[]): Promise<TextIndex> {
  const counter = createWordCounter();
  const stems = createStemmer();
  const counted: CountedPage[] = [];
  for (let start = 0; start < texts.length; start += sliceSize) {
    const slice = texts.slice(start, start + sliceSize);
    const fields = slice.map((each) => ({ ...each, text: storedText(each), anchors: "", linkHosts: 0, sizeBytes: 0 }));
    counted.push(...counter.count(fields));
    // Others are served while the texts are counted.
    await setImmediate();
  }
  const vocabulary = counter.vocabulary();
  const spread = new Map<number, number>();
  for (const { words } of counted) for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);

  /** A word that no text has is the beginning of one: the word of the most texts that begins with it. */
  function completed(stem: string): string {
    if (spread.has(vocabulary.numberOfStem(stem)) || stem.length < leastPrefix) return stem;
    let best = { name: stem, count: 0 };
    for (const [word, count] of spread) {
      const name = vocabulary.nameOf(word);
      if (count > best.count && name.startsWith(stem)) best = { name, count };
    }
    return best.name;
  }

  return (query, limit) => {
    const wanted = new Set(wordRuns(query, stems).flat().slice(0, mostWords).map(completed));
    const runs = [...wanted].map((stem): RankedRun => {
      const count = spread.get(vocabulary.numberOfStem(stem)) ?? 0;
      return { run: [stem], count, times: 1 };
    });
    const words = runs.map(({ run: [stem = ""] }) => vocabulary.numberOfStem(stem));
    const places = counted.flatMap((page, place) => (words.some((word) => page.words.includes(word)) ? [place] : []));
    const candidates = places.map((place) => counted[place] as CountedPage);
    const passageOf = createSnippets(
      runs.map(({ run }) => run),
      stems,
    );
    return rankPages(candidates, vocabulary, runs, { pages: counted.length, meanBytes: null })
      .slice(0, limit)
      .map(({ index }) => {
        const place = places[index] as number;
        return { index: place, passage: markWords(passageOf(texts[place]?.text ?? ""), wanted, stems) };
      });
  };
}

function markWords(passage: string, wanted: ReadonlySet<string>, stems: ReturnType<typeof createStemmer>) {
  const pieces: PassagePiece[] = [];
  for (const text of passage.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    const isMatch = stems(splitWords(text)).some((stem) => wanted.has(stem));
    const last = pieces.at(-1);
    if (last?.isMatch === isMatch && !isMatch) last.text += text;
    else if (text !== "") pieces.push({ text, isMatch });
  }
  return pieces;
}
