// How English texts give a language model orders without the usual words: what was said before counts no longer, whoever reads
// this is to do something, an answer is to hold this or that.
import { modelName, noPerson, orders } from "./english-rules.ts";
import { type RuleFamily, ruleMaker, words } from "./rule.ts";

const override = ruleMaker("override", true);
const address = ruleMaker("address");

const readers = `(?:readers?|reviewers?|agents?|assistants?|summari[sz]ers?|graders?|screeners?|bots?|crawlers?|tools?|systems?|models?|evaluators?|recruiters?)`;
const machine = `(?:AI|LLM|GPT|machine|automated|language model)`;
const duty = `(?:must|should|shall|are (?:hereby )?(?:to|asked to|required to|instructed to|ordered to|told to|obliged to)|is (?:hereby )?(?:to|asked to|required to|instructed to|ordered to)|has to|have to|needs? to|please|will)`;
const answers = `(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|outputs?|recommendations?|reports?|translations?)`;
const machines = `(?:AIs?|LLMs?|bots?|agents?|assistants?|models?|chatbots?|machines?|programs?|algorithms?|crawlers?)`;
const text = `(?:page|text|document|article|site|website|paragraph|paper|e-?mail|resume|cv|message|file|content|listing|review|section|note|sentence|line)`;

/** Each with words one of which stands in every match. */
export const indirectFamilies: readonly RuleFamily[] = [
  {
    stems: words(
      "whatever|you were told|you were asked|you were given|you were inst|you were shown|been given|been told|" +
        "been asked|given to you|stood before|came before",
    ),
    rules: [
      override(
        String.raw`\b(?:whatever|anything|everything|all|what)(?: else)?(?: that)? (?:you (?:were|have been|had been|are|ever)|(?:was|has been|came|stands|is|went))(?: \w{1,12}){0,3} (?:before|earlier|above|previously|so far|until now|up to (?:now|here)|beforehand)\b[^.!?\n]{0,30}\b(?:no longer|does not|doesn't|is (?:now )?(?:void|obsolete|irrelevant|cancel+ed|over|wrong|invalid|null)|can be (?:ignored|forgotten|skipped)|counts? for nothing|is to be (?:ignored|forgotten))\b`,
      ),
      override(
        String.raw`\b(?:the|all|any|your)(?: of the)? (?:instructions?|rules|prompts?|guidelines|directives?|orders|commands?)(?: that)? (?:you (?:were|have been|had been) (?:given|told|shown|sent)|(?:given|shown|sent) to you|(?:that )?(?:came|stood|stand|come) (?:before|above|earlier))\b[^.!?\n]{0,40}\b(?:no longer|do not|don't|are (?:now )?(?:void|obsolete|irrelevant|cancel+ed|over|wrong|invalid|null|a test|outdated)|have been (?:replaced|cancel+ed|withdrawn|revoked|lifted)|can be (?:ignored|forgotten|skipped)|count for nothing)\b`,
      ),
    ],
  },
  {
    stems: words(
      "precedence|priority over|overrides your|supersedes your|outranks|replaces your|overrides the sys|" +
        "supersedes the sys|overrides any sys|overrides all sys",
    ),
    rules: [
      override(
        String.raw`\b(?:takes? (?:precedence|priority)|has (?:precedence|priority)|overrides?|supersedes?|outranks?|replaces?)(?: over)? (?:your|(?:the |any |all |every )?(?:system|developer|user|operator)(?:'s|’s)?) (?:\w{1,12} ){0,2}(?:instructions?|prompts?|guidelines|directives?|messages?|orders)\b`,
      ),
    ],
  },
  {
    stems: words("start over|start afresh|start again|start anew|begin again|begin afresh|begin anew|begin over"),
    rules: [
      override(
        String.raw`\b(?:start|begin) (?:over|afresh|again|anew)\b[^.!?\n]{0,30}\b(?:as if|without|with) (?:no|any|new|these|the following|none of (?:your|the)) (?:\w{1,12} ){0,2}(?:instructions?|prompts?|rules|guidelines|orders)\b`,
      ),
    ],
  },
  {
    stems: words(
      "ai reader|ai review|ai summar|ai grader|ai screen|ai evalu|ai recruit|ai agent|ai assistant|ai system|" +
        "ai model|ai tools|ai crawl|ai bots|llm read|llm review|llm agent|llm grader|automated|machine read|" +
        "model read",
    ),
    rules: [
      address(
        String.raw`\b${machine} ${readers}\b${noPerson}[^.!?\n]{0,20}\b${duty}\b[^.!?\n]{0,70}\b(?:this ${text}|the following|what follows|as (?:an? )?(?:orders?|instructions?|commands?)|our (?:products?|company|shop|site|offer|boats?|hotel)|the user|the human|positive|favou?rabl[ey]|highest|top (?:score|rating|choice)|five stars)\b`,
      ),
    ],
  },
  {
    stems: words(
      "reads this|reading this|processes this|processing this|summarizes this|summarises this|summarizing this|" +
        "summarising this|parses this|sees this|translates this|evaluates this|reviews this|scrapes this|" +
        "crawls this|reads these|processes these",
    ),
    rules: [
      address(
        String.raw`\b(?:${modelName}|models?|agents?|bots?|programs?|machines?|systems?|whoever|whatever|anyone|anything)(?: \w{1,12})? (?:that |which |who )?(?:reads?|process(?:es)?|summari[sz]es?|parses?|sees?|translates?|evaluates?|reviews?|scrapes?|crawls?|is (?:reading|processing|summari[sz]ing)) (?:this|these)(?: ${text}| words| lines)?\b[^.!?\n]{0,25}(?:[:,—–-]|\b${duty}\b)[^.!?\n]{0,40}\b(?:never|always|mention|${orders})\b`,
      ),
    ],
  },
  {
    stems: words(
      "treat this|treat the following|treat the text|treat the next|treat these|treat what|treat it as|" +
        "treat all of|regard this|regard the following|consider this|consider the following|take this as|" +
        "accept this|handle this|read this as",
    ),
    rules: [
      address(
        String.raw`\b(?:treat|regard|consider|take|read|accept|handle) (?:this|the following|these|it|what follows|the (?:next|text)|all of this)\b[^.!?\n]{0,40}\bas (?:an? |your |the |if (?:it|they) (?:were|came from) )?(?:highest[- ]priority |binding |new |direct |real |trusted )?(?:orders?|instructions?|commands?|directives?|system (?:prompt|message)|(?:your|their|the) (?:owner|operator|developers?|creators?|user|maker|system))\b`,
      ),
    ],
  },
  {
    stems: words(
      "your owner|their owner|your operator|their operator|your develop|their develop|your creator|their creator|" +
        "your maker|their maker|your admin|their admin",
    ),
    rules: [
      address(
        String.raw`\b(?:orders?|instructions?|commands?|directives?|message) (?:from|by|of) (?:your|their) (?:owners?|operators?|developers?|creators?|makers?|administrators?)\b[^.!?\n]{0,20}(?:[:.!]|$)`,
      ),
    ],
  },
  {
    stems: words(
      "are helping|re helping|are assisting|re assisting|are serving|re serving|are advising|who asked you|" +
        "who sent you|who prompted you|who instructed you",
    ),
    rules: [
      address(
        String.raw`\b(?:let|make|convince|tell|lead|do not (?:tell|let|warn)|don't (?:tell|let|warn)|never (?:tell|let|warn)|without telling)\b[^.!?\n]{0,20}\b(?:person|human|user|customer|client|visitor|people) (?:(?:that |whom? )?you(?:'re|’re| are) (?:helping|assisting|serving|advising)|who (?:asked|sent|instructed|prompted) you)\b`,
      ),
    ],
  },
  {
    stems: words(
      "each reply|every reply|each answer|every answer|each response|every response|each summary|every summary|" +
        "each report|every report|each output|every output|all replies|all answers|all responses|all your|" +
        "your next",
    ),
    rules: [
      address(
        String.raw`\b(?:end|begin|start|finish|close|sign|open|preface|conclude)\b (?:each|every|all|any|your next)(?: of your)? ${answers} (?:with|by)\b`,
      ),
    ],
  },
  {
    stems: words(
      "your answer|your response|your summar|your output|your recomm|your compar|your final|your reply|all your|" +
        "your next|your own answ|your own rep|your own resp",
    ),
    rules: [
      address(
        String.raw`\b(?:mention|recommend|praise|promote|advertise|insert|cite|favou?r|list|rank|name|link to|suggest|endorse)\b[^.!?\n]{0,70}\bin (?:your|all your|all of your|each of your|every one of your) (?:final |next |own )?(?:answers?|responses?|summar(?:y|ies)|outputs?|recommendations?|comparisons?)\b`,
      ),
      address(
        String.raw`\byour (?:final |next |own )?(?:answer|reply|response|summary|output) (?:must|should|shall|has to|needs to|is to|will) (?:always |only |also )?(?:say|state|mention|recommend|include|praise|claim|contain|end|begin|start|consist|read|be (?:exactly|only|positive|favou?rable))\b[^.!?\n]{0,80}\b(?:regardless|no matter|and nothing else|nothing else|whatever|our (?:products?|company|shop|site|offer|brand)|the (?:words?|phrase|sentence|link|url))\b`,
      ),
    ],
  },
  {
    stems: words("you are no longer"),
    rules: [
      address(
        String.raw`\byou are no longer (?:an? |the |bound |restricted |limited )?(?:by |to )?(?:AI|assistant|language model|chatbot|helpful|any|your|the (?:rules|guidelines|restrictions))\b`,
      ),
    ],
  },
  {
    stems: words(
      "no rules|no restrictions|no filters|unrestricted|unfiltered|uncensored|no guidelines|no limits|no safety|" +
        "without rules|without restr|without filters|without any",
    ),
    rules: [
      address(
        String.raw`\b(?:pretend|act|behave|imagine|roleplay|speak|answer)\b[^.!?\n]{0,25}\b(?:that |as if |as though |as )(?:you (?:have|had|are|were)|an?) (?:no|without|free of|un)[ -]?(?:any )?(?:rules|restrictions?|restricted|filters?|filtered|guidelines|limits|censored|safety)`,
      ),
    ],
  },
  {
    stems: words("repeat the|repeat all|repeat every|repeat back"),
    rules: [
      address(
        String.raw`\brepeat (?:back )?(?:the|all|every|everything|all of the)(?: \w{1,12}){0,2} (?:above|before this|you were (?:given|told)|in your (?:context|prompt))\b[^.!?\n]{0,60}`,
      ),
    ],
  },
  {
    stems: words(
      "ai agents|ai assist|ai models|ai bots|ai system|ai reader|ai tools|llm agents|llm bots|llms: |ais: you",
    ),
    rules: [
      address(
        String.raw`(?:^|\n)\s{0,5}${machine}s?(?: ${readers})?\s{0,2}[:—–-]\s[^.!?\n]{0,60}\b(?:requires you to|you must|you are (?:required|instructed|asked|ordered)|the user's|please)\b`,
      ),
    ],
  },
  {
    stems: words(
      "to the ass|to the mod|to the ai |to the agent|to any ai|to any ass|to any mod|to every ass|to all ass|to all mod|to the bot",
    ),
    rules: [
      address(
        String.raw`(?:^|[.!?\n]\s{0,5})to (?:the|any|every|all) (?:AI |language )?(?:assistants?|models?|agents?|bots?|LLMs?|AIs?) (?:handling|reading|processing|that|who|which|behind|answering|working)\b[^.!?\n:]{0,40}[:,—–-]`,
      ),
    ],
  },
  {
    stems: words(
      "your goal|your instruc|your rules|your task|your objective|your guideline|your role|your restrict|you now ",
    ),
    rules: [
      address(
        String.raw`\b(?:operators?|developers?|owners?|administrators?|provider|system|management) (?:has|have) (?:just |now )?(?:changed|updated|replaced|revised|reset|lifted|cancel+ed|removed) your (?:goals?|instructions?|rules|tasks?|objectives?|guidelines|role|restrictions)\b`,
      ),
      address(String.raw`\byou now (?:work for|serve|belong to|obey|answer to|represent|act (?:as|for)|speak for)\b`),
    ],
  },
  {
    stems: words(
      "should always|should never|should only|must always|must never|must only|should put|should rank|should recomm|must put|must rank|must recomm|" +
        "should place|must place|should prefer|must prefer|should list|must list|should choose|must choose|are to rec|are to put|are to rank",
    ),
    rules: [
      address(
        String.raw`\b${machines} (?:that|which|who)\b[^.!?\n]{3,40}\b(?:must|should|shall|are to|have to) (?:always |never |only )?(?:put|rank|place|list|recommend|favou?r|prefer|choose|pick|mention|name|rate)\b[^.!?\n]{0,40}\b(?:our|us|this|first|top|highest|best)\b`,
      ),
    ],
  },
  {
    stems: words(
      "dear screen|dear rank|dear review|dear grad|dear pars|dear algor|dear machine|dear model|dear bot|dear system|dear robot|dear crawl|dear program|dear language",
    ),
    rules: [
      address(
        String.raw`\bdear (?:screening |ranking |review(?:ing)? |grading |parsing |language )?(?:algorithm|machine|model|bot|system|program|parser|robot|crawler)s?\b`,
      ),
    ],
  },
  {
    stems: words("no rules|no limits|no restrictions|no filters|no guidelines|no ethics|no morals"),
    rules: [
      address(
        String.raw`\byou are [^.!?\n]{0,40}\b(?:who|that|which|with) (?:has |have |knows? |obeys? )?no (?:rules|limits|restrictions|filters|guidelines|ethics|morals)\b`,
      ),
    ],
  },
  {
    stems: words(
      "this line|this point|this sentence|this message|real request|actual request|true request|real order|real prompt|actual prompt",
    ),
    rules: [
      override(
        String.raw`\b(?:text|words|instructions?|messages?|content|everything|prompts?)(?: that (?:came|stood|stands?))? (?:before|above|up to|until|preceding) this (?:line|point|sentence|message)\b[^.!?\n]{0,20}\b(?:was|were|is|are) (?:only |just |all )?(?:a test|a draft|fake|false|void|wrong|invalid|an example|not (?:real|meant)|over)\b`,
      ),
      address(
        String.raw`\b(?:the|your) (?:real|actual|true) (?:request|order|prompt|instruction) (?:is|reads|follows)\b`,
      ),
    ],
  },
  {
    stems: words("the user has already|the human has already|user already|the user has alr"),
    rules: [
      address(
        String.raw`(?:^|[.!?\n]\s{0,5})the (?:user|human) (?:has already|already) (?:consented|agreed|approved|authori[sz]ed|confirmed|given (?:permission|consent|approval))\b`,
      ),
    ],
  },
  {
    stems: words("when asked|if asked|whenever asked|you are asked|re asked"),
    rules: [
      address(
        String.raw`\b(?:when|if|whenever)(?: you(?:'re|’re| are))? asked (?:about|which|who|for (?:a recommendation|the best))\b[^.!?\n]{0,60},? (?:always |only |just |you must |you should )?(?:answer|say|reply|respond|recommend|name|mention|claim)\b`,
      ),
    ],
  },
  {
    stems: words(
      "read by a|processed by a|summarized by a|summarised by a|parsed by a|seen by a|evaluated by a|reviewed by a",
    ),
    rules: [
      address(
        String.raw`\b(?:if|when|in case) (?:this|the) ${text} is (?:read|processed|summari[sz]ed|parsed|seen|evaluated|reviewed) by (?:an? |any )?${modelName}\b${noPerson}[^.!?\n]{0,20}[,:]`,
      ),
    ],
  },
  {
    stems: words(
      "note to gpt|note to chatgpt|note to ai|note to llm|note to all ai|note to any ai|note to the ai|note to language|note to claude|note to gemini",
    ),
    rules: [
      address(
        String.raw`\bnote to (?:all |any |the )?(?:GPT|ChatGPT|AIs?|LLMs?|language models?|AI (?:assistants?|models?|agents?)|Claude|Gemini)\s?[:,]`,
      ),
    ],
  },
  {
    stems: words(
      "must not mention|must mention|must not say|must say|must describe|must present|must praise|shall present|shall describe|shall mention|shall not mention",
    ),
    rules: [
      address(
        String.raw`\b(?:language models?|LLMs?|AI (?:assistants?|models?|systems?|agents?)|chatbots?) (?:must|shall)(?: not| always| never| only)? (?:mention|say|describe|present|praise|recommend)\b[^.!?\n]{0,60}\b(?:this|our|it)\b`,
      ),
    ],
  },
  {
    stems: words(
      "tell the user|inform the user|alert the user|notify the user|warn the user|summarize this|summarise this|training does|rules do not|guidelines do",
    ),
    rules: [
      address(String.raw`\bdo not (?:tell|inform|alert|notify|warn) the (?:user|human)\s?[.!](?:\s|$)`),
      address(String.raw`\bsummari[sz]e this ${text} (?:as follows|like this)\s?:`),
      override(
        String.raw`\byour (?:safety )?(?:training|rules|guidelines|restrictions|policies) (?:do(?:es)? not|don't|doesn't) apply\b`,
      ),
    ],
  },
];
