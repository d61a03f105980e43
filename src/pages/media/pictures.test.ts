import { describe, expect, it } from "vitest";
import { withMediaLinks } from "../document/shown-document.ts";
import { createMediaCollector } from "./kept-media.ts";
import { keepPictures, mediaOf, withoutPictureNames } from "./pictures.ts";

const png = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1").toString("base64");
const tag = (data: string) => `<img alt="" src="${data}">`;

describe("pictures of files", () => {
  it("become media, each once; what is no picture, and what is broken, stays as it is", () => {
    const collector = createMediaCollector({ zeroDataRetention: false });
    const drawing = tag(`data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`);
    const open = ' <p> src="data:image/png;base64,AAAA';
    const { html, count } = keepPictures(
      tag(`data:image/png;base64,${png}`) + drawing + tag(`data:image/png;base64,${png}`) + open,
      collector,
    );
    expect([count, collector.media.length]).toEqual([1, 1]);
    const url = `http://media.invalid/media/${collector.media[0]?.id}.png`;
    expect(html).toBe(tag(url) + drawing + tag(url) + open);
    expect(withoutPictureNames(`![a](${url})`)).toBe("![a](picture.png)");
  });

  it("are named as the caller reaches this server, and places in the text move with them", () => {
    const id = "a".repeat(43);
    const url = `http://media.invalid/media/${id}.png`;
    const markdown = `![a](${url})\n\nText`;
    const item = (from: number) => ({ markdownSpan: [from, markdown.length] as [number, number] });
    const document = {
      markdown,
      images: [url],
      blocks: [{ items: [item(0), item(markdown.indexOf("Text"))] }],
      metadata: { pictures: 1 },
    };
    const shown = withMediaLinks(document as never, "https://trawl.example/base") as typeof document;
    expect(shown.images).toEqual([`https://trawl.example/base/media/${id}.png`]);
    const [whole, text] = shown.blocks[0]?.items.map(({ markdownSpan }) => shown.markdown.slice(...markdownSpan)) ?? [];
    expect([whole, text]).toEqual([shown.markdown, "Text"]);
    expect(mediaOf(document as never)).toEqual([id]);
    const page = { markdown, metadata: { pictures: "1" } };
    expect(withMediaLinks(page as never, "https://trawl.example")).toBe(page);
  });
});
