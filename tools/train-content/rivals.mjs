// What Readability and a filter of tags and classes make of the same pages. Their packages stand in bench/rivals.
import { createRequire } from "node:module";
import { wordsOf } from "../../dist/content/main/word-hash.js";

const require = createRequire(new URL("../../bench/rivals/package.json", import.meta.url));

/** Tags, classes and ids that such filters leave out. */
const filtered =
  "script,style,noscript,meta,head,header,footer,nav,aside,.header,.top,.navbar,#header,.footer,.bottom,#footer,.sidebar," +
  ".side,.aside,#sidebar,.modal,.popup,#modal,.overlay,.ad,.ads,.advert,#ad,.lang-selector,.language,#language-selector," +
  ".social,.social-media,.social-links,#social,.menu,.navigation,#nav,.breadcrumbs,#breadcrumbs,.share,#share,.widget," +
  "#widget,.cookie,#cookie";

export function loadRivals() {
  const { Readability } = require("@mozilla/readability");
  const { parseHTML } = require("linkedom");
  return {
    Readability(html) {
      return wordsOf(new Readability(parseHTML(html).document).parse()?.textContent ?? "");
    },
    "tag list"(html) {
      const { document } = parseHTML(html);
      for (const element of document.querySelectorAll(filtered)) element.remove();
      // biome-ignore lint/performance/useDomNodeTextContent: the text content would join words of neighbouring blocks
      return wordsOf((document.body ?? document.documentElement)?.innerText ?? "");
    },
  };
}
