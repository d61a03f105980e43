// `trawl completion`: what the verbs and their flags are, in the language of a shell.
import type { Invocation, ShownVerb } from "../service/invocation.ts";
import { UsageError } from "../service/usage-error.ts";
import { print } from "../terminal/printing.ts";

type Table = readonly ShownVerb[];

const scripts: Record<string, (table: Table) => string> = { bash, zsh, fish };

export async function completion({ words: [shell = ""], describeVerbs }: Invocation): Promise<void> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script) throw new UsageError("trawl completion needs the name of a shell: bash, zsh or fish.");
  print(script(await describeVerbs()));
}

/** First words, and the second ones of a first word. */
function groups(table: Table): Map<string, string[]> {
  const found = new Map<string, string[]>([["help", []]]);
  for (const { name } of table) {
    const [first = "", second] = name.split(" ");
    found.set(first, [...(found.get(first) ?? []), ...(second ? [second] : [])]);
  }
  return found;
}

function bash(table: Table): string {
  const first = groups(table);
  const seconds = [...first].filter(([, words]) => words.length > 0);
  return `_trawl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" verb="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}"
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...first.keys()].join(" ")} --help --version"
  else case "$verb $COMP_CWORD" in
${seconds.map(([name, words]) => `    "${name} 2") words="${words.join(" ")}" ;;`).join("\n")}
    *) case "$verb $second" in
${table
  .filter(({ name }) => name.includes(" "))
  .map(({ name, flags }) => `      "${name}") words="${flags.join(" ")}" ;;`)
  .join("\n")}
      *) case "$verb" in
${table
  .filter(({ name }) => !name.includes(" "))
  .map(
    ({ name, flags }) =>
      `        ${name}) words="${name === "completion" ? "bash zsh fish " : ""}${flags.join(" ")}" ;;`,
  )
  .join("\n")}
      esac ;;
    esac ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _trawl trawl`;
}

/** zsh runs the same function under its own emulation of bash. */
function zsh(table: Table): string {
  return `#compdef trawl
autoload -U +X bashcompinit && bashcompinit
${bash(table)}`;
}

function fish(table: Table): string {
  const lines = [...groups(table).keys()].map((name) => {
    const summary = table.find((row) => row.name === name)?.summary ?? `trawl ${name}`;
    return `complete -c trawl -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`;
  });
  for (const { name, summary, flags } of table) {
    const [first = "", second] = name.split(" ");
    const seen = `__fish_seen_subcommand_from ${first}`;
    if (second) lines.push(`complete -c trawl -n ${quoted(seen)} -a ${second} -d ${quoted(summary)}`);
    const condition = second ? `${seen}; and __fish_seen_subcommand_from ${second}` : seen;
    for (const flag of flags) lines.push(`complete -c trawl -n ${quoted(condition)} -l ${flag.slice(2)}`);
  }
  return lines.join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}
