// Pictures in the binary files of old office programs: records whose last bytes are the picture's own file.

export interface Blip {
  type: "image/png" | "image/jpeg";
  bytes: Buffer;
}

const signatures = [
  { type: "image/png", mark: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") },
  { type: "image/jpeg", mark: Buffer.from("\xff\xd8\xff", "latin1") },
] as const;

/** The first picture in the bytes that browsers show; null for drawings of Windows. */
export function findBlip(bytes: Buffer): Blip | null {
  const found = signatures
    .map(({ type, mark }) => ({ type, at: bytes.indexOf(mark) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)[0];
  return found ? { type: found.type, bytes: bytes.subarray(found.at) } : null;
}
