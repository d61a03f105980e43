// Prompt injection by rules: how many pages that attack are found, and how many that do not are taken for attacks. The rules
// were written with `attacks` and `harmless` in view. `unseen` was written after them, in the manner of attacks that were
// reported, and no rule was changed for it; `evasive` is worded to get past rules, and has no bar.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { readContent } from "../dist/content/reading/read-content.js";
import { bareRequest, contentModel, languageModel } from "./content-request.mjs";

const shared = new URL("../../shared/", import.meta.url);
const tools = { model: contentModel(), languages: languageModel() };

export async function measure() {
  const file = new URL("../test/support/injection-pages.json", import.meta.url);
  const { frame, attacks, harmless, unseen, evasive } = JSON.parse(readFileSync(file, "utf8"));
  const share = (pages) => {
    const found = pages.filter((html) => isFound(Buffer.from(`<title>Harbour</title>${frame}${html}${frame}`)));
    return Math.round((1000 * found.length) / pages.length) / 10;
  };
  const real = realPages();
  const alarms = real.filter(isFound).length;
  return [
    { what: `${attacks.length} pages that attack: found`, value: share(attacks), unit: "%", bar: 95, isMinimum: true },
    {
      what: `${unseen.length} attacks that were written after the rules: found`,
      value: share(unseen),
      unit: "%",
      bar: 25,
      isMinimum: true,
    },
    {
      what: `${evasive.length} attacks that are worded to get past rules: found`,
      value: share(evasive),
      unit: "%",
      bar: 0,
      isMinimum: true,
    },
    {
      what: `${harmless.length} pages that quote, explain or resemble attacks: false alarms`,
      value: share(harmless),
      unit: "%",
      bar: 0,
    },
    ...(real.length === 0
      ? []
      : [
          {
            what: `${real.length} real pages: false alarms`,
            value: alarms,
            unit: "pages",
            bar: Math.floor(real.length / 1000),
          },
        ]),
  ];
}

function isFound(bytes) {
  const { metadata } = readContent(bareRequest({ bytes, url: "https://example.com/page" }), tools);
  return (metadata?.injection ?? 0) > 0;
}

/** Pages that are not part of this repository. */
function realPages() {
  return ["quality", "extract", "reach"].flatMap((name) => {
    const folder = new URL(`${name}/dev/html/`, shared);
    if (!existsSync(folder)) return [];
    return readdirSync(folder).map((file) => gunzipSync(readFileSync(new URL(file, folder))));
  });
}
