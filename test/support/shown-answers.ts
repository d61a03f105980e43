// Whether a command really prints what a page shows for it. "…" in a page is what it leaves out; ids and times differ each time.

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;

/** Ids of a page, each with the one that this run has in its place. */
export type ShownIds = Map<string, string>;

/** As the page shows it, ids included; throws with both when the answer is another. */
export function compareShown(language: string, shown: string, real: string, ids: ShownIds): void {
  if (language === "json") compareJson(JSON.parse(shown), JSON.parse(real), "answer", ids);
  else compareText(shown, real, ids, "the answer");
}

function compareText(shown: string, real: string, ids: ShownIds, place: string): void {
  const found = patternOf(tidy(shown)).exec(tidy(real));
  if (!found) throw new Error(`${place} is\n${real}\nand the page shows\n${shown}`);
  for (const [place, [id]] of [...shown.matchAll(uuid)].entries()) ids.set(id, found.groups?.[`id${place}`] ?? "");
}

/** Without the spaces at the end of lines, which editors of pages remove, and with one between the columns of a table. */
const tidy = (text: string) =>
  text
    .trimEnd()
    .replaceAll(/ +$/gm, "")
    .replaceAll(/(?<=\S) {2,}/g, "  ");

function patternOf(shown: string): RegExp {
  let place = -1;
  const escaped = shown.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const source = escaped
    .replaceAll(time, time.source)
    .replaceAll(uuid, () => {
      place += 1;
      return `(?<id${place}>${uuid.source})`;
    })
    .replaceAll("…", "[\\s\\S]*?");
  return new RegExp(`^${source}$`);
}

function compareJson(shown: unknown, real: unknown, place: string, ids: ShownIds): void {
  if (typeof shown === "string" && typeof real === "string") compareText(shown, real, ids, place);
  else if (typeof shown === "object" && shown !== null) compareFields(shown, real, place, ids);
  else if (shown !== real)
    throw new Error(`${place} is ${JSON.stringify(real)}, and the page shows ${JSON.stringify(shown)}`);
}

function compareFields(shown: object, real: unknown, place: string, ids: ShownIds): void {
  const [less, more] = [Object.keys(shown), Object.keys(real ?? {})];
  const isWhole = !less.includes("…") && !(Array.isArray(shown) && shown.at(-1) === "…");
  const left = Array.isArray(shown) && !isWhole ? less.slice(0, -1) : less.filter((name) => name !== "…");
  const other = isWhole ? more.filter((name) => !less.includes(name)) : [];
  if (other.length > 0) throw new Error(`${place} also has ${other.join(", ")}, which the page does not show`);
  for (const name of left)
    compareJson(shown[name as never], (real as Record<string, unknown> | null)?.[name], `${place}.${name}`, ids);
}
