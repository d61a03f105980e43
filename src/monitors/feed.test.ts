import { expect, it } from "vitest";
import { writeFeed, writeJsonFeed } from "./feed.ts";

const head = { id: "m1", name: `Prices & "more" <now>`, feedUrl: "https://trawl.test/feed?a=1&b=2", updatedAt: 0 };
const entry = {
  id: "e1",
  url: "https://shop.test/?a=1&b=2",
  title: "changed",
  at: 86_400_000,
  text: "a < b & c\u0000",
};

it("everything in a feed that comes from pages or callers is escaped", () => {
  const hurting = `</content><script>alert("x")</script>'`;
  const feed = writeFeed({ ...head, name: hurting }, [{ ...entry, text: hurting, title: hurting }]);
  expect(feed).not.toContain("<script");
  expect(feed.match(/<\/content>/g)).toHaveLength(1);
  expect(feed).toContain("&lt;/content&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;");
});

it("a feed is dated by its newest entry and links to web pages only", () => {
  const feed = writeFeed(head, [entry, { ...entry, id: "e2", url: "javascript:alert(1)", at: 0 }]);
  expect(feed).toContain("<title>Prices &amp; &quot;more&quot; &lt;now&gt;</title>\n<updated>1970-01-02T00:00:00.000Z");
  expect(feed.match(/<link href="[^"]*"/g)).toEqual(['<link href="https://shop.test/?a=1&amp;b=2"']);
  expect(feed).toContain('<content type="text">a &lt; b &amp; c</content>');
});

it("a JSON Feed has the same entries, with web pages only as links and whole times", () => {
  const first = { ...entry, published: "2026-11-02", image: "https://shop.test/a.png" };
  const feed = writeJsonFeed({ ...head, pageUrl: "https://shop.test/" }, [
    first,
    { ...entry, url: "javascript:alert(1)" },
  ]);
  expect(JSON.parse(feed)).toEqual({
    version: "https://jsonfeed.org/version/1.1",
    title: head.name,
    feed_url: head.feedUrl,
    home_page_url: "https://shop.test/",
    items: [
      {
        id: "urn:uuid:e1",
        url: entry.url,
        title: "changed",
        content_text: entry.text,
        image: "https://shop.test/a.png",
        date_published: "2026-11-02T00:00:00.000Z",
        date_modified: "1970-01-02T00:00:00.000Z",
      },
      { id: "urn:uuid:e1", title: "changed", content_text: entry.text, date_modified: "1970-01-02T00:00:00.000Z" },
    ],
  });
});
