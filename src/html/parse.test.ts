// The parser is our own for its speed; htmlparser2 says what it has to find.
import { type AnyNode, isTag } from "domhandler";
import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { isElement, isText } from "./nodes.ts";
import { parseHtml, parseXml } from "./parse-page.ts";

/** A tree as lists: comments left out, texts that touch joined. */
function outline(nodes: readonly AnyNode[]): unknown[] {
  const lines: unknown[] = [];
  for (const node of nodes) {
    const last = lines[lines.length - 1];
    if (isText(node) && typeof last === "string") lines[lines.length - 1] = last + node.data;
    else if (isText(node)) lines.push(node.data);
    else if (isTag(node)) lines.push([node.type, node.name, { ...node.attribs }, outline(node.children)]);
  }
  return lines;
}

function expectSame(html: string): void {
  expect(outline(parseHtml(html).root.children)).toEqual(outline(parseDocument(html).children));
}

const names =
  "a b p div span ul li ol table thead tbody tr td th h1 h2 form input select option optgroup button dl dt dd ruby rt rp " +
  "script style title textarea iframe noembed noframes xmp plaintext svg math mi mtext annotation-xml desc foreignObject " +
  "foreignobject clipPath lineargradient path image img br hr link meta head body html P DIV ScRiPt Title IMAGE bR custom-tag x:y";
const name = fc.constantFrom(...names.split(" "));
const space = fc.constantFrom("", " ", "\n", "\t\f", "\r ", "/", " /", "/ ");
const attribute = fc.constantFrom(
  ..."a|b=1|A='x y'|b=\"q>r\"|c = d|=e|a=|'x'|d=&amp;|href=?a=1&copy=2&lt|e=\"&copy;&copy&notit;&#65&#x41;&#x;\"|/|constructor=1|__proto__=2|É=é|a=b/c|x=\"a'b\"|y='a\"b'".split(
    "|",
  ),
);
const startTag = fc
  .tuple(name, fc.array(fc.tuple(space, attribute), { maxLength: 3 }), space)
  .map(([tag, attributes, end]) => `<${tag}${attributes.map(([gap, text]) => `${gap || " "}${text}`).join("")}${end}>`);
const endTag = fc.tuple(name, space).map(([tag, end]) => `</${tag}${end}>`);
const oddity = fc.constantFrom(
  ..."<|</|</>|< p>|</ p>|<?x?>|<!>|<!doctype html>|<!DOCTYPE|<!d>|<!x y>|<!-|<!--|-->|--!>|<!-->|<!--->|<!-- a -- b --!-->|<![CDATA[|]]>|<![CDATA[a<b>&amp;]]>|<![CDATA[]]>|<![CDATX[>|&|&&|&amp;|&amp|&ampx|&notin;|&noti|&NotEqualTilde;|&#|&#x|&#65|&#65;|&#x1F600;|&#0;|&#128;|&#xD800;|&#99999999;|&unknown;|&am|<1>|>|=|\"|'|/|<a b=\"|<a b='|<a b|<a =|</a b|text| |é|😀".split(
    "|",
  ),
);
const page = fc
  .array(fc.oneof(startTag, startTag, endTag, oddity), { maxLength: 40 })
  .map((pieces) => pieces.join(""))
  // What a page that was cut off leaves of its last tag: htmlparser2 sometimes shows a letter of it, we never do.
  .map((html) => `${html}><!-- -->`)
  // Outside of drawings and formulas browsers read a CDATA section as a comment that ends with the next mark, and a frame
  // that is not closed ends with the <noscript> around it; htmlparser2 does neither.
  .filter((html) => !/<!\[CDATA\[/.test(html))
  // In a title htmlparser2 overlooks a reference that comes right behind the start of what could be an end tag.
  .filter((html) => !/<\/?[a-z]*&/i.test(html));

describe("the parser of pages", () => {
  it("finds the tree that htmlparser2 finds", () => {
    fc.assert(
      fc.property(page, (html) => expectSame(html)),
      { numRuns: propertyRuns(2000) },
    );
  });

  it.each([
    "<p>a<p>b<div>c</p>d</div>",
    "a</x>b<!-- c -->d",
    "</p></br>",
    "<form><form a=b>x</form>y</form>",
    "<svg><title>a<b>c</title><foreignObject><p>x</foreignObject><path/><path/></svg>",
    "<math><mi/>a</math><svg/>b",
    "<textarea>&lt;</textarea ><script>a</scripty></SCRIPT\n>b",
    "<title>a</title",
    "<plaintext>a</plaintext>&amp;",
    "<image src=a>",
    '<a b=1 B=2 c="&lt;&ltx" d=\'"\'>x',
    "&lt;b&gt;&nbsp;&CounterClockwiseContourIntegral;&#x41;&#65 &ampere; &amp",
  ])("reads %s as htmlparser2 does", expectSame);

  it.each([
    ["<p>a<![CDATA[ b><i>c</i>", [["tag", "p", {}, ["a", ["tag", "i", {}, ["c"]]]]]],
    ["<svg><![CDATA[a<b>]]></svg>", [["tag", "svg", {}, ["a<b>"]]]],
    [
      "<noscript><iframe src=x></noscript><p>a",
      [
        ["tag", "noscript", {}, [["tag", "iframe", { src: "x" }, []]]],
        ["tag", "p", {}, ["a"]],
      ],
    ],
  ])("reads %s as browsers do", (html, tree) => {
    expect(outline(parseHtml(html).root.children)).toEqual(tree);
  });

  it.each(["<p>a</p b", "<p>a<br /", "<p>a<scr", "<p>a<b c='d", "<p>a</p><!-- b"])(
    "leaves out what %s ends in the middle of",
    (html) => {
      expect(outline(parseHtml(html).root.children)).toEqual([["tag", "p", {}, ["a"]]]);
    },
  );
});

it("bounds the depth of XML too", () => {
  const { root, isFlattened } = parseXml(`<r>${"<a>".repeat(600)}x${"</a>".repeat(600)}<b/></r>`);
  expect(isFlattened).toBe(true);
  expect(root.children.map((child) => isElement(child) && child.name)).toEqual(["r"]);
  expect(outline(root.children)).toHaveLength(1);
});
