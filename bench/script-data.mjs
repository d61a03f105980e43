// Pages that scripts fill in, read from the data of their scripts: whether that is the text that the page shows. Real pages of which a
// browser's view is known (the server wrote it) are emptied down to their head and scripts, and read again; what was read is
// compared with the main text of the page as it was.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { decode } from "../dist/content/bytes/decode.js";
import { readContent } from "../dist/content/reading/read-content.js";
import { contentModel, markdownRequest } from "./content-request.mjs";

const pages = new URL("../../shared/quality/", import.meta.url);
/** Less than this of the page's words, or less than this of its own, is another text. */
const sameShare = 0.5;
const least = 200;
const frameworks = /__NEXT_DATA__|__next_f|__NUXT|__remixContext|__reactRouterContext/;

export async function measure() {
  if (!existsSync(pages)) {
    console.log("skipped: the pages are not at ../shared/quality");
    return null;
  }
  const { mdToText, tokenPRF } = await import(new URL("score.mjs", pages).href);
  const tools = { model: contentModel() };
  const read = (text, url, more) => {
    const bytes = Buffer.from(text);
    const response = { status: 200, headers: {}, askedUrl: url };
    return readContent(markdownRequest({ bytes, url, response, ...more }), tools);
  };
  const rows = gunzipSync(readFileSync(new URL("dev/index.jsonl.gz", pages)))
    .toString()
    .trim()
    .split("\n");
  const compared = [];
  /** Pages that the set itself calls shells, by what becomes of them. */
  const shells = { text: 0, data: 0, rendered: 0 };
  let touched = 0;
  let applications = 0;
  for (const { url, html, charset, spa } of rows.map((row) => JSON.parse(row))) {
    const bytes = gunzipSync(readFileSync(new URL(html.startsWith("dev/") ? html : `dev/${html}`, pages)));
    const { text } = decode(bytes, charset ? `text/html; charset=${charset}` : "text/html");
    const isApplication = frameworks.test(text);
    const own = read(text, url, { isShell: true });
    const shown = mdToText(own.markdown ?? "");
    if (spa) shells[own.textFrom === undefined ? (own.lacksText ? "rendered" : "text") : "data"] += 1;
    if (shown.length < least) continue;
    if (own.textFrom !== undefined && own.textFrom !== "data-preloaded") touched += 1;
    if (isApplication) applications += 1;
    const { textFrom, markdown } = read(emptied(text), url, { isShell: true, refusesShell: true });
    if (textFrom === undefined) continue;
    const [precision, recall, f1] = tokenPRF(mdToText(markdown ?? ""), shown);
    compared.push({ url, textFrom, precision, recall, f1, isApplication });
  }
  const others = compared.filter(({ precision, recall }) => precision < sameShare || recall < sameShare);
  for (const { url, textFrom, precision, recall } of others)
    console.error(`another text: ${textFrom} ${url}`, precision, recall);
  const f1 = compared.reduce((sum, each) => sum + each.f1, 0) / compared.length;
  const ofApplications = compared.filter(({ isApplication }) => isApplication).length;
  return [
    {
      what: "Emptied pages read from their scripts' data: F1 of words against the page as it was",
      value: Math.round(f1 * 1000) / 1000,
      unit: "",
      bar: 0.95,
      isMinimum: true,
      detail: `${compared.length} pages of ${rows.length}; ${ofApplications} of the ${applications} made with Next.js, Nuxt or Remix; the others would be rendered`,
    },
    {
      what: "Emptied pages read as another text",
      value: others.length,
      unit: "pages",
      bar: 0,
      detail: "less than half of the words in common",
    },
    {
      what: "Pages that the set marks as shells, read from their data",
      value: shells.data,
      unit: "pages",
      bar: 0,
      isMinimum: true,
      detail: `${shells.text} of them have a text of their own, ${shells.rendered} are rendered: their data hold no text that is plainly the page's`,
    },
    { what: "Pages with a text of their own whose text was replaced", value: touched, unit: "pages", bar: 0 },
  ];
}

/** The head and the scripts: what is there before they run. */
function emptied(text) {
  const head = /<head[\s>][\s\S]*?<\/head>/i.exec(text)?.[0] ?? "";
  const scripts = text.slice(text.indexOf(head) + head.length).match(/<script\b[^>]*>[\s\S]*?<\/script>/gi) ?? [];
  return `<!doctype html><html>${head}<body><div id="root"></div>${scripts.join("\n")}</body></html>`;
}
