// Templates of a host: how they are learned, what they save, and when they are forgotten.
import { describe, expect, it } from "vitest";
import { contentRequest, contentTools, noFormats } from "../../../test/support/content.ts";
import { readContent } from "../../content/reading/read-content.ts";
import type { PageFinding } from "../findings/finding.ts";
import { rateCandidates } from "../ranking/rate.ts";
import { readPage } from "../reading/schema-reader.ts";
import { type SiteObservation, withObservation } from "./count-observations.ts";
import type { SiteRuleSet } from "./rule-set.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    maker: { type: "object", properties: { phone: { type: "string" } } },
  },
};
const shop = (name: string, price: string, phone = "+47 22 33 44 55", head = "") =>
  `<html lang="en"><head><title>${name}</title>${head}</head><body><h1 class="name">${name}</h1><p>Price: <b class="cost">${price}</b></p>
  <p>It stands on a table and gives light to those who read.</p><p>Phone: <i class="tel">${phone}</i></p></body></html>`;

/** What was found, and for how many fields candidates were weighed. */
function read(html: string, page: string, template: SiteRuleSet | null, mayCut = true) {
  let weighed = 0;
  const readerInput = {
    schema,
    prompt: null,
    site: { use: "observe" as const, rules: template, mayCut, mayLearn: true },
  };
  const request = { ...contentRequest(html, { url: `https://shop.test/${page}`, formats: noFormats }), readerInput };
  const content = readContent(request, {
    ...contentTools,
    readPage: (source, input: typeof readerInput) =>
      readPage(source, input, (...asked) => {
        weighed += 1;
        return rateCandidates(...asked);
      }),
  });
  const finding = (("found" in content && content.found) || { found: null }) as PageFinding;
  return { ...finding, observation: finding.observation as SiteObservation | undefined, weighed };
}

const lamps = ["Lamp", "Torch", "Candle", "Lantern", "Beacon", "Flare"];
const page = (place: number) => shop(lamps[place] ?? "", `$${place * 7 + 12}.50`, `+47 22 33 44 ${place + 50}`);

function learn(places: readonly number[], before: SiteRuleSet | null = null): SiteRuleSet | null {
  return places.reduce<SiteRuleSet | null>((template, place) => {
    const { observation } = read(page(place), String(place), template, false);
    return observation ? withObservation(template, observation) : template;
  }, before);
}

describe("a template of a host", () => {
  it("that knows every field saves the search, except on pages that check it", () => {
    const template = learn([0, 1, 2, 3, 4]);
    const plain = read(page(5), "5", null);
    const cut = read(page(5), "5", template);
    expect([plain.weighed, cut.weighed, read(page(5), "5", template, false).weighed]).toEqual([3, 0, 3]);
    expect(cut.found).toMatchObject({
      fields: {
        name: { value: "Flare", place: { selector: expect.stringContaining("h1"), confidence: 0.9 } },
        price: { value: 47.5 },
        maker: { fields: { phone: { value: "+47 22 33 44 55" } } },
      },
    });
  });

  it("saves nothing where a value is missing or does not fit its field", () => {
    const template = learn([0, 1, 2, 3, 4]);
    expect(read(shop("Flare", "on request"), "5", template).weighed).toBe(3);
    expect(read(page(5).replace('class="tel"', ""), "5", template).weighed).toBe(3);
  });

  it("holds places and counts, and no value", () => {
    const text = JSON.stringify(learn([0, 1, 2, 3]));
    expect(text).toContain("b.cost");
    for (const value of [...lamps, "12.5", "22 33 44"]) expect(text).not.toContain(value);
    expect(JSON.stringify(learn([0, 1, 2, 3, 4]))).not.toContain("Lamp");
  });

  it("is learned from five pages, each counted once, and then no page changes it", () => {
    const four = learn([0, 1, 2, 3, 3, 2]);
    expect([four?.values.length, four?.open?.length]).toEqual([0, 3]);
    const five = learn([4], four);
    expect([five?.values.length, five?.open]).toEqual([3, []]);
    expect(learn([5], five)).toEqual({ ...five, values: five?.values.map((rule) => ({ ...rule, recent: [true] })) });
    const settled = learn([5, 0, 1], five);
    expect(learn([2], settled)).toBe(settled);
  });

  it("is evidence where other candidates are unsure, unless the place says the same on every page", () => {
    const odd = (name: string) =>
      `<html lang="en"><head><title>${name}</title></head><body><h1 class="name">${name}</h1><p>Price: <b>$99.00</b></p>
      <p>It stands on a table and gives light to those who read.</p><p><b class="cost">$33.00</b></p></body></html>`;
    const priceIn = ({ found }: Pick<PageFinding, "found">) =>
      found?.kind === "object" ? found.fields["price"] : null;
    expect(priceIn(read(odd("Flare"), "5", null))).toMatchObject({ value: 99 });
    expect(priceIn(read(odd("Flare"), "5", learn([0, 1, 2, 3, 4])))).toMatchObject({ value: 33 });
    const same = lamps.slice(0, 5).reduce<SiteRuleSet | null>((template, name, place) => {
      const { observation } = read(shop(name, "$12.50"), String(place), template, false);
      return observation ? withObservation(template, observation) : template;
    }, null);
    expect(priceIn(read(odd("Flare"), "5", same))).toMatchObject({ value: 99 });
  });

  it("forgets a place that failed on two of three pages, and searches every page from the first on", () => {
    const template = learn([0, 1, 2, 3, 4]) as SiteRuleSet;
    const check = (hasHeld: boolean): SiteObservation => ({
      page: "x",
      values: [],
      checks: [{ path: ["price"], hasHeld }],
    });
    const once = withObservation(template, check(false));
    expect(read(page(5), "5", once).weighed).toBe(3);
    const paths = ({ values }: SiteRuleSet) => values.map(({ path }) => path.join("."));
    expect(paths(withObservation(withObservation(once, check(true)), check(false)))).toEqual(["name", "maker.phone"]);
    const recovered = [true, true, true].reduce((before, held) => withObservation(before, check(held)), once);
    expect(paths(recovered)).toHaveLength(3);
    expect(read(page(5), "5", recovered).weighed).toBe(0);
  });

  it("gives up a field whose pages do not agree, and stays within its bounds", () => {
    const teach = (count: number, fields: number) =>
      Array.from({ length: count }, (_, place) => place).reduce<SiteRuleSet | null>((template, place) => {
        const values = Array.from({ length: fields }, (_, field) => ({
          path: [`f${field}`],
          places: [{ kind: "text" as const, selector: `#p${place}-${"x".repeat(300)}` }],
          hash: String(place),
        }));
        return withObservation(template, { page: String(place), values, checks: [] });
      }, null);
    const given = teach(15, 1);
    expect(given).toMatchObject({ values: [], open: [{ path: ["f0"], places: [], pages: [] }] });
    expect(withObservation(given, { page: "y", values: [{ path: ["f0"], places: [], hash: "1" }], checks: [] })).toBe(
      given,
    );
    expect(JSON.stringify(teach(14, 200)).length).toBeLessThanOrEqual(64 * 1024);
  });
});
