// The audio and video that a page embeds, links or describes. Nothing of it is loaded.
import type { AnyNode, Document, Element } from "domhandler";
import {
  attribute,
  isAmong,
  isElement,
  isThing,
  type PageParts,
  readLooseJson,
  readMetaValues,
  type Thing,
  textOf,
  walk,
} from "../../html/index.ts";
import type { PageUrls } from "../links/page-urls.ts";
import { kindOfFile, type MediaKind, playerOf, typeOfFile } from "./media-kinds.ts";

export interface MediaCaptions {
  /** Of the file with the captions; absent where the page itself holds the text. */
  url?: string;
  kind: string;
  language?: string;
  label?: string;
  text?: string;
}

export interface PageMedia {
  url: string;
  /** Media type, as far as it is known; a player is "text/html". */
  type?: string;
  title?: string;
  /** In seconds. */
  duration?: number;
  poster?: string;
  captions?: MediaCaptions[];
}

interface MediaPage {
  root: Document;
  parts: PageParts;
  urls: PageUrls;
  /** Elements that no visitor sees. */
  hidden: ReadonlySet<AnyNode>;
}

/** How likely the page shows it, the likeliest first. */
const ranks = { element: 0, data: 1, meta: 2, player: 3, link: 4 };
type Origin = keyof typeof ranks;

const maxMedia = 200;
const maxCaptions = 20;
const maxTranscript = 200_000;
const maxThings = 2000;
const maxDepth = 8;
const longestTitle = 300;

/** Each once: what the page plays before what it only links. */
export function readMedia(kind: MediaKind, page: MediaPage): PageMedia[] {
  const collector = new Collector(kind);
  readElements(page, collector);
  readData(page, collector);
  readMetas(page, collector);
  return collector.inOrder();
}

type Facts = { [Name in keyof Omit<PageMedia, "url">]: PageMedia[Name] | undefined };

/** Without what a page does not say. */
function given<Given extends object>(facts: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const said = Object.entries(facts).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(said) as ReturnType<typeof given<Given>>;
}

class Collector {
  readonly kind: MediaKind;
  private readonly found = new Map<string, { media: PageMedia; rank: number }>();

  constructor(kind: MediaKind) {
    this.kind = kind;
  }

  /** Completes what is known already. */
  add(origin: Origin, url: string | null | undefined, facts: Facts): void {
    if (!url) return;
    const known = this.found.get(url);
    if (!known && this.found.size >= maxMedia) return;
    const media: PageMedia = { ...given(facts), ...known?.media, url };
    const captions = [...(known?.media.captions ?? []), ...(facts.captions ?? [])].slice(0, maxCaptions);
    if (captions.length > 0) media.captions = captions;
    else delete media.captions;
    this.found.set(url, { media, rank: Math.min(ranks[origin], known?.rank ?? ranks.link) });
  }

  inOrder(): PageMedia[] {
    return [...this.found.values()].sort((one, other) => one.rank - other.rank).map(({ media }) => media);
  }
}

function readElements({ root, urls, hidden }: MediaPage, collector: Collector): void {
  const { kind } = collector;
  const seenTitle = (node: Element, text: string | undefined) => (isAmong(node, hidden) ? undefined : oneLine(text));
  walk(root, (node) => {
    if (!isElement(node)) return true;
    const { name } = node;
    if (name === kind || name === `amp-${kind}`) addPlayed(node, urls, collector);
    else if (name === "iframe" || name === "amp-iframe" || name === "embed" || name === "object") {
      const written = ["src", "data-src", "data-lazy-src", "data"].map((each) => attribute(node, each)).find(Boolean);
      const url = urls.web(written ?? "");
      if (url !== null && playerOf(url) === kind)
        collector.add("player", url, { type: "text/html", title: seenTitle(node, attribute(node, "title")) });
      else if (url !== null && name !== "iframe" && kindOfFile(url) === kind)
        collector.add("element", url, { type: bareType(attribute(node, "type") ?? typeOfFile(url)) });
    } else if (name === "lite-youtube" && kind === "video") {
      const id = /^[\w-]{5,20}$/.exec(attribute(node, "videoid") ?? "")?.[0];
      if (id) collector.add("player", `https://www.youtube.com/watch?v=${id}`, { type: "text/html" });
    } else if (name === "a") {
      const url = urls.web(attribute(node, "href") ?? "");
      if (url !== null && kindOfFile(url) === kind)
        collector.add("link", url, { type: bareType(typeOfFile(url)), title: seenTitle(node, textOf(node, hidden)) });
    }
    return name !== "svg" && name !== "math";
  });
}

function addPlayed(element: Element, urls: PageUrls, collector: Collector): void {
  let url = urls.web(attribute(element, "src") ?? attribute(element, "data-src") ?? "");
  let type = attribute(element, "type");
  const captions: MediaCaptions[] = [];
  walk(element, (node) => {
    if (!isElement(node)) return false;
    if (node.name === "source" && url === null) {
      url = urls.web(attribute(node, "src") ?? attribute(node, "data-src") ?? "");
      type = attribute(node, "type");
    }
    const src = node.name === "track" ? urls.web(attribute(node, "src") ?? "") : null;
    const kind = attribute(node, "kind")?.toLowerCase() ?? "subtitles";
    if (src !== null && /^(?:subtitles|captions|descriptions)$/.test(kind))
      captions.push({ url: src, kind, ...given({ language: short(node, "srclang"), label: short(node, "label") }) });
    return true;
  });
  if (url === null) return;
  collector.add("element", url, {
    type: bareType(type ?? typeOfFile(url)),
    title: oneLine(attribute(element, "title") ?? attribute(element, "aria-label")),
    duration: seconds(attribute(element, "data-duration") ?? attribute(element, "duration")),
    poster: urls.web(attribute(element, "poster") ?? "") ?? undefined,
    captions,
  });
}

const typeNames = { video: /VideoObject$/, audio: /(?:AudioObject|Audiobook|MusicRecording|PodcastEpisode)$/ };

/** Linked data describe media best: title, length, picture, sometimes the whole transcript. */
function readData({ parts, urls }: MediaPage, collector: Collector): void {
  let things = 0;
  const visit = (value: unknown, depth: number): void => {
    if (depth > maxDepth || things > maxThings || typeof value !== "object" || value === null) return;
    if (isThing(value)) {
      things += 1;
      const types = [value["@type"]].flat().map(String);
      if (types.some((type) => typeNames[collector.kind].test(type))) addThing(value, urls, collector);
    }
    for (const below of Object.values(value)) visit(below, depth + 1);
  };
  for (const script of parts.data) visit(readLooseJson(textOf(script)), 0);
}

function addThing(thing: Thing, urls: PageUrls, collector: Collector): void {
  const text = (name: string) => textIn(thing[name]);
  const [url, embed] = [text("contentUrl"), text("embedUrl")].map((written) => urls.web(written));
  const transcript = text("transcript").slice(0, maxTranscript);
  const language = text("inLanguage").slice(0, longestTitle);
  collector.add("data", url || embed, {
    type: bareType(text("encodingFormat") || (url ? typeOfFile(url) : "text/html")),
    title: oneLine(text("name")),
    duration: seconds(text("duration")),
    poster: urls.web(text("thumbnailUrl") || text("image")) ?? undefined,
    captions: transcript === "" ? [] : [{ kind: "transcript", ...given({ language }), text: transcript }],
  });
}

function textIn(value: unknown): string {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === "string" || typeof one === "number") return String(one);
  const below = isThing(one) ? (one.url ?? one["@value"]) : "";
  return typeof below === "string" ? below : "";
}

/** From the page's Open Graph and Twitter tags. */
function readMetas({ parts, urls }: MediaPage, collector: Collector): void {
  const { kind } = collector;
  const said = readMetaValues(parts);
  const first = (...names: string[]) => names.map((name) => said.get(name)).find(Boolean);
  const own = first(`og:${kind}:secure_url`, `og:${kind}:url`, `og:${kind}`);
  const stream = kind === "video" ? first("twitter:player:stream") : undefined;
  const url = urls.web(own ?? stream ?? "");
  if (url === null) return;
  const type = first(`og:${kind}:type`) ?? (own ? undefined : first("twitter:player:stream:content_type"));
  collector.add("meta", url, {
    type: bareType(type ?? typeOfFile(url)),
    title: oneLine(first(`og:${kind}:title`, "og:title")),
    duration: seconds(first(`og:${kind}:duration`, `${kind}:duration`, "music:duration")),
  });
}

function short(element: Element, name: string): string | undefined {
  return attribute(element, name)?.slice(0, longestTitle);
}

function bareType(type: string | null | undefined): string | undefined {
  return type?.split(";", 1)[0]?.trim().toLowerCase().slice(0, longestTitle);
}

function oneLine(title: string | undefined): string | undefined {
  return title?.replace(/\s+/g, " ").trim().slice(0, longestTitle);
}

/** "PT1H2M3S", "3723" and "1:02:03" are the same. */
function seconds(written: string | undefined): number | undefined {
  const text = written?.trim() ?? "";
  const iso = /^P(?:(\d{1,4})D)?T?(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,6})?)S)?$/i.exec(text);
  const clock = /^(?:(\d{1,3}):)?(\d{1,3}):(\d{2})$/.exec(text);
  let duration = Number.NaN;
  if (/^\d{1,8}(?:\.\d{1,6})?$/.test(text)) duration = Number(text);
  else if (clock) duration = Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  else if (iso && text.length > 2) {
    const [days = 0, hours = 0, minutes = 0, rest = 0] = iso.slice(1).map((part) => Number(part ?? 0));
    duration = ((days * 24 + hours) * 60 + minutes) * 60 + rest;
  }
  return duration > 0 ? duration : undefined;
}
