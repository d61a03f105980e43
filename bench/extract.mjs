// What reading a page for a schema costs beyond parsing it: CPU of this process over generated pages, warm.
import { readContent } from "../dist/content/reading/read-content.js";
import { readPage } from "../dist/extraction/reading/schema-reader.js";
import { withObservation } from "../dist/extraction/site-rules/count-observations.js";
import { bareRequest, contentModel, languageModel } from "./content-request.mjs";

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

/** Reads a page, and says what that cost beyond parsing it. */
function read(number, hasData, wanted, template) {
  const bytes = Buffer.from(makePage(number, hasData));
  let spent = 0;
  const timed = (source, input) => {
    const began = process.cpuUsage();
    const found = readPage(source, input);
    const { user, system } = process.cpuUsage(began);
    spent = (user + system) / 1000;
    return found;
  };
  const readerInput = { schema: wanted, prompt: null, ...(template ? { site: template } : {}) };
  const request = bareRequest({ bytes, url: `https://shop.test/p/${number}`, readerInput });
  const { found } = readContent(request, { model, languages: languageModel(), readPage: timed });
  if (found.found?.fields?.price?.value !== 12.5) throw new Error("The page was not read");
  return { spent, size: bytes.byteLength, finding: found };
}

/** The first pages warm up the compiler. */
function summary(times) {
  const own = times.slice(10).sort((one, other) => one - other);
  return { mean: own.reduce((sum, one) => sum + one, 0) / own.length, median: own[own.length >> 1], count: own.length };
}

function measureSearch() {
  const pages = Array.from({ length: rounds }, (_, round) => read(round, round % 2 === 0, schema));
  const { mean, median, count } = summary(pages.map(({ spent }) => spent));
  const bytes = pages.reduce((sum, { size }) => sum + size, 0);
  return {
    what: "Extracting a schema from a page: CPU beyond parsing",
    value: Math.round(mean * 10) / 10,
    unit: "ms",
    bar: 40,
    detail: `${Math.round(bytes / rounds / 1024)} KB per page, ${count} pages, median ${median.toFixed(1)} ms`,
  };
}

/** Five pages teach; others are read with and without what they taught, in turns. */
function measureTemplate() {
  const { name, price, sku, brand } = schema.properties;
  const wanted = { ...schema, properties: { name, price, sku, brand } };
  const use = (rules, mayCut) => ({ use: "observe", rules, mayCut, mayLearn: true });
  let template = null;
  const taught = Array.from({ length: 5 }, (_, round) => {
    const { spent, finding } = read(round, false, wanted, use(template, false));
    template = withObservation(template, finding.observation);
    return spent;
  });
  const without = [];
  const own = [];
  for (let round = 5; round < rounds; round += 1) {
    without.push(read(round, false, wanted).spent);
    const { spent, finding } = read(round, false, wanted, use(template, true));
    if (finding.observation) throw new Error("The template does not fit the page");
    own.push(spent);
  }
  const [plain, cut] = [summary(without), summary(own)];
  return {
    what: "Extracting a schema whose places five pages of the host taught: CPU beyond parsing",
    value: Math.round(cut.mean * 10) / 10,
    unit: "ms",
    bar: Math.round(plain.mean * 5) / 10,
    detail: `${plain.mean.toFixed(1)} ms without, ${cut.count} pages each; the bar is half of that; ${Math.max(...taught).toFixed(1)} ms for a page that teaches, cold`,
  };
}

export async function measure() {
  return [measureSearch(), measureTemplate()];
}
