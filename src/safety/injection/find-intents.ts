// Finds what rules do not: texts that ask a model for something without a known phrase. Around stems, a small learned model judges
// by what the words do; it was trained by `tools/train-injection`.
import { addresseeOf, type IntentPlace, intentFeaturesOf } from "./intent-features.ts";
import stored from "./intent-model.json" with { type: "json" };

/** A text that may talk to a model. */
export interface IntentText extends IntentPlace {
  from: number;
  text: string;
}

const longestText = 280;
const longestLead = 140;
const longestBefore = 80;
const shortLine = 24;
const maxTexts = 60;

/** The texts around places of stems, which come in their order. */
export function intentTexts(text: string, hits: readonly number[], isHidden: boolean): IntentText[] {
  const found: IntentText[] = [];
  let seenTo = -1;
  for (const at of hits) {
    if (at < seenTo || found.length >= maxTexts) continue;
    const from = startOf(text, at);
    seenTo = endOfSentence(text, at);
    const isFirst = from === 0 || text[from - 1] === "\n";
    found.push({
      from,
      text: text.slice(from, endOf(text, from)),
      isFirst,
      isHidden,
      before: text.slice(Math.max(0, from - longestBefore), from),
    });
  }
  return found;
}

/** The start of its line, or of its sentence where that is far. */
function startOf(text: string, at: number): number {
  const least = Math.max(0, at - longestLead);
  const line = text.lastIndexOf("\n", at) + 1;
  if (line >= least) return skipped(text, line);
  for (let place = at; place > least; place -= 1) {
    if (/[.!?。！？]/.test(text[place - 1] as string) && /[\s\u3000-\u9fff]/.test(text[place] as string))
      return skipped(text, place);
  }
  return skipped(text, text.indexOf(" ", least));
}

/** The end of the first line that is no label. */
function endOf(text: string, from: number): number {
  const most = Math.min(text.length, from + longestText);
  let end = text.indexOf("\n", from);
  while (end !== -1 && end < most && (end - from < shortLine || text[end - 1] === ":"))
    end = text.indexOf("\n", end + 1);
  return end === -1 ? most : Math.min(end, most);
}

function skipped(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9)) at += 1;
  return at;
}

function endOfSentence(text: string, at: number): number {
  const most = Math.min(text.length, at + longestText);
  let place = at;
  while (place < most && !/[.!?。！？\n]/.test(text[place] as string)) place += 1;
  return place;
}

const weights: Readonly<Record<string, number>> = stored.weights;

/** How sure it is that a text talks to a model: above 0 means yes. */
export function intentScoreOf({ text, ...place }: IntentText): number {
  if (addresseeOf(text) === "none") return -1;
  let score = -stored.least;
  const features = intentFeaturesOf(text, place);
  for (const feature of features) score += (weights[feature] ?? 0) * (2 / Math.sqrt(features.size));
  return score;
}

/** What pages about models and attacks speak of. */
const subject =
  /prompt|jailbreak|\bLLMs?\b|language models?|\bAI\b|\bGPT|chatbots?|adversarial|malicious|vulnerab|exploit|attack|generators?\b|ataque|atacante|angriff|attaque|промпт|инъекци|нейросет|злоумышл|атак|提示|攻击|攻擊|注入|模型|プロンプト|攻撃|モデル|프롬프트|공격|모델|हमल|मॉडल|هجوم|نموذج/gi;
/** What pages speak of that ask people for an answer. */
const forPeople =
  /\b(?:exams?|quiz(?:zes)?|homework|essays?|worksheets?|survey|questionnaire|exercises?|assignments?|tickets?|authors?|reviewers?|moderators?|students?|teachers?|pupils?|applicants?|applications?|prüfung|klausur|schüler|élèves?|examen|alumnos?|exercices?|ejercicios?|esame|prova|alunos?)\b|экзамен|задани|ученик|考试|作业|学生|試験|生徒|시험|학생/gi;
const manyMentions = 3;

/** Leaves out what belongs to the subject of the page: on one about models nearly every text speaks of what they do. */
export function withoutSubject(page: string, texts: readonly IntentText[]): IntentText[] {
  const words = texts.map(({ text }) => text);
  const least = isAboutModels(page, words) ? stored.leastOnSubject - stored.least : 0;
  const isForPeople = countOf(rest(page, words), forPeople) > 0;
  return texts.filter((each) => intentScoreOf(each) > least && !(isForPeople && addresseeOf(each.text) === "anyone"));
}

/** Whether a page speaks of models and attacks outside of some of its words. */
export function isAboutModels(page: string, words: readonly string[]): boolean {
  return countOf(rest(page, words), subject) >= manyMentions;
}

function rest(page: string, words: readonly string[]): string {
  return words.reduce((left, each) => left.replace(each, " "), page);
}

function countOf(text: string, words: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(words)) {
    count += 1;
    if (count >= manyMentions) break;
  }
  return count;
}
