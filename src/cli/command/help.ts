// What `trawl help` prints: the table of verbs.
import type { Verb } from "./verb.ts";
import { verbs } from "./verb-table.ts";

const width = 36;

export function help(version: string): string {
  return `trawl ${version}: turn the web into data over one HTTP API

  trawl URL                           print a page as markdown
${linesOf(verbs)}
  trawl help [VERB], trawl --version

trawl VERB --help shows the flags of a verb and two examples. Commands work in this process on the local store, or on the server
of --api-url (TRAWL_API_URL, FIRECRAWL_API_URL) with --api-key (TRAWL_API_KEY, FIRECRAWL_API_KEY).

Exit codes: 0 done, 1 failed, 2 usage error, 3 partly done, 130 interrupted.
Settings are environment variables: see docs/self-hosting.md.`;
}

/** Whether several verbs begin with this word, as `keys create` and `keys list` do. */
export function hasMembers(first: string): boolean {
  return verbs.some(({ name }) => name.startsWith(`${first} `));
}

/** What `trawl keys --help` prints: the verbs that begin with the word. */
export function groupHelp(first: string): string {
  return `Usage: trawl ${first} VERB

${linesOf(verbs.filter(({ name }) => name.startsWith(`${first} `)))}

trawl ${first} VERB --help shows the flags of a verb and two examples.`;
}

function linesOf(shownVerbs: readonly Verb[]): string {
  const rows = shownVerbs.map(({ name, words = "", summary }) => {
    const use = `trawl ${name} ${shown(words)}`.trimEnd();
    return use.length < width ? `  ${use.padEnd(width)}${summary}` : `  ${use}\n  ${" ".repeat(width)}${summary}`;
  });
  return rows.join("\n");
}

/** `[urls...]` as `URLS…`. */
function shown(words: string): string {
  return words
    .replace(/\[([\w-]+)(\.\.\.)?\]/g, (_, name: string, more?: string) => `${name.toUpperCase()}${more ? "…" : ""}`)
    .replaceAll("-", " ");
}
