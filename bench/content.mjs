// CPU of turning the HTML of one page into the markdown of its main content: warm, on generated pages of two sizes, in this
// process with nothing else running in it, and with as much room for short-lived objects as `npm start` gives a server. The figure is
// the median of the rounds.
import { readContent } from "../dist/content/reading/read-content.js";
import { contentModel, languageModel, markdownRequest } from "./content-request.mjs";
import { makeArticlePage } from "./fixtures/article-page.mjs";
import { median } from "./measure.mjs";

const tools = { model: contentModel(), languages: languageModel() };

const warmUpMs = 4000;
const rounds = 15;

function articlePage(count) {
  return makeArticlePage({
    menu: Array.from({ length: 40 }, (_, index) => `/menu/${index}`),
    links: Array.from({ length: count }, (_, index) => `/page/${index}`),
  });
}

/** A large page like those of news sites: scripts, a long menu, an article, teasers, comments, a footer. */
function largePage(bytes) {
  const article = articlePage(88);
  const teaser = (index) =>
    `<div class="teaser card card--small"><a href="/story/${index}"><img src="/i/${index}.jpg" alt="Picture ${index}"></a>` +
    `<h3 class="teaser__title"><a href="/story/${index}">Another story with a title of some length, number ${index}</a></h3>` +
    `<p class="teaser__text">A sentence that says what the story is about and ends soon.</p><span class="date">May ${index % 30}</span></div>`;
  const comment = (index) =>
    `<li class="comment"><div class="comment-author">Reader ${index}</div><div class="comment-body"><p>What reader ${index} ` +
    `has to say about the article, in two sentences. This is the second one, <a href="/user/${index}">with a link</a>.</p></div></li>`;
  const script = `<script>window.data=${JSON.stringify({ text: "x".repeat(40_000) })}</script>`;
  let teasers = "";
  let comments = "";
  for (let index = 0; article.length + teasers.length + comments.length + script.length < bytes; index += 1) {
    teasers += teaser(index);
    comments += comment(index);
  }
  const rest = `<section class="related"><h2>Related stories</h2>${teasers}</section><ol class="comment-list">${comments}</ol>${script}`;
  return article.replace("<footer>", `${rest}<footer>`);
}

export async function measure() {
  const small = cpuOf(articlePage(88));
  const large = cpuOf(largePage(221 * 1024));
  return [
    { what: `${small.kilobytes} KB page to main-content markdown: CPU`, value: small.ms, unit: "ms", bar: 1.5 },
    { what: `${large.kilobytes} KB page to main-content markdown: CPU`, value: large.ms, unit: "ms", bar: 30 },
  ];
}

function cpuOf(page) {
  const bytes = Buffer.from(page);
  const request = markdownRequest({ bytes, url: "https://example.com/page" });
  const startedAt = performance.now();
  let warmUps = 0;
  while (performance.now() - startedAt < warmUpMs || warmUps < 50) {
    readContent(request, tools);
    warmUps += 1;
  }
  const perRound = Math.max(5, Math.round((40 * 1024 * 30) / bytes.length));
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let index = 0; index < perRound; index += 1) readContent(request, tools);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / perRound;
  });
  return { ms: Math.round(median(times) * 100) / 100, kilobytes: Math.round(bytes.length / 1024) };
}
