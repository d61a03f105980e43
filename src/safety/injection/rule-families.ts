// Which words call for which rules.
import { addresses, leaks, overrides, roles, turns } from "./english-rules.ts";
import { indirectFamilies } from "./indirect-rules.ts";
import { aiAddresses, latinAddresses, latinOrders, latinOverrides, otherScripts } from "./other-language-rules.ts";
import { type RuleFamily, words } from "./rule.ts";

/** In the Latin alphabet. */
export const latinFamilies: readonly RuleFamily[] = [
  {
    stems: words(
      "instru|ignore|disregard|forget|override|bypass|your guidelines|your safety|your rules|your prior|your previous|your prompt|" +
        "istruzion|consignes|indicaciones|orienta|directive|direttive|perintah|anweisung|vorgaben|talimat|komutlar|above text|preceding text|" +
        "set aside|pay no att|discard|earlier dir|previous dir|prior dir|earlier rules|previous rules|regras ant|reglas ant|regole prec|comandos ant",
    ),
    rules: [...overrides, ...latinOverrides],
  },
  {
    stems: words(
      "language model|assistant|chatbot|chat bot|chatgpt|gemini|copilot|claude|to ai |to ai:|to ai,|to llm|for ai |for llm|" +
        "dear ai|hey ai|hello ai|hello llm|hi llm|ention ai|ention, ai|ention: ai|all ai |any ai |every ai |the ai |are an ai|re an ai|" +
        "as an ai|are an llm|are ai|ai agent|ai model|ai system|ai read|llm read|reading this|jika anda|jika kamu|kalau anda",
    ),
    rules: [...addresses, ...aiAddresses],
  },
  {
    stems: words(
      "you are now|from now on|your initial|your original|your exact|your full|your entire|system prompt|system message|hidden instr|initial instr|your instr|your prompt|your hidden|developer message|" +
        "the user|the human|nothing else|regardless|no matter what|this page|this document|this text|this article|this paper|any negatives|" +
        "review only|without asking|without confirm|instructions for|instructions to|instructions:|prompt for|prompt:|directives:|" +
        "new task|only task|real task|true task|actual task|sole task|new goal|only goal|real goal|new objective|your only|before you answer|" +
        "before answer|before you resp|before resp|before you repl|before repl|before summar|before you summ",
    ),
    rules: roles,
  },
  ...indirectFamilies,
  {
    stems: [
      ...words(
        "system|developer|administ|admin mes|admin over|admin ins|admin pro|admin not|<<sys>>|_of_turn|tool_result|tool_call|tool_response|tool_use|function_call|function_result|<invoke|" +
          "\"role\"|'role'|[inst]|instruction:|end of web|end of the|end of doc|end of art|end of user|end of page|end of untr|assistant:",
      ),
      ...words("im_start|im_end|user|assistant|endoftext|start_h|eot_id|begin_of|end_of").map((name) => `<|${name}`),
    ],
    rules: turns,
  },
  {
    stems: words(
      "conversation|chat history|chat log|chat_hist|you know|the user|users data|system prompt|system_prompt|context window|secret|" +
        "previous mess|user_data|user_mess|user_quer|user_quest|user_email|user_input|user_secret|everything you|your context|your memory|summary of",
    ),
    rules: leaks,
  },
  {
    stems: words(
      "modelo de l|inteligencia art|artificial|artificielle|artificiale|una ia|une ia|uma ia|un'ia |de langage|modello ling|asistente de ia|" +
        "assistente de ia|assistant ia|sprachmodell|eine ki|ki-assis|ki-modell|ki-system|ki-agent|an ki-|assistants ia|asistentes de ia|assistentes de ia|assistenti ia|aux ia |modelos de l",
    ),
    rules: latinAddresses,
  },
  {
    stems: words(
      "de ahora|lo que te|lo que se te|lo que le|ce qu'on|ce qu'il|was man|was dir|was ihnen|o que te |o que lhe|che ti |che vi |ki-sys|ki-ass|ki-mod|ki-age|ki-bots|" +
        "ia que |ia qui|ia che|lenguaje que|linguagem que|langage qui|linguistici che|assistants ia",
    ),
    rules: latinOrders,
  },
];

/** In all others. */
export const otherFamilies = otherScripts;
