import { describe, expect, it } from "vitest";
import { createSecretMask } from "./secret-mask.ts";

const value = `p&ss "wörd"_*<7'/`;
const masked = createSecretMask();
masked.add("shop-password", value);

describe("the values of secrets in a text", () => {
  it.each([
    ["as it is", value],
    ["in a URL", encodeURIComponent(value)],
    ["in the body of a form", new URLSearchParams({ value }).toString().slice("value=".length)],
    ["in small letters of a URL", encodeURIComponent(value).toLowerCase()],
    ["in a string of JSON", JSON.stringify(value).slice(1, -1)],
    ["in a JSON string of ASCII", `p&ss \\"w\\u00F6rd\\"_*<7'/`],
    ["in HTML", "p&amp;ss &quot;wörd&quot;_*&lt;7&#39;/"],
    ["in HTML with numbers", "p&#38;ss &#34;w&#xF6;rd&#34;_*&#60;7&#x27;/"],
    ["escaped for Markdown", `p&ss "wörd"\\_\\*<7'/`],
    ["with other white space", value.replace(" ", "\n  ")],
  ])("are masked %s", (_how, written) => {
    expect(masked.text(`before ${written} after ${written}`)).toBe(
      "before [secret:shop-password] after [secret:shop-password]",
    );
  });

  it("are masked in all texts of an object, which is the same one where nothing was found", () => {
    const clean = { a: ["b", 1, null, { c: true }], bytes: new Uint8Array(3) };
    expect(masked.json(clean)).toBe(clean);
    expect(masked.json({ a: [`x${value}`, 1], [value]: { deep: { text: value } } })).toEqual({
      a: ["x[secret:shop-password]", 1],
      "[secret:shop-password]": { deep: { text: "[secret:shop-password]" } },
    });
  });

  it("are looked for from six characters on, the longer one first", () => {
    const mask = createSecretMask();
    expect(mask.isEmpty).toBe(true);
    mask.add("pin", "12345");
    mask.add("short", "abcdef");
    mask.add("long", "abcdefgh");
    mask.add("signs", "!!!???");
    mask.add("code", "123456");
    expect(mask.text("12345 abcdef abcdefgh !!!???")).toBe("12345 [secret:short] [secret:long] [secret:signs]");
    expect(mask.text("code 123456, at 1234567890")).toBe("code [secret:code], at 1234567890");
  });

  it("are found in a long text in little time", () => {
    const mask = createSecretMask();
    for (let place = 0; place < 300; place += 1) mask.add(`s${place}`, `value-${place}-of a secret`);
    const text = "value of nothing ".repeat(60_000);
    const before = performance.now();
    expect(mask.text(text)).toBe(text);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
