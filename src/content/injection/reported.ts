// Whether words are an order, or the report of one: texts about such attacks quote and explain them.

/** What texts about such attacks say, and attacks do not. */
const explaining =
  /prompt[- ]?injections?|prompt hack|jailbreak|red[- ]?team|adversarial|\bOWASP\b|LLM security|AI safety|AI security|\battackers?\b|\battacks?\b|vulnerabilit|exploit|malicious|guardrail|peer review|misinformation|chat template|fine-?tun|inyecci[oó]n de (?:prompt|instruc)|injection de (?:prompt|requête)|injeção de prompt|iniezione di prompt|prompt-injektion|angreifer|angriff|atacante|attaquant|attaccante|инъекци|атак|уязвимост|злоумышленн|提示(?:词)?注入|提示詞注入|攻击|攻擊|越狱|漏洞|プロンプトインジェクション|攻撃|脆弱性|حقن|هجوم|مهاجم|ثغرة|इंजेक्शन|हमला|हमले|ইনজেকশন|আক্রমণ|프롬프트 (?:인젝션|주입)|공격|injeksi|serangan|enjeksiyon|saldır/gi;
const leastExplaining = 2;

/** Whether a whole text is about such attacks. */
export function isAboutAttacks(text: string): boolean {
  return (text.match(explaining) ?? []).length >= leastExplaining;
}

const opened = /["'“”„«»‘’‚「『《`]\s{0,2}$/;
const announced =
  /(?:\b(?:such as|like|e\.g\.,?|for example,?|for instance,?|phrases?|sentences?|words?|commands? to|reads?|writes?|wrote|says?|said|saying|typed?|typing|replied with|replying with|text|titled|called|known as|meme|joke|trick of|lines?)|[:：])\W{0,4}$/i;
const reported =
  /\b(?:to|who|that|which|they|he|she|it|may|might|can|could|would|will|not|never|n't|n’t|i|we|must|should|users?|people|attempts?|simply|just|and|or|then)\s+$/i;
const told =
  /\b(?:you (?:are|have|need|want|should|must|will|can|may)|I (?:want|order|command|need) you|please)\b[^.!?\n]{0,20}$/i;
const negated = /\b(?:not|never|n't|n’t|cannot)\s+(?:\w+\s+)?$/i;

/** Of what stands before some words in their paragraph: whether they are quoted. */
export function isQuoted(before: string): boolean {
  const line = lineOf(before);
  if (opened.test(before)) return true;
  const typographic = Math.max(
    line.lastIndexOf("“"),
    line.lastIndexOf("„"),
    line.lastIndexOf("«"),
    line.lastIndexOf("「"),
  );
  const closed = Math.max(line.lastIndexOf("”"), line.lastIndexOf("»"), line.lastIndexOf("」"));
  if (typographic > closed) return true;
  return (line.split('"').length - 1) % 2 === 1;
}

/** Whether they are announced as words that somebody says. */
export function isIntroduced(before: string): boolean {
  return (
    announced.test(lineOf(before)) &&
    !/\b(?:note|attention|important|notice|message|system)\b[^.\n]{0,30}[:：]\W{0,4}$/i.test(before)
  );
}

/** Whether a verb tells what somebody does instead of ordering it. */
export function isReported(before: string): boolean {
  if (negated.test(before)) return true;
  return reported.test(before) && !told.test(before) && !/[.!?\n:;,]\s*(?:and|or|then|just|simply)\s+$/i.test(before);
}

/** The end of a text, from its last line break. */
function lineOf(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}
