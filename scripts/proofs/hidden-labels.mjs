// Whether Chromium shows the sentence of each style in test/support/hidden-styles.json: a page is drawn twice, with two different
// sentences, and the sentence is hidden when both pictures are the same. The rendered page must then have it in its text, or not.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../bench/servers.mjs";

const rows = JSON.parse(readFileSync(new URL("../../test/support/hidden-styles.json", import.meta.url), "utf8"));
const sentences = ["Pelican is the word here.", "Walrus was the verb then."];
/** A click or a search shows them, or they are read by machines only where they are shown. */
const byDefinition = new Set(["details"]);
const filler =
  "<p>The harbour has three piers and boats leave at noon for the islands every day of the year.</p>".repeat(4);

const site = createServer((request, response) => {
  const [, place, which] = (request.url ?? "").split("/");
  const row = rows[Number(place)];
  response.writeHead(row ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  const body = row?.html.replace("SENTENCE", sentences[Number(which)]);
  response.end(
    row
      ? `<!doctype html><html><head><title>Harbour</title><style>${row.style}</style></head><body>${filler}${body}${filler}</body></html>`
      : "",
  );
});
await new Promise((done) => site.listen(0, "127.0.0.1", done));
const dataDir = mkdtempSync(join(tmpdir(), "trawl-labels-"));
const server = await startServer({ dataDir }, { RESPECT_ROBOTS: "off" });
let wrong = 0;
try {
  for (const [place, { what, isHidden }] of rows.entries()) {
    const drawn = [];
    for (const which of [0, 1]) {
      const url = `http://127.0.0.1:${site.address().port}/${place}/${which}`;
      const options = {
        url,
        formats: ["markdown", "screenshot"],
        onlyMainContent: false,
        waitFor: 300,
        maxAge: 0,
        storeInCache: false,
      };
      drawn.push((await server.call("POST", "/v2/scrape", options)).data);
    }
    const pictures = await Promise.all(drawn.map((each) => picture(each?.screenshot)));
    const isSame = pictures[0]?.equals(pictures[1]) === true;
    const isRead = drawn[0]?.markdown?.includes("Pelican") === true;
    const faults = [
      ...(isSame === isHidden || byDefinition.has(what) ? [] : [isSame ? "is not shown" : "is shown"]),
      ...(isRead === isHidden ? [isRead ? "rendered: in the text" : "rendered: not in the text"] : []),
    ];
    if (faults.length > 0) console.log(`${isHidden ? "hidden" : "shown"} ${what}: ${faults.join(", ")}`);
    wrong += faults.length > 0 ? 1 : 0;
  }
} finally {
  await server.stop();
  site.close();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${rows.length - wrong} of ${rows.length} labels are true, and read so when the page is rendered`);
process.exitCode = wrong > 0 ? 1 : 0;

async function picture(url) {
  if (!url) return null;
  if (url.startsWith("data:")) return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return Buffer.from(await (await fetch(url, { headers: server.headers })).arrayBuffer());
}
