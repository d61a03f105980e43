// Pages and schemas in, data and evidence out: the reader on the one tree, then the filling.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startCpuTimer } from "../../../test/support/cpu-timer.ts";
import { extract, finding, pageUrl as url } from "../../../test/support/extraction.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { fill } from "../filling/fill.ts";

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "object",
  properties,
  ...more,
});
const string = { type: "string" };
const number = { type: "number" };

describe("where values are found", () => {
  const product = object({
    name: string,
    price: number,
    currency: string,
    sku: string,
    availability: { type: "string", enum: ["InStock", "OutOfStock"] },
  });
  const lamp = { name: "Reading Lamp", price: 1299, currency: "EUR", sku: "L-1000", availability: "InStock" };

  it.each<[string, string, string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "json-ld",
      "price",
      `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Shop"},{"@type":"Product","name":"Reading Lamp","sku":"L-1000","offers":{"@type":"Offer","price":"1299.00","priceCurrency":"EUR","availability":"https://schema.org/InStock"}}]}</script><h1>Reading Lamp</h1>`,
      product,
      lamp,
    ],
    [
      "microdata",
      "price",
      `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Reading Lamp</h1><meta itemprop="sku" content="L-1000"><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="1299">1.299 €</span><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div></div>`,
      product,
      lamp,
    ],
    [
      "rdfa",
      "price",
      `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Reading Lamp</h1><div property="offers" typeof="Offer"><span property="price">1299</span></div></div>`,
      object({ name: string, price: number }),
      { name: "Reading Lamp", price: 1299 },
    ],
    [
      "page-state",
      "price",
      `<h1>Reading Lamp</h1><script id="__NEXT_DATA__" type="application/json">{"props":{"product":{"name":"Reading Lamp","price":1299,"sku":"L-1000"},"others":[{"name":"Desk","price":5,"sku":"D-1"}]}}</script>`,
      object({ name: string, price: number, sku: string }),
      { name: "Reading Lamp", price: 1299, sku: "L-1000" },
    ],
    [
      "page-state",
      "price",
      `<h1>Reading Lamp</h1><script>window.__INITIAL_STATE__ = {"item":{"title":"Reading Lamp","price":"12.50","sku":"L-1"}};</script>`,
      object({ name: string, price: number }),
      { name: "Reading Lamp", price: 12.5 },
    ],
    [
      "meta",
      "price",
      `<meta property="og:title" content="Reading Lamp"><meta property="product:price:amount" content="49.90"><meta property="product:price:currency" content="EUR"><p>Text</p>`,
      object({ price: number, currency: string }),
      { price: 49.9, currency: "EUR" },
    ],
    [
      "table",
      "publisher",
      `<h1>A Book</h1><table><tr><th>Publisher</th><td>North Press</td></tr><tr><th>Pages</th><td>312</td></tr></table>`,
      object({ publisher: string, pages: { type: "integer" } }),
      { publisher: "North Press", pages: 312 },
    ],
    [
      "table",
      "team",
      `<h1>Jo Doe</h1><table><tr><th>Team</th><th>Position</th></tr><tr><td>Hawks</td><td>Guard</td></tr></table>`,
      object({ team: string, position: string }),
      { team: "Hawks", position: "Guard" },
    ],
    [
      "definition-list",
      "height",
      `<h1>Jo Doe</h1><dl><dt>Height</dt><dd>6-11</dd><dt>Weight</dt><dd>235 lbs</dd></dl>`,
      object({ height: string, weight: string }),
      { height: "6-11", weight: "235 lbs" },
    ],
    [
      "label",
      "company",
      `<h1>Welder</h1><p><b>Company:</b> Iron Works</p><p>Location: Boston, MA</p>`,
      object({ company: string, location: string }),
      { company: "Iron Works", location: "Boston, MA" },
    ],
    [
      "label",
      "prep_time",
      `<h1>Suppe</h1><div><span>Vorbereitungszeit:</span> <span>1 Std. 20 Min.</span></div>`,
      object({ prep_time: { type: "integer", description: "Preparation time in minutes" } }),
      { prep_time: 80 },
    ],
    [
      "named-element",
      "price",
      `<h1>Lamp</h1><div class="product-price">$1,299.00</div>`,
      object({ price: number }),
      { price: 1299 },
    ],
    [
      "heading",
      "title",
      `<title>Deep Sea - Books</title><h1>Deep Sea</h1>`,
      object({ title: string }),
      { title: "Deep Sea" },
    ],
    [
      "title",
      "title",
      `<title>Deep Sea | Books</title><p>Text of the page</p>`,
      object({ title: string }),
      { title: "Deep Sea" },
    ],
    [
      "pattern",
      "email",
      `<h1>Office</h1><p>Write to office@example.org</p>`,
      object({ email: { type: "string", format: "email" } }),
      { email: "office@example.org" },
    ],
    [
      "pattern",
      "phone",
      `<h1>Office</h1><p>(606) 218-5250</p>`,
      object({ phone: string }),
      { phone: "(606) 218-5250" },
    ],
    [
      "pattern",
      "address",
      `<h1>Abacus</h1><p>4511 McKinney Ave.</p><p>Dallas, TX 75205</p>`,
      object({ address: string }),
      { address: "4511 McKinney Ave., Dallas, TX 75205" },
    ],
  ])("%s: %s", (method, field, html, schema, expected) => {
    const { data, evidence } = extract(html, schema);
    expect(data).toEqual(expected);
    expect(evidence[field]).toMatchObject({ url, method });
    expect(evidence[field]?.selector).not.toBe("");
    expect(evidence[field]?.text).not.toBe("");
    expect(evidence[field]?.confidence).toBeGreaterThan(0.2);
    expect(evidence[field]?.confidence).toBeLessThanOrEqual(1);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["The first boat is nine metres long and costs $12,000. It is made of oak.", { price: number }, { price: 12000 }],
    [
      "The yard was founded in 1920 by two brothers, and today has 35 employees on the shore of the lake.",
      { founded: { type: "integer" }, employees: { type: "integer" } },
      { founded: 1920, employees: 35 },
    ],
    [
      "With a population of 35,120 the town is the largest one on the eastern shore of the lake.",
      { population: number },
      { population: 35120 },
    ],
    [
      "Its founding date is given as 4 May 1920 in the oldest letters that we have.",
      { foundingDate: { type: "string", format: "date" } },
      { foundingDate: "1920-05-04" },
    ],
    // Two sentences that say different things, a number of something else, and one that is a part of a word.
    ["The small one costs $12,000 with its sails, the large one costs $15,000 without them.", { price: number }, {}],
    [
      "The population lives from fishing, and 12 boats leave the harbour every single morning.",
      { population: number },
      {},
    ],
    ["Its population rose by 12% in a year, says the newest of all reports of the town.", { population: number }, {}],
  ])("reads what a sentence says of a field: %s", (sentence, properties, data) => {
    expect(extract(`<h1>Boats of the lake</h1><p>${sentence}</p>`, object(properties)).data).toEqual(data);
  });

  it("reads lists under headings, by names of elements, and in structured data", () => {
    const schema = object({
      ingredients: { type: "array", items: string },
      instructions: { type: "array", items: string },
    });
    const expected = {
      ingredients: ["2 eggs", "100 g flour"],
      instructions: ["Beat the eggs well.", "Stir in the flour."],
    };
    const pages = [
      `<h1>Cake</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>100 g flour</li></ul><h2>Instructions</h2><ol><li>Beat the eggs well.</li><li>Stir in the flour.</li></ol><h2>Comments</h2><ul><li>Nice</li></ul>`,
      `<h1>Cake</h1><div class="recipe-ingredient">2 eggs</div><div class="recipe-ingredient">100 g flour</div><div class="recipe-step">Beat the eggs well.</div><div class="recipe-step">Stir in the flour.</div>`,
      `<script type="application/ld+json">{"@type":"Recipe","name":"Cake","recipeIngredient":["2 eggs","100 g flour"],"recipeInstructions":[{"@type":"HowToStep","text":"Beat the eggs well."},{"@type":"HowToStep","text":"Stir in the flour."}]}</script>`,
    ];
    for (const page of pages) expect(extract(page, schema).data).toEqual(expected);
  });

  it("reads lists of things from rows, blocks of one look, and structured data", () => {
    const schema = object({ products: { type: "array", items: object({ name: string, price: number }) } });
    const expected = {
      products: [
        { name: "Red Chair", price: 10 },
        { name: "Blue Chair", price: 20.5 },
        { name: "Oak Table", price: 300 },
      ],
    };
    const blocks = (["Red Chair|$10", "Blue Chair|$20.50", "Oak Table|$300"] as const).map((one) => one.split("|"));
    const pages = [
      `<h1>Shop</h1><table><tr><th>Name</th><th>Price</th></tr>${blocks.map(([name, price]) => `<tr><td>${name}</td><td>${price}</td></tr>`).join("")}</table>`,
      `<h1>Shop</h1><div>${blocks.map(([name, price]) => `<article class="card"><h3><a href="/x">${name}</a></h3><span>${price}</span></article>`).join("")}</div>`,
      `<script type="application/ld+json">[${blocks.map(([name, price]) => `{"@type":"Product","name":"${name}","offers":{"price":"${price?.slice(1)}"}}`).join(",")}]</script>`,
    ];
    for (const page of pages) expect(extract(page, schema).data).toEqual(expected);
    const root = { type: "array", items: object({ name: string, price: number }) };
    expect(extract(pages[0] as string, root).data).toEqual(expected.products);
  });

  it("takes the subject's values when structured data describes other things, too", () => {
    const html = `<title>Reading Lamp</title><h1>Reading Lamp</h1><script type="application/ld+json">[{"@type":"Product","name":"Desk","sku":"D-1","offers":{"price":5}},{"@type":"Product","name":"Reading Lamp","sku":"L-1","offers":{"price":12}}]</script>`;
    expect(extract(html, object({ name: string, sku: string, price: number })).data).toEqual({
      name: "Reading Lamp",
      sku: "L-1",
      price: 12,
    });
  });

  it("prefers structured data to contradicting text, and names where it comes from", () => {
    const html = `<h1>Lamp</h1><script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":12}}</script><p>Price: $99</p>`;
    const { data, evidence } = extract(html, object({ price: number }));
    expect(data).toEqual({ price: 12 });
    expect(evidence.price?.method).toBe("json-ld");
  });

  it.each<[string, string, string | undefined, string | undefined]>([
    ["an enabled button", `<button>Add to cart</button>`, "InStock", "Add to cart"],
    ["a button in another language", `<button>Lisää ostoskoriin</button>`, "InStock", "Lisää ostoskoriin"],
    ["offers to compare", `<button>Compare all prices (4)</button>`, "InStock", "Compare all prices (4)"],
    ["a short word alone on a link", `<form><a href="#">Kupi</a></form>`, "InStock", "Kupi"],
    ["what a picture calls when pressed", `<a onclick="buy('7')"><img src="b.png"></a>`, "InStock", "buy"],
    ["where a link leads", `<a href="javascript:buy_process(7)">Free shipping</a>`, "InStock", "buy_process"],
    ["no disabled button", `<button disabled>Add to cart</button>`, undefined, undefined],
    ["no hidden button", `<div style="display: none"><button>Add to cart</button></div>`, undefined, undefined],
    ["a button that says so", `<button disabled>x</button><button>Sold out</button>`, "OutOfStock", "Sold out"],
    ["words that say not", `<p>Not in stock</p>`, "OutOfStock", "Not in stock"],
    ["words that are shown", `<p class="hide">Sold out</p><p hidden>Ended</p><p>In stock</p>`, "InStock", "In stock"],
    ["no label", `<table><tr><th>In stock</th><td>No</td></tr></table>`, undefined, undefined],
    ["no other property", `<table><tr><td>Zoom</td><td>Not available</td></tr></table>`, undefined, undefined],
    ["no word inside of another", `<p>Recommended</p>`, undefined, undefined],
    ["not the chat's state", `<p>Chat is unavailable</p><button>Add to bag</button>`, "InStock", "Add to bag"],
    ["not a way of delivery", `<p class="delivery-table">Not available</p>`, undefined, undefined],
    ["not a size's state", `<label>Sold out</label><button>Add to bag</button>`, "InStock", "Add to bag"],
    ["not that of choices", `<p>More colours available</p>`, undefined, undefined],
    ["an order before the time", `<button>Pre-order</button>`, "InStock", "Pre-order"],
  ])("tells stock by %s", (_, html, expected, quote) => {
    const schema = object({ availability: { type: "string", enum: ["InStock", "OutOfStock"] } });
    const { data, evidence } = extract(`<h1>Reading Lamp</h1>${html}`, schema);
    expect(data).toEqual(expected === undefined ? {} : { availability: expected });
    expect(evidence.availability?.text).toBe(quote);
  });

  it.each<[string, string, string, string]>([
    ["a button and no word of shortage", "OutOfStock", `<button>Add to cart</button>`, "InStock"],
    [
      "a disabled button beside the reason",
      "InStock",
      `<p>Sold out</p><button disabled>Buy now</button>`,
      "OutOfStock",
    ],
    ["data where the button may wait for a choice", "InStock", `<button disabled>Buy now</button>`, "InStock"],
    ["data where words agree", "OutOfStock", `<p>Sold out</p><button>Add to cart</button>`, "OutOfStock"],
    ["data where buttons are a list's", "OutOfStock", "<button>Add to cart</button>".repeat(3), "OutOfStock"],
    ["data where only words contradict", "InStock", `<p>Sold out</p>`, "InStock"],
  ])("trusts %s", (_, told, html, expected) => {
    const data = `{"@type":"Product","name":"Reading Lamp","offers":{"price":"5","availability":"${told}"}}`;
    const page = `<script type="application/ld+json">${data}</script><h1>Reading Lamp</h1>${html}`;
    const schema = object({
      name: string,
      price: number,
      availability: { type: "string", enum: ["InStock", "OutOfStock"] },
    });
    expect(extract(page, schema).data).toMatchObject({ availability: expected });
  });

  it("reads a page that is JSON", () => {
    const schema = object({ name: string, price: number });
    const found = finding(`{"name":"Lamp","price":12.5}`, { schema, prompt: null }, "application/json");
    expect(fill({ schema, pages: [{ url, finding: found }] }).data).toEqual({ name: "Lamp", price: 12.5 });
  });
});

describe("values become what the schema wants", () => {
  const page = (label: string, value: string) => `<h1>Thing</h1><p>${label}: ${value}</p>`;
  it.each<[string, string, string, Record<string, unknown>, unknown]>([
    ["money", "Price", "$1,299.00", number, 1299],
    ["money as written in Europe", "Preis", "1.299,50 €", number, 1299.5],
    ["money as text", "Price", "$1,299.00 plus tax", string, "$1,299.00"],
    ["a date", "Published", "March 4, 2008", { type: "string", format: "date" }, "2008-03-04"],
    ["a date with time", "Published", "4 mars 2008", { type: "string", format: "date-time" }, "2008-03-04T00:00:00Z"],
    ["a whole number", "Pages", "312 pages", { type: "integer" }, 312],
    ["a duration", "Duration", "1 h 20 min", { type: "integer" }, 80],
    ["a rating", "Rating", "4.5 out of 5", number, 4.5],
    ["stock as boolean", "In stock", "Out of stock", { type: "boolean" }, false],
    ["yes as boolean", "Vegan", "Yes", { type: "boolean" }, true],
    ["stock as one of a list", "Availability", "Auf Lager", { enum: ["in_stock", "out_of_stock"] }, "in_stock"],
    ["an order before the time", "Availability", "Pre-order now", { enum: ["in_stock", "pre_order"] }, "pre_order"],
    ["one of a list", "Condition", "Used", { type: "string", enum: ["NEW", "USED"] }, "USED"],
    ["an ISBN with a check digit", "ISBN-13", "978-0-520-08259-5", string, "9780520082595"],
    ["a union", "Price", "$5", { type: ["number", "null"] }, 5],
    ["anyOf", "Price", "$5", { anyOf: [{ type: "number" }, { type: "null" }] }, 5],
    ["$ref", "Price", "$5", { $ref: "#/$defs/money" }, 5],
  ])("%s", (_, label, value, type, expected) => {
    const name = label.toLowerCase().replace("preis", "price").replaceAll("-", "_").replaceAll(" ", "_");
    const schema = object({ [name]: type }, { $defs: { money: number } });
    expect(extract(page(label, value), schema).data).toEqual({ [name]: expected });
  });

  it.each<[string, string, string, Record<string, unknown>]>([
    ["a price without an amount", "Price", "on request", number],
    ["a date that is none", "Published", "soon", { type: "string", format: "date" }],
    ["a value outside of the list", "Condition", "Purple", { type: "string", enum: ["NEW", "USED"] }],
    ["an ISBN with a wrong check digit", "ISBN-13", "978-0-520-08259-6", string],
    ["a boolean that says nothing", "Vegan", "Ask the chef", { type: "boolean" }],
  ])("never makes one up of %s", (_, label, value, type) => {
    const name = label.toLowerCase().replace("-", "_");
    const { data, missing, warning } = extract(page(label, value), object({ [name]: type }));
    expect(data).toEqual({});
    expect(missing).toEqual([name]);
    expect(warning).toContain(name);
  });
});

describe("the answer keeps to the schema", () => {
  const html = `<h1>Lamp</h1><p>Price: $12</p><p>SKU: L-1000</p>`;

  it("gives null where it may, and leaves out where it may not", () => {
    const schema = object({ price: number, color: { type: ["string", "null"] }, weight: string });
    expect(extract(html, schema)).toMatchObject({ data: { price: 12, color: null }, missing: ["color", "weight"] });
  });

  it("names required fields that were not found instead of making them up", () => {
    const { data, warning } = extract(html, object({ price: number, color: string }, { required: ["price", "color"] }));
    expect(data).toEqual({ price: 12 });
    expect(warning).toMatch(/Required by the schema, but not found: color/);
  });

  it("leaves out list items without their required parts", () => {
    const list = { type: "array", items: object({ name: string, price: number }, { required: ["name", "price"] }) };
    const rows = `<table><tr><th>Name</th><th>Price</th></tr><tr><td>Red</td><td>$1</td></tr><tr><td>Blue</td><td>sold</td></tr></table>`;
    expect(extract(rows, object({ items: list }, { required: ["items"] })).data).toEqual({
      items: [{ name: "Red", price: 1 }],
    });
  });

  it("leaves out values that break a rule, and says so", () => {
    const { data, warning } = extract(
      html,
      object({ price: { type: "number", maximum: 10 }, sku: { type: "string", pattern: "^L-" } }),
    );
    expect(data).toEqual({ sku: "L-1000" });
    expect(warning).toMatch(/not valid against the schema and left out: price/);
  });

  it("fills nested objects", () => {
    const schema = object({ name: string, nutrition: object({ calories: number, fat: number }) });
    const page = `<h1>Cake</h1><p>Calories: 250 kcal</p><p>Fat: 9 g</p>`;
    expect(extract(page, schema).data).toEqual({ name: "Cake", nutrition: { calories: 250, fat: 9 } });
  });

  it("has one entry of evidence and one source for each value", () => {
    const { evidence, sources } = extract(
      `<h1>Lamp</h1><h2>Ingredients</h2><ul><li>2 eggs</li><li>1 egg</li></ul>`,
      object({ ingredients: { type: "array", items: string } }),
    );
    expect(Object.keys(evidence)).toEqual(["ingredients[0]", "ingredients[1]"]);
    expect(sources).toEqual({ ingredients: [url] });
  });
});

describe("several pages", () => {
  const schema = object({
    name: string,
    price: number,
    reviews: { type: "array", items: object({ author: string, rating: number }) },
  });
  const page = (at: string, html: string) => ({ url: at, finding: finding(html, { schema, prompt: null }) });

  it("are merged by confidence, then by how many say the same", () => {
    const label = (price: number) => `<h1>Lamp</h1><p>Price: $${price}</p>`;
    const byMajority = fill({
      schema,
      pages: [page("https://a.test/", label(1)), page("https://b.test/", label(2)), page("https://c.test/", label(2))],
    });
    expect(byMajority).toMatchObject({ data: { price: 2 }, sources: { price: ["https://b.test/"] } });
    const sure = (at: string, price: number, confidence: number) => {
      const place = { method: "label" as const, selector: "p", text: `$${price}`, confidence };
      const found = { kind: "object" as const, fields: { price: { kind: "value" as const, value: price, place } } };
      return { url: at, finding: { found } };
    };
    const byConfidence = fill({
      schema,
      pages: [sure("https://b.test/", 2, 0.6), sure("https://c.test/", 2, 0.6), sure("https://d.test/", 3, 0.9)],
    });
    expect(byConfidence).toMatchObject({ data: { price: 3 }, evidence: { price: { url: "https://d.test/" } } });
  });

  it("give their lists together, each thing once", () => {
    const list = { type: "array", items: object({ name: string, price: number }) };
    const rows = (...names: string[]) =>
      `<table><tr><th>Name</th><th>Price</th></tr>${names.map((name) => `<tr><td>${name}</td><td>$1</td></tr>`).join("")}</table>`;
    const pages = [rows("A1", "B2"), rows("B2", "C3")].map((html, place) => ({
      url: `https://${place}.test/`,
      finding: finding(html, { schema: list, prompt: null }),
    }));
    expect(fill({ schema: list, pages }).data).toEqual([
      { name: "A1", price: 1 },
      { name: "B2", price: 1 },
      { name: "C3", price: 1 },
    ]);
  });

  it("of one thing each are a list of these things, when the list is named for them", () => {
    const thing = (name: string, type = "Product") =>
      `<h1>${name}</h1><script type="application/ld+json">{"@type":"${type}","name":"${name}","offers":{"price":"5"}}</script>`;
    const listed = (field: string, htmls: string[]) => {
      const schema = object({ [field]: { type: "array", items: object({ name: string, price: number }) } });
      const pages = htmls.map((html, place) => ({
        url: `https://shop.test/${place}`,
        finding: finding(html, { schema, prompt: null }),
      }));
      return fill({ schema, pages }).data;
    };
    expect(listed("products", [thing("Lamp"), thing("Chair")])).toEqual({
      products: [
        { name: "Lamp", price: 5 },
        { name: "Chair", price: 5 },
      ],
    });
    expect(listed("products", [thing("Journey", "Event")])).toEqual({});
    expect(listed("entries", [thing("Lamp")])).toEqual({});
  });

  it("of one thing each without markup are such a list, too, when they are named for what it is of", () => {
    const schema = object({ boats: { type: "array", items: object({ name: string, price: number, sku: string }) } });
    const boat = (number: number) =>
      `<h1>Boat ${number}</h1><p>For the sea.</p><p>Price: $${number}099</p><p>SKU: B-${number}</p>`;
    const shop = `<h1>Boats</h1><ul>${[1, 2, 3].map((number) => `<li><a href="/boat-${number}">Boat ${number}</a> $${number}099</li>`).join("")}</ul>`;
    const listed = (...htmls: string[]) =>
      fill({
        schema,
        pages: htmls.map((html, place) => ({
          url: `https://shop.test/${place}`,
          finding: finding(html, { schema, prompt: null }),
        })),
      }).data;
    const row = (number: number) => ({ name: `Boat ${number}`, price: number * 1000 + 99, sku: `B-${number}` });
    expect(listed(boat(1), boat(2))).toEqual({ boats: [row(1), row(2)] });
    expect(listed(shop, boat(2), boat(1))).toEqual({
      boats: [row(1), row(2), { name: "Boat 3", price: 3099 }],
    });
    expect(listed(boat(1).replaceAll("Boat 1", "Anchor"))).toEqual({});
    expect(listed("<h1>Our boat</h1><p>For the sea.</p>")).toEqual({});
  });

  it("of a higher rank only add to what the others say", () => {
    const own = page("https://own.test/", `<h1>Lamp</h1><p>Price: $1</p>`);
    const other = page(
      "https://other.test/",
      `<h1>Chair</h1><script type="application/ld+json">{"@type":"Product","name":"Chair","offers":{"price":3},"sku":"C"}</script>`,
    );
    const { data } = fill({ schema, pages: [own, { ...other, rank: 1 }] });
    expect(data).toMatchObject({ name: "Lamp", price: 1 });
    const { data: added } = fill({
      schema,
      pages: [page("https://own.test/", "<h1>Lamp</h1>"), { ...other, rank: 1 }],
    });
    expect(added).toMatchObject({ name: "Lamp", price: 3 });
  });
});

describe("without a schema", () => {
  const ask = (html: string, prompt: string | null) =>
    fill({ schema: null, pages: [{ url, finding: finding(html, { schema: null, prompt }) }] });

  it("gives fields that the prompt names and the page has", () => {
    const { data, evidence } = ask(
      `<title>Lamp</title><h1>Lamp</h1><p>Price: $12</p><p>Bulb socket: E27</p>`,
      "What is the price and the bulb socket?",
    );
    expect(data).toEqual({ price: 12, bulbSocket: "E27" });
    const by = `<h1>Lamps</h1><p>By <span class="author">Jane Doe</span></p>`;
    expect(ask(by, "the author").data).toEqual({ author: "Jane Doe" });
    expect(evidence.bulbSocket?.text).toBe("E27");
  });

  it("gives nothing and says so when the page has no evidence", () => {
    expect(ask(`<p>Hello</p>`, "founding year and number of employees")).toMatchObject({
      data: {},
      warning: expect.stringMatching(/Nothing was found/),
    });
  });

  it("without a prompt gives the structured data", () => {
    expect(
      ask(
        `<script type="application/ld+json">{"@type":"Event","name":"Fair","location":{"@type":"Place","name":"Hall"}}</script>`,
        null,
      ).data,
    ).toEqual({ name: "Fair", location: { name: "Hall" } });
    expect(
      ask(
        `<script type="application/ld+json">{"@type":"Product","name":"Oar","offers":[{"@type":"Offer","price":10},{"@type":"Offer","price":20}]}</script>`,
        null,
      ).data,
    ).toEqual({ name: "Oar", offers: [{ price: 10 }, { price: 20 }] });
  });
});

describe("any page and any schema", () => {
  const words = fc.constantFrom(
    "price",
    "name",
    "Ingredients",
    "author",
    "date",
    "$5",
    "4.5",
    "2010-05-01",
    "a@b.co",
    "x",
    "in stock",
    ":",
    "{",
    "&amp;",
  );
  const tags = fc.constantFrom(
    "div",
    "p",
    "h1",
    "h2",
    "table",
    "tr",
    "td",
    "th",
    "dl",
    "dt",
    "dd",
    "ul",
    "li",
    "span class=price",
    "script type=application/ld+json",
    "a href=/x",
    "div itemscope",
    "b itemprop=name",
  );
  const html = fc
    .array(
      fc.oneof(
        words,
        tags.map((tag) => `<${tag}>`),
        tags.map((tag) => `</${tag.split(" ")[0]}>`),
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join(" "));
  const scalar = fc.constantFrom<Record<string, unknown>>(
    { type: "string" },
    { type: "number" },
    { type: "integer" },
    { type: "boolean" },
    { enum: ["a", 1] },
    { type: "string", format: "date" },
    { type: ["string", "null"] },
    {},
    { anyOf: [{ type: "number" }, { type: "string" }] },
  );
  const names = fc.constantFrom(
    "price",
    "name",
    "ingredients",
    "author",
    "date",
    "email",
    "x",
    "__proto__",
    "constructor",
    "toString",
  );
  const schemas = fc
    .dictionary(
      names,
      fc.oneof(
        scalar,
        scalar.map((items) => ({ type: "array", items })),
        fc.dictionary(names, scalar).map((properties) => object(properties)),
        fc.dictionary(names, scalar).map((properties) => ({ type: "array", items: object(properties) })),
      ),
    )
    .map((properties) => object(properties));

  it("give valid data in short time, with evidence for each value", async () => {
    const { compileSchema } = await import("../schema/validator.ts");
    fc.assert(
      fc.property(html, schemas, (page, schema) => {
        const { data, evidence } = extract(page, schema);
        const validator = compileSchema(schema);
        expect(validator.ok && validator.errorsOf(data)).toEqual([]);
        for (const one of Object.values(evidence))
          expect(one).toMatchObject({ url, selector: expect.any(String), text: expect.any(String) });
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it.each<[string, string]>([
    ["deep", "<div>".repeat(5000)],
    ["wide", "<p>Price: $5</p>".repeat(20_000)],
    ["one long line", `<p>${"price: ".repeat(50_000)}</p>`],
    ["many rows", `<table>${"<tr><td>Price</td><td>$5</td></tr>".repeat(10_000)}</table>`],
    ["nested tables", "<table><tr><td>Price</td><td>".repeat(400)],
    ["one class", `<div class="${"price ".repeat(5000)}">$5</div>`],
    ["broken data", `<script type="application/ld+json">${'{"a":['.repeat(50_000)}</script>`],
    [
      "deep data",
      `<script type="application/ld+json">${'{"@type":"Product","offers":['.repeat(3000)}${"]}".repeat(3000)}</script>`,
    ],
    ["open brackets", `<script>${'a = {"b": '.repeat(20_000)}</script>`],
    ["figures", `<p>${"1,".repeat(100_000)}</p>`],
  ])("are bounded: %s", (_, page) => {
    const spentMs = startCpuTimer();
    extract(
      page,
      object({
        name: string,
        price: number,
        address: string,
        items: { type: "array", items: object({ name: string, price: number }) },
      }),
    );
    expect(spentMs()).toBeLessThan(8000);
  });
});
