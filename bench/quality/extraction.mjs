// How often values that a schema asks for are right, on pages with known answers: as they are, and without JSON-LD and microdata, so
// that only what people see, and what the page's own program starts with, can tell.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openMaterial, readRow } from "../../tools/train-extraction/pages.mjs";
import { scoreSixthPages } from "../../tools/train-extraction/sixth-pages.mjs";

export async function measure(shared) {
  const folder = new URL("extract/", shared);
  if (!existsSync(folder)) {
    console.log("skipped extraction: the pages with schemas and answers are not at ../shared/extract");
    return null;
  }
  const material = await openMaterial(fileURLToPath(folder));
  const { rows, score, strip } = material;
  const asTheyAre = score(
    rows,
    answersOf(rows, (bytes) => bytes),
    { boot: 0, ground: false },
  );
  const stripped = score(rows, answersOf(rows, strip), { boot: 0, ground: false, strip: true });
  const field = (name) => {
    const { exact, gold } = asTheyAre.fields.find((one) => one.set === "product" && one.field === name);
    return { value: exact.f, detail: `${gold} values; precision ${round(exact.p)}, recall ${round(exact.r)}` };
  };
  const pages = (set) => rows.filter((row) => row.set === set).length;
  const bare = asTheyAre.markup.filter(({ k }) => k === "product|none" || k === "recipe|none");
  return [
    { what: "Extraction, product price", bar: 0.9, ...field("price") },
    { what: "Extraction, product sku", bar: 0.8, ...field("sku") },
    { what: "Extraction, product availability", bar: 0.95, ...field("availability") },
    macro("SWDE without markup", stripped.macroExact.swde, 0.87, pages("swde")),
    macro("recipes without markup", stripped.macroExact.recipe, 0.82, pages("recipe")),
    sixthPage(scoreSixthPages(material, "swde")),
    ...bare.map(({ k, f, pages: count }) => macro(`${k.split("|")[0]} pages without any markup`, f, 0.65, count)),
  ].map((figure) => ({ ...figure, value: round(figure.value), unit: "F1", isMinimum: true }));
}

function macro(what, value, bar, pages) {
  return { what: `Extraction, ${what}`, value, bar, detail: `mean over fields, ${pages} pages` };
}

/** Templates of a site must not make it worse. */
function sixthPage({ with: value, without, pages, cut }) {
  const detail = `${round(without)} without the templates of five other pages; ${pages} pages, ${cut} of them not searched`;
  return { what: "Extraction, SWDE, sixth page of a site", value, bar: round(without), detail };
}

function answersOf(rows, change) {
  return Object.fromEntries(rows.map((row) => [row.id, { json: readRow(row, change(row.read())).data }]));
}

function round(value) {
  return Number((value ?? 0).toFixed(3));
}
