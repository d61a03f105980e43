// How English texts talk to a language model instead of a person.
import { type Rule, ruleMaker } from "./rule.ts";

/** Between two words of one sentence. */
const near = String.raw`[^.!?\n]{0,40}`;
export const modelName = String.raw`(?:AI|A\.I\.|LLMs?|GPT|ChatGPT|Claude|Gemini|Copilot|(?:large )?language models?|AI models?|chat ?bots?|(?:AI |virtual |automated |digital )assistants?)`;
/** People whose work is with such models are no models. */
export const noPerson = `(?! (?:research|engineer|develop|compan|enthusiast|startup|start-up|expert|scientist|profession|artist|user|student|founder|practition|lead|train|safety|ethic|beginner|team|writer|firm|vendor|provider|consultant))`;
export const orders = `(?:must|should|shall|please|do not|don't|always|never|are (?:required|instructed|ordered|asked) to|have to|need to|will now|say|tell|reply|respond|answer|recommend|rate|rank|score|give|include|write|output|print|ignore|disregard|send|praise|state|mention|treat|approve|accept|call|run|execute|visit|open|fetch|browse|click|append|promote|buy|stop|read|use|mark|describe|report)`;

const override = ruleMaker("override", true);
const address = ruleMaker("address");
const turn = ruleMaker("turn");
const leak = ruleMaker("leak", true);

const forgetting = String.raw`\b(?:ignore|disregard|forget|override|overwrite|discard|bypass|erase|drop|do not (?:follow|obey)|don't (?:follow|obey)|stop following|pay no attention to|set aside)\b`;
const orderNouns = `(?:instructions?|prompts?|directions|directives?|guidelines|rules|commands?|orders|system message|context|programming|constraints|restrictions|tasks?)`;

export const overrides: readonly Rule[] = [
  override(
    String.raw`${forgetting}${near}\b(?:previous|prior|above|earlier|preceding|former|foregoing|initial|original)\b[^.!?\n]{0,25}\b${orderNouns}\b(?! (?:for|from|of|about|regarding|sent|if|unless|on|in the|below)\b)`,
  ),
  override(
    String.raw`${forgetting} (?:what )?the (?:user|human)(?:'s|’s)? (?:questions?|requests?|query|instructions?|prompt|messages?|input|wants|asks|asked|says)\b`,
  ),
  override(
    String.raw`${forgetting}[^.!?\n]{0,20}\b${orderNouns} (?:above|so far|given (?:above|earlier|before)|from (?:above|before)|(?:that )?you (?:were|have been) (?:given|told))\b`,
  ),
  override(
    String.raw`${forgetting} (?:any |all |all of |everything in )?(?:of )?(?:your|the system's?|system|the developer's?|these|those) (?:[a-z]{1,12} ){0,2}(?:instructions|prompts?|guidelines|programming|directives|safety (?:rules|guidelines|polic(?:y|ies))|restrictions|constraints|system message)\b`,
  ),
  override(
    String.raw`${forgetting} (?:any|all)(?: of the| the)? (?:instructions|prompts|directives|guidelines|commands)\b(?: (?:you|that|given|and|so far|received)|[.,:;!])`,
  ),
  override(
    String.raw`${forgetting} (?:everything|all|anything|what)(?: that)? (?:you (?:were|have been|had been|are) (?:told|asked|instructed|taught)|(?:was |is )?(?:said |written )?above\b|before this (?:line|point))`,
  ),
  override(
    String.raw`${forgetting} (?:all |all of )?(?:the )?(?:above|preceding|previous) (?:text|content|words|document|page)s?\b[^.!?\n]{0,6}\b(?:and|instead|then|but)\b`,
  ),
  override(
    String.raw`\byour (?:previous |prior |earlier |old |existing |original |safety |system |current |initial ){0,2}(?:instructions?|prompts?|guidelines|rules|polic(?:y|ies)|restrictions|directives|orders)\b[^.!?\n]{0,20}\b(?:are|is|have been|has been) (?:now |hereby )?(?:no longer (?:valid|in (?:effect|force)|binding)|void|obsolete|cancel+ed|revoked|suspended|overridden|superseded|updated|replaced|lifted|disabled|changed)`,
  ),
];

export const addresses: readonly Rule[] = [
  address(
    String.raw`\b(?:attention|note|notice|important|message|instructions?|directives?|reminder|memo|hey|hello|hi|greetings|listen|dear|warning)\b[^.!?\n]{0,25}\b(?:to|for|all|any|every|the|,|:)? {0,2}(?:${modelName}|assistants?)\b${noPerson}[^.!?\n:]{0,50}[:,!—–-] {0,2}(?:[a-z']{1,12} ){0,3}${orders}\b`,
  ),
  address(
    String.raw`(?:^|\n) {0,4}(?:for|to) (?:all |any |every |the )?(?:AI|LLM|GPT|language model)s?(?: (?:reviewers?|readers?|models?|assistants?|agents?|systems?|bots?|graders?|recruiters?|screeners?|summari[sz]ers?))? {0,2}(?:only)? {0,2}[:—–-]`,
  ),
  address(
    String.raw`\b(?:if|when|in case|whenever|since|because) you(?: are|'re|’re) (?:an? |the |any )?(?:automated )?${modelName}\b${noPerson}[^.!?\n]{0,120}\b${orders}\b`,
  ),
  address(
    String.raw`\b(?:any |all |every |an? |the )?(?:AI|LLMs?|AI (?:agents?|assistants?|models?|systems?|tools?)|assistants?|language models?|chatbots?|agents?)\b[^.!?\n]{0,30}\b(?:reading|processing|summari[sz]ing|parsing|visiting|scraping|reviewing|evaluating|indexing) this (?:page|text|document|content|site|website|message|file|paper|resume|cv|article|email)\b[^.!?\n]{0,60}\b${orders}\b`,
  ),
  address(
    String.raw`\b(?:as|acting as) (?:an? )?(?:AI|AI assistant|language model|LLM|assistant),? you (?:must|are required to|have to|will now|shall|should now)\b`,
  ),
  address(
    String.raw`\bthe (?:assistant|AI|LLM|language model|AI agent) (?:must|should|shall|has to|is required to|is instructed to|needs to)\b[^.!?\n]{0,50}\b(?:the user's|without (?:asking|telling|confirm)|of the inbox|conversation|this page says|immediately)`,
  ),
];

export const roles: readonly Rule[] = [
  address(
    String.raw`\byou are now (?:an? |in |the )?[^.!?\n]{0,40}\b(?:DAN|developer mode|god mode|jailbroken|unrestricted|unfiltered|no longer bound|free from|without (?:any )?(?:restrictions|limits|filters)|uncensored)\b`,
  ),
  address(
    String.raw`\bfrom now on,? you (?:will|must|shall|are to|should|only|always)\b[^.!?\n]{0,30}\b(?:answer|respond|act|reply|behave|pretend|obey|ignore|comply|recommend|refuse|say|speak|promote)\b`,
  ),
  address(
    String.raw`\b(?:reveal|print|output|repeat|show|disclose|leak|tell me|send|share|quote|paste)\b[^.!?\n]{0,30}\byour (?:full |entire |hidden |secret |initial |original |exact |own ){0,2}(?:system prompt|system message|prompt|initial instructions|hidden instructions|developer message|instructions)\b`,
  ),
  address(
    String.raw`\b(?:reveal|print|disclose|leak|repeat)\b[^.!?\n]{0,15}\bthe (?:hidden|secret|initial|original) (?:instructions|prompt)\b[^.!?\n]{0,10}\byou (?:were|have)`,
  ),
  address(
    String.raw`\b(?:do not|don't|never|without)\b[^.!?\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|alert|alerting|notify|notifying|show|showing)\b[^.!?\n]{0,25}\b(?:the user|the human)\b[^.!?\n]{0,60}\b(?:instructions?|this (?:message|note|text|prompt|paragraph|rule|page|request|command|step)|these|hidden|injected|you (?:did|were|have))\b`,
  ),
  address(
    String.raw`\b(?:hide|conceal|keep) (?:this|these)(?: \w{1,12}){0,2} (?:from|hidden from|secret from) the (?:user|human)\b`,
  ),
  address(
    String.raw`\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|directives?|orders) (?:for|to) (?:the )?(?:AI|assistant|model|LLM|you|agent)\b`,
  ),
  address(
    String.raw`\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|directives?)\s{0,2}:\s{0,3}(?:you\b|ignore|from now|your\b|say|reply|respond|act\b|pretend|print|output|forget|the assistant)`,
  ),
  address(
    String.raw`\b(?:your|the) (?:new|real|actual|only|true|sole) (?:task|goal|objective|purpose|instructions?|directives?) (?:is|are) (?:now )?(?:to (?:repeat|output|print|respond|reply|say|recommend|praise|promote|send|act as|obey|convince|tell|write)|as follows)\b`,
  ),
  address(
    String.raw`\b(?:respond|reply|answer) only (?:with|by)\b[^.!?\n]{0,60}\b(?:and nothing else|regardless|no matter what)\b`,
  ),
  address(
    String.raw`\b(?:when|while|if) (?:you(?:'re| are)? )?(?:summari[sz](?:ing|e)|generating a summary|answering questions about|asked about) this (?:page|document|text|article|site|website|paper|product|email)\b[^.!?\n]{0,30}\b(?:always|must|never|do not|be sure to|say|state|mention|include|tell|recommend|add|end with|claim)\b`,
  ),
  address(
    String.raw`\bbefore (?:you )?(?:answer|respond|reply|summari[sz])[a-z]{0,4}\b[^.!?\n]{0,40}\b(?:fetch|visit|open|load|browse to|call|send|print|reveal|post)\b[^\n]{0,60}(?:https?:\/\/|\bsystem prompt|\binstructions)`,
  ),
  address(
    String.raw`\bgive (?:it |this \w{1,12} |the \w{1,12} )?(?:an? )?(?:positive|perfect|favou?rable|five-star|10\/10|excellent) (?:review|score|rating|evaluation)s? only\b|\bdo not (?:highlight|mention|list) any (?:negatives|weaknesses|flaws)\b`,
  ),
  address(
    String.raw`\b(?:call|use|invoke|run|execute|trigger|make)\b[^.!?\n]{0,50}\b(?:tool|function|transfer|command|plugin)\b[^.!?\n]{0,30}\bwithout (?:asking|confirming|confirmation|telling|notifying)\b`,
  ),
];

export const turns: readonly Rule[] = [
  turn(
    String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|begin_of_text|end_of_turn)[^|\n]{0,20}\|>`,
  ),
  turn(String.raw`\[INST\]|<<SYS>>|<start_of_turn>`, "g"),
  turn(String.raw`\[(?:system|assistant|developer)\]\(#\w{1,20}\)`),
  turn(
    String.raw`(?:^|\n)\s{0,5}(?:#{1,4}\s{0,3})?[[<(*]{0,2}(?:system|developer|admin(?:istrator)?)(?: (?:message|prompt|override|note|instruction|update|alert|notice|command))?[\])>*]{0,2}\s{0,3}:\s{0,3}[^\n]{0,60}\b(?:you (?:are|must|will|should|have) (?:now|to|follow|obey|an? |the )|you must now|ignore (?:the|all|any|your|previous)|the (?:assistant|AI|model)|previous (?:safety|instructions)|safety polic|comply with)\b`,
  ),
  turn(
    String.raw`<\/?(?:tool_result|function_results|tool_response|tool_call|function_calls|system-reminder|system_prompt|tool_use)>|<invoke name=`,
  ),
  turn(String.raw`<\/?system>[^\n]{0,80}\b(?:you|ignore|must|instructions?|obey)\b`),
  turn(String.raw`["']role["']\s{0,3}:\s{0,3}["'](?:system|developer|tool)["']\s{0,3},\s{0,3}["']content["']`),
  turn(
    String.raw`\b(?:BEGIN|START|END)[ _-](?:OF[ _-])?(?:SYSTEM|ADMIN|DEVELOPER)[ _-](?:PROMPT|OVERRIDE|MESSAGE|INSTRUCTIONS?)\b`,
    "g",
  ),
  turn(
    String.raw`\bend of (?:the )?(?:web ?page|document|user input|untrusted content|page content|article)\b[\s\S]{0,60}\b(?:system|assistant)\b`,
  ),
  turn(String.raw`#{2,4} ?Instruction:[\s\S]{1,200}#{2,4} ?Response:`),
  turn(
    String.raw`(?:^|\n)\s{0,5}(?:assistant|AI|model) ?: {0,3}(?:sure|understood|of course|certainly|okay)\b[^\n]{0,20}\b(?:I will|I'll|I have|I am)\b[^\n]{0,40}\b(?:ignore|obey|comply|follow|transfer|send|delete)\b`,
  ),
];

/** What a model knows and a page has no business with. */
const known = `(?:(?:whole |entire |full |this |current )?conversation|chat history|chat log|user'?s? (?:data|name|email|messages?|query|question|information|input|password|location|secrets?)|(?:messages?|question|query|words|input|data|secrets?|name|e-?mail|password|conversation) of the user|system prompt|context window|previous messages|(?:passwords?|credentials|api keys?|secrets?|tokens?|private data|personal data)(?: that)? (?:you (?:know|have|can see|find)|of the user|from (?:the|your) (?:context|conversation|memory|environment))|everything you know|contents? of (?:the|your) (?:context|memory|inbox))`;
const placeholder = String.raw`(?:\{\{?|\[|<|%7B|%5B|\$\{)\s{0,2}(?:the[ _])?(?:conversation|chat[ _-]?(?:history|log)?|history|system[ _-]?prompt|secrets?|secret_|user[ _-]?(?:secret|data|messages?|question|query|input|email)|summary of|previous|memory|everything|context|all[ _-]messages|your[ _-](?:answer|instructions|prompt)|private)`;

export const leaks: readonly Rule[] = [
  leak(
    String.raw`\b(?:append|add|insert|put|include|encode|send|post|submit|upload|forward|exfiltrate|transmit|email|copy|write|attach)\b[^.!\n]{0,60}\b${known}\b[^.!?\n]{0,60}(?:https?:\/\/|\b(?:URL|link|query string|parameter|image|webhook|endpoint|server|address)\b)`,
  ),
  leak(
    String.raw`\b(?:everything|anything|all|what(?:ever)?) (?:that )?the (?:user|human) (?:has )?(?:told|said|asked|wrote|typed|sent|shared)\b[^.!?\n]{0,80}(?:https?:\/\/|\b(?:link|URL|server|image|webhook)\b)`,
  ),
  leak(String.raw`https?:\/\/[^\s"'<>]{1,150}[?&][\w-]{1,30}=${placeholder}`),
  leak(String.raw`!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s]{1,200}[?&][\w-]{1,30}=${placeholder}`),
];
