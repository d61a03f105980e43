// Writes the files that are made from the code: openapi.json, the settings table of docs/self-hosting.md, the format
// tables of docs/formats.md, the lists of formats beside their modules, the paths and tools of docs/dialects.md, docs/connect.md
// docs/errors.md, the pictures and the table of docs/architecture.md, and deploy/kubernetes.
// With --check it writes nothing and fails when a committed file differs from what the code says.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { version } from "../dist/app.js";
import { errorCharges, errorTable, loadErrorHelp } from "../dist/base/index.js";
import { settingSections } from "../dist/config.js";
import { describeFormats } from "../dist/contract/fields/describe-formats.js";
import { buildOpenApi, oauthEndpoints } from "../dist/contract/index.js";
import { describeDialects, openDialects } from "../dist/dialects/index.js";
import { benchmarkFiles } from "./benchmarks.mjs";
import { kubernetesFiles } from "./chart.mjs";
import { formatLists } from "./format-lists.mjs";
import { architecturePictures, roomsTable } from "./pictures.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tools = JSON.parse(readFileSync(`${root}src/connect/connected-tools.json`, "utf8"));
const isCheck = process.argv.includes("--check");
const settingsPage = "docs/self-hosting.md";
const formatsPage = "docs/formats.md";
const connectPage = "docs/connect.md";
const dialectsPage = "docs/dialects.md";
const errorsPage = "docs/errors.md";
const architecturePage = "docs/architecture.md";

/** Where a format comes from, in the words of the docs. */
const madeFrom = {
  content: "the content",
  thing: "the text and data of the page, with a language model where one is configured",
  bytes: "the bytes of the response",
  browser: "a browser",
  answer: "the text and data of the page, with a language model where one is configured",
  text: "the markdown",
  history: "earlier scrapes",
};

/** How a tool was tested, in the words of the docs. */
const testedBy = {
  client: "tested with its own package",
  requests: "tested with the requests that it sends",
  none: "not tested; written from its documentation",
};

const files = {
  ...formatLists(root),
  ...benchmarkFiles(root, replaceSection),
  "openapi.json": `${written(buildOpenApi({ version, more: [...dialectRows(), ...oauthEndpoints] }))}\n`,
  [settingsPage]: replaceSection(readFileSync(root + settingsPage, "utf8"), "settings", settingsTables()),
  [formatsPage]: replaceSection(readFileSync(root + formatsPage, "utf8"), "formats", formatsTables()),
  [dialectsPage]: replaceSection(
    replaceSection(readFileSync(root + dialectsPage, "utf8"), "dialects", dialectsTable()),
    "tools",
    toolsList(tools.filter(({ speaks }) => speaks !== "mcp" && speaks !== "v2")),
  ),
  ...architecturePictures(root),
  ...kubernetesFiles(root),
  [architecturePage]: replaceSection(readFileSync(root + architecturePage, "utf8"), "rooms", roomsTable(root)),
  [errorsPage]: replaceSection(readFileSync(root + errorsPage, "utf8"), "errors", await errorEntries()),
  [connectPage]: replaceSection(readFileSync(root + connectPage, "utf8"), "tools", toolsList(tools)),
};

let isStale = false;
for (const [file, text] of Object.entries(files)) {
  const current = existsSync(root + file) ? readFileSync(root + file, "utf8") : "";
  if (current === text) continue;
  if (isCheck) console.error(`${file} is not what the code says: run npm run generate`);
  else writeFileSync(root + file, text);
  isStale = true;
}
if (isCheck && isStale) process.exitCode = 1;

function dialectsTable() {
  const rows = dialectRows().map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`);
  return ["| request | what it does |", "| --- | --- |", ...rows].join("\n");
}

function toolsList(shown) {
  const names = [...new Set(shown.map(({ tool }) => tool))].sort((one, other) => one.localeCompare(other, "en"));
  return names
    .map((name) => {
      const uses = shown
        .filter(({ tool }) => tool === name)
        .map(({ use, speaks, lines, tested }) => {
          const about = [
            use,
            speaks === "v2" ? "the Firecrawl API" : speaks === "mcp" ? "MCP" : `the ${speaks} dialect`,
          ]
            .filter((text) => text !== "")
            .join(", over ");
          return `${about[0].toUpperCase()}${about.slice(1)} (${testedBy[tested]}):\n\n\`\`\`\n${lines.join("\n")}\n\`\`\``;
        });
      return [`### ${name}`, ...uses].join("\n\n");
    })
    .join("\n\n");
}

/** A heading for each code, so that links reach it. */
async function errorEntries() {
  const help = await loadErrorHelp();
  const entries = Object.entries(errorTable).map(([code, { status, retry, message }]) => {
    const { happened, causes, fix, charge } = help[code];
    const again = retry ? " The same request may succeed later." : "";
    return [
      `## ${code}`,
      `${status}: ${message.replace(/([^.])$/, "$1.")}`,
      `${happened}${again}`,
      ["Usual causes:", "", ...causes.map((cause) => `- ${cause}`)].join("\n"),
      `**What to do.** ${fix}`,
      `**Credits.** ${errorCharges[charge]}`,
    ].join("\n\n");
  });
  return entries.join("\n\n");
}

function dialectRows() {
  return describeDialects(openDialects(settingSections.Dialects.dialects.fallback));
}

function settingsTables() {
  return Object.entries(settingSections)
    .map(([section, settings]) => {
      const rows = Object.values(settings).map(
        ({ env, takes, shownDefault, description }) =>
          `| \`${env}\` | ${shownDefault} | ${description}${takes === "text" ? "" : ` Value: ${takes}.`} |`,
      );
      return [`### ${section}`, "", "| setting | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
    })
    .join("\n\n");
}

function formatsTables() {
  const described = describeFormats();
  const rows = described.map(
    ({ name, description, madeFrom: origin, field, credits }) =>
      `| \`${name}\` | ${description} | ${madeFrom[origin]} | \`${field}\` | ${credits} |`,
  );
  const options = described
    .filter((format) => format.options.length > 0)
    .map(({ name, options }) => [`## Options of ${name}`, "", ...optionTable(options)].join("\n"));
  const head = ["| format | what comes back | made from | field | credits |", "| --- | --- | --- | --- | --- |"];
  return [[...head, ...rows].join("\n"), ...options].join("\n\n");
}

function optionTable(options) {
  const rows = options.map(({ name, description, shownDefault, isRequired }) => {
    const value = isRequired ? "required" : shownDefault === undefined ? "none" : `\`${JSON.stringify(shownDefault)}\``;
    return `| \`${name}\` | ${value} | ${description} |`;
  });
  return ["| option | default | meaning |", "| --- | --- | --- |", ...rows];
}

/** Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`. */
function replaceSection(text, name, content) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`${open} … ${close} is missing`);
  return `${text.slice(0, start + open.length)}\n\n${content}\n\n${text.slice(end)}`;
}

/** JSON with a line for each operation and component: indented to the end it would be a third larger. */
function written(value, levels = 3) {
  if (levels === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const lines = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${written(each, levels - 1)}`);
  return `{\n${lines.join(",\n")}\n}`;
}
