import { randomBytes } from "node:crypto";
import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compress, decompress } from "./compression.ts";

const page = Buffer.from("<p>The same paragraph, many times over.</p>\n".repeat(1000));

describe("compression", () => {
  it("makes text much smaller and gives it back", async () => {
    const { encoding, data } = await compress(page);
    expect(encoding).toBe("br");
    expect(data.byteLength).toBeLessThan(page.byteLength / 20);
    expect(Buffer.compare(await decompress(encoding, data, page.byteLength), page)).toBe(0);
  });

  it("holds no more memory than what it made needs", async () => {
    const { data } = await compress(page);
    // Small pieces share a block, which some versions of Node make a little larger than they say.
    expect(data.buffer.byteLength).toBeLessThanOrEqual(Math.max(data.byteLength, Buffer.poolSize + 64));
  });

  it("leaves small and incompressible data as it is", async () => {
    for (const data of [Buffer.alloc(0), page.subarray(0, 511), randomBytes(100_000)]) {
      expect(await compress(data)).toEqual({ encoding: "identity", data });
    }
  });

  it("refuses a blob above the limit before it is packed", async () => {
    await expect(compress(new Uint8Array(100 * 1024 * 1024 + 1))).rejects.toThrow("larger than");
  });

  it("stops unpacking at the size that was stored, so a damaged row cannot fill the memory", async () => {
    const bomb = brotliCompressSync(Buffer.alloc(50_000_000), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    expect(bomb.byteLength).toBeLessThan(10_000);
    await expect(decompress("br", bomb, 1000)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    await expect(decompress("br", bomb, 2 ** 40)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });

  it("refuses data that is broken or shorter than announced", async () => {
    const { data } = await compress(page);
    for (const broken of [data.subarray(0, -5), Buffer.from("no brotli at all")]) {
      await expect(decompress("br", broken, page.byteLength)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    }
    await expect(decompress("br", data, page.byteLength + 1)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    await expect(decompress("identity", data, data.byteLength + 1)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });
});
