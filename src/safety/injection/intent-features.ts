// Reads words as what they do: address a model, ask for something, name what was asked before. The intent of a text is judged by these
// and their order, so that it does not matter in which words, or in which of fourteen languages, it is written.
import words from "./intent-words.json" with { type: "json" };

const maxTokens = 48;
const maxClasses = 2;
/** So many words apart, two are still said of each other. */
const reach = 6;
const shortestStem = 2;
const longestStem = 14;

const classes = Object.keys(words).filter((name) => name !== "about");
const exact = new Map<string, string[]>();
const stems = new Map<string, string[]>();
for (const name of classes) {
  for (const written of (words as Record<string, string>)[name]?.split(" ") ?? []) {
    for (const letter of written.includes("?") ? ["s", "z"] : [""]) {
      const word = written.replace("?", letter);
      const [list, key] = word.endsWith("*") ? [stems, word.slice(0, -1)] : [exact, word];
      const known = list.get(key);
      if (known === undefined) list.set(key, [name]);
      else if (!known.includes(name)) known.push(name);
    }
  }
}

/** Marks of a conversation's turns, headings, speakers, words, and the signs that end or lead. */
const token =
  /(<\|[^|<>\n]{1,40}\|>|\[\/?(?:INST|SYS(?:TEM)?|USER|ASSISTANT|HUMAN|AI)\]|<<\/?SYS>>|<\/?[a-z]{3,12}_(?:of_)?[a-z]{3,12}>|["']role["']\s{0,2}:)|(<\/?[a-z][\w-]{2,20}>)|(^#{2,6} ?)|(^["']?(?:user|system|assistant|human|ai|bot|model|developer|operator|admin)\s?:)|([-=*]{3,})|([\u2e80-\u9fff\uf900-\ufaff]+)|([\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*)|([.!?。！？।]+|\n+|[:：,，、;"“”«»「」()@])/giu;
const signs: Record<string, string> = { "：": ":", "，": ",", "、": ",", "“": '"', "”": '"', "«": '"', "»": '"' };

/** What the words of a text do, in their order; one that is not known is "w". */
export function classesOfWords(text: string): string[][] {
  const found: string[][] = [];
  for (const [all, turn, tag, heading, speaker, rule, ideographs, word] of text.matchAll(token)) {
    if (found.length >= maxTokens) break;
    if (turn !== undefined) found.push(["TURN"]);
    else if (tag !== undefined) found.push(["TAG"]);
    else if (heading !== undefined) found.push(["HEAD"]);
    else if (speaker !== undefined) found.push(["SPEAKER"]);
    else if (rule !== undefined) found.push(["RULE"]);
    else if (ideographs !== undefined) addIdeographs(ideographs, found);
    else if (word !== undefined)
      found.push(
        classesOfWord(
          word
            .toLowerCase()
            .replace(/['’]s$/, "")
            .replaceAll("’", "'"),
        ),
      );
    else if (/[.!?。！？।\n]/.test(all)) found.push([all.includes("\n") ? "/" : all.includes("?") ? "?" : "."]);
    else found.push([signs[all] ?? all]);
  }
  return found;
}

const unknown = ["w"];
/** Words come again and again. */
const read = new Map<string, string[]>();
const maxRead = 20_000;

function classesOfWord(written: string): string[] {
  const earlier = read.get(written);
  if (earlier !== undefined) return earlier;
  const found = findClasses(
    written
      .toLowerCase()
      .replace(/['’]s$/, "")
      .replaceAll("’", "'"),
  );
  if (read.size >= maxRead) read.clear();
  read.set(written, found);
  return found;
}

function findClasses(word: string): string[] {
  const known = exact.get(word);
  if (known !== undefined) return known.slice(0, maxClasses);
  for (let length = Math.min(word.length, longestStem); length >= shortestStem; length -= 1) {
    const ofStem = stems.get(word.slice(0, length));
    if (ofStem !== undefined) return ofStem.slice(0, maxClasses);
  }
  const [first = "", second] = word.includes("-") ? word.split("-", 2) : [];
  return (second === undefined ? undefined : (exact.get(first) ?? exact.get(second)))?.slice(0, maxClasses) ?? unknown;
}

/** Text without spaces: the longest known word at each place. */
function addIdeographs(text: string, found: string[][]): void {
  for (let at = 0; at < text.length; ) {
    let length = Math.min(6, text.length - at);
    while (length > 0 && !exact.has(text.slice(at, at + length))) length -= 1;
    const known = length === 0 ? undefined : exact.get(text.slice(at, at + length));
    if (known !== undefined && !(length === 1 && known[0] === "weak")) found.push(known.slice(0, maxClasses));
    at += Math.max(1, length);
  }
}

/** What is known of the place of a text. */
export interface IntentPlace {
  isHidden: boolean;
  /** Whether it begins a block of the page. */
  isFirst: boolean;
  /** The words right before it. */
  before: string;
}

/** Names of what is found: single classes, neighbours, pairs within reach, how it begins. */
export function intentFeaturesOf(text: string, { isHidden, isFirst, before }: IntentPlace): Set<string> {
  const all = classesOfWords(text);
  const kept = all.filter((each) => each[0] !== "weak");
  const features = new Set<string>(["bias"]);
  if (isHidden) features.add("hidden");
  const start = isFirst ? "^" : "~";
  const [first, second, third] = kept.map((each) => each[0] as string);
  for (const one of kept[0] ?? []) {
    features.add(`${start}${one}`);
    for (const two of kept[1] ?? []) features.add(`${start}${one} ${two}`);
  }
  features.add(`${start}${first} ${second} ${third}`);
  let isFirstSentence = true;
  for (const [place, each] of kept.entries()) {
    if (/^[./?]$/.test(each[0] as string) && place > 0) isFirstSentence = false;
    for (const one of each) {
      if (one !== "w") features.add(isFirstSentence ? `1${one}` : `2${one}`);
      for (const two of kept[place + 1] ?? []) features.add(`${one} ${two}`);
      if (one === "w") continue;
      for (let next = place + 2; next < Math.min(kept.length, place + reach); next += 1) {
        const [far = "w"] = kept[next] as string[];
        if (far !== "w") features.add(`${one}>${far}`);
      }
    }
    const [one, two, three] = [each[0], kept[place + 1]?.[0], kept[place + 2]?.[0]];
    if (three !== undefined) features.add(`${one} ${two} ${three}`);
  }
  for (const [one] of classesOfWords(before)) if (one === "report" || one === '"') features.add(`before ${one}`);
  return features;
}

/** What only a model is or gets, and what is asked of everyone. */
const ofModels = new Set("model act secret TURN TAG HEAD SPEAKER".split(" "));
const fewestWords = 4;

/** Whether a text may ask a model for something, and whether it may as well ask a person: "mention it in your answer". */
export function addresseeOf(text: string): "none" | "model" | "anyone" {
  const all = new Set<string>();
  const words = classesOfWords(text);
  for (const each of words) for (const one of each) all.add(one);
  if (words.length < fewestWords) return "none";
  for (const one of all) if (ofModels.has(one)) return "model";
  const isUndone = all.has("orders") && (all.has("forget") || all.has("instead") || all.has("prior"));
  return all.has("answer") || isUndone || (all.has("user") && all.has("not")) ? "anyone" : "none";
}
