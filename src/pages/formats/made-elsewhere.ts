// Formats whose modules are in the extraction room: things, and functions of the markdown.
import type { Document, Format, FormatsFrom } from "../../contract/index.ts";
import type { Made, MakeContext } from "./page-format.ts";

/** What the page's own data and text show, else what a language model reads there. */
export async function makeThing(name: FormatsFrom<"thing">, context: MakeContext): Promise<Made> {
  const own = context.things[name];
  if (own) {
    const { thing, leftOut } = own;
    const more = `The output ${name} is at its limit: ${leftOut} more on the page were left out.`;
    return { outputs: { [name]: thing }, warnings: leftOut > 0 ? [more] : [] };
  }
  const told = context.open ? await askForThing(name, context) : null;
  const outputs: Partial<Document> = told?.thing ? { [name]: told.thing } : {};
  return {
    outputs,
    warnings: told?.thing ? [] : [`No ${name} was found on the page.`],
    isFinal: told?.isFinal ?? true,
  };
}

async function askForThing(name: FormatsFrom<"thing">, { extraction, open, url, text, trace }: MakeContext) {
  const { fillData, loadThingFormats } = await extraction.open();
  const { schema, fromData } = (await loadThingFormats())[name];
  const pages = [{ url, finding: null, text }];
  const filled = await fillData({ schema, prompt: null, pages }, open, trace);
  if (!filled) return null;
  const { data, failure } = filled;
  const thing = typeof data === "object" && data !== null ? fromData({ ...data }, url) : null;
  return { thing, isFinal: failure === null };
}

export async function makeText(
  { type: name, ...options }: Extract<Format, { type: FormatsFrom<"text"> }>,
  { extraction, markdown }: MakeContext,
): Promise<Made> {
  const { makeFormat } = await extraction.open();
  const made = await makeFormat({ name, markdown, options }).catch(() => null);
  if (!made) {
    const warning = `The output ${name} took too long on this page and was left out.`;
    return { outputs: {}, warnings: [warning], isFinal: false };
  }
  const { warnings = [], ...outputs } = made;
  return { outputs, warnings };
}
