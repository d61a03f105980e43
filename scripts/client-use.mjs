// What proofs do with the typed client, wherever it runs: a program in the words of every runtime, and the site that it reads.
import { createServer } from "node:http";

export async function startSite() {
  const links = '<a href="/blog/1">one</a> <a href="/blog/2">two</a> <a href="/other">other</a>';
  const product = '<script type="application/ld+json">{"@type":"Product","name":"Net","sku":"N-1"}</script>';
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>${request.url}</title>${product}<main><h1>Nets</h1><p>Of many kinds.</p>${links}</main>`);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Its arguments are the server's URL, a key and the site; it prints how much it read, or fails. */
export const useOfClient = (module) => `
import { Trawl, TrawlError } from "${module}";
const [apiUrl, apiKey, site] = process.argv.slice(2);
const must = (holds, found) => {
  if (!holds) throw new Error("found " + JSON.stringify(found));
};
const trawl = new Trawl({ apiUrl, apiKey });
const page = await trawl.scrape({ url: site });
must(page.data.markdown.includes("# Nets"), page);
const looks = [];
const wanted = { url: site, includePaths: ["^/blog/.*$"], regexOnFullURL: false, limit: 5 };
const crawl = await trawl.crawl(wanted, { onProgress: ({ completed }) => looks.push(completed) });
must(crawl.data.length === 2 && looks.length > 0, crawl);
const table = new Blob(["name,price\\nNet,5\\n"], { type: "text/csv" });
const parsed = await trawl.parse({ file: table, filename: "prices.csv" });
must(parsed.data.markdown.includes("Net"), parsed);
const schema = { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] };
const extract = await trawl.extract({ urls: [site], schema });
must(extract.data.sku === "N-1", extract);
const endpoints = [];
for await (const { endpoint } of trawl.allActivity({ limit: 1 })) endpoints.push(endpoint);
must(endpoints.includes("crawl"), endpoints);
const refused = await trawl.scrape({ url: site, timeout: 5 }).catch((error) => error);
must(refused instanceof TrawlError && refused.status === 400 && refused.code === "BAD_REQUEST", refused);
console.log(crawl.data.length + " pages crawled");
`;

/** What a strict program says of the types of both doors, without those of Node. */
export const useOfTypes = `
import { createLog, loadConfig, start, type App, type Logger } from "trawl";
import { Trawl, TrawlError, type FinishedJob } from "trawl/client";
const trawl = new Trawl({ apiUrl: "http://127.0.0.1:3002", apiKey: "fc-1" });
export const title = async (): Promise<string | undefined> => {
  const { data } = await trawl.scrape({ url: "https://example.com", formats: ["markdown"] });
  return data.metadata.title ?? data.markdown;
};
export const started = async (): Promise<string> => (await trawl.startCrawl({ url: "https://example.com", limit: 3 })).id;
export const finished = (): Promise<FinishedJob> => trawl.crawl({ url: "https://example.com" });
// @ts-expect-error a map without its url
void trawl.map({});
// @ts-expect-error a scrape without its url
void trawl.scrape({});
// @ts-expect-error a number
export const text: number = (await finished()).data[0]?.markdown;
export const code = (error: TrawlError): string => String(error.code);
export const log: Logger = createLog("silent");
export const run = (): Promise<App> => start(loadConfig({}), { log });
// @ts-expect-error the parts inside are not for others
void (await run()).parts;
`;
