// List pages of several kinds -> their items, without a schema and without a model.
import { describe, expect, it } from "vitest";
import { finding, titledPage } from "../../../test/support/extraction.ts";

const items = (html: string, selector: string | null = null) =>
  finding(html, { schema: null, prompt: null, linkedItems: { selector } }).linkedItems ?? [];
const shown = (html: string, selector: string | null = null) =>
  items(html, selector).map(({ title, url, date }) => [title, url?.replace("https://shop.test", ""), date]);

const menu = `<nav><ul>${["Home", "All our news", "About the team", "Write to us today"]
  .map((name, place) => `<li><a href="/menu/${place}">${name}</a></li>`)
  .join("")}</ul></nav>`;
const footer = `<footer><ul>${["Terms of this service", "Privacy of our readers", "Imprint and contact"]
  .map((name, place) => `<li><a href="/legal/${place}">${name}</a></li>`)
  .join("")}</ul></footer>`;
const three = [1, 2, 3];
const text = "Two boats came back with more cod than the harbour had seen in a whole year of good weather.";

const pages: Record<string, { html: string; found: unknown[] }> = {
  "a blog index": {
    html: three
      .map(
        (n) => `<article class="post-${n} post"><h2><a href="/blog/${n}">Notes of week ${n}</a></h2>
          <time datetime="2026-11-0${n}T08:00:00Z">day ${n}</time><p>${text}</p>
          <a class="tag" href="/tag/cod">cod</a> <a href="/blog/${n}#comments">${n} comments</a></article>`,
      )
      .join(""),
    found: three.map((n) => [`Notes of week ${n}`, `/blog/${n}`, `2026-11-0${n}T08:00:00.000Z`]),
  },
  "a list of headlines with dates": {
    html: `<ul class="news">${three
      .map((n) => `<li><span>0${n}.11.2026</span> <a href="/n/${n}">The harbour opens gate number ${n}</a></li>`)
      .join("")}</ul>`,
    found: three.map((n) => [`The harbour opens gate number ${n}`, `/n/${n}`, `2026-11-0${n}`]),
  },
  "a table of jobs": {
    html: `<table><tr><th>Job</th><th>Place</th><th>Posted</th></tr>${three
      .map((n) => `<tr><td><a href="/job/${n}">Net mender ${n}</a></td><td>Bergen</td><td>Nov ${n}, 2026</td></tr>`)
      .join("")}</table>`,
    found: three.map((n) => [`Net mender ${n}`, `/job/${n}`, `2026-11-0${n}`]),
  },
  "a grid of products in rows": {
    html: three
      .map(
        (row) =>
          `<div class="row">${three
            .map(
              (n) => `<div class="col"><a href="/p/${row}${n}"><img src="/i/${row}${n}.png" alt=""></a>
              <h3><a href="/p/${row}${n}">Storm lamp ${row}${n}</a></h3><span>$${n}0.00</span></div>`,
            )
            .join("")}</div>`,
      )
      .join(""),
    found: three.flatMap((row) => three.map((n) => [`Storm lamp ${row}${n}`, `/p/${row}${n}`, null])),
  },
  "lists under headings of days": {
    html: three
      .map(
        (day) =>
          `<section><h2>Day ${day}</h2><ul>${[1, 2]
            .map((n) => `<li><a href="/d/${day}${n}">A ship of line ${day}${n} arrives</a></li>`)
            .join("")}</ul></section>`,
      )
      .join(""),
    found: three.flatMap((day) => [1, 2].map((n) => [`A ship of line ${day}${n} arrives`, `/d/${day}${n}`, null])),
  },
  "cards that are links": {
    html: three.map((n) => `<a class="card" href="/c/${n}"><h3>Course ${n} on knots</h3><p>${text}</p></a>`).join(""),
    found: three.map((n) => [`Course ${n} on knots`, `/c/${n}`, null]),
  },
  "headlines in Japanese": {
    html: `<ul>${three.map((n) => `<li><a href="/jp/${n}">港で新しい灯台の工事が始まる第${n}報</a></li>`).join("")}</ul>`,
    found: three.map((n) => [`港で新しい灯台の工事が始まる第${n}報`, `/jp/${n}`, null]),
  },
  "an article with links in its text": {
    html: three
      .map((n) => `<p>${text} It is told <a href="/told/${n}">in the book of ${n} winters</a> as well. ${text}</p>`)
      .join(""),
    found: [],
  },
  "a page with two links": {
    html: `<ul><li><a href="/1">The first of two letters</a></li><li><a href="/2">The second of two letters</a></li></ul>`,
    found: [],
  },
  "links of one word": {
    html: `<ul>${["Cod", "Eel", "Ray", "Bass"].map((name) => `<li><a href="/${name}">${name}</a></li>`).join("")}</ul>`,
    found: [],
  },
};

describe("the items of a list page", () => {
  it.each(Object.entries(pages))("%s", (_, { html, found }) => {
    expect(shown(titledPage("Harbour", `${menu}${html}${footer}`))).toEqual(found);
  });

  it("have a summary and a picture", () => {
    const html = three.map(
      (n) => `<div class="item"><img src="/i/${n}.png"><a href="/x/${n}">Report number ${n}</a><p>${text}</p></div>`,
    );
    expect(items(titledPage("Reports", html.join("")))[0]).toEqual({
      title: "Report number 1",
      url: "https://shop.test/x/1",
      date: null,
      summary: text,
      image: "https://shop.test/i/1.png",
    });
  });

  it("are what a selector matches, with a link or without one", () => {
    const html = `<div class="job">Cook</div><div class="job"><a href="/mate">Mate</a></div><p>other</p>`;
    expect(shown(titledPage("Jobs", html), ".job")).toEqual([
      ["Cook", undefined, null],
      ["Mate", "/mate", null],
    ]);
    expect(items(titledPage("Jobs", html), ".none")).toEqual([]);
  });
});
