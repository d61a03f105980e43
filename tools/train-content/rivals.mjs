// What Readability, Defuddle and a filter of tags and classes make of the same pages. Their packages are in bench/rivals.
import { createRequire } from "node:module";

const require = createRequire(new URL("../../bench/rivals/package.json", import.meta.url));

/** Tags, classes and ids that such filters leave out. */
const filtered =
  "script,style,noscript,meta,head,header,footer,nav,aside,.header,.top,.navbar,#header,.footer,.bottom,#footer,.sidebar," +
  ".side,.aside,#sidebar,.modal,.popup,#modal,.overlay,.ad,.ads,.advert,#ad,.lang-selector,.language,#language-selector," +
  ".social,.social-media,.social-links,#social,.menu,.navigation,#nav,.breadcrumbs,#breadcrumbs,.share,#share,.widget," +
  "#widget,.cookie,#cookie";

/** `extract` reads the HTML and the URL of a page and returns its text; a rival that fails on a page has found nothing there. */
export async function loadRivals() {
  const { Readability } = require("@mozilla/readability");
  const { parseHTML } = require("linkedom");
  const { Defuddle } = await import(require.resolve("defuddle").replace(/index\.js$/, "node.js"));
  const rivals = {
    Readability: (html) => new Readability(parseHTML(html).document).parse()?.textContent ?? "",
    // It may ask other services for the text of a page; here all read the same bytes.
    async Defuddle(html, url) {
      const { content } = await Defuddle(parseHTML(html).document, url, { useAsync: false });
      return innerText(parseHTML(`<html><body>${content}</body></html>`).document);
    },
    "tag list"(html) {
      const { document } = parseHTML(html);
      for (const element of document.querySelectorAll(filtered)) element.remove();
      return innerText(document);
    },
  };
  return Object.fromEntries(
    Object.entries(rivals).map(([name, extract]) => [
      name,
      { extract: attempting(extract), isSlow: name === "Defuddle" },
    ]),
  );
}

function innerText({ body, documentElement }) {
  // biome-ignore lint/performance/useDomNodeTextContent: the text content would join words of neighbouring blocks
  return (body ?? documentElement)?.innerText ?? "";
}

function attempting(extract) {
  return async (html, url) => {
    try {
      return await extract(html, url);
    } catch {
      return "";
    }
  };
}
