// Days that a page shows to its readers: in the path of its URL and in its text. The likeliest day of publication is that beside the title and
// the authors; days of footers, menus, teasers and events are not.
import type { Element, Text } from "domhandler";
import { attribute, classOf, isElement, type PageParts, walk } from "../../html/index.ts";
import { daysIn, type WrittenDay } from "./written-days.ts";

export interface ShownParts extends Pick<PageParts, "title" | "times"> {
  /** In document order. */
  nodes(): readonly (Element | Text)[];
}

export interface ShownDay {
  day: string;
  /** Where it is, for `metadata.dateEvidence`. */
  evidence: string;
  score: number;
}

const maxTextLength = 400;
const maxFound = 300;

const earliest = 1990;
const pathForms: RegExp[] = [
  /[/=_-](?<year>(?:19|20)\d\d)[/_.-](?<month>0?[1-9]|1[0-2])[/_.-](?<day>0?[1-9]|[12]\d|3[01])(?!\d)/,
  /(?:^|[^\d])(?<year>20[0-3]\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?!\d)/,
  /(?:^|[^\d])(?<day>0[1-9]|[12]\d|3[01])[-_.]?(?<month>0[1-9]|1[0-2])[-_.]?(?<year>20[0-3]\d)(?!\d)/,
];

/** The day in the path of a URL. */
export function dayOfUrl(url: string): string | null {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/^\/web\/\d{14}[a-z_]*\/https?:\/\/[^/]*/i, "");
  for (const form of pathForms) {
    const { year, month, day } = form.exec(path)?.groups ?? {};
    if (year !== undefined && Number(year) >= earliest)
      return `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
  }
  return null;
}

const published =
  /publish|posted|ver(?:ö|oe)ffentlicht|erschienen|erstellt|publi[ée]|pubblicat|publicad|geplaatst|gepubliceerd|publicerad|publisert|udgivet|julkaistu|opublikowan|opublikov|publikov|megjelent|publicat|опубликован|опубліков|публикуван|објављен|δημοσι|yayın|تاريخ النشر|نشر|انتشار|פורסם|प्रकाशित|প্রকাশ|掲載|公開|发布|發布|发表|입력|등록|เผยแพร่|đăng|diterbitkan|created|geschrieben|written on/i;
const modified =
  /updat|modif|aktualisiert|geändert|st(?:and)\s?:|zuletzt|mis(?:e)? à jour|aggiorna|actualiz|atualiz|bijgewerkt|gewijzigd|uppdatera|oppdatert|opdateret|päivitetty|aktualiz|módosít|обновлен|оновлен|güncel|تحديث|更新|수정/i;
const unwanted =
  /©|copyright|\buntil\b|\bbis zum\b|jusqu|hasta el|all rights|\bsince\b|\bseit\b|geboren|born|died|deadline|bewerbung|valid until|gültig|expires|joined|registered|mitglied seit|registriert|beigetreten/i;
const dateClass =
  /date|time(?!line)|publi|posted|byline|(?:^|[-_ ])meta|stamp|datum|fecha|(?:^|[-_ ])data(?:$|[-_ ])|dato|pvm|kalender(?!blatt)|info(?:$|[-_ ])|created|pubdat|dachzeile|author|autor/i;
const unwantedClass =
  /related|teaser|sidebar|side-bar|comment|footer|nav(?:$|[-_ b])|menu|widget|recommend|popular|latest|recent|archive|calendar|event|copyright|cookie|card|promo|more-|read-?also|trending|newsticker|most-?read|carousel|slider|signature|message-user/i;
/** Of a time element: when the page was last changed. */
const changed = /^(?!.*publish).*(?:updated|modified)/i;

/** Nearly no text has either: a year, or numbers with signs between them. Digits of other scripts are looked at further. */
const mayHaveDay = /(?:19|2[05])\d\d|\d[./-]\s?\d{1,2}[./-]\s?\d\d|[٠-٩۰-۹०-९০-৯๐-๙]/;

interface Place {
  /** Characters of text before it. */
  at: number;
  text: string;
  day: WrittenDay;
  element: Element;
}

/** The day that the text shows as that of its publication; null where no day is likely to be it. `order`: how 5/4 is read. */
export function shownDay(parts: ShownParts, isMonthFirst: boolean, urlMonth: string | null): ShownDay | null {
  const places: Place[] = [];
  let at = 0;
  let titleAt = -1;
  const words = wordsOf(parts.title);
  for (const node of parts.nodes()) {
    if (isElement(node)) {
      const { name } = node;
      if (titleAt < 0 && (name === "h1" || name === "h2") && places.length < maxFound) {
        const own = wordsOf(ownText(node));
        const shared = [...own].filter((word) => words.has(word)).length;
        if (own.size > 0 && shared >= own.size * 0.5) titleAt = at;
      }
      const machine = name === "time" ? attribute(node, "datetime") : undefined;
      const day = machine === undefined ? undefined : daysIn(machine, isMonthFirst)[0];
      if (day && !changed.test(`${classOf(node)} ${node.attribs.itemprop ?? ""}`))
        places.push({ at, text: besideTime(node), day, element: node });
      continue;
    }
    const text = node.data;
    at += text.length;
    if (text.length < 6 || places.length >= maxFound || !mayHaveDay.test(text)) continue;
    const element = node.parent;
    if (!element || !isElement(element)) continue;
    const whole = text.length < 12 ? ownText(element) : text;
    for (const day of daysIn(whole.length <= maxTextLength ? whole : text.slice(0, 4000), isMonthFirst))
      places.push({ at, text: whole, day, element });
  }
  // A list of posts, whose days are those of others.
  const days = new Set(places.filter(({ element }) => element.name === "time").map(({ day }) => day.day));
  if (titleAt < 0 && days.size > 1) return null;
  let best: ShownDay | null = null;
  for (const [order, place] of places.entries()) {
    const score = scoreOf(place, order, titleAt, urlMonth);
    if (best === null || score > best.score) best = { day: place.day.day, evidence: evidenceOf(place), score };
  }
  return best;
}

function evidenceOf({ element }: Place): string {
  if (element.name === "time") return "time element";
  const name = classOf(element) || element.attribs.id || "";
  return name ? `text in ${element.name}.${name.trim().split(/\s+/)[0]}` : `text in ${element.name}`;
}

function scoreOf(place: Place, order: number, titleAt: number, urlMonth: string | null): number {
  const { day, text, element, at } = place;
  let score = 0;
  const rest = text.length - day.length;
  score += rest < 8 ? 2 : rest < 40 ? 1.2 : rest < 100 ? 0 : -2.5;
  const around = text.slice(Math.max(0, day.at - 60), day.at + day.length + 30);
  if (published.test(around)) score += 2.5;
  else if (modified.test(around)) score -= 0.3;
  if (unwanted.test(around)) score -= 6;
  if (element.name === "time" || (element.parent && (element.parent as Element).name === "time")) score += 1.5;
  let [hasDateClass, isUnwanted, isLinked] = [false, false, false];
  for (let above: Element | null = element, depth = 0; above && depth < 12; depth += 1) {
    const { name } = above;
    const names = `${classOf(above)} ${above.attribs.id ?? ""} ${above.attribs.itemprop ?? ""}`;
    if (depth < 4 && dateClass.test(names)) hasDateClass = true;
    if (depth > 0 && depth < 9 && name !== "body" && name !== "main" && name !== "article" && unwantedClass.test(names))
      isUnwanted = true;
    if (depth === 0 && unwantedClass.test(names) && (/comment/i.test(names) || !dateClass.test(names)))
      isUnwanted = true;
    if (name === "footer" || name === "nav" || name === "aside" || name === "form" || name === "table")
      score -= name === "table" ? 0.7 : 2.5;
    if (name === "a") isLinked = true;
    if (name === "article" || name === "main") score += 0.4;
    if (name === "li") score -= 0.6;
    above = above.parent && isElement(above.parent) ? above.parent : null;
  }
  if (hasDateClass) score += 1.5;
  if (isUnwanted) score -= 2;
  if (isLinked && rest > 10) score -= 1.5;
  if (titleAt >= 0) {
    const distance = at - titleAt;
    if (distance >= -300 && distance < 1200) score += 2 - Math.abs(distance) / 1000;
    else if (distance < 0) score -= 0.5;
  }
  if (urlMonth !== null) score += day.day.startsWith(urlMonth) ? 2 : -1.5;
  if (day.hasClock) score += 0.7;
  return score - Math.min(2, order * 0.08);
}

function besideTime(element: Element): string {
  const own = ownText(element);
  const around = element.parent && isElement(element.parent) ? ownText(element.parent) : own;
  return around.length < 60 ? around : own;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}

function ownText(element: Element): string {
  let text = "";
  walk(element, (node: Element | Text) => {
    if (!isElement(node)) text += ` ${node.data}`;
    return text.length < maxTextLength;
  });
  return text.replace(/\s+/g, " ").trim();
}
