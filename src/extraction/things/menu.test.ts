// Menus: restaurants as they describe themselves, in data and in text, and pages that only look like them.
import { describe, expect, it } from "vitest";
import { linkedData as data, titledPage as pageOf, pageUrl, readThing } from "../../../test/support/extraction.ts";

const read = (html: string) => readThing(html, "menu");

describe("a menu", () => {
  it("is read from linked data, section by section", () => {
    const dish = (name: string, price: string) => ({
      "@type": "MenuItem",
      name,
      description: `${name}!`,
      offers: { price, priceCurrency: "EUR" },
    });
    const restaurant = {
      "@type": "Restaurant",
      name: "Zum Anker",
      hasMenu: {
        "@type": "Menu",
        hasMenuSection: [
          { name: "Starters", hasMenuItem: [dish("Soup", "5.50")] },
          { name: "Mains", hasMenuItem: [dish("Plaice", "18"), dish("Eel", "21")] },
        ],
      },
    };
    const plain = {
      sourceUrl: pageUrl,
      images: [],
      availability: { inStock: true },
      dietary: [],
      optionGroups: [],
      identifiers: {},
    };
    const euros = (amount: number) => ({ amount, currency: "EUR", formatted: `€${amount.toFixed(2)}` });
    expect(read(pageOf("Zum Anker", "", data(restaurant)))?.thing).toEqual({
      isMenu: true,
      confidence: 0.95,
      merchant: { name: "Zum Anker", type: "restaurant" },
      currency: "EUR",
      sourceUrl: pageUrl,
      sections: [
        {
          id: "starters",
          name: "Starters",
          items: [{ ...plain, id: "starters/soup", name: "Soup", description: "Soup!", price: euros(5.5) }],
        },
        {
          id: "mains",
          name: "Mains",
          items: [
            { ...plain, id: "mains/plaice", name: "Plaice", description: "Plaice!", price: euros(18) },
            { ...plain, id: "mains/eel", name: "Eel", description: "Eel!", price: euros(21) },
          ],
        },
      ],
    });
  });

  it("is read from linked data in several scripts that name each other by id, with all that they say of a dish", () => {
    const cost = (price: number, more = {}) => ({ price, priceCurrency: "EUR", ...more });
    const things = [
      {
        "@type": "CafeOrCoffeeShop",
        name: "Anker",
        address: { streetAddress: "Kai 1", addressLocality: "Bremen", postalCode: "28195", addressCountry: "DE" },
        hasMenu: { "@id": "#menu" },
      },
      {
        "@type": "Menu",
        "@id": "#menu",
        hasMenuSection: [{ "@id": "#cakes" }, { "@id": "#drinks" }, { name: "Empty" }],
      },
      {
        "@type": "MenuSection",
        "@id": "#cakes",
        name: "Cakes",
        description: "Baked daily",
        hasMenuItem: { "@id": "#c" },
      },
      {
        "@type": "MenuSection",
        "@id": "#drinks",
        name: "Drinks",
        hasMenuItem: {
          name: "Tea",
          offers: [cost(3.499, { name: "Large" }), cost(2.5, { name: "Small" })],
          menuAddOn: { name: "Honey", offers: cost(0.5) },
        },
      },
      {
        "@type": "MenuItem",
        "@id": "#c",
        name: "Cheesecake",
        image: { "@type": "ImageObject", url: "/c.jpg", caption: "Cake" },
        suitableForDiet: ["https://schema.org/VegetarianDiet", "https://schema.org/GlutenFreeDiet"],
        nutrition: { calories: "420 calories" },
        url: "/cheesecake",
        offers: cost(4.9, { availability: "https://schema.org/SoldOut" }),
        identifier: "C-1",
      },
    ];
    const { merchant, sections } = read(pageOf("Anker", things.map(data).join("")))?.thing ?? {};
    const location = { street: "Kai 1", city: "Bremen", postalCode: "28195", country: "DE" };
    expect(merchant).toEqual({ name: "Anker", type: "cafe", location });
    expect(sections?.map(({ name, description }) => [name, description])).toEqual([
      ["Cakes", "Baked daily"],
      ["Drinks", undefined],
    ]);
    const [cake, tea] = sections?.flatMap(({ items }) => items) ?? [];
    expect(cake).toEqual({
      id: "cakes/cheesecake",
      name: "Cheesecake",
      sourceUrl: pageUrl,
      url: "https://shop.test/cheesecake",
      price: { amount: 4.9, currency: "EUR", formatted: "€4.90" },
      images: [{ url: "https://shop.test/c.jpg", alt: "Cake" }],
      availability: { inStock: false, text: "SoldOut" },
      dietary: ["vegetarian", "gluten-free"],
      calories: 420,
      optionGroups: [],
      identifiers: { merchantItemId: "C-1" },
    });
    const [size, extras] = tea?.optionGroups ?? [];
    expect(tea?.price?.amount).toBe(2.5);
    expect(size).toMatchObject({
      name: "Size",
      required: true,
      min: 1,
      max: 1,
      options: [
        { name: "Large", price: { amount: 3.5 } },
        { name: "Small", price: { amount: 2.5 } },
      ],
    });
    expect(extras).toMatchObject({ required: false, options: [{ name: "Honey", price: { amount: 0.5 } }] });
  });

  it("is read from items of the markup, and from the data that the page's program starts with, in cents or not", () => {
    const dish = (name: string, price: string) =>
      `<div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><h4 itemprop="name">${name}</h4><img itemprop="image" src="/${name}.jpg" alt="${name}, served">
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD"><b itemprop="price">${price}</b></div></div>`;
    const soups = `<section itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection"><h2 itemprop="name">Soups</h2>${dish("Miso", "4.00")}${dish("Leek", "5")}</section>`;
    const marked = read(pageOf("Bistro", `<div itemscope itemtype="https://schema.org/Menu">${soups}</div>`))?.thing;
    expect(marked).toMatchObject({
      merchant: { name: "shop.test" },
      sections: [
        {
          name: "Soups",
          items: [
            { name: "Miso", price: { amount: 4 } },
            { name: "Leek", price: { amount: 5 } },
          ],
        },
      ],
    });
    expect(marked?.sections[0]?.items[0]?.images).toEqual([{ url: "https://shop.test/Miso.jpg", alt: "Miso, served" }]);
    const groups = [
      { title: "Starters", items: [{ id: "a1", title: "Bread", price: 450, currency: "EUR" }] },
      { title: "Mains", items: [{ id: "b1", title: "Cod", price: 1850, soldOut: true, tags: ["gluten free"] }] },
    ];
    const state = `<script>window.__STATE__ = ${JSON.stringify({ groups, again: groups })};</script>`;
    const site = `<meta property="og:site_name" content="Kai 7">`;
    const items = [
      { name: "Bread", price: { amount: 4.5, currency: "EUR" }, identifiers: { merchantItemId: "a1" } },
      { name: "Cod", price: { amount: 18.5 }, availability: { inStock: false }, dietary: ["gluten-free"] },
    ];
    expect(read(pageOf("Menu", state, site))?.thing).toMatchObject({
      merchant: { name: "Kai 7" },
      sections: [
        { name: "Starters", items: [items[0]] },
        { name: "Mains", items: [items[1]] },
      ],
    });
    expect(read(pageOf("Hooks", state.replaceAll("Starters", "Small").replaceAll("Mains", "Large")))).toBeUndefined();
  });

  it("is read from what the page shows: sizes, marks with a legend, notes, pictures and where a dish leads", () => {
    const body = `<p>Alle Preise in EUR</p><h2>Vorspeisen</h2><p>Immer frisch.</p>
      <ul><li><a href="/suppe">Krabbensuppe</a> <small>mit Sahne, auf Wunsch vegan möglich</small> <img src="/suppe.jpg" alt="Suppe"><b>7,50</b></li>
      <li>Salat (V, GF) <small>ausverkauft</small> <b>6,00</b></li></ul>
      <h2>Pizza</h2><table><tr><th></th><th>Klein</th><th>Groß</th></tr>
      <tr><td>Margherita <sup>V</sup><br><small>650 kcal</small></td><td>8,00</td><td>11,00</td></tr></table>
      <h2>Getränke</h2><ul><li>Cola <span>0,3 l</span> <b>3,50</b> <span>0,5 l</span> <b>4,90</b></li><li>Wasser 0,3 l 2,50 € / 0,7 l 5,00 €</li></ul>
      <div><h3>Kaffee</h3><p>fair</p><ul><li>klein <b>2,50</b></li><li>groß <b>3,50</b></li></ul></div><p>(V) vegetarisch, GF = glutenfrei</p>`;
    const { currency, sections = [] } = read(pageOf("Speisekarte", body))?.thing ?? {};
    const items = sections.flatMap((section) => section.items);
    expect(currency).toBe("EUR");
    expect(sections.map(({ name, description }) => [name, description])).toEqual([
      ["Vorspeisen", "Immer frisch."],
      ["Pizza", undefined],
      ["Getränke", undefined],
    ]);
    expect(items.slice(0, 3)).toMatchObject([
      {
        name: "Krabbensuppe",
        description: "mit Sahne, auf Wunsch vegan möglich",
        url: "https://shop.test/suppe",
        price: { amount: 7.5, currency: "EUR", formatted: "7,50" },
        images: [{ url: "https://shop.test/suppe.jpg", alt: "Suppe" }],
        dietary: [],
      },
      { name: "Salat", availability: { inStock: false, text: "ausverkauft" }, dietary: ["vegetarian", "gluten-free"] },
      { name: "Margherita", calories: 650, dietary: ["vegetarian"] },
    ]);
    expect(items[1]).not.toHaveProperty("description");
    const sizesOf = ({ name, price, optionGroups }: (typeof items)[number]) => [
      ...[name, price?.amount],
      ...optionGroups.flatMap(({ options }) => options.map((option) => [option.name, option.price?.amount])),
    ];
    expect(items.slice(2).map(sizesOf)).toEqual([
      ["Margherita", 8, ["Klein", 8], ["Groß", 11]],
      ["Cola", 3.5, ["0,3 l", 3.5], ["0,5 l", 4.9]],
      ["Wasser", 2.5, ["0,3 l", 2.5], ["0,7 l", 5]],
      ["Kaffee", 2.5, ["klein", 2.5], ["groß", 3.5]],
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it("is the richest that the page has, and has one section for dishes below no heading", () => {
    const shown = ["Soup", "Fish", "Soup", "Tart"].map((name) => `<p>${name} 5.00</p>`).join("");
    const named = data({ "@type": "Restaurant", name: "X", hasMenu: { hasMenuItem: [{ name: "Soup" }] } });
    const body = `<title>Menu</title>${named}${shown}`;
    const [section, ...others] = read(body)?.thing.sections ?? [];
    expect([section?.name, others]).toEqual(["Menu", []]);
    expect(section?.items.map(({ id, price }) => [id, price])).toEqual(
      ["soup", "fish", "soup-2", "tart"].map((id) => [`menu/${id}`, { amount: 5, formatted: "5.00" }]),
    );
  });

  it.each([
    [
      "blocks",
      (name: string, text: string, price: string) =>
        `<div class="dish"><h3>${name}</h3><p>${text}</p><span>${price} €</span></div>`,
    ],
    [
      "rows of a table",
      (name: string, text: string, price: string) =>
        `<table><tr><td>${name}<br><small>${text}</small></td><td>€ ${price}</td></tr></table>`,
    ],
    ["lines", (name: string, _text: string, price: string) => `<p>${name} ..... ${price} €</p>`],
  ])("is read from %s of a page", (kind, dish) => {
    const body = `<h2>Vorspeisen</h2>${dish("Krabbensuppe", "mit Sahne", "7,50")}${dish("Salat", "vom Markt", "6,00")}
      <h2>Hauptgerichte</h2>${dish("Scholle", "gebraten", "18,90")}${dish("Labskaus", "mit Ei", "15,50")}`;
    const menu = read(pageOf("Speisekarte", body));
    expect(menu?.thing).toMatchObject({ isMenu: true, currency: "EUR" });
    expect(
      menu?.thing.sections.map(({ name, items }) => [name, items.map((item) => [item.name, item.price?.amount])]),
    ).toEqual([
      [
        "Vorspeisen",
        [
          ["Krabbensuppe", 7.5],
          ["Salat", 6],
        ],
      ],
      [
        "Hauptgerichte",
        [
          ["Scholle", 18.9],
          ["Labskaus", 15.5],
        ],
      ],
    ]);
    if (kind !== "lines") expect(menu?.thing.sections[0]?.items[0]?.description).toBe("mit Sahne");
  });

  it.each([
    [
      "a shop's list",
      pageOf(
        "Hooks and ropes",
        ["Hook", "Rope", "Net", "Oar", "Mast"].map((name) => `<div><h3>${name}</h3><span>$5.00</span></div>`).join(""),
      ),
    ],
    ["an article with prices", pageOf("The price of fish", "<p>It was 5 € and is 9 €.</p><p>Cod 7 €</p>")],
    ["a page without prices", pageOf("Menu", "<h2>Starters</h2><p>Soup</p><p>Bread</p>")],
  ])("is not on %s", (_name, html) => expect(read(html)).toBeUndefined());

  it("of twenty thousand dishes is bounded", () => {
    const dishes = Array.from({ length: 20_000 }, (_, n) => `<p>Dish number ${n} ... ${(n % 50) + 1},50 €</p>`).join(
      "",
    );
    const menu = read(pageOf("Menu", `<h2>Mains</h2>${dishes}`));
    expect(menu?.thing.sections[0]?.items).toHaveLength(2000);
    expect(menu?.leftOut).toBeGreaterThan(10_000);
  });
});
