import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { SitemapParser } from "./sitemap-parser.ts";
import type { SitemapEntry } from "./sitemap-shapes.ts";

function parse(input: string | Uint8Array, pieceBytes = 64 * 1024) {
  const bytes = typeof input === "string" ? Buffer.from(input) : input;
  const borders = [];
  for (let at = pieceBytes; at < bytes.length; at += pieceBytes) borders.push(at);
  return parseAt(bytes, borders);
}

function parseAt(bytes: Uint8Array, borders: readonly number[]) {
  const entries: SitemapEntry[] = [];
  const parser = new SitemapParser((entry) => entries.push(entry));
  const ends = [...borders, bytes.length].sort((one, other) => one - other);
  let at = 0;
  for (const end of ends) {
    parser.write(bytes.subarray(at, end));
    at = end;
  }
  return { ...parser.end(), entries, tooLong: parser.tooLong };
}

const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;
const urlsOf = (input: string | Uint8Array) => parse(input).entries.map(({ url }) => url);
const loc = (text: string) => urlsOf(urlset(`<url><loc>${text}</loc></url>`));

const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="m">
<channel><title>The site</title><link>https://a.test/</link><atom:link href="https://a.test/feed" rel="self"/>
<item><media:title>no</media:title><title><![CDATA[Fish & <b>chips</b>]]></title><link> https://a.test/1?a=1&amp;b=2 </link>
<atom:link href="https://no.test"/><description>Short &amp; sweet</description><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate>
<source url="https://no.test"><link>https://no.test</link></source></item>
<item><title>Without a link</title></item>
<item><link><![CDATA[https://a.test/2?c=1&d=2]]></link></item></channel></rss>`;

const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Site</title><link href="https://a.test/"/>
<entry><link rel="self" href="https://a.test/1.atom"/><link rel='alternate' title="a &gt; href=no" href='https://a.test/1?x=1&amp;y=2'/>
<link href="https://a.test/other"/><title type="xhtml"><div>One <i>two</i></div></title><updated>2024-05-06T10:00:00Z</updated>
<summary>All of it</summary><content><link href="https://no.test"/></content></entry>
<entry><link href=https://a.test/2 /></entry><entry><link rel="enclosure" href="https://a.test/x.mp3"/></entry></feed>`;

const prefixed = `<sm:urlset xmlns:sm="s" xmlns:image="i" xmlns:video="v" xmlns:xhtml="x"><sm:url>
<image:image><image:loc>https://no.test/i.png</image:loc></image:image><video:video><video:title>no</video:title>
<loc>https://no.test</loc></video:video><xhtml:link rel="alternate" hreflang="de" href="https://no.test/de"/>
<image:loc>https://no.test/2.png</image:loc><sm:loc>https://a.test/1</sm:loc><sm:lastmod> 2024 </sm:lastmod></sm:url></sm:urlset>`;

describe("what a file is", () => {
  it.each<[string, string, string, SitemapEntry[]]>([
    ["a list", urlset("<url><loc>https://a.test/</loc></url>"), "urlset", [{ url: "https://a.test/" }]],
    [
      "a list with dates",
      urlset(
        "<url>\n <lastmod>2024-05-06T01:02+03:00</lastmod><loc>\n\thttps://a.test/ \r\n</loc><priority>1</priority></url>",
      ),
      "urlset",
      [{ url: "https://a.test/", lastmod: "2024-05-06T01:02+03:00" }],
    ],
    ["a list without entries", urlset("<url></url><url/><url><loc> </loc></url>"), "urlset", []],
    ["a list with prefixes and things of others", prefixed, "urlset", [{ url: "https://a.test/1", lastmod: "2024" }]],
    [
      "an index",
      "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024</lastmod></sitemap><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>",
      "index",
      [{ url: "/a.xml", lastmod: "2024" }, { url: "/b.xml" }],
    ],
    [
      "RSS",
      rss,
      "feed",
      [
        {
          url: "https://a.test/1?a=1&b=2",
          title: "Fish & <b>chips</b>",
          description: "Short & sweet",
          lastmod: "Mon, 06 May 2024 10:00:00 GMT",
        },
        { url: "https://a.test/2?c=1&d=2" },
      ],
    ],
    [
      "RSS 1.0",
      '<rdf:RDF xmlns="r"><channel/><item rdf:about="x"><title>T</title><link>https://a.test/1</link></item></rdf:RDF>',
      "feed",
      [{ url: "https://a.test/1", title: "T" }],
    ],
    [
      "Atom",
      atom,
      "feed",
      [
        {
          url: "https://a.test/1?x=1&y=2",
          title: "One two",
          description: "All of it",
          lastmod: "2024-05-06T10:00:00Z",
        },
        { url: "https://a.test/2" },
      ],
    ],
    [
      "lines",
      "\n# comment\nhttps://a.test/1?a&amp;b\r\n  HTTP://a.test/2\t\n/relative\nftp://a.test\nhttps://a.test/3",
      "text",
      [{ url: "https://a.test/1?a&amp;b" }, { url: "HTTP://a.test/2" }, { url: "https://a.test/3" }],
    ],
    ["a web page", "<!DOCTYPE html><html><body><url><loc>https://no.test</loc></url></body></html>", "html", []],
    ["a web page without much", "<!doctype html>\n<TITLE>Not found</TITLE>", "html", []],
    ["nothing", "", "empty", []],
    ["only spaces", "\ufeff \r\n\t", "empty", []],
    ["other XML", "<?xml version='1.0'?><Error><loc>https://no.test</loc></Error>", "unknown", []],
    ["other text", '{"error":"not found"}', "unknown", []],
    ["only a declaration", '<?xml version="1.0"?>', "unknown", []],
  ])("%s", (_name, input, kind, entries) => {
    expect(parse(input)).toEqual({ kind, entries, tooLong: 0, isComplete: true });
    expect(parse(input, 1)).toEqual({ kind, entries, tooLong: 0, isComplete: true });
  });
});

describe("markup", () => {
  it.each([
    ["https://a.test/?a=1&amp;b=&lt;&gt;&quot;&apos;", "https://a.test/?a=1&b=<>\"'"],
    ["https://a.test/&#228;&#xE4;&#X1F600;", "https://a.test/ää😀"],
    ["https://a.test/&amp;lt;", "https://a.test/&lt;"],
    ["/&foo;&nbsp;&;&#0;&#xd800;&#x110000;&toString; & &amp", "/&foo;&nbsp;&;&#0;&#xd800;&#x110000;&toString; & &amp"],
    ["<![CDATA[https://a.test/?a&b&amp;c]]>", "https://a.test/?a&b&amp;c"],
    ["https://<![CDATA[a.test]]>/<![CDATA[]]]]><!-- <loc>no</loc> -->x<?p </loc>?>y", "https://a.test/]]xy"],
    ["https://a.test/a < b", "https://a.test/a < b"],
  ])("%s", (written, read) => expect(loc(written)).toEqual([read]));

  it.each([
    ["a > in quotes", `<url a="1>2" b='"'><loc c='>'>https://a.test/</loc></url>`],
    ["a quote that stays open", `<url a="1><loc b='>https://a.test/</loc></url>`],
    ["a tag that stays open", `<url a="1>2" b='3'<loc>https://a.test/</loc></url>`],
    ["a stray quote", `<url a"b'><loc '>https://a.test/</loc ></url\n>`],
    [
      "a comment around an entry",
      `<!-- <url><loc>https://no.test</loc></url> --><url><loc>https://a.test/</loc></url>`,
    ],
    ["elements that stay open", `<url><image:image><x></url><url><loc>https://a.test/</url>`],
    ["an entry that stays open", `<url><loc>https://a.test/</loc>`],
    ["two addresses", `<url><loc>https://a.test/</loc><loc>https://no.test/</loc></url>`],
    ["an unknown declaration", `<!ELEMENT x><![INCLUDE[><url><loc>https://a.test/</loc></url>`],
    ["a very long tag", `<url ${"a".repeat(20_000)}><loc>https://a.test/</loc></url>`],
  ])("%s", (_name, inner) => expect(urlsOf(urlset(inner))).toEqual(["https://a.test/"]));

  it.each([
    ["&lol9;", `<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">`],
    [
      "&file;",
      `<!ENTITY file SYSTEM "file:///etc/passwd"> <!-- don't ]> --> <!ENTITY % p SYSTEM "http://10.0.0.1/x">%p;`,
    ],
    ["&odd;", `<!ENTITY odd "]><url><loc>https://no.test</loc></url>">`],
  ])("no entity of a document type is known: %s", (entity, subset) => {
    const document = `<?xml version="1.0"?><!DOCTYPE urlset PUBLIC "a>b" 'c' [${subset}] ><urlset><url><loc>https://a.test/${entity}</loc></url></urlset>`;
    expect(urlsOf(document)).toEqual([`https://a.test/${entity}`]);
  });

  it.each([
    "<urlset><url><loc>https://a.test/</loc></url>",
    "<urlset><url><loc>https://a.test/</loc><lastmod>20",
    "<urlset><url><loc>https://a.test/</loc></url><url><loc>https://a.te",
  ])("a file that breaks off gives what is whole, and is known to be broken: %s", (input) =>
    expect(parse(input)).toMatchObject({ isComplete: false, entries: [{ url: "https://a.test/" }] }),
  );
});

describe("encodings", () => {
  const named = (label: string) =>
    `<?xml version="1.0" encoding="${label}"?><urlset><url><loc>/é“x”</loc></url></urlset>`;
  const utf16 = Buffer.from(`\ufeff${named("utf-16")}`, "utf16le");
  const western = (label: string) => Buffer.from(named(label).replace("“", "\x93").replace("”", "\x94"), "latin1");
  it.each<[string, Uint8Array]>([
    ["UTF-8", Buffer.from(named("utf-8"))],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${named("utf-8")}`)],
    ["UTF-8 that says UTF-16", Buffer.from(named("utf-16"))],
    ["UTF-8 with an unknown name", Buffer.from(named("klingon"))],
    ["UTF-16, little end first", utf16],
    ["UTF-16, big end first", Buffer.from(utf16).swap16()],
    ["UTF-16 without a mark", utf16.subarray(2)],
    ["latin1", western("ISO-8859-1")],
    ["windows-1252", western("windows-1252")],
    ["windows-1252 that says UTF-8", western("utf-8")],
  ])("%s", (_name, bytes) => {
    expect(parse(bytes)).toMatchObject({ kind: "urlset", entries: [{ url: "/é“x”" }] });
    expect(parse(bytes, 1)).toEqual(parse(bytes));
  });

  it("reads others by their name", () => {
    const bytes = Buffer.from(named("koi8-r").replace("é“x”", "\xc1\xc2"), "latin1");
    expect(urlsOf(bytes)).toEqual(["/аб"]);
  });

  it("reads lines in UTF-16", () => {
    expect(urlsOf(Buffer.from("\ufeffhttps://a.test/é\nhttps://a.test/2", "utf16le"))).toEqual([
      "https://a.test/é",
      "https://a.test/2",
    ]);
  });
});

describe("borders between pieces do not matter", () => {
  const fragment = fc.constantFrom(
    ...[
      "<url>",
      "</url>",
      "<loc>",
      "</loc>",
      "<lastmod>",
      "</lastmod>",
      "<link href='https://a.test/?q=1&amp;r'/>",
      "<link>",
    ],
    ...[
      "</link>",
      "<item>",
      "</item>",
      "<entry>",
      "</entry>",
      "<title>",
      "</title>",
      "<sm:url>",
      "<sm:loc>",
      "</sm:url>",
    ],
    ...[
      "https://a.test/é😀",
      "&amp;",
      "&#228;",
      "&foo;",
      "<![CDATA[a&b]]>",
      "<![CDATA[",
      "]]>",
      "<!-- c -->",
      "<!--",
      "-->",
    ],
    ...[
      "<!DOCTYPE x [<!ENTITY a 'b>'><!-- ' -->]>",
      "<?pi x?>",
      "<?",
      "<",
      ">",
      "<x a='>' b=\"",
      '"',
      "'",
      "\n",
      " ",
      "/>",
      "]",
    ],
    ...["x".repeat(1500), `<y ${"z".repeat(9000)}`, "<loc>https://b.test/</loc>", "https://c.test/\n", "\r\n"],
  );
  const root = fc.constantFrom(
    ...[
      "<urlset>",
      "<sm:urlset>",
      "<sitemapindex>",
      "<rss><channel>",
      "<feed>",
      "",
      "<x>",
      "<html>",
      "https://a.test/1\n",
    ],
    ...['<?xml version="1.0" encoding="latin1"?><urlset>', "<!DOCTYPE urlset [<!ENTITY x 'y'>]><urlset>", " \n<rss>"],
  );
  const encoding = fc.constantFrom<(text: string) => Buffer>(
    (text) => Buffer.from(text),
    (text) => Buffer.from(`\ufeff${text}`),
    (text) => Buffer.from(text, "latin1"),
    (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
    (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  );

  it("in any mixture of markup", () => {
    fc.assert(
      fc.property(
        root,
        fc.array(fragment, { maxLength: 40 }),
        encoding,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        (start, fragments, encode, cuts) => {
          const bytes = encode(start + fragments.join(""));
          const whole = parseAt(bytes, []);
          expect(
            parseAt(
              bytes,
              cuts.map((cut) => Math.floor(cut * bytes.length)),
            ),
          ).toEqual(whole);
        },
      ),
      { numRuns: propertyRuns(1500) },
    );
  });

  it("byte by byte", () => {
    fc.assert(
      fc.property(root, fc.array(fragment, { maxLength: 15 }), encoding, (start, fragments, encode) => {
        const bytes = encode(start + fragments.join("")).subarray(0, 3000);
        expect(parse(bytes, 1)).toEqual(parseAt(bytes, []));
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

describe("hostile files", () => {
  const around = (start: string, filler: string, megabytes = 5) =>
    Buffer.concat([
      Buffer.from(`<urlset><url><loc>https://a.test/</loc></url>${start}`),
      Buffer.alloc(megabytes * 1024 * 1024, filler),
    ]);

  it.each([
    ["no end of a tag", "<url ", "a"],
    ["no end of an attribute", '<url a="', ">"],
    ["no end of a comment", "<!--", "-"],
    ["no end of CDATA", "<url><loc><![CDATA[", "]&"],
    ["no end of an instruction", "<?", "?"],
    ["no end of a document type", "<!DOCTYPE a [<!--", "-"],
    ["nothing but beginnings", "", "<"],
    ["nothing but beginnings with spaces", "", "< "],
    ["nothing but open elements", "", "<a>"],
    ["nothing but open quotes", "", "<a b='>"],
    ["nothing but entries", "", "<url>"],
    ["nothing but comments", "", "<!---->"],
    ["nothing but ampersands", "<url><title>", "&"],
  ])("%s", (_name, start, filler) => {
    const started = process.cpuUsage();
    expect(parse(around(start, filler), 1024).entries).toEqual([{ url: "https://a.test/" }]);
    // Under a second for the slowest; in pieces this small, looking twice at everything would take a minute.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });

  it("50 MB without the end of a tag", () => {
    expect(parse(around("<url ", "a", 50)).entries).toEqual([{ url: "https://a.test/" }]);
  });

  it("leaves out addresses of more than 8 KB and counts them", () => {
    const long = `https://a.test/${"a".repeat(10 * 1024 * 1024)}`;
    const input = `<url><loc>${long}</loc><loc>https://no.test</loc></url><url><loc><![CDATA[${long}]]></loc></url><url><loc>/2</loc></url>`;
    expect(parse(urlset(input))).toMatchObject({ entries: [{ url: "/2" }], tooLong: 2 });
    expect(parse(`${long}\nhttps://a.test/2\n${long}`)).toMatchObject({
      entries: [{ url: "https://a.test/2" }],
      tooLong: 2,
    });
    const fits = `https://a.test/${"a".repeat(8192 - 15)}`;
    expect(loc(fits)).toEqual([fits]);
    expect(loc(`${fits}a`)).toEqual([]);
  });

  it("ends texts after 8 KB and leaves out invalid dates", () => {
    const [entry] = parse(
      `<rss><item><link>/1</link><title>${"é".repeat(9000)}</title><pubDate>${"1".repeat(101)}</pubDate></item></rss>`,
    ).entries;
    expect(entry?.title).toBe("é".repeat(4096));
    expect(entry).not.toHaveProperty("lastmod");
  });
});
