import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { encodeImage } from "./read-page-image.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

describe("an image for a language model", () => {
  it("is made whatever is collected meanwhile", async () => {
    const grey = { width: 500, height: 300, pixels: new Uint8Array(150_000).fill(200) };
    for (let count = 0; count < 2; count += 1) {
      const encoded = encodeImage(grey);
      collect();
      await Promise.resolve();
      collect();
      const [first, second] = await encoded;
      expect([first, second]).toEqual([0xff, 0xd8]);
    }
  });

  it("is no longer than models take", async () => {
    const { loadImage } = await import("@napi-rs/canvas");
    const encoded = await encodeImage({ width: 4000, height: 1000, pixels: new Uint8Array(4_000_000).fill(255) });
    const { width, height } = await loadImage(Buffer.from(encoded));
    expect([width, height]).toEqual([2000, 500]);
  });
});
