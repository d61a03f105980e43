// Crawl options from a sentence, by a language model: only options of a fixed list, each by the rules of the API. Nothing of any
// page is read for it.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import {
  type OperationInput,
  type PromptOptions,
  promptOptionsSchema,
  readPromptOptions,
} from "../../contract/index.ts";
import type { LanguageModel, Problem } from "../../llm/index.ts";
import { noModel } from "../parts/operation-parts.ts";

export interface PromptedOptions {
  options: PromptOptions;
  warnings: string[];
}

export type CrawlPrompt = ReturnType<typeof createCrawlPrompt>;

const system = [
  "You turn what a user wants of a web crawler into its options. The crawler begins at the user's URL and follows links.",
  "Without crawlEntireDomain it follows only links below the path of that URL. includePaths and excludePaths are regular " +
    "expressions in JavaScript's syntax, tested anywhere in the path of a page's URL, which begins with a slash; with " +
    "regexOnFullURL in the whole URL. A URL is read when no expression of excludePaths and, if there are any, one " +
    "of includePaths matches.",
  "Set only options that the user's words ask for; every other option is null.",
].join("\n");

/** `model` null: none is configured. */
export function createCrawlPrompt(model: LanguageModel | null) {
  return {
    /** Throws 501 where no model could read a prompt. */
    require(): void {
      if (!model) throw noModel("A prompt", "Send the options themselves.");
    },

    async read(
      { url, prompt }: OperationInput<"previewCrawl">,
      { teamId, keyId }: Caller,
      signal: AbortSignal,
    ): Promise<PromptedOptions> {
      if (!model) throw noModel("A prompt");
      const use = await model.open({ teamId, keyId, signal, endsAt: Number.POSITIVE_INFINITY });
      const schema = promptOptionsSchema();
      let first: unknown;
      const check = (value: unknown) => {
        first ??= value;
        return findProblems(value);
      };
      const words = { system, prompt: `URL: ${url}\nWhat the user wants: ${prompt}` };
      const answer = await use.fill(words, { schema, check });
      if (!answer.ok) throw new ServiceError(answer.code, answer.message);
      const { options } = readPromptOptions(answer.value);
      const lost = lostOptions(first, options);
      const warnings = [
        ...(lost.length > 0
          ? [`The language model proposed invalid options, which were left out: ${lost.join(", ")}.`]
          : []),
        ...(Object.keys(options).length === 0 ? ["No option could be derived from the prompt."] : []),
      ];
      return { options, warnings };
    },
  };
}

function findProblems(value: unknown): Problem[] {
  return readPromptOptions(value).issues.map(({ path, message }) => ({ path, kind: "wrong", message }));
}

/** Names of options that were not valid at first, and are gone or shorter in the end. */
function lostOptions(first: unknown, options: PromptOptions): string[] {
  const said = first as Record<string, unknown>;
  const kept = options as Record<string, unknown>;
  const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : value === undefined ? 0 : 1);
  const names = new Set(findProblems(first).map(({ path: [name] }) => String(name)));
  return [...names].filter((name) => lengthOf(kept[name]) < lengthOf(said[name]));
}
