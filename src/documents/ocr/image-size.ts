// The size that an image file declares, read before anything is decoded.

export interface ImageSize {
  width: number;
  height: number;
}

/** Null when the file does not say it where its kind does; then decoding will tell. */
export function declaredSize(kind: string, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (kind) {
      case "png":
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case "gif":
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case "bmp":
        return bitmapSize(view);
      case "jpg":
        return jpegSize(view);
      case "webp":
        return webpSize(view);
      case "avif":
        return avifSize(view, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      default:
        return null;
    }
  } catch (error) {
    // The file ends before it says so.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The oldest head has shorter numbers; heights are negative where rows start at the top. */
function bitmapSize(view: DataView): ImageSize {
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/** In the frame header, which follows other segments. */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; at < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(view: DataView): ImageSize | null {
  const format = view.getUint32(12);
  if (format === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (format === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const low24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  return format === 0x56503858 ? { width: low24(24) + 1, height: low24(27) + 1 } : null;
}

/** The largest of the sizes of its parts. */
function avifSize(view: DataView, bytes: Buffer): ImageSize | null {
  let found: ImageSize | null = null;
  for (let at = bytes.indexOf("ispe"); at >= 0; at = bytes.indexOf("ispe", at + 4)) {
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!found || size.width * size.height > found.width * found.height) found = size;
  }
  return found;
}
