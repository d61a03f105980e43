import { expect, it } from "vitest";
import { writeFeed } from "./feed.ts";

const head = { id: "m1", name: `Prices & "more" <now>`, feedUrl: "https://trawl.test/feed?a=1&b=2", updatedAt: 0 };
const entry = {
  id: "e1",
  url: "https://shop.test/?a=1&b=2",
  status: "changed",
  at: 86_400_000,
  text: "a < b & c\u0000",
};

it("everything in a feed that comes from pages or callers is escaped", () => {
  const hurting = `</content><script>alert("x")</script>'`;
  const feed = writeFeed({ ...head, name: hurting }, [{ ...entry, text: hurting, status: hurting }]);
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
