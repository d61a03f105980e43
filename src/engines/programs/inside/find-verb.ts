// `find`: an element by what a person sees of it, and what to do with it. Where several fit, nothing is done.
import type { Locator } from "playwright-core";
import { need, placeOf, readFlags, VerbFailure, type VerbTarget } from "./verb-target.ts";

type Role = Parameters<VerbTarget["page"]["getByRole"]>[0];

const actions = "click, fill, type, hover, check or text";

export async function find(target: VerbTarget, words: readonly string[]): Promise<string | null> {
  const { flags, rest } = readFlags(words, ["--name"], ["--exact"]);
  const { element, left } = locate(target, rest, flags);
  const [action = "click", ...texts] = left;
  const only = await one(element, rest);
  const text = texts.join(" ");
  switch (action) {
    case "click":
      await only.click();
      return null;
    case "fill":
      await only.fill(text);
      return null;
    case "type":
      await only.pressSequentially(text);
      return null;
    case "hover":
      await only.hover();
      return null;
    case "check":
      await only.check();
      return null;
    case "text":
      // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
      return only.innerText();
    default:
      throw new VerbFailure(`find ends with ${actions}`);
  }
}

function locate(target: VerbTarget, [kind, ...words]: string[], flags: ReadonlyMap<string, string>) {
  const place = placeOf(target);
  const exact = flags.has("--exact");
  const name = flags.get("--name");
  const [value = "", ...left] = words;
  const given = () => need(value, "what to find");
  switch (kind) {
    case "text":
      return { element: place.getByText(given(), { exact }), left };
    case "role":
      return {
        element: place.getByRole(given() as Role, name === undefined ? {} : { name, exact }),
        left,
      };
    case "label":
      return { element: place.getByLabel(given(), { exact }), left };
    case "placeholder":
      return { element: place.getByPlaceholder(given(), { exact }), left };
    case "testid":
      return { element: place.getByTestId(given()), left };
    case "first":
      return { element: place.locator(given()).first(), left };
    case "last":
      return { element: place.locator(given()).last(), left };
    case "nth": {
      const [selector, ...after] = left;
      if (!/^\d+$/.test(value)) throw new VerbFailure("nth takes a number, counted from 0, and a selector");
      return { element: place.locator(need(selector, "which selector")).nth(Number(value)), left: after };
    }
    default:
      throw new VerbFailure("find takes text, role, label, placeholder, testid, first, last or nth");
  }
}

/** Waits for it. Which of several was meant is not known. */
async function one(element: Locator, [kind, value]: string[]): Promise<Locator> {
  const what = `${kind} ${JSON.stringify(value)}`;
  await element
    .first()
    .waitFor({ state: "attached" })
    .catch(() => {
      throw new VerbFailure(`nothing on the page has ${what}`);
    });
  const visible = element.filter({ visible: true });
  const count = await visible.count();
  if (count > 1) throw new VerbFailure(`${count} elements have ${what}: name one with --name, --exact, first or nth`);
  return count === 1 ? visible : element;
}
