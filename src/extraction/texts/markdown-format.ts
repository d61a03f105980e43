// A format that is cut or counted from the finished markdown by a pure function, which runs in the extraction thread. Each is a
// file of this folder; its name, options and price are its row in `contract/fields/formats`.
import type { CountTokens } from "../../text/index.ts";

export interface TextTools {
  countTokens: CountTokens;
}

export interface MarkdownFormat<Options = object, Fields extends object = object> {
  make(markdown: string, options: Options, tools: TextTools): Fields & { warnings?: string[] };
}
