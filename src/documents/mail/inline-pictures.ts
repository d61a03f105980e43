// Pictures that a mail's HTML shows by the ids of parts that came with it.
import { PictureShelf } from "../html/pictures.ts";

/** A part of a mail. */
export interface MailPart {
  contentId?: string | undefined;
  mimeType: string;
  bytes(): Uint8Array;
}

const shown = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

export function withInlinePictures(html: string, parts: readonly MailPart[]): { html: string; warnings: string[] } {
  if (!/\bcid:/i.test(html)) return { html, warnings: [] };
  const shelf = new PictureShelf();
  const known = new Map<string, string | null>();
  const sourceOf = (id: string): string | null => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const part = parts.find(({ contentId, mimeType }) => bare(contentId ?? "") === id && shown.test(mimeType));
    const source = part ? shelf.put(part.mimeType, Buffer.from(part.bytes())) : null;
    known.set(id, source);
    return source;
  };
  const filled = html.replace(
    /(\ssrc\s*=\s*)(["'])cid:([^"'>]{1,500})\2/gi,
    (whole, start: string, _quote, id: string) => {
      const source = sourceOf(decode(id));
      return source === null ? whole : `${start}"${source}"`;
    },
  );
  return { html: filled, warnings: shelf.warnings() };
}

const bare = (contentId: string) => contentId.replace(/^<|>$/g, "");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
