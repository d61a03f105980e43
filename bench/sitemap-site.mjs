// A site of 100,000 pages, as a separate program: an index of twenty sitemaps of 5,000 URLs, every second one gzipped.
// Prints its URL. The pages themselves do not exist.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const fileCount = 20;
const perFile = 5_000;
const words = "cloud pricing team guide review update market health season product release family music travel".split(
  " ",
);

/** About 70 characters each, all different. */
function pageUrl(origin, file, place) {
  const word = (shift) => words[(place >> shift) % words.length];
  return `${origin}/${words[file % words.length]}/${word(0)}-${word(3)}-${word(7)}/${file * perFile + place}-${word(5)}.html`;
}

function makeFile(origin, file) {
  const rows = Array.from(
    { length: perFile },
    (_, place) =>
      `  <url>\n    <loc>${pageUrl(origin, file, place)}</loc>\n    <lastmod>2026-11-${10 + (place % 20)}</lastmod>\n  </url>\n`,
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join("")}</urlset>\n`;
  return file % 2 === 0 ? Buffer.from(text) : gzipSync(text);
}

const server = createServer((request, response) => {
  const file = files.get(request.url);
  if (file === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "application/octet-stream" }).end(file);
});
const files = new Map();
server.listen(0, "127.0.0.1", () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const names = Array.from({ length: fileCount }, (_, file) => `/sitemap-${file}.xml${file % 2 === 0 ? "" : ".gz"}`);
  for (const [file, name] of names.entries()) files.set(name, makeFile(origin, file));
  const rows = names.map((name) => `<sitemap><loc>${origin}${name}</loc></sitemap>`);
  files.set("/sitemap.xml", Buffer.from(`<sitemapindex>${rows.join("")}</sitemapindex>`));
  console.log(`listening ${origin}`);
});
