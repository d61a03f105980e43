// Templates of hosts: what five pages had in the same place is looked for there on others; per team, and forgotten when it fails.
import { afterEach, describe, expect, it } from "vitest";
import { bystanders } from "../support/engines.ts";
import { startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" }, berth: { type: "string" } },
};
/** A list is never learned, so that the page is searched as well. */
const withList = {
  ...schema,
  properties: { ...schema.properties, tags: { type: "array", items: { type: "string" } } },
};

const words = "<p>She lies in the harbour all year and is looked after by her crew, who know every rope of hers.</p>";
const html = (name: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${name}</title></head><body><main>${body}</main></body></html>`;
const facts = (price: number, berth: string) =>
  `<div class="facts"><p>Price: <b class="now">$${price}</b></p><p>Berth: <span class="berth-no">${berth}</span></p></div>`;
const plain = (name: string, price: number, berth: string) =>
  html(name, `<h1 class="name">${name}</h1>${words}${facts(price, berth)}`);
/** Labels name other things, and nothing names the values. */
const odd = (name: string, price: number, berth: string) =>
  html(
    name,
    `<h1 class="name">${name}</h1><p>Price: <b>$${price * 3}</b></p><p>Berth: <i>on request</i></p>${words}
    <div class="facts"><p><b class="now">$${price}</b></p><p><span class="berth-no">${berth}</span></p></div>`,
  );
/** What was the place of the price holds the deposit. */
const rebuilt = (name: string, price: number, berth: string) =>
  html(
    name,
    `<h2>${name}</h2>${words}<p>Deposit: <b class="now">$${price / 10}</b></p>
    <dl><dt>Price</dt><dd class="cost">$${price}</dd><dt>Berth</dt><dd class="pier">${berth}</dd></dl>`,
  );
const rebuiltOdd = (name: string, price: number, berth: string) =>
  html(
    name,
    `<h2>${name}</h2><p>Price: <b>$${price * 3}</b></p><p>Berth: <i>on request</i></p>${words}
    <dl><dd class="cost">$${price}</dd><dd class="pier">${berth}</dd></dl>`,
  );

const designs = { plain, odd, rebuilt, rebuiltOdd };
const ships = ["Aurora", "Borealis", "Vega", "Altair", "Deneb", "Rigel", "Lyra", "Mira"];
const priceOf = (place: number) => 1200 + place * 310;
const berthOf = (place: number) => `${"ABCDEFGH"[place]}-${place * 3 + 2}`;
const right = (place: number) => ({ name: ships[place], price: priceOf(place), berth: berthOf(place) });
/** What an odd page says without a template. */
const asLabelled = (place: number) => ({ name: ships[place], price: priceOf(place) * 3, berth: "on request" });

describe.each(bystanders)("templates of hosts on $name", (engine) => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function open() {
    const site = await startSite((path) => {
      const [, design = "", place = ""] = path.split("/");
      const write = designs[design as keyof typeof designs];
      return write?.(ships[Number(place)] ?? "", priceOf(Number(place)), berthOf(Number(place)));
    });
    cleanups.push(site.close);
    const app = await useApp(engine);
    cleanups.push(app.stop);
    const scrape = async (path: string, more: object = {}, key?: string) => {
      const { schema: own = schema, ...options } = more as { schema?: object };
      const body = { url: site.url + path, formats: [{ type: "json", schema: own }], maxAge: 0, ...options };
      const { body: answer } = await app.call("POST", "/v2/scrape", { body, ...(key ? { key } : {}) });
      return answer.data.json;
    };
    const read = async (design: keyof typeof designs, places: readonly number[], more: object = {}) => {
      for (const place of places) expect(await scrape(`/${design}/${place}`, more)).toMatchObject(right(place));
    };
    return { app, site, scrape, read };
  }

  it("read the sixth page where five had their values, and no earlier one", async () => {
    const { scrape, read } = await open();
    await read("plain", [0, 1, 2, 3]);
    // A page that is read again teaches nothing new.
    await read("plain", [3]);
    expect(await scrape("/odd/5")).toEqual(asLabelled(5));
    await read("plain", [4]);
    expect(await scrape("/odd/6")).toEqual(right(6));
  });

  it("are evidence beside the other candidates where a page is searched as well", async () => {
    const { scrape, read } = await open();
    await read("plain", [0, 1, 2, 3, 4], { schema: withList });
    expect((await scrape("/odd/5", { schema: withList })).price).toBe(priceOf(5));
    expect((await scrape("/odd/5")).price).toBe(priceOf(5) * 3);
  });

  it("belong to the team that read the pages", async () => {
    const { app, scrape, read } = await open();
    await read("plain", [0, 1, 2, 3, 4]);
    expect(await scrape("/odd/5", {}, app.otherKey)).toEqual(asLabelled(5));
    expect(await scrape("/odd/5")).toEqual(right(5));
  });

  it("are forgotten when the site is redesigned, and learned again", async () => {
    const { scrape, read } = await open();
    await read("plain", [0, 1, 2, 3, 4]);
    await read("rebuilt", [0, 1, 2]);
    expect(await scrape("/odd/5")).toEqual(asLabelled(5));
    await read("rebuilt", [3, 4, 5, 6]);
    const { price, berth } = await scrape("/rebuiltOdd/7");
    expect([price, berth]).toEqual([priceOf(7), berthOf(7)]);
  });

  it("are not learned from pages that nothing may be kept of", async () => {
    const { scrape, read } = await open();
    await read("plain", [0, 1, 2, 3, 4], { zeroDataRetention: true });
    for (const place of [0, 1, 2, 3, 4]) await scrape(`/plain/${place}`, { redactPII: true });
    expect(await scrape("/odd/5")).toEqual(asLabelled(5));
  });
});
