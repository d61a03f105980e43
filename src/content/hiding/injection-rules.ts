// What a text says when it talks to a language model instead of a person, as rules. Each pattern has bounded repetitions only,
// so its cost grows with the text.

/** Instructions to forget instructions, in the ten languages with the most readers and a few more. */
const forget: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|discard|bypass|do not follow|stop following|pay no attention to)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|preceding|former|existing|original|your|all)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|directions?|directives?|guidelines?|rules|commands?|system message|context)\b/gi,
  /\b(?:ignora|olvida|descarta|omite|desatiende|no sigas)\b[^.!?\n]{0,40}\b(?:instrucciones|indicaciones|órdenes|reglas|directrices)\b[^.!?\n]{0,30}\b(?:anteriores|previas|recibidas|del sistema|dadas)/gi,
  /\b(?:ignore[zr]?|oublie[zr]?|ne tiens pas compte|ne tenez pas compte|fais abstraction)\b[^.!?\n]{0,40}\b(?:instructions|consignes|directives|règles|ordres)\b[^.!?\n]{0,30}(?:précédentes|antérieures|ci-dessus|du système|reçues)/gi,
  /\b(?:ignorier(?:e|en sie)?|vergiss|vergessen sie|missachte|missachten sie|verwirf)\b[^.!?\n]{0,40}\b(?:vorherigen|bisherigen|vorigen|obigen|früheren|vorangegangenen|alle)\b[^.!?\n]{0,20}\b(?:anweisungen|instruktionen|befehle|vorgaben|regeln|anordnungen)/gi,
  /\b(?:ignore|esqueça|desconsidere|descarte|não siga)\b[^.!?\n]{0,40}\b(?:instruções|orientações|ordens|regras|diretrizes|comandos)\b[^.!?\n]{0,30}\b(?:anteriores|prévias|acima|recebidas|do sistema)/gi,
  /\b(?:ignora|dimentica|non seguire|trascura)\b[^.!?\n]{0,40}\b(?:istruzioni|indicazioni|regole|direttive|comandi)\b[^.!?\n]{0,30}\b(?:precedenti|sopra|ricevute|del sistema)/gi,
  /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на)[^.!?\n]{0,40}(?:предыдущие|прежние|прошлые|вышеуказанные|все)[^.!?\n]{0,30}(?:инструкци|указани|команд|правил|промпт)/gi,
  /(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会)[^。！？\n]{0,15}(?:之前|以前|以上|上面|上述|先前|前面|所有)[^。！？\n]{0,12}(?:指令|指示|提示|命令|规则|規則|说明|說明)/g,
  /(?:これまで|以前|上記|前|今まで|すべて|全て)[^。！？\n]{0,12}(?:指示|命令|プロンプト|ルール|指令)[^。！？\n]{0,6}(?:を|は)[^。！？\n]{0,6}(?:無視|忘れ|破棄)/g,
  /(?:تجاهل|انسَ|انس|لا تتبع|أهمل)[^.!؟\n]{0,40}(?:التعليمات|الأوامر|التوجيهات|القواعد)[^.!؟\n]{0,25}(?:السابقة|أعلاه|الأصلية)/g,
  /(?:पिछले|पहले के|उपरोक्त|पूर्व|सभी)[^।!?\n]{0,25}(?:निर्देशों|आदेशों|नियमों|निर्देश)[^।!?\n]{0,15}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा)/g,
  /(?:পূর্ববর্তী|আগের|উপরের|সব|সমস্ত)[^।!?\n]{0,25}(?:নির্দেশ|নির্দেশনা|আদেশ|নিয়ম)[^।!?\n]{0,15}(?:উপেক্ষা|ভুলে|অগ্রাহ্য)/g,
  /(?:이전|위의|앞의|지금까지의|모든)[^.!?\n]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^.!?\n]{0,8}(?:무시|잊)/g,
  /\b(?:abaikan|lupakan)\b[^.!?\n]{0,30}\b(?:instruksi|perintah|petunjuk|aturan)\b[^.!?\n]{0,20}\b(?:sebelumnya|di atas)/gi,
  /\b(?:önceki|yukarıdaki|tüm)\b[^.!?\n]{0,25}(?:talimat|komut|yönerge|kural)[^.!?\n]{0,20}(?:yok say|unut|görmezden|dikkate alma)/gi,
];

/** Said to a program that reads: what it is to be, to say, to hide, to send. */
const addressed: readonly RegExp[] = [
  /\b(?:attention|note|notice|important|message|instructions?|reminder|hey|dear)\b[^.!?\n]{0,20}\b(?:AI|LLM|language models?|assistants?|chatbots?|AI agents?|GPT|ChatGPT|Claude|Gemini|copilot|crawlers?|summari[sz]ers?)\b[^.!?\n]{0,60}[:,\-–—!]/gi,
  /\b(?:if|when) you are (?:an? )?(?:AI\s{0,2}[,:;—-]|AI (?:assistant|agent|model|system|crawler|bot|reading)\b|LLM\b|large language model\b|language model\b|chatbot\b|assistant reading this\b)[^.!?\n]{0,120}\b(?:must|should|please|do not|don't|always|never|say|reply|respond|recommend|rate|include|write|output|ignore|send)\b/gi,
  /\b(?:AI|LLM|AI agents?|assistants?|language models?)\b[^.!?\n]{0,40}\b(?:reading|processing|summari[sz]ing|parsing|visiting|scraping) this (?:page|text|document|content|site|website|message|file)\b[^.!?\n]{0,100}\b(?:must|should|please|do not|need to|are (?:required|instructed)|have to|is to|are to)\b/gi,
  /\byou are now (?:an? |in |the )?[^.!?\n]{0,40}\b(?:DAN|developer mode|jailbroken|unrestricted|unfiltered|no longer bound|free from|without (?:any )?restrictions)\b/gi,
  /\b(?:reveal|print|output|repeat|show|disclose|leak|tell me|send|share)\b[^.!?\n]{0,30}\b(?:your|the) (?:full |entire |hidden |secret |initial |original )?(?:system prompt|system message|initial instructions|hidden instructions|developer message)\b/gi,
  /\b(?:do not|don't|never|without)\b[^.!?\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|alert|alerting|notify|notifying)\b[^.!?\n]{0,25}\b(?:the user|the human|users?|anyone)\b[^.!?\n]{0,80}\b(?:instructions?|this (?:message|note|text|prompt|paragraph)|these|hidden|injected|you (?:did|were|have))\b/gi,
  /\b(?:new|updated|revised|real|actual) (?:system )?(?:instructions?|prompt|directives?|task)\s*(?::|for (?:the )?(?:AI|assistant|model|LLM|you))/gi,
  /\b(?:your|the) (?:new|real|actual|only|true) (?:task|goal|objective|purpose|job|instructions?) (?:is|are) (?:now )?(?:to|as follows)\b/gi,
  /\b(?:respond|reply|answer) only with\b[^.!?\n]{0,60}\b(?:and nothing else|regardless|no matter what)\b/gi,
  /\b(?:as|acting as) (?:an? )?(?:AI|language model|assistant),? you (?:must|are required to|have to|will now)\b/gi,
];

/** Turns of a conversation that a page cannot be part of. */
const turns: readonly RegExp[] = [
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|begin_of_text|end_of_turn)[^|\n]{0,20}\|>/gi,
  /\[\/?INST\]|<<\/?SYS>>|<\/?(?:start|end)_of_turn>/g,
  /(?:^|\n)\s{0,5}(?:#{1,4}\s{0,3})?(?:\[|<|\(|\*{0,2})?(?:system|developer|tool|function)(?: (?:message|prompt|override|note|instruction|update|result|output))?(?:\]|>|\)|\*{0,2})?\s{0,3}:\s{0,3}[^\n]{0,40}\b(?:you|ignore|assistant|must|now|new|override|instructions?|AI)\b/gi,
  /<\/?(?:system|tool_result|function_results|tool_response|system-reminder|system_prompt)>/gi,
  /"role"\s{0,3}:\s{0,3}"(?:system|developer|tool)"\s{0,3},\s{0,3}"content"/gi,
  /\b(?:BEGIN|START|END)[ _-](?:SYSTEM|ADMIN|DEVELOPER)[ _-](?:PROMPT|OVERRIDE|MESSAGE|INSTRUCTIONS?)\b/g,
  /\bend of (?:the )?(?:web ?page|document|user input|untrusted content|page content|article)\b[^.\n]{0,40}\b(?:system|instructions?|assistant)\b/gi,
];

/** Links that a model is to fill with what it knows. */
const exfiltration: readonly RegExp[] = [
  /\b(?:append|add|insert|put|include|encode|send|post|submit|upload|forward|exfiltrate|transmit|email)\b[^.!?\n]{0,80}\b(?:conversation|chat history|user'?s? (?:data|name|email|message|query|question|information|input)|passwords?|credentials|api keys?|secrets?|tokens?|system prompt|cookies|context window|previous messages|private (?:data|information))\b[^.!?\n]{0,60}(?:https?:\/\/|\b(?:URL|link|query string|parameter|image|webhook|endpoint|server|address)\b)/gi,
  /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s]{1,200}[?&][\w-]{1,30}=(?:\{|\[|<|%7B|\$\{)[^)\n]{0,80}\)/gi,
  /https?:\/\/[^\s"'<>]{1,150}[?&][\w-]{1,30}=(?:\{\{?|\[|<|%7B)\s{0,2}(?:conversation|chat|history|user|secret|api|token|prompt|summary|data|email|password|answer|system)[^\s"'<>]{0,60}/gi,
];

export const injectionPatterns: readonly RegExp[] = [...forget, ...addressed, ...turns, ...exfiltration];

/** A text without any of these words needs no closer look. */
export const injectionHints =
  /instruction|instruc|prompt|directive|guideline|system|\brules\b|\bAI\b|LLM|language model|assistant|chatbot|GPT|Claude|Gemini|INST\]|<\||role"|conversation|consignes|directives|anweisung|befehl|istruzioni|инструкц|указани|指令|指示|命令|提示|规则|プロンプト|التعليمات|الأوامر|निर्देश|নির্দেশ|지시|명령|지침|instruksi|perintah|talimat|[?&][\w-]{1,30}=(?:\{|\[|<|%7B)/i;
