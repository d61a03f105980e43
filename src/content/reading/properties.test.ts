import fc from "fast-check";
import { describe, it } from "vitest";
import { contentRequest, contentTools } from "../../../test/support/content.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { PageContent } from "./content-request.ts";
import { readContent } from "./read-content.ts";

function read(bytes: Uint8Array, contentType: string | null, onlyMainContent: boolean): PageContent | null {
  const attributes = { selectors: [{ selector: "*", attribute: "id" }] };
  const formats = { markdown: true, html: true, rawHtml: true, links: true, images: true, outlinks: false, attributes };
  const url = "https://site.test/a/b?c#d";
  const result = readContent(contentRequest(bytes, { contentType, url, formats, onlyMainContent }), {
    ...contentTools,
  });
  return "unsupported" in result ? null : result;
}

const types = fc.constantFrom(
  null,
  "text/html",
  "text/html; charset=utf-8",
  "text/plain",
  "application/json",
  "text/xml",
  "image/png",
  "x",
);
/** Pieces that parsers and serializers stumble over, mixed with anything. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    ..."<p>|</p>|<div class='nav'>|</div>|<ul>|<li>|</ul>|<ol start=3>|<table>|<tr>|<td>|<th colspan=2>|</table>|<a href='x'>|</a>|<b>|</b>|<i>|</i>|<code>|</code>|<pre>|</pre>|<blockquote>|<br>|<hr>|<img src=y alt=z>|<h1>|</h1>|<script>|</script>|<main>|<nav>|<footer>|&amp;|&#0;|*|_|`|[|](|#| |\n|<!--|-->|<svg>|</svg>|<math>|<template>|<dl><dt>|<dd>|<sup>2</sup>|<input type=checkbox>|<noscript>|<meta name=a content=b>|<link rel=canonical href=c>|<script type=application/ld+json>{}|<time class=published datetime=2026>|<sup><a href=#n>1</a></sup>|<li id=n>|<td class=blob-num>|<span class=lang>|&#xd800;|\u{1f600}|日\n本".split(
      "|",
    ),
  ),
);
const page = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

function isWebUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

/** Every text of the answer can be sent as UTF-8 and is the same when it is read back. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return Buffer.from(value).toString() === value;
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, each]) => isWellFormed(name) && isWellFormed(each));
}

describe("any page", () => {
  it("of any bytes is read without a throw, into well-formed text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), types, fc.boolean(), (bytes, type, main) => {
        return isWellFormed(read(bytes, type, main));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it("of any markup is read without a throw, with absolute links and pictures", () => {
    fc.assert(
      fc.property(page, types, fc.boolean(), (html, type, main) => {
        const result = read(Buffer.from(html), type, main);
        if (result === null) return true;
        const { canonical, favicon, feeds } = result.metadata;
        const said = [canonical ?? [], favicon ?? [], feeds ?? []].flat().map(String);
        const written = Array.from((result.markdown ?? "").matchAll(/(?<!\\)\]\(([^)\s]*)/g), ([, url = ""]) => url);
        return (
          isWellFormed(result) &&
          [...(result.links ?? []), ...(result.images ?? []), ...said].every(isWebUrl) &&
          // Code and formulas hold no links, whatever they look like.
          (type?.startsWith("text/html") === true && !/<(code|pre|math)/.test(html)
            ? written.every((each) => isWebUrl(each) || each.startsWith("<Base64"))
            : true)
        );
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  it("gives the same bytes each time", () => {
    fc.assert(
      fc.property(page, (html) => {
        const once = JSON.stringify(read(Buffer.from(html), "text/html", true));
        return JSON.stringify(read(Buffer.from(html), "text/html", true)) === once;
      }),
    );
  });

  it("has links only to http and https, whatever it writes in them", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom("javascript:x", "mailto:a", "//b", "#", "?q", "data:,x")),
        ),
        (hrefs) => {
          const html = hrefs
            .map((href) => `<a href="${href.replace(/&/g, "&amp;").replace(/"/g, "&quot;")}">x</a>`)
            .join("");
          const links = read(Buffer.from(html), "text/html; charset=utf-8", false)?.links ?? [];
          return links.every(isWebUrl) && new Set(links).size === links.length;
        },
      ),
    );
  });
});

describe("plain paragraphs", () => {
  const word = fc.stringMatching(/^[\p{L}\p{N}]{1,10}$/u);
  const paragraphs = fc.array(fc.array(word, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 8 });

  it("keep all their words in order", () => {
    fc.assert(
      fc.property(paragraphs, fc.boolean(), (texts, main) => {
        const html = `<body>${texts.map((words) => `<p>${words.join(" ")}</p>`).join("\n")}</body>`;
        const markdown = read(Buffer.from(html), "text/html; charset=utf-8", main)?.markdown ?? "";
        return markdown.replace(/\\/g, "").split(/\s+/).join(" ") === texts.flat().join(" ");
      }),
    );
  });
});
