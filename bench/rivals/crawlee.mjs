// Crawlee's CheerioCrawler with a converter to Markdown: `node crawlee.mjs CONVERTER CONCURRENCY`. It keeps its queue and its
// documents in memory; by default it also writes them to files. Each line on standard input is the URL of a site; it prints
// `done COUNT` when all its pages are read.
import { CheerioCrawler, Configuration, LogLevel, log } from "@crawlee/cheerio";

const [, , converter, concurrency] = process.argv;
const convert = await loadConverter(converter);
log.setLevel(LogLevel.ERROR);

async function loadConverter(name) {
  if (name === "turndown") {
    const { default: Turndown } = await import("turndown");
    const turndown = new Turndown().remove(["script", "style", "nav", "footer"]);
    return (html) => turndown.turndown(html);
  }
  const { default: kreuzberg } = await import("@kreuzberg/html-to-markdown-node");
  return (html) => kreuzberg.convert(html).content;
}

async function crawl(start) {
  const crawler = new CheerioCrawler(
    {
      minConcurrency: Number(concurrency),
      maxConcurrency: Number(concurrency),
      async requestHandler({ body, request, enqueueLinks, pushData }) {
        await pushData({ url: request.loadedUrl, markdown: convert(body.toString()) });
        await enqueueLinks({ globs: [`${start}**`] });
      },
    },
    new Configuration({ persistStorage: false }),
  );
  const { requestsFinished } = await crawler.run([start]);
  return requestsFinished;
}

process.stdin.setEncoding("utf8");
process.stdin.on("data", async (line) => console.log(`done ${await crawl(line.trim())}`));
console.log("ready");
