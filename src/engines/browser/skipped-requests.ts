// Images, media and fonts are not loaded when no screenshot is requested. Scripts that wait for an image or a film get a tiny
// one, so that they go on; fonts fail to load, which every page can handle.

export const skippableTypes = ["Image", "Media", "Font"] as const;

export interface Placeholder {
  responseHeaders: { name: string; value: string }[];
  /** Base64. */
  body: string;
}

/** One transparent pixel. */
const image = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** A tenth of a second of silence: players accept it and show no failure. */
const sound = silence(800, 8000).toString("base64");

/** The response to a request of this type; "none": the request fails; null: it is needed. */
export function placeholderFor(type: string, headers: Readonly<Record<string, string>>): Placeholder | "none" | null {
  if (type === "Font") return "none";
  if (type === "Image") return answer("image/gif", image, headers);
  if (type === "Media") return answer("audio/wav", sound, headers);
  return null;
}

/** Some pages request pictures by CORS; the response must allow their origin. */
function answer(contentType: string, body: string, headers: Readonly<Record<string, string>>): Placeholder {
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
