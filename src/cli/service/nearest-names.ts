// The names that someone may have meant, as the parser of the command line finds them.
import { Command, CommanderError } from "commander";

/** The nearest first; none when no name is near. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const program = new Command("trawl").exitOverride().configureOutput({ writeErr: () => undefined });
  for (const name of names) program.command(name);
  try {
    program.parse([word], { from: "user" });
  } catch (error) {
    const [, near = ""] =
      /Did you mean (?:one of )?(.*)\?/.exec(error instanceof CommanderError ? error.message : "") ?? [];
    return near === "" ? [] : near.split(", ");
  }
  return [];
}

/** A question that ends a message; nothing when no name is near. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return "";
  return ` Did you mean ${names.length > 1 ? "one of " : ""}${names.join(", ")}?`;
}
