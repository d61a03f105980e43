// Products: real-looking shops, pages that only look like them, and pages that mean harm.
import { describe, expect, it } from "vitest";
import { linkedData as data, titledPage as pageOf, pageUrl, readThing } from "../../../test/support/extraction.ts";

const read = (html: string) => ({ product: readThing(html, "product") });

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
      url: "/lamp?from=feed",
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
    const head = `<link rel="canonical" href="/lamp">${data(lamp)}${data(crumbs)}`;
    expect(read(pageOf("Desk lamp", '<img src="/red.jpg" alt="A red lamp">', head)).product).toEqual({
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
            images: [{ url: "https://shop.test/red.jpg", alt: "A red lamp" }],
          },
          {
            id: "L-B",
            sku: "L-B",
            title: "Desk lamp",
            values: { color: "blue", size: "L" },
            price: { amount: 64, currency: "EUR", formatted: "€64.00" },
            availability: { inStock: false, text: "OutOfStock" },
          },
        ],
      },
      leftOut: 0,
    });
  });

  it("says of every variant whether it is in stock, shows each image once with its words, and a sale above the price only", () => {
    const image = [
      { "@type": "ImageObject", name: "Front", contentUrl: "/1.jpg" },
      "/1.jpg",
      "javascript:alert(1)",
      { "@type": "ImageObject", caption: "Back", name: "2", url: "/2.jpg" },
    ];
    const listPrice = (price: number) => ({ priceType: "https://schema.org/ListPrice", price });
    const offers = [
      { price: 5, sku: "a", priceSpecification: listPrice(4) },
      { price: 9, priceCurrency: "EUR", priceSpecification: { ...listPrice(12), priceCurrency: "USD" } },
      { sku: "c", name: "Rope, coiled" },
    ];
    const { thing } = read(pageOf("Rope", "", data({ "@type": "Product", name: "Rope", image, offers }))).product ?? {};
    const images = [
      { url: "https://shop.test/1.jpg", alt: "Front" },
      { url: "https://shop.test/2.jpg", alt: "Back" },
    ];
    expect(thing).toEqual({
      title: "Rope",
      url: pageUrl,
      variants: [
        {
          id: "a",
          sku: "a",
          title: "Rope",
          price: { amount: 5, formatted: "5" },
          availability: { inStock: true },
          images,
        },
        {
          title: "Rope",
          price: { amount: 9, currency: "EUR", formatted: "€9.00" },
          availability: { inStock: true },
          images,
        },
        { id: "c", sku: "c", title: "Rope, coiled", availability: { inStock: false }, images },
      ],
    });
  });

  it("is read from microdata, from offers, and from a shop's own data, in cents where the page shows it", () => {
    const micro = pageOf(
      "Old lamp",
      `<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Old lamp</span>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD"><span itemprop="price" content="1299.00">$1,299</span></div></div>`,
    );
    expect(read(micro).product?.thing).toMatchObject({
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
      read(pageOf("Rope", "", data(offers))).product?.thing.variants.map(({ id, price }) => [id, price?.amount]),
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
    expect(read(html).product?.thing).toMatchObject({
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
    expect(read(pageOf("Brass hook", `${body}<button>Add to cart</button>`)).product?.thing).toMatchObject({
      title: "Brass hook",
      variants: [{ price: { amount: 12.5, currency: "USD" } }],
    });
    expect(read(pageOf("Brass hook", body)).product).toBeUndefined();
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
  ])("is not on %s", (_name, html) => expect(read(html).product).toBeUndefined());

  it("of ten thousand variants is bounded, and says how many were left out", () => {
    const hasVariant = Array.from({ length: 10_000 }, (_, n) => ({
      "@type": "Product",
      sku: `s${n}`,
      color: `c${n}`,
      offers: { price: n + 1 },
    }));
    const html = pageOf("Bead", "", data({ "@type": "ProductGroup", name: "Bead", hasVariant }));
    const { product } = read(html);
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
    const [variant] = read(named).product?.thing.variants ?? [];
    expect(Object.keys(variant?.values ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(variant?.values)).toBe(Object.prototype);
  });
});
