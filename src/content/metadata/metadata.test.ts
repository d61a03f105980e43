// What a page says about itself, from wherever it says it.
import { describe, expect, it } from "vitest";
import { readPage } from "../../../test/support/content.ts";
import type { ContentRequest } from "../reading/content-request.ts";

import type { PageMetadata } from "./metadata.ts";
import { readTime } from "./written-time.ts";

const languageOf = (text: string) => metadataOf(`<p>${text}`).language;

function metadataOf(html: string, changes: Partial<ContentRequest> = {}): PageMetadata {
  return readPage(html, { url: "https://site.test/news/page", ...changes }).metadata;
}

function linked(...things: object[]): string {
  return things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join("");
}

function meta(name: string, content: string): string {
  return `<meta name="${name}" content="${content}">`;
}

describe("times", () => {
  it.each([
    ["2026-01-02", "2026-01-02"],
    ["2026-1-2", "2026-01-02"],
    ["2026", "2026"],
    ["2026-03", "2026-03"],
    ["20260102", "2026-01-02"],
    ["2026-01-02T10:20:30Z", "2026-01-02T10:20:30Z"],
    ["2026-01-02T10:20:30.123+02:00", "2026-01-02T10:20:30+02:00"],
    ["2026-01-02T10:20:30:123Z", "2026-01-02T10:20:30Z"],
    ["2026-01-02T23:20-0500", "2026-01-02T23:20:00-05:00"],
    ["2026-01-02 10:20:30 UTC", "2026-01-02T10:20:30Z"],
    ["2026-01-02 10:20", "2026-01-02T10:20:00"],
    ["20260102T102030Z", "2026-01-02T10:20:30Z"],
    ["2026/01/02 10:20", "2026-01-02T10:20:00"],
    ["2.1.2026", "2026-01-02"],
    ["02.01.2026, 10:20 Uhr", "2026-01-02T10:20:00"],
    ["Fri, 02 Jan 2026 10:20:30 GMT", "2026-01-02T10:20:30Z"],
    ["Fri, 2 Jan 2026 10:20:30 -0500", "2026-01-02T10:20:30-05:00"],
    ["Fri Jan 02 10:20:30 UTC 2026", "2026-01-02T10:20:30Z"],
    ["January 2, 2026", "2026-01-02"],
    ["Friday, January 2nd, 2026, 10:20 PM EST", "2026-01-02T22:20:00-05:00"],
    ["Jan 2, 2026 at 12:05 a.m.", "2026-01-02T00:05:00"],
    ["2 January 2026", "2026-01-02"],
    ["2. März 2026", "2026-03-02"],
    ["2 de enero de 2026", "2026-01-02"],
    ["1er août 2026", "2026-08-01"],
    ["January 2026", "2026-01"],
    ["13/01/2026", "2026-01-13"],
    ["01/13/2026", "2026-01-13"],
    ["Fri Jan 02 2026 10:20:30 GMT+0100 (Central European Standard Time)", "2026-01-02T10:20:30+01:00"],
    ["Fri Jan 2 10:20:30 2026", "2026-01-02T10:20:30"],
    ["2026-01-02T10:20:30Z[UTC]", "2026-01-02T10:20:30Z"],
    ["2026-01-02T10:20:30\u221205:00", "2026-01-02T10:20:30-05:00"],
    ["2026-01-02+01:00", "2026-01-02"],
    ["2026年1月2日", "2026-01-02"],
    ["2026년 1월 2일 10:20", "2026-01-02T10:20:00"],
    ["2026. 1. 2.", "2026-01-02"],
    ["1767349230", "2026-01-02T10:20:30Z"],
    ["1767349230123", "2026-01-02T10:20:30Z"],
  ])("%s is %s", (written, time) => {
    expect(readTime(written)).toBe(time);
  });

  it.each([
    [
      "",
      "soon",
      "yesterday",
      "2 days ago",
      "{{date}}",
      "0001-01-01T00:00:00",
      "2026-13-01",
      "2026-02-30",
      "2026-01-02T25:00",
    ],
    [
      "02/03/2026",
      "00/00/2026",
      "31.02.2026",
      "1234",
      "12345",
      "9999999",
      "0000000001",
      "2026-01-02 and later",
      "9".repeat(90),
    ],
  ])("a text that is no time, or could be two, gives no time: %s, %s, %s …", (...written) => {
    expect(written.filter((text) => readTime(text) !== null)).toEqual([]);
  });

  it.each([
    ["Open Graph", '<meta property="article:published_time" content="2026-01-02T10:00:00+01:00">'],
    ["JSON-LD", linked({ "@type": "NewsArticle", datePublished: "2026-01-02T10:00:00+01:00" })],
    [
      "JSON-LD in a graph",
      linked({
        "@graph": [{ "@type": "Organization" }, { "@type": ["Article"], datePublished: "2026-01-02T10:00+01:00" }],
      }),
    ],
    ["JSON-LD of the page around it", linked({ "@type": "WebPage", datePublished: "2026-01-02T10:00:00+01:00" })],
    [
      "broken JSON-LD",
      '<script type="application/ld+json">{"@type":"Article","datePublished":"2026-01-02T10:00:00+01:00",}</script>',
    ],
    ["Dublin Core", meta("DC.date.issued", "2026-01-02T10:00:00+01:00")],
    ["Dublin Core terms", '<meta property="dcterms:created" content="2026-01-02T10:00:00+01:00">'],
    ["microdata in a tag", '<meta itemprop="datePublished" content="2026-01-02T10:00:00+01:00">'],
    ["microdata in an element", '<time itemprop="datePublished" datetime="2026-01-02T10:00:00+01:00">today</time>'],
    ["an element with a name", '<time class="entry-date published" datetime="2026-01-02T10:00:00+01:00">x</time>'],
    ["pubdate", '<time pubdate datetime="2026-01-02T10:00:00+01:00">x</time>'],
    ["tags of publishers", meta("parsely-pub-date", "2026-01-02T10:00:00+01:00")],
    ["tags in any case", meta("PubDate", "2026-01-02T10:00:00+01:00")],
    [
      "the next source when the first cannot be read",
      meta("date", "soon") + meta("pubdate", "2026-01-02T10:00:00+01:00"),
    ],
  ])("published: %s", (_name, html) => {
    expect(metadataOf(html)).toMatchObject({ publishedTime: "2026-01-02T10:00:00+01:00" });
    expect(metadataOf(html)).not.toHaveProperty("modifiedTime");
  });

  it.each([
    ["Open Graph", '<meta property="article:modified_time" content="2026-01-03">'],
    ["og:updated_time", '<meta property="og:updated_time" content="2026-01-03">'],
    ["JSON-LD", linked({ "@type": "BlogPosting", dateModified: "2026-01-03" })],
    ["Dublin Core terms", meta("dcterms.modified", "2026-01-03")],
    ["microdata", '<time itemprop="dateModified" datetime="2026-01-03">x</time>'],
    ["tags", meta("last-modified", "January 3, 2026")],
    ["an element with a name", '<time class="updated" datetime="2026-01-03">x</time>'],
  ])("modified: %s", (_name, html) => {
    expect(metadataOf(html)).toMatchObject({ modifiedTime: "2026-01-03" });
    expect(metadataOf(html)).not.toHaveProperty("publishedTime");
  });

  it.each([
    [
      "several posts",
      '<time class="entry-date" datetime="2026-01-02">a</time><time class="entry-date" datetime="2026-01-03">b</time>',
    ],
    ["an element without a name", '<p>Until <time datetime="2026-01-02">Friday</time></p>'],
    [
      "several articles, none of which is the page",
      linked({
        "@graph": [1, 2].map((day) => ({ "@type": "Article", url: `/a${day}`, datePublished: `2026-01-0${day}` })),
      }),
    ],
    [
      "entries of a list",
      linked({ "@type": "ItemList", itemListElement: [{ "@type": "Article", datePublished: "2026-01-02" }] }),
    ],
    ["an organization", linked({ "@type": "Organization", datePublished: "2026-01-02" })],
    ["a text that is no time", '<meta property="article:published_time" content="two days ago">'],
    ["a tag with the name of the answer", meta("publishedTime", "evil")],
  ])("not guessed: %s", (_name, html) => {
    expect(metadataOf(html)).not.toHaveProperty("publishedTime");
  });

  it("of several articles that of the page counts", () => {
    const posts = ["other", "page"].map((name, day) => ({
      "@type": "Article",
      mainEntityOfPage: { "@id": `https://www.site.test/news/${name}/#main` },
      datePublished: `2026-01-0${day + 1}`,
    }));
    expect(metadataOf(linked(...posts)).publishedTime).toBe("2026-01-02");
  });
});

describe("language", () => {
  it.each([
    ["an attribute", '<html lang="pt-BR"><p>a', "pt-BR"],
    ["an attribute of XHTML", '<html xml:lang="de"><p>a', "de"],
    ["a tag in the place of a header", '<meta http-equiv="Content-Language" content="fr">', "fr"],
    ["Dublin Core", meta("DC.language", "nl"), "nl"],
    ["JSON-LD", linked({ "@type": "Article", inLanguage: "sv-SE" }), "sv-SE"],
    ["Open Graph, where there is too little text", '<meta property="og:locale" content="en_GB"><p>a', "en-GB"],
  ])("by %s", (_name, html, language) => {
    expect(metadataOf(html).language).toBe(language);
  });

  const text =
    "Der Hafen war den größten Teil des Winters geschlossen, und die Boote, die man dort gelassen hatte, waren mit Eis bedeckt.";

  it("by detection when no attribute says it, from the main text alone", () => {
    expect(metadataOf(`<p>${text}</p>`).language).toBe("de");
    expect(metadataOf(`<html lang=""><p>${text}</p>`).language).toBe("de");
    expect(metadataOf(`<html lang="{{ lang }}"><p>${text}</p>`).language).toBe("de");
    expect(metadataOf(`<html lang="en"><p>${text}</p>`).language).toBe("en");
    const script = `<script>${"the of and to in is that for it with ".repeat(30)}</script>`;
    const menu = `<nav>${"<a href=/x>the news of the day and the weather</a>".repeat(20)}</nav>`;
    expect(
      metadataOf(`${script + menu}<main>${`<p>${text}</p>`.repeat(20)}</main>`, { onlyMainContent: true }).language,
    ).toBe("de");
  });

  it("by detection for outputs without text, and for files that are plain text", () => {
    const formats = { markdown: false, html: false, rawHtml: false, links: true, images: false, outlinks: false };
    expect(metadataOf(`<p>${text}</p>`, { formats }).language).toBe("de");
    expect(metadataOf(text, { contentType: "text/plain; charset=utf-8" }).language).toBe("de");
  });

  it.each([
    [
      "en",
      "The harbour was closed for most of the winter, and the boats that had been left there were covered with ice.",
    ],
    [
      "fr",
      "Le port est resté fermé pendant la plus grande partie de l'hiver, et les bateaux que l'on y avait laissés étaient couverts de glace.",
    ],
    [
      "es",
      "El puerto estuvo cerrado durante la mayor parte del invierno y los barcos que se habían dejado allí estaban cubiertos de hielo.",
    ],
    [
      "pt",
      "O porto esteve fechado durante a maior parte do inverno e os barcos que lá tinham sido deixados não estavam em uso.",
    ],
    [
      "it",
      "Il porto è rimasto chiuso per la maggior parte dell'inverno e le barche che erano state lasciate lì sono coperte di ghiaccio.",
    ],
    [
      "nl",
      "De haven was het grootste deel van de winter gesloten en de boten die er waren achtergelaten zijn met ijs bedekt.",
    ],
    [
      "sv",
      "Hamnen var stängd under större delen av vintern och båtarna som hade lämnats där är inte längre att se för folk.",
    ],
    [
      "da",
      "Havnen var lukket det meste af vinteren, og bådene, der var efterladt der, blev ikke dækket af is, men af sne.",
    ],
    [
      "no",
      "Havnen var stengt det meste av vinteren, og båtene som var etterlatt der, ble ikke dekket av is, men av snø.",
    ],
    [
      "fi",
      "Satama oli suljettu suurimman osan talvesta, ja veneet, jotka oli jätetty sinne, ovat nyt jään peitossa, mutta se ei haittaa.",
    ],
    [
      "pl",
      "Port był zamknięty przez większą część zimy, a łodzie, które w nim pozostawiono, są pokryte lodem i nie można do nich wejść.",
    ],
    [
      "cs",
      "Přístav byl většinu zimy zavřený a lodě, které v něm zůstaly, jsou pokryté ledem, takže se na ně nedá dostat ani po molu.",
    ],
    [
      "sk",
      "Prístav bol väčšinu zimy zatvorený a lode, ktoré v ňom ostali, sú pokryté ľadom, takže sa na ne nedá dostať ani po móle.",
    ],
    [
      "hu",
      "A kikötő a tél nagy részében zárva volt, és a hajók, amelyeket ott hagytak, jéggel vannak borítva, de ez nem baj.",
    ],
    [
      "ro",
      "Portul a fost închis în cea mai mare parte a iernii, iar bărcile care au fost lăsate acolo sunt acoperite de gheață și nu se mișcă.",
    ],
    [
      "tr",
      "Liman kışın büyük bir kısmında kapalıydı ve orada bırakılan tekneler için bu çok kötü oldu, ama daha sonra her şey düzeldi.",
    ],
    [
      "vi",
      "Cảng đã đóng cửa trong phần lớn mùa đông và những chiếc thuyền được để lại ở đó đã bị phủ băng, nhưng không có ai bị thương.",
    ],
    [
      "id",
      "Pelabuhan itu ditutup untuk sebagian besar musim dingin dan perahu yang ditinggalkan di sana tidak dapat digunakan oleh mereka.",
    ],
    [
      "hr",
      "Luka je bila zatvorena veći dio zime, a brodovi koji su ostali u njoj su prekriveni ledom, ali to nije bio problem za ljude.",
    ],
    [
      "ru",
      "Порт был закрыт большую часть зимы, и лодки, которые там оставили, покрылись льдом, но это не было проблемой для людей.",
    ],
    [
      "uk",
      "Порт був закритий більшу частину зими, і човни, які там залишили, вкрилися льодом, але це не було проблемою для людей.",
    ],
    [
      "bg",
      "Пристанището беше затворено през по-голямата част от зимата и лодките, които бяха оставени там, са покрити с лед.",
    ],
    ["el", "Το λιμάνι ήταν κλειστό το μεγαλύτερο μέρος του χειμώνα."],
    [
      "ar",
      "كان الميناء مغلقا في معظم فصل الشتاء، وقد غطى الجليد القوارب التي تركت هناك، كما قال الحارس الذي يعمل في الميناء.",
    ],
    [
      "fa",
      "بندر در بیشتر زمستان بسته بود و قایق‌هایی که در آن مانده بودند با یخ پوشیده شد، اما این برای مردم مشکل نبود.",
    ],
    ["he", "הנמל היה סגור רוב החורף והסירות כוסו בקרח."],
    ["hi", "बंदरगाह अधिकतर सर्दियों में बंद था और जो नावें वहाँ छोड़ी गई थीं वे बर्फ से ढकी हुई हैं, यह एक बड़ी समस्या है।"],
    ["th", "ท่าเรือปิดเกือบตลอดฤดูหนาว"],
    ["zh", "港口在冬天的大部分时间里都关闭了，留在那里的船被冰覆盖。"],
    ["ja", "港は冬のほとんどの間閉鎖され、そこに残された船は氷に覆われていた。"],
    ["ko", "항구는 겨울 대부분 동안 폐쇄되었고 그곳에 남겨진 배들은 얼음으로 덮여 있었다."],
  ])("%s is told by its text", (language, sentence) => {
    expect(languageOf(sentence)).toBe(language);
  });

  it("follows letters that an alphabet has or has not, and syllables before the letters of foreign names", () => {
    expect(languageOf("Приїжджий моряк співає, її човен іще біля причалу")).toBe("uk");
    expect(languageOf("부산항은 (Busan Port Container Terminal) 오늘 문을 열었다고 밝혔다")).toBe("ko");
    expect(languageOf("Қазақстанның кемелері бүгін айлақтан шығып, өзенмен жүзіп кетті")).toBeUndefined();
  });

  it("is left open where the text does not tell", () => {
    for (const unclear of [
      "",
      "a",
      "OK",
      "12345 67890",
      "const a = b.map((c) => c.id); return a.filter(Boolean).length + 1; let d = e.f(g, h)",
      "Lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor incididunt labore dolore magna aliqua",
    ])
      expect(languageOf(unclear)).toBeUndefined();
  });
});

describe("URLs", () => {
  it("says where it belongs: by links, the Link header and anchors, absolute and of the web only", () => {
    const html = `<link rel="next" href="?page=3"><link rel="prev" href="javascript:alert(1)"><link rel="alternate stylesheet" href="/dark.css">
      <link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" type="application/atom+xml" href="/feed">
      <a rel="nofollow prev" href="?page=1">Back</a><a rel="next" href="/other">More</a><a rel="up" href="#top">Up</a>`;
    const link = '</list>; rel="up first", <https://x.test/9>; title="a, b; c"; rel=last, <?page=7>; rel="next"';
    const response = { status: 200, headers: { link }, askedUrl: "https://site.test/news/page" };
    expect(metadataOf(html, { response }).relations).toEqual({
      next: "https://site.test/news/page?page=3",
      prev: "https://site.test/news/page?page=1",
      up: "https://site.test/list",
      first: "https://site.test/list",
      last: "https://x.test/9",
      alternates: [
        { url: "https://site.test/de/", language: "de" },
        { url: "https://site.test/feed", type: "application/atom+xml" },
      ],
    });
    expect(metadataOf('<a href="/x">x</a>')).not.toHaveProperty("relations");
  });

  it("canonical and feeds are absolute; only feeds are feeds", () => {
    const html = `<base href="https://base.test/x/"><link rel="canonical" href="../page">
      <link rel="alternate" type="application/rss+xml" href="/rss"><link rel="ALTERNATE feed" type="application/atom+xml; charset=utf-8" href="//feeds.test/atom">
      <link rel="alternate" type="application/feed+json" href="feed.json"><link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/1">
      <link rel="alternate" type="application/json+oembed" href="/oembed"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml" href="/rss">`;
    const { canonical, feeds } = metadataOf(html);
    expect(canonical).toBe("https://base.test/page");
    expect(feeds).toEqual(["https://base.test/rss", "https://feeds.test/atom", "https://base.test/x/feed.json"]);
  });

  it("tags that hold one are absolute, under both of their names; others stay as they are", () => {
    const html = `<base href="/b/"><meta property="og:image" content="/i.png"><meta property="og:image" content="j.png"><meta property="og:url" content="?x=1">
      <meta property="og:video" content="//v.test/v"><meta name="twitter:image" content="t.png"><meta property="og:image:alt" content="a.png"><meta property="og:audio" content="data:x">`;
    expect(metadataOf(html)).toMatchObject({
      ogImage: "https://site.test/i.png",
      "og:image": ["https://site.test/i.png", "https://site.test/b/j.png"],
      ogUrl: "https://site.test/b/?x=1",
      ogVideo: "https://v.test/v",
      "twitter:image": "https://site.test/b/t.png",
      "og:image:alt": "a.png",
      ogAudio: "data:x",
    });
  });

  it("an icon made for pages comes before one made for telephones", () => {
    const html = '<link rel="apple-touch-icon" href="/touch.png"><link rel="shortcut icon" href="/fav.ico">';
    expect(metadataOf(html).favicon).toBe("https://site.test/fav.ico");
    expect(metadataOf('<link rel="apple-touch-icon" href="/touch.png">').favicon).toBe("https://site.test/touch.png");
  });

  it("no page can write them as tags", () => {
    expect(metadataOf(meta("canonical", "evil") + meta("feeds", "evil") + meta("Language", "{{x}}"))).toEqual({
      title: "",
      description: "",
    });
  });
});

describe("vocabularies", () => {
  it("Twitter, Open Graph and others keep their own names beside the known ones", () => {
    const html = `<meta name="Twitter:Card" content="summary"><meta property="og:image" content="/i.png"><meta property="OG:Image:Alt" content="Alt">`;
    expect(metadataOf(html)).toMatchObject({
      "twitter:card": "summary",
      ogImage: "https://site.test/i.png",
      "og:image": "https://site.test/i.png",
      "og:image:alt": "Alt",
    });
  });

  it("every element of Dublin Core has a name", () => {
    const html =
      meta("DC.title", "T") +
      meta("dc.creator", "A") +
      meta("DC.creator", "B") +
      meta("DC.date.created", "2025") +
      meta("dcterms.rightsHolder", "R") +
      '<meta property="dcterms:abstract" content="X">';
    expect(metadataOf(html)).toMatchObject({
      title: "T",
      dcTitle: "T",
      dcCreator: "A, B",
      dcDateCreated: "2025",
      dcTermsRightsholder: "R",
      dcTermsAbstract: "X",
    });
  });

  it("JSON-LD fills what tags have not said, from the page's own subject", () => {
    const article = {
      "@context": "https://schema.org",
      "@type": "NewsArticle",
      headline: "Winter in the harbour",
      description: "Ice",
      author: [{ "@type": "Person", name: "Ada" }, { name: "Ben" }],
      publisher: { "@type": "Organization", name: "The Post" },
      articleSection: ["News", "Sea"],
      keywords: ["ice", "boats"],
    };
    expect(metadataOf(linked({ "@type": "WebSite", name: "Site" }, article))).toEqual({
      title: "Winter in the harbour",
      description: "Ice",
      author: "Ada, Ben",
      authors: ["Ada", "Ben"],
      publisher: "The Post",
      articleSection: "News, Sea",
      keywords: "ice, boats",
    });
    const tags = `<title>Own</title>${meta("author", "Cy")}${meta("keywords", "k")}`;
    expect(metadataOf(tags + linked(article))).toMatchObject({ title: "Own", author: "Cy", keywords: "k" });
  });

  it("linked data of any shape harm nothing", () => {
    for (const data of [
      null,
      1,
      "x",
      [],
      [[[[[[{}]]]]]],
      { "@type": 1 },
      { "@graph": "x" },
      { "@type": "Article", author: { name: { name: 1 } }, headline: [{}], datePublished: {} },
    ])
      expect(metadataOf(`<script type="application/ld+json">${JSON.stringify(data)}</script>`)).toEqual({
        title: "",
        description: "",
      });
    const deep = `${'{"mainEntity":'.repeat(5000)}{}${"}".repeat(5000)}`;
    expect(metadataOf(`<script type="application/ld+json">${deep}</script>`)).toEqual({ title: "", description: "" });
    const own =
      '<script type="application/ld+json">{"@type":"Article","headline":"H","__proto__":{"author":"evil"}}</script>';
    expect(Object.getPrototypeOf(metadataOf(own))).toBe(Object.prototype);
  });
});

describe("days of publication that no markup says", () => {
  const url = "https://news.test/story";
  const dayOf = (html: string, from = url) => {
    const { publishedTime, dateEvidence } = metadataOf(html, { url: from });
    return [publishedTime, dateEvidence];
  };

  it("are read from the path of the URL", () => {
    expect(dayOf("<h1>Ice</h1>", "https://news.test/2024/03/05/ice")).toEqual(["2024-03-05", "URL path"]);
    expect(dayOf("<h1>Ice</h1>", "https://news.test/ice-05032024.html")).toEqual(["2024-03-05", "URL path"]);
  });

  it.each([
    ["de", "5. März 2024"],
    ["fr", "5 mars 2024 à 10h30"],
    ["es", "5 de marzo de 2024"],
    ["pl", "5 marca 2024"],
    ["cs", "5. března 2024"],
    ["fi", "5. maaliskuuta 2024"],
    ["hu", "2024. március 5."],
    ["tr", "5 Mart 2024"],
    ["el", "5 Μαρτίου 2024"],
    ["ru", "5 марта 2024"],
    ["uk", "5 березня 2024"],
    ["ar", "٥ مارس ٢٠٢٤"],
    ["ar", "الثلاثاء 5 آذار / مارس 2024"],
    ["he", "5 במרץ 2024"],
    ["hi", "5 मार्च 2024"],
    ["ja", "2024年3月5日"],
    ["ko", "2024년 3월 5일"],
    ["th", "5 มีนาคม 2567"],
    ["en-US", "3/5/2024"],
    ["en-GB", "5/3/2024"],
    ["de", "05.03.24"],
  ])("are read beside the title: %s %s", (language, written) => {
    const html = `<html lang="${language}"><title>Ice</title><h1>Ice</h1><div class="meta">${written}</div><p>Story.</p><footer>© 2019, 1.1.2019</footer>`;
    expect(dayOf(html)).toEqual(["2024-03-05", "text in div.meta"]);
  });

  it("are not those of copyright lines, menus and teasers", () => {
    const html = `<title>Ice</title><h1>Ice</h1><p>Text.</p><aside class="related"><a href="/x">Snow, seen on 5 May 2023 in the north of the country</a></aside>
      <footer>© 1 January 2019</footer>`;
    expect(dayOf(html)).toEqual([undefined, undefined]);
  });

  it("are the only day of the description where nothing else says one", () => {
    const described = meta("description", "Ice in the harbour (5 March 2024)");
    expect(dayOf(`${described}<h1>Ice</h1>`)).toEqual(["2024-03-05", "meta description"]);
    expect(dayOf(`${meta("description", "From 5 March 2024 to 7 March 2024")}<h1>Ice</h1>`)[0]).toBeUndefined();
    expect(dayOf(`${described}<time datetime="2024-03-09">`)[0]).toBe("2024-03-09");
  });

  it("are those of the path where a page got a new date when it moved", () => {
    const html = `<meta property="article:published_time" content="2026-01-17T18:28:00+02:00">`;
    expect(dayOf(html, "https://news.test/2024/3/5/ice")).toEqual(["2024-03-05", "URL path"]);
    expect(dayOf(html, "https://news.test/ice-05032024.html")[0]).toBe("2026-01-17T18:28:00+02:00");
  });

  it("correct the day of markup in UTC by that of the page", () => {
    const html = `<meta property="article:published_time" content="2024-03-06T02:11:03Z">`;
    expect(dayOf(html, "https://news.test/2024/03/05/ice")).toEqual(["2024-03-05", "URL path"]);
    expect(dayOf(html)).toEqual(["2024-03-06T02:11:03Z", "meta article:published_time"]);
  });
});
