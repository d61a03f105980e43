import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openImage } from "./decode-image.ts";

const folder = new URL("../../../test/documents/files/", import.meta.url);
const bytes = readFileSync(new URL("title.tiff", folder));

it("unpacks a page as it was packed", async () => {
  const [tiff, png] = await Promise.all([
    openImage(bytes, {}),
    openImage(readFileSync(new URL("title.png", folder)), {}),
  ]);
  const [a, b] = await Promise.all([tiff.decode(0), png.decode(0)]);
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  expect(Buffer.compare(Buffer.from(a.image.pixels), Buffer.from(b.image.pixels))).toBe(0);
});

it("ends with damaged pages, too", async () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const damaged = Buffer.from(bytes);
    for (let at = seed * 13; at < 4000; at += 211) damaged[at] = (damaged[at] as number) ^ (1 << (seed % 8));
    const outcome = await openImage(damaged, {})
      .then((file) => file.decode(0))
      .catch((error: Error) => error.name);
    expect(outcome === "FileFault" || typeof outcome === "object").toBe(true);
  }
});
