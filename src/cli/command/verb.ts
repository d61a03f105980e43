// What a row of the table of verbs is.
import type { Run } from "../service/invocation.ts";

export interface Verb {
  /** One or two words: `scrape`, `keys create`. */
  name: string;
  /** Another word for it. */
  alias?: string;
  /** The arguments after the name, in the notation of the parser. */
  words?: string;
  summary: string;
  examples: readonly [string, string];
  /** The operation whose fields are flags. */
  operation?: string;
  /** Fields of it that have no flag: the words give them. */
  left?: readonly string[];
  /** Sets of flags, by name; those of the server are everywhere but in verbs that work on this machine alone. */
  sets: readonly FlagSet[];
  /** The flags that people need first; `--help` shows these alone, `--help-all` the rest. Without it, all are shown. */
  first?: readonly string[];
  /** Its own flags: their notation, and what they do. */
  flags?: readonly (readonly [string, string])[];
  load(): Promise<Run>;
}

export type FlagSet = "server" | "team" | "json" | "output" | "formats" | "pages" | "wait";

/** A row of the table. `usage`: its name, then the words that it takes. */
export function verb(
  usage: string,
  summary: string,
  row: Omit<Verb, "name" | "words" | "summary" | "sets"> & Partial<Pick<Verb, "sets">>,
): Verb {
  const [, name = "", words] = /^([^[]+?)(?: (\[.*))?$/.exec(usage) ?? [];
  return { name, ...(words === undefined ? {} : { words }), summary, sets: ["server", "team", "json"], ...row };
}
