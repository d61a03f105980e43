// `trawl scrape`, `trawl map` and `trawl search`: one request each.
import { numberOption, oneCallMs, readInput, UsageError, warn, withParts } from "./command.ts";
import type { Options } from "./options.ts";
import { oneLine, print } from "./printing.ts";
import { browserOptions, saveScreenshot } from "./scrape-options.ts";

export async function scrape([url]: string[], options: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl scrape needs the URL of a page.");
  const { json, screenshot: file } = options;
  const input = readInput<"scrape">("scrape", { url, ...browserOptions(options), origin: "cli" });
  await withParts(async ({ operations, browser }, caller) => {
    const answer = await operations.scrape(input, caller, AbortSignal.timeout(oneCallMs));
    if (file !== undefined) await saveScreenshot(answer.data, file, browser.readMedia);
    print(json ? JSON.stringify(answer, null, 2) : (answer.data.markdown ?? ""));
    warn({ warning: answer.data.metadata.error });
    warn(answer);
  });
}

export async function map([url]: string[], options: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl map needs the URL of a site.");
  const { json, search, limit, sitemap } = options;
  const input = readInput<"map">("map", {
    url,
    ...(search === undefined ? {} : { search }),
    ...numberOption("limit", limit),
    ...(sitemap === undefined ? {} : { sitemap }),
    includeSubdomains: !options["no-subdomains"],
    origin: "cli",
  });
  await withParts(async ({ operations }, caller) => {
    // No timeout: a map takes as long as the site's sitemaps.
    const answer = await operations.map(input, caller, new AbortController().signal);
    if (json) print(JSON.stringify(answer, null, 2));
    else if (answer.links.length > 0) print(answer.links.map((link) => link.url).join("\n"));
    warn(answer);
  });
}

export async function search(words: string[], { json, limit }: Options): Promise<void> {
  if (words.length === 0) throw new UsageError("trawl search needs a query.");
  const query = words.join(" ");
  const input = readInput<"search">("search", {
    query,
    ...numberOption("limit", limit),
    origin: "cli",
  });
  await withParts(async ({ operations }, caller) => {
    const answer = await operations.search(input, caller, AbortSignal.timeout(oneCallMs));
    const found = (answer.data.web ?? []).map(({ title, url, description }) =>
      [title || url, url, description].map(oneLine).filter((line) => line !== ""),
    );
    if (json) print(JSON.stringify(answer, null, 2));
    else if (found.length > 0) print(found.map((lines) => lines.join("\n")).join("\n\n"));
    warn(answer);
  });
}
