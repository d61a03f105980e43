// Parts of a page that nobody looks at when no picture of it is asked for: they are not loaded. Scripts that wait for a
// picture or a film get a tiny one, so that they go on; fonts are simply not there, which every page can bear.

export const spareTypes = ["Image", "Media", "Font"] as const;

export interface StandIn {
  responseHeaders: { name: string; value: string }[];
  /** Base64. */
  body: string;
}

/** One transparent pixel. */
const picture = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** A tenth of a second of silence: players take it for what they asked for, and show no failure. */
const sound = silence(800, 8000).toString("base64");

/** What is answered instead of a request of this type; "none": nothing is; null: it is needed. */
export function standIn(type: string, headers: Readonly<Record<string, string>>): StandIn | "none" | null {
  if (type === "Font") return "none";
  if (type === "Image") return answer("image/gif", picture, headers);
  if (type === "Media") return answer("audio/wav", sound, headers);
  return null;
}

/** Some pages ask for pictures as other origins' scripts do; those must be told that they may have them. */
function answer(contentType: string, body: string, headers: Readonly<Record<string, string>>): StandIn {
  const origin = Object.entries(headers).find(([name]) => name.toLowerCase() === "origin")?.[1];
  const shared =
    origin === undefined
      ? []
      : [
          { name: "Access-Control-Allow-Origin", value: origin },
          { name: "Access-Control-Allow-Credentials", value: "true" },
        ];
  return { responseHeaders: [{ name: "Content-Type", value: contentType }, ...shared], body };
}

/** A WAV file of one channel with 8 bits a sample. */
function silence(samples: number, rate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}
