// One page as extraction sees it: its text, its titles, its meta tags, the things of its structured data.

import type { Element } from "domhandler";
import { parseUrl } from "../../base/index.ts";
import type { PageSource, PageUrls } from "../../content/index.ts";
import { attribute } from "../../html/index.ts";
import { keyOf } from "../lexicon/names.ts";
import type { Entity } from "./entities.ts";
import { readItems } from "./items.ts";
import { readJsonLd } from "./json-ld.ts";
import { TextOfPage } from "./text-pieces.ts";
import { findTitles, type TitleCandidate } from "./title.ts";

export class ParsedPage {
  readonly text: TextOfPage;
  readonly urls: PageUrls;
  readonly entities: Entity[];
  readonly links: Element[];
  private readonly around: readonly string[];
  private foundTitles: TitleCandidate[] | null = null;
  private titlePiece: number | null = null;
  private readonly metas = new Map<string, { text: string; element: Element }>();

  /** Of the page's head. */
  readonly headTitle: string;
  readonly url: string;
  private readonly relations: readonly Element[];
  private readonly images: readonly Element[];
  private alts: Map<string, string> | null = null;

  /** `around`: words for the kind of thing that is looked for. */
  constructor({ root, parts, urls, url }: PageSource, around: readonly string[]) {
    this.headTitle = parts.title;
    this.url = url;
    this.relations = parts.relations;
    this.images = parts.images;
    this.text = new TextOfPage(root);
    this.urls = urls;
    this.links = parts.anchors;
    for (const element of parts.metas) {
      const name = (
        attribute(element, "property") ??
        attribute(element, "name") ??
        attribute(element, "itemprop") ??
        ""
      ).toLowerCase();
      const text = attribute(element, "content")?.trim();
      if (name && text && !this.metas.has(name)) this.metas.set(name, { text, element });
    }
    this.entities = [...readJsonLd(this.text.scripts), ...readItems(this.text, parts.metas, urls)];
    this.around = around;
  }

  /** Looked for when they are needed. */
  get titles(): TitleCandidate[] {
    if (this.foundTitles) return this.foundTitles;
    const title = this.headTitle;
    const social = this.meta("og:title")?.text ?? "";
    const siteName = this.meta("og:site_name")?.text ?? "";
    this.foundTitles = findTitles(this.text, { title, social, siteName }, this.around);
    return this.foundTitles;
  }

  /** The piece of text that holds the likeliest title; 0 when no piece does. */
  get titleAt(): number {
    if (this.titlePiece === null) {
      const heading = this.titles.find(({ element }) => element !== null)?.element;
      this.titlePiece = heading ? this.text.range(heading).from : 0;
    }
    return this.titlePiece;
  }

  /** Whether a text is what the site calls itself. */
  isSiteName(text: string): boolean {
    const key = keyOf(text);
    const ends = [this.headTitle.split(/\s[|–—-]\s/).at(-1) ?? "", this.meta("og:site_name")?.text ?? ""].map(keyOf);
    const host = keyOf((parseUrl(this.url)?.hostname ?? "").replace(/^www\./, "").replace(/\.[^.]+$/, ""));
    return ends.includes(key) || (key.length > 3 && (host === key || key === `the${host}`));
  }

  /** English without a country may be American, where the month comes first; so may pages that do not say. */
  get isDayFirst(): boolean {
    const [html] = this.text.elements;
    return !/^(?:$|en$|en-(?:us|ph)\b)/i.test((html?.name === "html" && attribute(html, "lang")) || "");
  }

  /** The URL that the page gives as its own. */
  get ownUrl(): { text: string; element: Element } | null {
    const link = this.relations.find((element) => /(?:^|\s)canonical(?:\s|$)/i.test(attribute(element, "rel") ?? ""));
    const text = link && attribute(link, "href");
    return text ? { text, element: link } : this.meta("og:url");
  }

  /** What the page says of a picture for those who do not see it; "" when nothing. */
  altOf(url: string): string {
    this.alts ??= new Map(
      this.images.flatMap((image) => {
        const alt = attribute(image, "alt")?.replace(/\s+/g, " ").trim();
        const source = attribute(image, "src");
        const shown = source ? this.urls.web(source) : null;
        return alt && shown ? [[shown, alt] as const] : [];
      }),
    );
    return this.alts.get(url) ?? "";
  }

  meta(name: string): { text: string; element: Element } | null {
    return this.metas.get(name) ?? null;
  }
}
