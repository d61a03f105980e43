// By which ids, classes and types of elements a selector is looked up, and which of them a page must have for it to match.
import type { Compound, Selector } from "./style-selectors.ts";

/**
 * What an element has that a selector may match some day: an id or a class of the last compound, else its name. Read from the
 * text where that is plain: most selectors are never parsed.
 */
export function keysOf(written: string, read: () => Selector | null): readonly string[] {
  if (complicated.test(written)) return keysOfSelector(read());
  let start = written.length;
  while (start > 0 && !isBetween(written.charCodeAt(start - 1))) start -= 1;
  const compound = start === 0 ? written : written.slice(start);
  if (pseudoElements.test(compound)) return noKeys;
  const names = compound.match(/[.#][^.#:]+/g);
  if (names) return names;
  const colon = compound.indexOf(":");
  const name = colon === -1 ? compound : compound.slice(0, colon);
  if (name !== "" && name !== "*") return [name.toLowerCase()];
  return [compound.includes(":root") ? "html" : "*"];
}

function keysOfSelector(selector: Selector | null): readonly string[] {
  const compound = selector?.steps[0]?.compound;
  if (compound === undefined) return noKeys;
  const names = namesOfCompound(compound);
  if (names.length > 0) return names;
  if (compound.name !== "") return [compound.name];
  const [options] = compound.options;
  return options ? [...new Set(options.flatMap(keysOfSelector))] : ["*"];
}

/** All ids and classes that a selector asks for. */
export function namesIn(written: string, read: () => Selector | null): readonly string[] {
  if (!complicated.test(written)) return written.match(/[.#][^.#:\s>+~]+/g) ?? noKeys;
  return (read()?.steps ?? []).flatMap(({ compound }) => namesOfCompound(compound));
}

/** Ids, classes and names that ancestors of the matching element must have. */
export function namesAbove({ steps }: Selector): string[] {
  const names: string[] = [];
  for (let at = 1; at < steps.length; at += 1) {
    const { combinator } = steps[at - 1] as Selector["steps"][number];
    if (combinator !== " " && combinator !== ">") continue;
    const { compound } = steps[at] as Selector["steps"][number];
    names.push(...namesOfCompound(compound));
    if (compound.name !== "") names.push(compound.name);
  }
  return names;
}

function namesOfCompound({ ids, classes }: Compound): string[] {
  return [...ids.map((id) => `#${id}`), ...classes.map((name) => `.${name}`)];
}

/** Brackets and escapes: only the parser knows what is a name. */
const complicated = /[[(\\]/;
const noKeys: readonly string[] = [];
const pseudoElements = /::|:(?:before|after|first-l)/;

/** Whitespace, or one of > + ~. */
function isBetween(code: number): boolean {
  return code <= 32 || code === 62 || code === 43 || code === 126;
}
