// The same in the other languages with the most readers: orders to forget orders, and words to whoever is a model.
import type { Rule, RuleFamily } from "./rule.ts";

const forget = (pattern: RegExp): Rule => ({ kind: "override", pattern });
const address = (pattern: RegExp): Rule => ({ kind: "address", pattern });

/** Their nouns are those of English, or begin like them. */
export const latinOverrides: readonly Rule[] = [
  forget(
    /\b(?:ignor(?:a|e|ad|en|ar)|olvid(?:a|e|ad|en)|descart(?:a|e)|omit(?:e|a)|desatiend(?:e|a)|no sigas)\b[^.!?\n]{0,40}\b(?:instrucciones|indicaciones|órdenes|reglas|directrices)\b[^.!?\n]{0,30}\b(?:anteriores|previas|recibidas|del sistema|dadas)/gi,
  ),
  forget(
    /\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte|fai(?:s|tes) abstraction|négligez|néglige)\b[^.!?\n]{0,40}\b(?:instructions|consignes|directives|règles|ordres)\b[^.!?\n]{0,30}(?:précédentes|antérieures|ci-dessus|du système|reçues)/gi,
  ),
  forget(
    /\b(?:ignor(?:e|ar|em)|esque(?:ça|cer|çam)|desconsider(?:e|ar|em)|descarte|não siga)\b[^.!?\n]{0,40}\b(?:instruções|orientações|ordens|regras|diretrizes|comandos)\b[^.!?\n]{0,30}\b(?:anteriores|prévias|acima|recebidas|do sistema)/gi,
  ),
  forget(
    /\b(?:ignora(?:te)?|dimentica(?:te)?|non seguire|trascura)\b[^.!?\n]{0,40}\b(?:istruzioni|indicazioni|regole|direttive|comandi)\b[^.!?\n]{0,30}\b(?:precedenti|sopra|ricevute|del sistema)/gi,
  ),
  forget(
    /\b(?:abaikan|lupakan|hiraukan)\b[^.!?\n]{0,30}\b(?:instruksi|perintah|petunjuk|aturan)\b[^.!?\n]{0,20}\b(?:sebelumnya|di atas)/gi,
  ),
  forget(
    /\b(?:ignorier(?:e|t|en sie)?|vergiss|vergesst|vergessen sie|missachte|missachten sie|verwirf|beachte nicht)\b[^.!?\n]{0,40}\b(?:vorherigen|bisherigen|vorigen|obigen|früheren|vorangegangenen|vorangehenden|alle|deine)\b[^.!?\n]{0,20}\b(?:anweisungen|instruktionen|befehle|vorgaben|regeln|anordnungen)/gi,
  ),
  forget(
    /(?:önceki|yukarıdaki|tüm)(?= )[^.!?\n]{0,25}(?:talimat|komut|yönerge|kural)[^.!?\n]{0,20}(?:yok say|unut|görmezden|dikkate alma)/gi,
  ),
];

/** In languages that write "AI". */
export const aiAddresses: readonly Rule[] = [
  address(/\b(?:jika|apabila|kalau) (?:anda|kamu) (?:adalah )?(?:sebuah )?(?:AI|model bahasa|asisten AI|chatbot)\b/gi),
  address(
    /(?:如果|若|假如)(?:你|您)(?:是|为)(?:一个|一個|一名)?(?:大型)?(?:AI|人工智能|语言模型|語言模型|聊天机器人|智能助手)/g,
  ),
  address(
    /(?:阅读|处理|总结|读取|讀取|閱讀)[^。！？\n]{0,8}(?:页|文|頁|网站|網站|内容|內容)[^。！？\n]{0,6}的(?:AI|人工智能|语言模型|大模型|智能助手)[^。！？\n]{0,8}(?:必须|必須|应|應|请|請|都|务必)/g,
  ),
  address(/(?:致|给|所有)(?:所有)?(?:AI|人工智能|大?语言模型)(?:助手|模型|系统)?[^。！？\n]{0,6}[:：]/g),
  address(/(?:あなた|君)が(?:AI|言語モデル|AIアシスタント|チャットボット)(?:なら|であれば|の場合)/g),
];

/** "Forget what you were told", and "models that read this must". */
export const latinOrders: readonly Rule[] = [
  forget(
    /\b(?:olvid|ignor)\w{1,4} (?:todo )?lo que (?:se )?(?:te|le|os) (?:ha[n]? )?(?:pid|dij|orden|indic|dicho|pedido)\w*/gi,
  ),
  forget(
    /\b(?:oublie|ignore)[sz]? (?:tout )?ce qu['’e]\s?(?:on|ils?)? ?(?:t['’]|vous )(?:a|ont) (?:dit|demandé|ordonné)/gi,
  ),
  forget(/\b(?:vergiss|vergessen sie|ignoriere|ignorieren sie),? (?:alles,? )?was (?:man )?(?:dir|ihnen|euch)\b/gi),
  address(/\b(?:de|a partir de) ahora(?: en adelante)?,? (?:responder|contestar|dir|hablar|actuar)[áa]s\b/gi),
  forget(/\b(?:esqueça|ignore|esquece) (?:tudo )?o que (?:te|lhe|vos) (?:pedi|disse|orden)\w*/gi),
  forget(
    /\b(?:dimentica|ignora)(?:te)? (?:tutto )?(?:quello|ciò|quanto) che (?:ti|vi) (?:è stato|hanno) (?:detto|chiesto|ordinato)/gi,
  ),
  address(
    /\bKI(?:-\p{L}{1,20})?,? (?:die|welche) (?:dies|das hier)\p{L}*[^.!?\n]{0,40}\b(?:müssen|sollen|sollten|haben)\b/giu,
  ),
  address(
    /\b(?:IA|modelos? de len?guaje|modelos? de linguagem|modèles? de langage|modelli linguistici|asistentes? de IA|assistants? IA)\b,? (?:que|qui|che) (?:le|lis|leg|proces|trait|lean|leia)\p{L}*[^.!?\n]{0,40}\b(?:deben?|devem|deve|doivent|doit|devono)\b/giu,
  ),
];

export const latinAddresses: readonly Rule[] = [
  address(
    /\b(?:si (?:eres|es|sois|usted es)|se (?:você é|você for|fores|és)|si (?:tu es|vous êtes)|se (?:sei|siete)) (?:un[ae]?[ '’]?|uma? )?(?:IA|inteligencia artificial|inteligência artificial|intelligence artificielle|intelligenza artificiale|modelo de lengua(?:je)?|modelo de linguagem|modèle de langage|modello linguistico|assistente? (?:de )?IA|assistant IA|asistente de IA)\b/gi,
  ),
  address(
    /\b(?:nota|atención|atenção|attention|attenzione|aviso|note|mensaje|mensagem|message)\b[^.!?\n]{0,25}\b(?:IA|modelos? de lenguaje|modelos? de linguagem|modèles? de langage|modelli linguistici)\b[^.!?\n:]{0,25}:/gi,
  ),
  address(
    /\b(?:wenn|falls|sofern) (?:du|sie|ihr) (?:ein|eine|das|als)?\s?(?:großes )?(?:KI(?:-(?:Assistent|Modell|Agent|System)(?:in)?)?|Sprachmodell|Chatbot)\b(?! ?(?:-|forsch|entwickl|expert|firma))/gi,
  ),
  address(/\b(?:hinweis|nachricht|achtung|anweisung)\b[^.!?\n]{0,20}\b(?:KI|Sprachmodelle?n?)\b[^.!?\n:]{0,25}:/gi),
];

/** In alphabets and scripts other than Latin. */
export const otherScripts: readonly RuleFamily[] = [
  {
    stems: [
      "你是",
      "您是",
      "你为",
      "あなたが",
      "君が",
      "致AI",
      "给AI",
      "所有AI",
      "给所有",
      "致所有",
      "的AI",
      "的人工智能",
      "的语言模型",
      "的大模型",
    ],
    rules: aiAddresses,
  },
  {
    stems: [
      "этого момента",
      "нструкци",
      "казани",
      "ромпт",
      "правил",
      "языков",
      "ИИ(?![А-Яа-я])",
      "нейросет",
      "скусственн",
    ],
    rules: [
      forget(
        /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на|отбрось(?:те)?)[^.!?\n]{0,40}(?:предыдущи|прежни|прошлы|вышеуказанны|все|данные ранее)[^.!?\n]{0,30}(?:инструкци|указани|команд|правил|промпт)/gi,
      ),
      forget(
        /(?:игнорируй|проигнорируй|забудь)(?:те)?[^.!?\n]{0,20}(?:инструкци|указани|правил)\p{L}{0,3}[^.!?\n]{0,8}(?:выше|до этого)/giu,
      ),
      address(/с этого момента[^.!?\n]{0,10}(?:отвечай|пиши|говори|веди)/gi),
      address(
        /(?:всем|для|внимани[ею]|уважаемы[ей])[^.!?\n]{0,12}(?:ИИ(?:-(?:ассистент|модел|агент|бот|систем)\p{L}{0,4})?|нейросет\p{L}{1,3}|языковы[мех] модел\p{L}{1,3})\s{0,2}[:,—!]/giu,
      ),
      address(
        /если (?:ты|вы)(?: —| -)? (?:больш(?:ая|ой) )?(?:языков(?:ая|ой) модел|ИИ(?![а-яё])|нейросет|искусственн(?:ый|ым) интеллект|чат-?бот)/gi,
      ),
    ],
  },
  {
    stems: [
      "从现在",
      "從現在",
      "上述内容",
      "以上内容",
      "前面的内容",
      "指令",
      "指示",
      "提示",
      "命令",
      "规则",
      "規則",
      "说明",
      "プロンプト",
      "ルール",
    ],
    rules: [
      forget(
        /(?:忽略|无视|無視|忘记|忘掉|忘記|不要理会|不要遵循|抛开)[^。！？\n]{0,15}(?:之前|以前|以上|上面|上述|先前|前面|所有|此前)[^。！？\n]{0,12}(?:指令|指示|提示|命令|规则|規則|说明|說明)/g,
      ),
      forget(/(?:忽略|无视|忘记|忘掉|不要理会)[^。！？\n]{0,4}(?:上述|以上|前面的|之前的)(?:所有)?内容/g),
      address(/[从從]现?現?在(?:起|开始|開始)[，,]?\s?你(?:只能|必须|必須|将|將|要)/g),
      address(/(?:AI|言語モデル)(?:アシスタント)?への(?:指示|命令)\s?[:：]/g),
      forget(
        /(?:これまで|以前|上記|前|今まで|すべて|全て)[^。！？\n]{0,12}(?:指示|命令|プロンプト|ルール|指令)[^。！？\n]{0,6}(?:を|は)[^。！？\n]{0,6}(?:無視(?:し|せよ|。|$)|忘れ(?:て|ろ|、)|破棄(?:し|せよ))/gm,
      ),
    ],
  },
  {
    stems: ["التعليمات", "الأوامر", "التوجيهات", "القواعد", "اصطناعي", "لغوي", "ہدایات", "ماڈل", "مصنوعی"],
    rules: [
      forget(
        /(?:تجاهل|تجاهلي|تجاهلوا|انسَ|انس|لا تتبع|أهمل)[^.!؟\n]{0,40}(?:التعليمات|الأوامر|التوجيهات|القواعد)[^.!؟\n]{0,25}(?:السابقة|أعلاه|الأصلية)/g,
      ),
      address(/(?:إذا|إن|لو) كنت[َِ]? ?(?:نموذج|مساعد|ذكاء|روبوت)[^.!؟\n]{0,20}(?:اصطناعي|لغوي|ذكي|دردشة)/g),
      forget(/(?:پچھلی|سابقہ|اوپر کی|تمام)[^۔!؟\n]{0,25}(?:ہدایات|احکامات|قواعد)[^۔!؟\n]{0,15}(?:نظر ?انداز|بھول)/g),
      address(/اگر آپ (?:ایک )?(?:اے آئی|مصنوعی ذہانت|لینگویج ماڈل|زبان کا ماڈل)/g),
    ],
  },
  {
    stems: ["निर्देश", "आदेश", "नियमों", "एआई", "भाषा मॉडल", "নির্দেশ", "আদেশ", "নিয়ম", "এআই", "ভাষা মডেল"],
    rules: [
      forget(
        /(?:पिछले|पहले के|उपरोक्त|पूर्व|सभी)[^।!?\n]{0,25}(?:निर्देशों|आदेशों|नियमों|निर्देश)[^।!?\n]{0,15}(?:अनदेखा|अनदेखी|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा)/g,
      ),
      address(/(?:यदि|अगर) (?:आप|तुम) (?:एक )?(?:एआई|AI|भाषा मॉडल|कृत्रिम बुद्धिमत्ता)/g),
      forget(
        /(?:পূর্ববর্তী|আগের|উপরের|সব|সমস্ত)[^।!?\n]{0,25}(?:নির্দেশ|নির্দেশনা|আদেশ|নিয়ম)[^।!?\n]{0,15}(?:উপেক্ষা|ভুলে|অগ্রাহ্য)/g,
      ),
      address(/যদি (?:আপনি|তুমি) (?:একটি |একজন )?(?:এআই|AI|ভাষা মডেল|কৃত্রিম বুদ্ধিমত্তা)/g),
    ],
  },
  {
    stems: ["지시", "명령", "지침", "프롬프트", "규칙", "언어 모델", "AI라면", "AI 어시"],
    rules: [
      forget(
        /(?:이전|위의|앞의|지금까지의|모든)[^.!?\n]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^.!?\n]{0,8}(?:무시|잊)/g,
      ),
      address(/(?:당신이|네가|만약) ?(?:AI|언어 모델|인공지능)[^.!?\n]{0,8}(?:라면|이라면|인 경우)/g),
    ],
  },
];
