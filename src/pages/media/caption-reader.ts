// The captions of a page's media, as text: their files are small, and the page names them.
import { createDeadline } from "../../base/index.ts";
import { captionText, type PageMedia } from "../../content/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { Net } from "../../net/index.ts";

/** Of a page. */
const maxFiles = 8;
const maxBytes = 1024 * 1024;
const timeoutMs = 10_000;

export type CaptionReader = ReturnType<typeof createCaptionReader>;

export function createCaptionReader(net: Pick<Net, "fetch">) {
  return {
    /** Whether the document names captions that are to be read. */
    isNeeded: (document: Document, { lockdown }: ScrapeOptions) => !lockdown && filesOf(document).length > 0,

    /** Puts the texts beside the URLs; what cannot be read stays a URL. The caller's own headers do not go along. */
    async read(document: Document, { skipTlsVerification }: ScrapeOptions, signal: AbortSignal): Promise<void> {
      const limit = createDeadline(signal, timeoutMs);
      const texts = new Map<string, Promise<string | null>>();
      const read = async (url: string) => {
        const outcome = await net.fetch({
          url,
          signal: limit.signal,
          skipTlsVerification,
          headers: { accept: "text/vtt, application/x-subrip, text/plain" },
          limits: { wireBytes: maxBytes, decodedBytes: maxBytes },
        });
        return outcome.ok && outcome.status < 400 ? captionText(outcome.body.toString("utf8")) : null;
      };
      try {
        for (const captions of filesOf(document)) {
          const known = texts.get(captions.url) ?? (texts.size < maxFiles ? read(captions.url) : null);
          if (known === null) continue;
          texts.set(captions.url, known);
          const text = await known;
          if (text) captions.text = text;
        }
      } finally {
        limit.clear();
      }
      signal.throwIfAborted();
    },
  };
}

type Captions = NonNullable<PageMedia["captions"]>[number];

function filesOf({ audios = [], videos = [] }: Document): (Captions & { url: string })[] {
  return [...videos, ...audios]
    .flatMap(({ captions = [] }) => captions as Captions[])
    .filter((one): one is Captions & { url: string } => one.url !== undefined && one.text === undefined);
}
