import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { declaredSize, openImage } from "./decode-image.ts";

const folder = new URL("../../../test/documents/files/", import.meta.url);
const png = readFileSync(new URL("title.png", folder));
const size = declaredSize("png", png);

describe("the size that an image declares", () => {
  it.each(["gif", "bmp", "jpg", "webp", "avif"])("is read from %s", (kind) => {
    expect(declaredSize(kind, readFileSync(new URL(`title.${kind}`, folder)))).toEqual(size);
  });

  it.each(["png", "gif", "bmp", "jpg", "webp", "avif"])("is unknown where %s ends too early", (kind) => {
    expect(declaredSize(kind, readFileSync(new URL(`title.${kind}`, folder)).subarray(0, 9))).toBeNull();
  });

  it("is the same in heads of old and of compressed files", () => {
    const bitmap = Buffer.alloc(26);
    bitmap.writeUInt32LE(12, 14);
    bitmap.writeUInt16LE(640, 18);
    bitmap.writeUInt16LE(480, 20);
    expect(declaredSize("bmp", bitmap)).toEqual({ width: 640, height: 480 });
    const lossless = Buffer.from("524946460000000056503858", "hex");
    const webp = Buffer.concat([
      lossless.subarray(0, 8),
      Buffer.from("WEBPVP8L"),
      Buffer.alloc(5),
      Buffer.from([0x7f, 0xc2, 0x77, 0]),
    ]);
    expect(declaredSize("webp", webp)).toEqual({ width: 640, height: 480 });
    const extended = Buffer.concat([
      lossless.subarray(0, 8),
      Buffer.from("WEBPVP8X"),
      Buffer.alloc(8),
      Buffer.from([127, 2, 0, 223, 1, 0]),
    ]);
    expect(declaredSize("webp", extended)).toEqual({ width: 640, height: 480 });
  });

  it("is checked before anything is decoded", async () => {
    const large = Buffer.from(png);
    large.writeUInt32BE(60_000, 16);
    large.writeUInt32BE(60_000, 20);
    await expect(openImage(large, {})).rejects.toMatchObject({ kind: "limit" });
  });
});
