// Products and menus: real-looking shops and restaurants, pages that only look like them, and pages that mean harm.
import { describe, expect, it } from "vitest";
import { finding, pageUrl } from "../../../test/support/extraction.ts";
import type { Document } from "../../contract/index.ts";
import type { FoundThing } from "../findings/finding.ts";
import type { Product } from "./product-texts.ts";

interface Things {
  product?: FoundThing<Product>;
  menu?: FoundThing<NonNullable<Document["menu"]>>;
}
const read = (html: string, thing: "product" | "menu"): Things =>
  finding(html, { schema: null, prompt: null, things: [thing], onlyThings: true }).things ?? {};
const data = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const pageOf = (title: string, body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`;

describe("a product", () => {
  it("has its variants with values, prices, sales, availability and images", () => {
    const offer = (price: number, stock: string, more = {}) => ({
      "@type": "Offer",
      price,
      priceCurrency: "EUR",
      availability: `https://schema.org/${stock}`,
      ...more,
    });
    const listPrice = { priceSpecification: [{ priceType: "https://schema.org/StrikethroughPrice", price: "79.00" }] };
    const lamp = {
      "@type": "ProductGroup",
      name: "Desk lamp",
      brand: { "@type": "Brand", name: "Lumen" },
      description: "Bends.",
      url: "/lamp",
      hasVariant: [
        {
          "@type": "Product",
          name: "Desk lamp red",
          sku: "L-R",
          color: "red",
          image: "/red.jpg",
          offers: offer(59.9, "InStock", listPrice),
        },
        { "@type": "Product", sku: "L-B", color: "blue", size: "L", offers: offer(64, "OutOfStock") },
      ],
    };
    const crumbs = {
      "@type": "BreadcrumbList",
      itemListElement: [{ name: "Home" }, { name: "Lamps" }, { name: "Desk lamp" }],
    };
    expect(read(pageOf("Desk lamp", "", data(lamp) + data(crumbs)), "product").product).toEqual({
      thing: {
        title: "Desk lamp",
        brand: "Lumen",
        category: "Lamps",
        url: "https://shop.test/lamp",
        description: "Bends.",
        variants: [
          {
            id: "L-R",
            sku: "L-R",
            title: "Desk lamp red",
            values: { color: "red" },
            price: { amount: 59.9, currency: "EUR", formatted: "€59.90" },
            sale: { originalPrice: { amount: 79, currency: "EUR", formatted: "€79.00" } },
            availability: { inStock: true, text: "InStock" },
            images: ["https://shop.test/red.jpg"],
          },
          {
            id: "L-B",
            sku: "L-B",
            title: "Desk lamp",
            values: { color: "blue", size: "L" },
            price: { amount: 64, currency: "EUR", formatted: "€64.00" },
            availability: { inStock: false, text: "OutOfStock" },
            images: [],
          },
        ],
      },
      leftOut: 0,
    });
  });

  it("is read from microdata, from offers, and from a shop's own data, in cents where the page shows it", () => {
    const micro = pageOf(
      "Old lamp",
      `<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Old lamp</span>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD"><span itemprop="price" content="1299.00">$1,299</span></div></div>`,
    );
    expect(read(micro, "product").product?.thing).toMatchObject({
      title: "Old lamp",
      variants: [{ price: { amount: 1299, currency: "USD" } }],
    });
    const offers = {
      "@type": "Product",
      name: "Rope",
      offers: {
        "@type": "AggregateOffer",
        offers: [
          { price: "5", sku: "a" },
          { price: "9", sku: "b" },
        ],
      },
    };
    expect(
      read(pageOf("Rope", "", data(offers)), "product").product?.thing.variants.map(({ id, price }) => [
        id,
        price?.amount,
      ]),
    ).toEqual([
      ["a", 5],
      ["b", 9],
    ]);
    const shop = {
      thing: {
        title: "Sail",
        vendor: "Wind",
        options: ["Color", { name: "Size" }],
        variants: [
          {
            id: 1,
            title: "Red / M",
            option1: "Red",
            option2: "M",
            price: 1999,
            compare_at_price: 2499,
            sku: "S1",
            available: true,
          },
          { id: 2, title: "Red / L", option1: "Red", option2: "L", price: 2199, sku: "S2", available: false },
        ],
      },
    };
    const metas = `<meta property="product:price:amount" content="19.99"><meta property="product:price:currency" content="USD">`;
    const html = pageOf("Sail", "", `${metas}<script>window.shop = ${JSON.stringify(shop)};</script>`);
    expect(read(html, "product").product?.thing).toMatchObject({
      title: "Sail",
      brand: "Wind",
      variants: [
        {
          id: "1",
          values: { Color: "Red", Size: "M" },
          price: { amount: 19.99, currency: "USD", formatted: "$19.99" },
          sale: { originalPrice: { amount: 24.99 } },
          availability: { inStock: true },
        },
        { id: "2", values: { Size: "L" }, price: { amount: 21.99 }, availability: { inStock: false } },
      ],
    });
  });

  it("is read from what a page shows, where it can be bought", () => {
    const body = `<p>Price: <b class="price">$12.50</b></p><p>SKU: K-1</p>`;
    expect(read(pageOf("Brass hook", `${body}<button>Add to cart</button>`), "product").product?.thing).toMatchObject({
      title: "Brass hook",
      variants: [{ price: { amount: 12.5, currency: "USD" } }],
    });
    expect(read(pageOf("Brass hook", body), "product")).toEqual({});
  });

  it.each([
    ["an article", pageOf("Tides", "<p>The tide rises. A ticket costs $5.</p>")],
    [
      "a list of products",
      pageOf(
        "All lamps",
        "",
        data(["Lamp A", "Lamp B"].map((name) => ({ "@type": "Product", name, offers: { price: 1 } }))),
      ),
    ],
    ["a product that nobody sells", pageOf("Lamp", "", data({ "@type": "Product", name: "Lamp" }))],
    ["broken data", pageOf("Lamp", "", `<script type="application/ld+json">{"@type":"Product","name":</script>`)],
  ])("is not on %s", (_name, html) => expect(read(html, "product")).toEqual({}));

  it("of ten thousand variants is bounded, and says how many were left out", () => {
    const hasVariant = Array.from({ length: 10_000 }, (_, n) => ({
      "@type": "Product",
      sku: `s${n}`,
      color: `c${n}`,
      offers: { price: n + 1 },
    }));
    const html = pageOf("Bead", "", data({ "@type": "ProductGroup", name: "Bead", hasVariant }));
    const { product } = read(html, "product");
    expect([product?.thing.variants.length, product?.leftOut]).toEqual([1000, 9000]);
    const named = pageOf(
      "Bead",
      "",
      data({
        "@type": "Product",
        name: "Bead",
        offers: { price: 1 },
        additionalProperty: [{ name: "__proto__", value: "x" }],
      }),
    );
    const [variant] = read(named, "product").product?.thing.variants ?? [];
    expect(Object.keys(variant?.values ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(variant?.values)).toBe(Object.prototype);
  });
});

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
    expect(read(pageOf("Zum Anker", "", data(restaurant)), "menu").menu?.thing).toEqual({
      isMenu: true,
      confidence: 0.95,
      merchant: "Zum Anker",
      currency: "EUR",
      sourceUrl: pageUrl,
      sections: [
        { id: "1", name: "Starters", items: [{ id: "1.1", name: "Soup", description: "Soup!", price: 5.5 }] },
        {
          id: "2",
          name: "Mains",
          items: [
            { id: "2.1", name: "Plaice", description: "Plaice!", price: 18 },
            { id: "2.2", name: "Eel", description: "Eel!", price: 21 },
          ],
        },
      ],
    });
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
    const { menu } = read(pageOf("Speisekarte", body), "menu");
    expect(menu?.thing).toMatchObject({ isMenu: true, currency: "EUR" });
    expect(menu?.thing.sections.map(({ name, items }) => [name, items.map((item) => [item.name, item.price])])).toEqual(
      [
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
      ],
    );
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
  ])("is not on %s", (_name, html) => expect(read(html, "menu")).toEqual({}));

  it("of twenty thousand dishes is bounded", () => {
    const dishes = Array.from({ length: 20_000 }, (_, n) => `<p>Dish number ${n} ... ${(n % 50) + 1},50 €</p>`).join(
      "",
    );
    const { menu } = read(pageOf("Menu", `<h2>Mains</h2>${dishes}`), "menu");
    expect(menu?.thing.sections[0]?.items).toHaveLength(2000);
    expect(menu?.leftOut).toBeGreaterThan(10_000);
  });
});
