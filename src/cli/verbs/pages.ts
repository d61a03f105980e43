// `trawl scrape`, `trawl map` and `trawl search`: one request each.
import { writeFile } from "node:fs/promises";
import type { Document, OperationBody } from "../../contract/index.ts";
import { openPageFolder } from "../files/page-files.ts";
import { flagNumber } from "../service/flags.ts";
import type { Invocation, OwnFlags } from "../service/invocation.ts";
import { type WorkPlace, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { formatField, wantedFormats } from "../service/wanted-formats.ts";
import { harmless, oneLine, print, toText, warn } from "../terminal/printing.ts";

export async function scrape({ words: [url], flags, request }: Invocation): Promise<void> {
  if (url === undefined) throw new UsageError("trawl scrape needs the URL of a page.");
  const wait = flags.wait === undefined ? {} : { waitFor: flagNumber("wait", String(flags.wait)) };
  const body = { ...request, ...wait, ...(await formatField(flags)), url, origin: "cli" };
  await withService(flags, async (service) => {
    const answer = await service.client.scrape(body as OperationBody<"scrape"> & { url: string }, service);
    const { data } = answer;
    if (flags.screenshot !== undefined) await saveScreenshot(service, data, flags.screenshot);
    await showDocument(flags, data, answer);
    warn({ warning: data.metadata.error });
    warn(answer);
  });
}

/** The only format as it is; several as one object; `--json` is the whole response. */
async function showDocument(flags: OwnFlags, data: Document, answer: object): Promise<void> {
  const { output } = flags;
  if (output !== undefined && /[/\\]$/.test(output)) {
    const folder = await openPageFolder(output);
    await folder.write(data);
    return;
  }
  const names = wantedFormats(flags) ?? ["markdown"];
  const [name = "markdown"] = names;
  const isOne = names.length === 1 || flags.screenshot !== undefined;
  const text = flags.json
    ? toText(answer, flags.pretty)
    : isOne
      ? formatText(data, name, flags.pretty)
      : toText(data, flags.pretty);
  if (output === undefined) print(flags.json || !isOne ? text : harmless(text));
  else await writeOutput(output, `${text}\n`);
}

/** One format, as text: lists line by line, data as JSON. */
function formatText(data: Document, name: string, isPretty: boolean | undefined): string {
  const field = { question: "answer", query: "answer", "screenshot@fullPage": "screenshot" }[name] ?? name;
  const value = data[field as keyof Document];
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join("\n");
  return value === undefined ? "" : toText(value, isPretty);
}

export async function writeOutput(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch(() => {
    throw new UsageError(`Cannot write the file ${file}.`);
  });
}

async function saveScreenshot(service: WorkPlace, { screenshot }: Document, file: string): Promise<void> {
  const picture = screenshot === undefined ? null : await service.readMedia(screenshot);
  if (!picture) throw new UsageError("The page has no screenshot.");
  await writeOutput(file, picture);
}

export async function map({ words: [url], flags, request }: Invocation): Promise<void> {
  if (url === undefined) throw new UsageError("trawl map needs the URL of a site.");
  const body = { ...request, ...(flags.subdomains === false ? { includeSubdomains: false } : {}), url, origin: "cli" };
  await withService(flags, async ({ client, signal }) => {
    const answer = await client.map(body, { signal });
    await showList(flags, answer, answer.links.map((link) => oneLine(link.url)).join("\n"));
    warn(answer);
  });
}

export async function search({ words, flags, request }: Invocation): Promise<void> {
  if (words.length === 0) throw new UsageError("trawl search needs a query.");
  const { formats } = await formatField(flags);
  const scrapeOptions = { ...(request["scrapeOptions"] as object | undefined), ...(formats ? { formats } : {}) };
  const body = {
    ...request,
    ...(Object.keys(scrapeOptions).length > 0 ? { scrapeOptions } : {}),
    query: words.join(" "),
    origin: "cli",
  };
  await withService(flags, async ({ client, signal }) => {
    const answer = await client.search(body as OperationBody<"search">, { signal });
    const { web = [], news = [], images = [] } = answer.data;
    const found = [
      ...web.map((each) => [each.title || each.url, each.url, each.description, each.markdown]),
      ...news.map((each) => [each.title, each.url, each.snippet, each.markdown]),
      ...images.map((each) => [each.title, each.imageUrl ?? each.url]),
    ];
    const shown = found.map(([title = "", url = "", passage = "", markdown = ""]) =>
      [...[title, url, passage].map(oneLine), harmless(markdown)].filter((line) => line !== "").join("\n"),
    );
    await showList(flags, answer, shown.join("\n\n"));
    warn(answer);
  });
}

/** Nothing is printed where nothing was found. */
async function showList({ json, pretty, output }: OwnFlags, answer: object, lines: string): Promise<void> {
  const text = json ? toText(answer, pretty) : lines;
  if (output !== undefined) await writeOutput(output, text === "" ? "" : `${text}\n`);
  else if (text !== "") print(text);
}
