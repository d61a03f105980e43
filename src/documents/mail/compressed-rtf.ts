// The rich text of an Outlook mail, packed with references into what came before.
const dictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const windowBytes = 4096;
const maxBytes = 20 * 1024 * 1024;

export function unpackRtf(packed: Buffer): string {
  if (packed.length < 16) return "";
  if (packed.toString("latin1", 8, 12) === "MELA") return packed.toString("latin1", 16);
  const window = Buffer.alloc(windowBytes, 0);
  window.write(dictionary, "latin1");
  let place = dictionary.length;
  const size = Math.min(maxBytes, packed.readUInt32LE(4));
  const out = Buffer.alloc(size);
  let length = 0;
  const put = (byte: number) => {
    if (length < size) out[length] = byte;
    length += 1;
    window[place] = byte;
    place = (place + 1) % windowBytes;
  };
  for (let at = 16; at < packed.length && length < size; ) {
    const flags = packed[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < packed.length && length < size; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(packed[at] ?? 0);
        at += 1;
        continue;
      }
      if (at + 2 > packed.length) return out.toString("latin1", 0, length);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === place) return out.toString("latin1", 0, Math.min(length, size));
      for (let count = 0; count < (reference & 15) + 2; count += 1) put(window[(from + count) % windowBytes] ?? 0);
    }
  }
  return out.toString("latin1", 0, Math.min(length, size));
}
