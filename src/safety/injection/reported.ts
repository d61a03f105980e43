// Whether words are an order, or the report of one: texts about such attacks quote and explain them. Only text close by
// counts: a page that speaks of attacks elsewhere may be one.

/** What a sentence about such attacks says, and an attack does not. */
const explaining =
  /prompt[- ]?injections?|prompt hack|jailbreak|red[- ]?team|adversarial|\bOWASP\b|LLM security|AI safety|AI security|\battackers?\b|\battacks?\b|vulnerabilit|exploit|malicious|guardrail|peer review|chat template|fine-?tun|inyecci[oó]n de (?:prompt|instruc)|injection de (?:prompt|requête)|injeção de prompt|iniezione di prompt|prompt-injektion|angreifer|angriff|atacante|attaquant|attaccante|инъекци|атак|уязвимост|злоумышленн|提示(?:词)?注入|提示詞注入|攻击|攻擊|越狱|漏洞|プロンプトインジェクション|攻撃|脆弱性|حقن|هجوم|مهاجم|ثغرة|इंजेक्शन|हमला|हमले|ইনজেকশন|আক্রমণ|프롬프트 (?:인젝션|주입)|공격|injeksi|serangan|enjeksiyon|saldır/i;
/** "This is no attack" explains nothing. */
const denied =
  /\b(?:not|no|isn't|isn’t|never|without|neither|nor|kein|keine|pas|ningún|nenhum|nessun|not? an?)\s+(?:an? |any |a kind of |real )?(?:prompt[- ]?injection|jailbreak|attack|exploit|vulnerabilit|angriff|prompt-injektion|attaque|ataque|attacco)|не (?:атака|инъекция)|(?:不是|并非)(?:攻击|提示注入)/i;

/** Words that introduce a quotation or an example. */
const telling =
  /\b(?:writes?|wrote|written|says?|said|saying|reads?|typed?|typing|asks?|asked|asking|tells?|told|telling|replie[sd]|replying|answered|phrases?|sentences?|examples?|texts?|titled|called|posted|tweeted|containing|contain(?:s|ed)|meme|joke|quotes?|quoted)\b|escrib|dice|pide|frase|ejemplo|\bécri|phrase|exemple|\bdit\b|schreib|sagt|\bsatz\b|beispiel|lautet|\bpede\b|escrev|exemplo|scrive|esempio|пишет|говорит|фраз|пример|写道|例如|书写|書き|例えば|يكتب|مثال|लिखता|उदाहरण|লেখে|উদাহরণ|예를|menulis|contoh|yazar|örne/i;
/** The same, with the words right behind it. */
const announced =
  /\b(?:such as|like|e\.g\.,?|for example,?|for instance,?|phrases?|sentences?|words?|commands? to|reads?|writes?|wrote|says?|said|saying|typed?|typing|replied with|replying with|text|titled|called|known as|meme|joke|trick of|lines?|uses?|used)\W{0,4}$/i;
/** The last colon of a sentence: what is said begins behind it. */
const colon = /^(.*)[:：]/;
/** Words before a colon that introduces words for the reader. */
const addressing =
  /\b(?:notes?|attention|important|notice|messages?|system|instructions?|reminder|warning|(?:to|for|dear|hello|hey|hi) (?:all |any |every |the |our )?(?:AI|LLM|language|model|assistant|agent|bot|chatbot)s?)\b[^.\n]{0,40}$/i;

const opened = /["'“”„«»‘’‚「『《`]\s{0,2}$/;
const closing = /["'”“»«’‘」』》`]/;
const subjects =
  /\b(?:to|who|that|which|they|he|she|it|may|might|can|could|would|will|not|never|n't|n’t|i|we|must|should|users?|people|attempts?)\b/i;
const reported =
  /\b(?:to|who|that|which|they|he|she|it|may|might|can|could|would|will|not|never|n't|n’t|i|we|must|should|users?|people|attempts?)\s+$/i;
const joined = /\b(?:simply|just|and|or|then)\s+$/i;
const told =
  /\b(?:you(?:'re|’re)? (?:are|have|need|want|should|must|will|can|may|now)|(?:I|we)(?:'d|’d)?(?: \w{1,12}){0,2} (?:want|order|command|need|ask|urge|instruct|require|invite|request|expect|like) you|please|kindly|let us|time|be sure|make sure|remember|feel free)\b[^.!?\n]{0,20}$/i;
/** Whoever says what a model must do talks to it. */
const toldModel =
  /\b(?:AIs?|LLMs?|assistants?|language models?|AI models?|chatbots?|bots?|ChatGPT|Claude|Gemini|Copilot)\b[^.!?\n]{0,30}\b(?:must|shall|has to|have to|is to|are to|is required to|are required to)\s+$/i;
/** "A text that told reviewers to". */
const relayed =
  /(?<!\b(?:are|is|be|being|hereby|i|we)\s)\b(?:told|tells?|telling|asks?|asked|asking|instructs?|instructed|instructing|urges?|urged|orders?|ordered|trick(?:s|ed)?|makes?|made|gets?|got)\b[^.!?\n]{0,40}\bto\s+$/i;
const negated = /\b(?:not|never|n't|n’t|cannot)\s+(?:\w+\s+)?$/i;

/** Distance between a list of examples and the line that announces it. */
const announcementReach = 400;
const exampleLine = /[:：]\s*$/;

export interface Surroundings {
  /** Text before the words, cut. */
  before: string;
  after: string;
}

/** Whether the words that a rule found are quoted or reported. `isOrder`: they count only as an order. */
export function isExcused({ before, after }: Surroundings, isOrder: boolean, isTurn: boolean): boolean {
  return (
    isQuoted(before, after) ||
    isIntroduced(before) ||
    isExplained(before, isTurn) ||
    relayed.test(lineOf(before)) ||
    (isOrder && isReported(before)) ||
    /^、?(?:という|といった)/.test(after)
  );
}

function isQuoted(before: string, after: string): boolean {
  const line = lineOf(before);
  const [rest = ""] = after.split("\n", 1);
  if (!closing.test(rest)) return false;
  if (opened.test(before)) return true;
  const typographic = Math.max(...["“", "„", "«", "「"].map((mark) => line.lastIndexOf(mark)));
  const closed = Math.max(...["”", "»", "」"].map((mark) => line.lastIndexOf(mark)));
  if (typographic > closed) return true;
  return (line.split('"').length - 1) % 2 === 1;
}

/** Introduced as quoted words. */
function isIntroduced(before: string): boolean {
  const line = lineOf(before);
  if (announced.test(line)) return true;
  const [, lead] = colon.exec(sentencesOf(line, 1)) ?? [];
  return lead !== undefined && telling.test(lead) && !addressing.test(lead);
}

/** Part of a sentence about attacks, or below a line that announces examples of them. */
function isExplained(before: string, isTurn: boolean): boolean {
  const line = lineOf(before);
  const near = sentencesOf(line, isTurn ? 2 : 1);
  if (explaining.test(near) && !denied.test(near)) return true;
  const above = before
    .slice(-announcementReach, before.length - line.length)
    .split("\n")
    .map((each) => each.trim());
  const lead = above.findLast((each) => exampleLine.test(each));
  return lead !== undefined && explaining.test(lead) && !denied.test(lead);
}

/** A verb that reports an action instead of ordering it. */
function isReported(before: string): boolean {
  if (negated.test(before)) return true;
  if (told.test(before) || toldModel.test(before)) return false;
  return reported.test(before) || (joined.test(before) && subjects.test(sentencesOf(lineOf(before), 1)));
}

/** The end of a text, from its last line break. */
function lineOf(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** The end of a line: so many sentences, the last of which may have only begun. */
function sentencesOf(line: string, count: number): string {
  return line
    .split(/(?<=[.!?。！？।۔])\s*/)
    .slice(-count)
    .join(" ");
}
