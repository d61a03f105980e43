// Content encodings and the limits of bodies. The bombs are served from little memory, so growth is the reader's.
import type { ServerResponse } from "node:http";
import { brotliCompressSync, constants, createBrotliCompress, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { longestTurn } from "../../test/support/cpu-timer.ts";
import { openNet, type Site, startSite, writeThen } from "../../test/support/site-server.ts";
import type { Net } from "./index.ts";

const megabyte = 1024 * 1024;
const text = Array.from({ length: 400 }, (_, i) => `Line ${i}: ${(i * i) % 97} trawlers at sea\n`).join("");
/** `text` as `zstd -19` packs it. */
const packedText = `
KLUv/QRonSIAyn0IDhegpaQ5AFjEXzwIql+jCC0tLe3A/bomBuIA1gDWAHEx3ItrdCsvWdwpuWJzI+mGJLsZeHHukVw7unWX5E7M
FbEblTfgzM1wFyXuTV2zvEV0KfLO0BXKG6FuOLxZdvHkHuI1qlsilxLvhF2puRFxg+FNs4tI92SuYdyyS5N3Cq/k3ai7oW7OXay7
l3et8NbkJbuDcUXmBtINZDcNL0bcq7kWdivxksgdqiuIN05umLKbeDHUPcprQ7ciLxHdsbwydUPiBgl3c+Zi5T2xazG3LsndObpC
cmNuiMCbZBeT7tlcK7llcSnv0JW4AWCAwOCDgQ0KCAYUGCg4ONwwAQEBAQIWF89707Xj1uHScWe6ct6wuCFLbtpcTLpHdi3w1nOJ
5M7RFbkbcgPG3BS7WHlv5lq4WxKXpu5YXiG6EXnDDd2kvBjq3nit7NbJJcQ7VFdEbiTeYGE3ay5G3DO8ZnYL6ZLMHYwr243JG6rw
Zt7Funs2d6vuUt6dwiuTN+wGwrgpcxHpntk1w1sRl2ruhF1JvCFyw1DdRLx4cq/s2ngr1CXKO0NXIm8Q3SCWN6cuStwLd23mVuUl
sTsxV5YbcjfE0U2Si8+9wGtkt5Iu2dwpuWJxI28IQTcDmXTR5l7JNYtb56XpznHlcCNuSLp5XrS4V3LN5lbSJbI7gVeeGyQ34NFN
uYvLvZhrYrcqL83cCXdF4sbUDWd5k+hi5L2ha5S3Ql0a75RdObmBeINR3RS5mHgv7FrNrYhLhnfMrhTdqFAYN7eLk/cKr+Xdqrs0
c1fqbuTdQIU3Jy9u9zCuydxCumR2x/BKxI2aGybsZuJFkXtU1xBvnVwquzNeCXWD8gYZuhl5keie5bWpWxKXwt2ZuVJ5Q+yGiLm5
XJS7d3SN5NZzKfAO2ZWkGzY3BCm5GSQ3n4uB98iuJd2yuVRiceW8QTdk3DxcPO5N185bFpdK7thcSbqBdgPizeciyb2ja3K3lksx
d8SuVN6YueHC3ZS4OHXP8hrRrchLQ3cor4S6gTdY2c2Ti4j3qK6J3Eq8FHan5krEjcIbyuwm0kWZexjXtluTlwrv5F2puxFo7mbd
xbx7hdcmb22XMO7IXEG6MXbDGN6MuFhzL+xa4i2RS1R3EK+c3Ci7QfBmqIuU94auRd4iumR5Z+qKxI1wN8TMzcqLYvdiri235C4d
3SG58twIvCEM2Q2BkaghCIJQ4LbfASFzybIGESAIwZ8QDIH15bKCBH63jBbmVJGgtS3WFRX1bXf14UudN732+1S8Tjbt3vz7XuO2
0id1UxlAV7VoKgQ6opHvB6//5dGvMXtEK51JaT8HXdZHTz/vu+F7vfZENPAAWtTAGQLrCLd8r7uwM37a293vNB7FELsn91nP+M5d
uw3mIwjcaua93xNHIToABSmhBY92EBxK0oyIkASueeEYqkJhqhrfEASe5uanwDrQpJQhT3xMOI7xoCdMskCwV6oKQN/Jew==
`;
const zstdText = Buffer.from(packedText, "base64");
/** A frame of blocks as they are given: magic, no checksum, window of 8 MB or as said. */
const zstdFrame = (blocks: Buffer[], window = 0x68) =>
  Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, window]), ...blocks]);
const zstdBlock = (type: 0 | 1, size: number, body: Buffer, isLast = false) => {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([header, body]);
};
const zeros = (isLast = false) => zstdBlock(1, 128 * 1024, Buffer.from([0]), isLast);

let site: Site;
let net: Net;
let answer: (response: ServerResponse) => void = () => undefined;
beforeAll(async () => {
  site = await startSite((_request, response) => answer(response));
});
afterAll(() => site.close());
afterEach(() => net.close());

async function read(serve: (response: ServerResponse) => void, limits = {}) {
  answer = serve;
  net = openNet({ allow: "127.0.0.1", limits });
  return net.fetch({ url: site.url, signal: AbortSignal.timeout(60_000) });
}
const send = (encoding: string, body: Buffer, limits = {}) =>
  read((response) => response.writeHead(200, { "content-encoding": encoding }).end(body), limits);

const tooLarge = { ok: false, code: "SCRAPE_PAGE_TOO_LARGE" };
const broken = { ok: false, code: "SCRAPE_SITE_ERROR", message: "The page's content encoding is broken" };

/** How much memory the process gains at most while something runs. */
async function growthOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  await run();
  clearInterval(timer);
  return Math.max(most, process.memoryUsage().rss) - before;
}

describe("content encodings", () => {
  const small = Buffer.from(text);
  const large = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `${i} ${Math.sin(i)} line\n`).join(""));
  const encoders: [string, (data: Buffer) => Buffer][] = [
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    ["br", (data) => brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["identity", (data) => data],
    ["utf-8", (data) => data],
  ];

  it.each(encoders)("%s is undone, whether small or large", async (name, encode) => {
    for (const page of [small, large]) {
      const outcome = await send(name, encode(page));
      expect(outcome.ok && outcome.body.equals(page)).toBe(true);
      expect(outcome.ok && outcome.wireBytes).toBe(encode(page).length);
    }
  });

  it("zstd is undone: compressed, raw and repeated blocks, several frames", async () => {
    const raw = zstdFrame([
      zstdBlock(0, 3, Buffer.from("abc")),
      zstdBlock(1, 4, Buffer.from("x")),
      zstdBlock(0, 0, Buffer.alloc(0), true),
    ]);
    const skippable = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
    const first = await send("zstd", zstdText);
    expect(first.ok && first.body.toString()).toBe(text);
    const second = await send("zstd", Buffer.concat([raw, skippable, zstdText, raw]));
    expect(second.ok && second.body.toString()).toBe(`abcxxxx${text}abcxxxx`);
  });

  it("large zstd is undone", async () => {
    const block = large.subarray(0, 100_000);
    const blocks = Array.from({ length: 50 }, (_, i) => zstdBlock(0, block.length, block, i === 49));
    const outcome = await send("zstd", zstdFrame(blocks));
    expect(outcome.ok && outcome.body.length).toBe(5_000_000);
  });

  it("two are undone in their order, three refused", async () => {
    const twice = await send("gzip, br", brotliCompressSync(gzipSync(small)));
    expect(twice.ok && twice.body.toString()).toBe(text);
    const listed = await send("deflate, GZIP", gzipSync(deflateSync(large)));
    expect(listed.ok && listed.body.equals(large)).toBe(true);
    const mixed = await send("zstd, gzip", gzipSync(zstdText));
    expect(mixed.ok && mixed.body.toString()).toBe(text);
    expect(await send("gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(small))))).toMatchObject(tooLarge);
  });

  it.each([
    ["gzip", gzipSync(large)],
    ["deflate", deflateSync(large)],
    ["br", brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
    ["gzip, gzip", gzipSync(Buffer.concat([gzipSync(large), Buffer.alloc(300_000)]))],
  ])("%s may be followed by bytes that mean nothing", async (encoding, packed) => {
    const outcome = await send(encoding, Buffer.concat([packed, Buffer.alloc(300_000)]));
    expect(outcome.ok && outcome.body.equals(large)).toBe(true);
  });

  it.each(["utf-8", "none", "constructor", "__proto__"])("%s is unknown, and ignored", async (name) => {
    expect(await send(name, small)).toMatchObject({ ok: true, body: small });
  });

  it("an empty body needs no encoding", async () => {
    expect(await send("gzip", Buffer.alloc(0))).toMatchObject({ ok: true, body: Buffer.alloc(0) });
  });

  it.each([
    ["gzip", "cut short", gzipSync(small).subarray(0, -20)],
    ["gzip", "large and cut short", gzipSync(large).subarray(0, -20)],
    ["gzip", "not gzip at all", small],
    ["br", "cut short", brotliCompressSync(small).subarray(0, -9)],
    ["br", "large and damaged", Buffer.alloc(300_000, 0xa5)],
    ["deflate", "damaged", Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6])],
    ["zstd", "cut short", zstdText.subarray(0, -9)],
    ["zstd", "not zstd at all", small],
    ["zstd", "empty of frames", Buffer.from([0x28, 0xb5])],
    ["zstd", "damaged", Buffer.concat([zstdText.subarray(0, 60), Buffer.alloc(200, 255)])],
  ])("%s that is %s is a failure of the site", async (encoding, _what, body) =>
    expect(await send(encoding, body)).toEqual(broken),
  );
});

describe("limits", () => {
  it("a page of 60 MB is refused by its length at once, and by its size without one", async () => {
    let sent = 0;
    const chunk = Buffer.alloc(256 * 1024);
    const announced = await read((response) => {
      response.writeHead(200, { "content-length": 60 * megabyte });
      response.flushHeaders();
    });
    expect(announced).toEqual({ ...tooLarge, message: "The page is larger than 50 MB" });
    const outcome = await read((response) => {
      const more = () => {
        sent += chunk.length;
        if (sent >= 60 * megabyte) response.end();
        else writeThen(response, chunk, more);
      };
      more();
    });
    expect(outcome).toMatchObject(tooLarge);
    expect(sent).toBeLessThan(60 * megabyte);
  });

  it("an endless body ends at the limit, byte by byte too, and the site sees it", async () => {
    let isClosed = false;
    const outcome = await read(
      (response) => {
        response.on("close", () => {
          isClosed = true;
        });
        const more = () => {
          for (let count = 0; count < 500; count += 1) response.write("x");
          writeThen(response, "x", more);
        };
        more();
      },
      { wireBytes: 20_000 },
    );
    expect(outcome).toMatchObject(tooLarge);
    await expect.poll(() => isClosed).toBe(true);
  });

  it("what is unpacked has its own limit", async () => {
    const page = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `${i * 7919}\n`).join(""));
    expect(await send("gzip", gzipSync(page), { decodedBytes: page.length })).toMatchObject({ ok: true });
    expect(await send("gzip", gzipSync(page), { decodedBytes: page.length - 1 })).toMatchObject(tooLarge);
    expect(await send("identity", page, { decodedBytes: page.length - 1 })).toMatchObject(tooLarge);
    expect(await send("zstd", zstdText, { decodedBytes: text.length - 1 })).toMatchObject(tooLarge);
  });

  it("a page may be given its own limits", async () => {
    answer = (response) => response.end("x".repeat(70_000));
    net = openNet({ allow: "127.0.0.1" });
    const request = { url: site.url, signal: AbortSignal.timeout(60_000), limits: { wireBytes: 65_536 } };
    expect(await net.fetch(request)).toMatchObject(tooLarge);
  });
});

describe("bombs", () => {
  const gzipZeros = gzipSync(Buffer.alloc(10 * megabyte));
  let brotliBomb: Buffer;
  beforeAll(async () => {
    const packer = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
    const packed: Buffer[] = [];
    packer.on("data", (chunk: Buffer) => packed.push(chunk));
    const zeros = Buffer.alloc(4 * megabyte);
    for (let written = 0; written < 300; written += 4) {
      if (!packer.write(zeros)) await new Promise((drained) => packer.once("drain", drained));
    }
    packer.end();
    await new Promise((ended) => packer.once("end", ended));
    brotliBomb = Buffer.concat(packed);
  });

  it.each<[string, string, () => Buffer[]]>([
    ["gzip", "gzip", () => new Array<Buffer>(100).fill(gzipZeros)],
    ["br", "br", () => [brotliBomb]],
    [
      "zstd",
      "zstd",
      () => Array.from({ length: 60 }, () => zstdFrame([...Array.from({ length: 140 }, () => zeros()), zeros(true)])),
    ],
    ["gzip within gzip", "gzip, gzip", () => [gzipSync(Buffer.concat(new Array<Buffer>(30).fill(gzipZeros)))]],
    [
      "gzip that unpacks to nothing within gzip",
      "gzip, gzip",
      () => new Array<Buffer>(40).fill(gzipSync(Buffer.alloc(20_000_000, gzipSync("")))),
    ],
    [
      "zstd within gzip",
      "zstd, gzip",
      () => [gzipSync(zstdFrame([...Array.from({ length: 4000 }, () => zeros()), zeros(true)]))],
    ],
  ])("of %s end early and cost little memory", async (_name, encoding, make) => {
    const [first = Buffer.alloc(0), ...rest] = make();
    const growth = await growthOf(async () => {
      const outcome = await read((response) => {
        response.writeHead(200, { "content-encoding": encoding });
        response.write(first);
        response.end(Buffer.concat(rest));
      });
      expect(outcome).toMatchObject(tooLarge);
    });
    expect(growth / megabyte).toBeLessThan(120);
  });

  it.each<[string, Buffer]>([
    ["windows of a gigabyte", zstdFrame([zeros(true)], 0xa0)],
    [
      "a single segment of a gigabyte",
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40, 3, 0, 0, 0, 0, 0, 0, 0, 0]),
    ],
    [
      "thousands of frames",
      Buffer.concat(Array.from({ length: 3000 }, () => zstdFrame([zstdBlock(0, 0, Buffer.alloc(0), true)]))),
    ],
    ["thousands of empty blocks", zstdFrame(Array.from({ length: 20_000 }, () => zstdBlock(0, 0, Buffer.alloc(0))))],
    ["blocks over their size", zstdFrame([zstdBlock(1, 2 ** 20, Buffer.from([0]), true)])],
  ])("zstd with %s is refused before it costs anything", async (_what, body) => {
    const { result: growth, turnMs } = await longestTurn(() =>
      growthOf(async () => expect(await send("zstd", body)).toMatchObject({ ok: false })),
    );
    expect(growth / megabyte).toBeLessThan(120);
    expect(turnMs).toBeLessThan(500);
  });
});
