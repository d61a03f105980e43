import { describe, expect, it } from "vitest";
import { transcriptBlocks } from "./read-markdown.ts";

describe("markdown of a model", () => {
  it("becomes blocks, each one element", () => {
    expect(transcriptBlocks("# Quay\n\nA *calm*\nday.\n\n- one\n- two\n\n---\n\n| a |\n| - |\n| 1 |")).toEqual([
      "<h1>Quay</h1>",
      "<p>A <em>calm</em>\nday.</p>",
      "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
      expect.stringMatching(/^<table>[\s\S]*<td>1<\/td>[\s\S]*<\/table>$/),
    ]);
  });

  it("adds no address, picture or markup", () => {
    const html = transcriptBlocks(
      "[a](https://x.example) ![b](https://x.example/b.png) <https://x.example/c>\n\n<script>alert(1)</script>\n\n<b onclick=x>d</b>",
    ).join("");
    expect(html).not.toMatch(/<(?:a|img|script|b)\b/);
    expect(html).toContain("&lt;script&gt;");
  });
});
