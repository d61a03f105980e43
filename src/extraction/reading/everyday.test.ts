// Schemas that people write, on pages with usual markup: in other words, in other languages, as lists, and without an answer.
import { describe, expect, it } from "vitest";
import { extract } from "../../../test/support/extraction.ts";

const text = { type: "string" };
const number = { type: "number" };
const day = { type: "string", format: "date" };
const link = { type: "string", format: "uri" };
const yesNo = { type: "boolean" };
const texts = { type: "array", items: text };
const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const list = (properties: Record<string, unknown>) => ({ type: "array", items: object(properties) });

function page(title: string, main: string, { head = "", language = "en" } = {}): string {
  return `<!doctype html><html lang="${language}"><head><title>${title}</title>${head}</head><body>
    <header><a class="logo" href="/">Acme</a><nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Products</a></li></ul></nav></header>
    <main>${main}</main><footer><p>© 2024 Acme Inc. All rights reserved.</p></footer></body></html>`;
}
const data = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const read = (html: string, schema: Record<string, unknown>) => extract(html, schema).data;

type Case = [string, string, Record<string, unknown>, unknown];

describe("fields in other words", () => {
  it.each<Case>([
    [
      "a job",
      page(
        "Senior Engineer at Nimbus | Jobs",
        `<h1>Senior Engineer</h1><div class="company">Nimbus GmbH</div><ul><li><b>Location:</b> Berlin, Germany</li><li><b>Salary:</b> €70,000 – €90,000 a year</li><li><b>Employment type:</b> Full-time</li></ul><h2>Requirements</h2><ul><li>TypeScript</li><li>SQL</li></ul><h2>Benefits</h2><ul><li>Lunch</li></ul>`,
      ),
      { title: text, company: text, location: text, salary: text, employment_type: text, requirements: texts },
      {
        title: "Senior Engineer",
        company: "Nimbus GmbH",
        location: "Berlin, Germany",
        salary: "€70,000 – €90,000 a year",
        employment_type: "Full-time",
        requirements: ["TypeScript", "SQL"],
      },
    ],
    [
      "parts of a job's place and pay in structured data",
      page("x", "<h1>Senior Engineer</h1>", {
        head: data({
          "@type": "JobPosting",
          title: "Senior Engineer",
          jobLocation: { address: { addressLocality: "Berlin", postalCode: "10115", addressCountry: "DE" } },
          baseSalary: { currency: "EUR", value: { minValue: 70000, maxValue: 90000 } },
        }),
      }),
      { city: text, zip: text, country: text, salary_min: number, salary_max: number, salary_currency: text },
      { city: "Berlin", zip: "10115", country: "DE", salary_min: 70000, salary_max: 90000, salary_currency: "EUR" },
    ],
    [
      "a flat in German",
      page(
        "3-Zimmer-Wohnung",
        `<h1>3-Zimmer-Wohnung in Köln</h1><dl><dt>Kaltmiete</dt><dd>1.150,50 €</dd><dt>Zimmer</dt><dd>3</dd><dt>Wohnfläche</dt><dd>82,5 m²</dd><dt>Baujahr</dt><dd>1974</dd></dl>`,
        { language: "de" },
      ),
      { rent: number, rooms: number, area: number, year_built: number },
      { rent: 1150.5, rooms: 3, area: 82.5, year_built: 1974 },
    ],
    [
      "a thing in French",
      page(
        "Lampe",
        `<h1>Lampe de bureau</h1><p class="prix">1 299,90 €</p><p>Marque : Lumina</p><p>Référence : LB-200</p><p>Disponibilité : En stock</p><p>Délai de livraison : 3 jours</p>`,
        { language: "fr" },
      ),
      { name: text, price: number, currency: text, brand: text, sku: text, in_stock: yesNo, delivery_time: text },
      {
        name: "Lampe de bureau",
        price: 1299.9,
        currency: "EUR",
        brand: "Lumina",
        sku: "LB-200",
        in_stock: true,
        delivery_time: "3 jours",
      },
    ],
    [
      "days by the page's language",
      page(
        "Konzert",
        "<h1>Konzert</h1><p>Datum: 03.04.2024</p><p>Ende: 3/5/2024</p><p>Bewerbungsschluss: 1. März 2024</p>",
        {
          language: "de",
        },
      ),
      { date: day, end_date: day },
      { date: "2024-04-03", end_date: "2024-05-03" },
    ],
    [
      "names that end in a unit",
      page("House", "<h1>House</h1><p>Living area: 1,850 sq ft</p><p>Weight: 3 kg</p><p>Runtime: 1h 56min</p>"),
      { area_sqft: number, weight_kg: number, runtime_minutes: number },
      { area_sqft: 1850, weight_kg: 3, runtime_minutes: 116 },
    ],
    [
      "counts, and numbers in thousands",
      page(
        "Trattoria",
        "<h1>Trattoria</h1><p>Rating: 4.6 out of 5 (210 reviews)</p><table><tr><td>Employees</td><td>120</td></tr></table><p>Followers: 1.2k</p>",
      ),
      { rating: number, review_count: number, number_of_employees: number, followers: number },
      { rating: 4.6, review_count: 210, number_of_employees: 120, followers: 1200 },
    ],
    [
      "links by the host that the field names, and where a link leads",
      page(
        "Contact",
        `<h1>Contact</h1><p>Tel: +39 06 123456</p><p>Repository: <a href="https://git.example/a/b">a/b</a></p><a href="https://www.linkedin.com/company/borealis">In</a><a href="https://twitter.com/intent/tweet?u=1">Share</a>`,
      ),
      { phone: text, linkedin: link, repository: link },
      {
        phone: "+39 06 123456",
        linkedin: "https://www.linkedin.com/company/borealis",
        repository: "https://git.example/a/b",
      },
    ],
    [
      "names that begin with the thing, and labels that are written apart",
      page("Inn", "<h1>Lake Inn</h1><p>Price: €95</p><p>Free Wi-Fi: Yes</p><p>Pets allowed: No</p>"),
      { hotel_name: text, hotel_price: number, free_wifi: yesNo, pets_allowed: yesNo },
      { hotel_name: "Lake Inn", hotel_price: 95, free_wifi: true, pets_allowed: false },
    ],
    [
      "dates and life dates beside their names",
      page(
        "Ada",
        `<h1>Ada Lovelace</h1><p>Published <time>3 February 2024</time> · Updated 5 February 2024</p><table><tr><th>Born</th><td>10 December 1815</td></tr><tr><th>Died</th><td>27 November 1852</td></tr></table>`,
      ),
      { published: text, updated: text, birth_date: day, death_date: day },
      {
        published: "3 February 2024",
        updated: "5 February 2024",
        birth_date: "1815-12-10",
        death_date: "1852-11-27",
      },
    ],
  ])("finds %s", (_, html, properties, expected) => {
    expect(read(html, object(properties))).toEqual(expected);
  });
});

describe("lists", () => {
  const questions = [
    { question: "How do I return an item?", answer: "Send it back within 30 days." },
    { question: "Can I pay later?", answer: "No." },
  ];
  it.each<[string, (question: string, answer: string) => string]>([
    ["headings", (question, answer) => `<h3>${question}</h3><p>${answer}</p>`],
    ["blocks", (question, answer) => `<div class="item"><h3>${question}</h3><div>${answer}</div></div>`],
    ["parts to unfold", (question, answer) => `<details><summary>${question}</summary><p>${answer}</p></details>`],
    ["terms", (question, answer) => `<dt>${question}</dt><dd>${answer}</dd>`],
  ])("of questions are found in %s", (name, write) => {
    const more = { question: "Do you ship abroad?", answer: "Yes, to 40 countries." };
    const all = name === "blocks" ? [...questions, more] : questions;
    const written = all.map(({ question, answer }) => write(question, answer)).join("");
    const html = page("FAQ", `<h1>FAQ</h1>${name === "terms" ? `<dl>${written}</dl>` : `<div>${written}</div>`}`);
    expect(read(html, object({ faqs: list({ question: text, answer: text }) }))).toEqual({ faqs: all });
  });

  it.each<Case>([
    [
      "releases under headings, with their changes",
      page(
        "Changelog",
        "<h1>Changelog</h1><h2>2.1.0 (2024-05-02)</h2><ul><li>Adds search</li><li>Fixes a leak</li></ul><h2>v2.0.0 (2024-03-01)</h2><ul><li>New API</li></ul>",
      ),
      { releases: list({ version: text, date: day, changes: texts }) },
      {
        releases: [
          { version: "2.1.0", date: "2024-05-02", changes: ["Adds search", "Fixes a leak"] },
          { version: "2.0.0", date: "2024-03-01", changes: ["New API"] },
        ],
      },
    ],
    [
      "plans with what they hold",
      page(
        "Pricing",
        ["Free 0", "Pro 12", "Team 49"]
          .map((plan) => plan.split(" "))
          .map(
            ([name, price]) =>
              `<div class="plan"><h2>${name}</h2><p class="price">$${price} / month</p><ul><li>${price} users</li><li>Mail</li></ul></div>`,
          )
          .join(""),
      ),
      { plans: list({ name: text, price: number, features: texts }) },
      {
        plans: [
          { name: "Free", price: 0, features: ["0 users", "Mail"] },
          { name: "Pro", price: 12, features: ["12 users", "Mail"] },
          { name: "Team", price: 49, features: ["49 users", "Mail"] },
        ],
      },
    ],
    [
      "people with their mail",
      page(
        "Team",
        ["Ann", "Bo", "Cy"]
          .map(
            (name) =>
              `<div class="card"><h3>${name} Lee</h3><p class="role">Maker</p><a href="mailto:${name}@x.example">Mail</a></div>`,
          )
          .join(""),
      ),
      { members: list({ name: text, role: text, email: text }) },
      {
        members: ["Ann", "Bo", "Cy"].map((name) => ({
          name: `${name} Lee`,
          role: "Maker",
          email: `${name}@x.example`,
        })),
      },
    ],
  ])("of %s are found", (_, html, properties, expected) => {
    expect(read(html, object(properties))).toEqual(expected);
  });

  it("are empty where headings only divide a text", () => {
    const main = ["Description", "Care", "Delivery"]
      .map((head) => `<h2>${head}</h2><p>A lamp that is blue and shines very well at night.</p>`)
      .join("");
    const html = page("Blue lamp", `<h1>Blue lamp</h1>${main}`);
    expect(read(html, object({ products: list({ name: text, description: text }) }))).toEqual({});
  });
});

describe("nothing is guessed", () => {
  it.each<Case>([
    [
      "whose name, price or address it is says the field, and the page says another's",
      page(
        "About Borealis",
        "<h1>About Borealis</h1><p>Price: $10</p><p>Address: 12 Main Street, Springfield, IL 62701</p>",
      ),
      { ceo_name: text, shipping_price: number, billing_address: text, head_coach: text },
      {},
    ],
    [
      "one of many rows",
      page(
        "Ann Oz",
        "<h1>Ann Oz</h1><table><tr><th>Season</th><th>Team</th><th>Goals</th></tr><tr><td>2019</td><td>Reds</td><td>3</td></tr><tr><td>2020</td><td>Blues</td><td>5</td></tr></table>",
      ),
      { name: text, team: text, goals: number },
      { name: "Ann Oz" },
    ],
    [
      "prices of other things",
      page(
        "Lamp",
        `<h1>Lamp</h1><p>Ask for an offer.</p><ul><li><a href="/1"><b>Desk</b> <span>$5.00</span></a></li><li><a href="/2"><b>Chair</b> <span>$7.00</span></a></li></ul>`,
      ),
      { name: text, price: number },
      { name: "Lamp" },
    ],
    [
      "a former price",
      page("Lamp", "<h1>Lamp</h1><table><tr><td>Price:</td><td><del>$64.27</del> <b>$43.97</b></td></tr></table>"),
      { price: number },
      { price: 43.97 },
    ],
    [
      "a date of which the page does not say what it is of",
      page("Ada", "<h1>Ada Lovelace</h1><p>10 December 1815</p>"),
      { death_date: text, updated: text, deadline: text },
      {},
    ],
    [
      "a number in another unit",
      page("House", "<h1>House</h1><p>Living area: 82 m²</p><p>Weight: 3 kg</p>"),
      { area_sqft: number, weight_lbs: number },
      {},
    ],
    [
      "one of several links, or a link that shares the page",
      page(
        "Post",
        `<h1>Post</h1><a href="https://github.com/a/b">x</a><a href="https://github.com/c/d">y</a><a href="https://www.facebook.com/sharer/sharer.php?u=1">Share</a>`,
      ),
      { github: text, facebook: text },
      {},
    ],
    [
      "a part of the site's name",
      page(
        "Hoops.com : Ann Lee Info Page",
        "<ul><li>Hoops</li><li>Teams</li></ul><ul><li>Ann Lee</li><li>Center</li></ul>",
        {
          head: '<meta property="og:site_name" content="Hoops.com">',
        },
      ),
      { name: text },
      { name: "Ann Lee" },
    ],
  ])("not %s", (_, html, properties, expected) => {
    expect(read(html, object(properties))).toEqual(expected);
  });
});

describe("of several prices", () => {
  it.each([
    [
      "regular and sale in one element",
      '<div class="price"><span class="regular">$20.00</span> <span class="sale">$15.00</span></div>',
      15,
    ],
    [
      "prices of two looks",
      '<div class="prices"><b class="price regular">$20.00</b> <b class="price sale">$15.00</b></div>',
      15,
    ],
    ["a former price in words", "<p>Regular price: $20.00</p><p>Sale price: $15.00</p>", 15],
    ["a regular price alone", '<span class="price price--regular">$20.00</span>', 20],
  ])("%s: the one of today", (_what, prices, price) => {
    expect(read(page("Lamp", `<h1>Lamp</h1>${prices}`), object({ name: text, price: number }))).toEqual({
      name: "Lamp",
      price,
    });
  });
});
