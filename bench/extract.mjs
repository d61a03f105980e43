// What reading a page for a schema costs beyond parsing it: CPU of this process over generated pages, warm.
import { readContent } from "../dist/content/reading/read-content.js";
import { readPage } from "../dist/extraction/reading/page-reader.js";
import { bareRequest, contentModel } from "./content-request.mjs";

const schema = {
  type: "object",
  description: "The product sold on this page",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    currency: { type: "string" },
    sku: { type: "string" },
    brand: { type: "string" },
    availability: { type: "string", enum: ["InStock", "OutOfStock"] },
    description: { type: "string" },
    reviews: {
      type: "array",
      items: {
        type: "object",
        properties: { author: { type: "string" }, rating: { type: "number" }, date: { type: "string" } },
      },
    },
  },
};
const rounds = 60;
const model = contentModel();

/** A shop page: menus, the product, its table of features, reviews, other products, a page state. */
function makePage(number, hasData) {
  const menu = Array.from(
    { length: 300 },
    (_, place) => `<li class="nav-item"><a class="nav-link" href="/c/${place}">Category ${place}</a></li>`,
  ).join("");
  const rows = Array.from(
    { length: 60 },
    (_, place) => `<tr><th>Feature ${place}</th><td>Value ${place} of ${number}</td></tr>`,
  ).join("");
  const reviews = Array.from(
    { length: 80 },
    (_, place) =>
      `<div class="review"><b class="author">Reader ${place}</b><span class="rating">${(place % 5) + 1}</span><time>2024-01-${String((place % 28) + 1).padStart(2, "0")}</time><p>${"A lamp that does what it should, and a little more. ".repeat(4)}</p></div>`,
  ).join("");
  const others = Array.from(
    { length: 60 },
    (_, place) =>
      `<article class="card"><h3><a href="/p/${place}">Other lamp ${place}</a></h3><div class="price">$${place + 5}.90</div><p>${"Light for every room. ".repeat(5)}</p></article>`,
  ).join("");
  const state = JSON.stringify({
    product: { name: `Lamp ${number}`, price: 12.5, sku: `L-${number}` },
    others: Array.from({ length: 200 }, (_, place) => ({
      name: `Other lamp ${place}`,
      price: place,
      tags: ["a", "b"],
    })),
  });
  const data = JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    name: `Lamp ${number}`,
    sku: `L-${number}`,
    offers: { "@type": "Offer", price: 12.5, priceCurrency: "EUR" },
  });
  return `<!doctype html><html><head><title>Lamp ${number} - Shop</title>${hasData ? `<script type="application/ld+json">${data}</script>` : ""}</head><body><nav><ul>${menu}</ul></nav><main><h1>Lamp ${number}</h1><div class="product-price">$12.50</div><p>SKU: L-${number}</p><p>Brand: Bright</p><button>Add to cart</button><table>${rows}</table><section>${reviews}</section><section>${others}</section></main><script type="application/json">${state}</script></body></html>`;
}

export async function measure() {
  const times = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const page = Buffer.from(makePage(round, round % 2 === 0));
    bytes += page.byteLength;
    let spent = 0;
    const timed = (source, input) => {
      const began = process.cpuUsage();
      const found = readPage(source, input);
      const { user, system } = process.cpuUsage(began);
      spent = (user + system) / 1000;
      return found;
    };
    const { found } = readContent(
      bareRequest({ bytes: page, url: "https://shop.test/p/1", readerInput: { schema, prompt: null } }),
      { model, readPage: timed },
    );
    if (found.found?.fields?.price?.value !== 12.5) throw new Error("The page was not read");
    // The first pages warm up the compiler.
    if (round >= 10) times.push(spent);
  }
  times.sort((one, other) => one - other);
  const mean = times.reduce((sum, one) => sum + one, 0) / times.length;
  const detail = `${Math.round(bytes / rounds / 1024)} KB per page, ${times.length} pages, median ${times[times.length >> 1].toFixed(1)} ms`;
  return [
    {
      what: "Extracting a schema from a page: CPU beyond parsing",
      value: Math.round(mean * 10) / 10,
      unit: "ms",
      bar: 40,
      detail,
    },
  ];
}
