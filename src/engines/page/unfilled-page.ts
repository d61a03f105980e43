// Whether the text of a page is missing because scripts bring it. Reads the bytes once, in order, and stops as
// soon as there is enough text: most pages cost a few microseconds. No tree is built.

/** With this many letters of text a page is complete; with fewer and a sign of an application it is not. */
const enoughLetters = 400;
/** A page with scripts and less text than this has nothing yet. */
const almostNothing = 25;
/** Only this much of a page is examined: text that comes later is ignored. */
const lookedAtBytes = 1024 * 1024;
/** For most pages these are enough. */
const firstBytes = 8 * 1024;

/** Elements that frameworks fill. */
const rootIds =
  /^(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|app-root|react-root|main-app|ember-app|app-container|application|mount|spa)$/i;
const rootTags = /^(?:app-root|my-app|ng-view|app-component|router-outlet|app-main)$/;
const rootAttributes = /\s(?:ng-app|data-ng-app|data-reactroot|data-server-rendered|ng-version|v-cloak|x-data)[\s=>]/i;
const noscriptHints =
  /(?:enable|activate|requires?|needs?|without|turn on|support)[^<]{0,80}javascript|javascript[^<]{0,80}(?:enable|disabled|required|activate|turn)/i;

/** Elements whose content is not text of the page. */
const unseenOpening = /(?:script|style|noscript|template|title|svg|textarea|iframe|object)(?=[\s/>])/iy;
const shadowTree = /^<template\s[^>]*shadowrootmode/i;
const tagName = /^[a-z][a-z0-9-]*/i;
const idAttribute = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
/** Of a tag no more than this is looked at. */
const tagLength = 1024;

/** The sign of it, in a few words; null for a page that has its text. */
export function looksUnfilled(body: Uint8Array): string | null {
  if (countText(asText(body, firstBytes)) >= enoughLetters) return null;
  const html = asText(body, lookedAtBytes);
  const letters = countText(html);
  if (letters >= enoughLetters) return null;
  const { hasScript, sign } = findSigns(html);
  if (!hasScript) return null;
  if (sign !== null) return `${letters} letters of text and ${sign}`;
  return letters < almostNothing ? `${letters} letters of text and scripts` : null;
}

function asText({ buffer, byteOffset, byteLength }: Uint8Array, most: number): string {
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, most)).toString("latin1");
}

/** Letters outside of tags and of what is not shown, up to the number that makes a page. */
function countText(html: string): number {
  let letters = 0;
  let from = 0;
  while (from < html.length && letters < enoughLetters) {
    const open = html.indexOf("<", from);
    letters += countLetters(html, from, open < 0 ? html.length : open);
    if (open < 0) break;
    from = endOfMarkup(html, open).behind;
  }
  return letters;
}

/** Where the tag or comment ends, and where the element does if its content is no text. */
function endOfMarkup(html: string, open: number): { tagEnd: number; behind: number } {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return { tagEnd: open, behind: end < 0 ? html.length : end + 3 };
  }
  const tagEnd = html.indexOf(">", open);
  if (tagEnd < 0) return { tagEnd: html.length, behind: html.length };
  unseenOpening.lastIndex = open + 1;
  const name = unseenOpening.exec(html)?.[0];
  // A shadow tree that is written in the page is seen.
  const isSeen = name === undefined || (name.length === 8 && shadowTree.test(html.slice(open, open + tagLength)));
  return { tagEnd, behind: isSeen ? tagEnd + 1 : findEndTag(html, name.toLowerCase(), tagEnd + 1) };
}

function findSigns(html: string): { hasScript: boolean; sign: string | null } {
  let hasScript = false;
  let sign: string | null = null;
  for (let open = html.indexOf("<"); open >= 0; ) {
    const { tagEnd, behind } = endOfMarkup(html, open);
    const tag = html.slice(open + 1, Math.min(tagEnd, open + tagLength));
    const name = tagName.exec(tag)?.[0].toLowerCase() ?? "";
    if (name === "script") hasScript ||= isProgram(tag);
    else if (name === "noscript") {
      if (noscriptHints.test(html.slice(tagEnd, Math.min(behind, tagEnd + 4096))))
        sign ??= "a note that it needs JavaScript";
    } else if (name !== "") sign ??= rootSign(name, tag);
    open = html.indexOf("<", behind);
  }
  return { hasScript, sign };
}

function rootSign(name: string, tag: string): string | null {
  if (rootTags.test(name)) return `the element ${name}`;
  const id = idAttribute.exec(` ${tag}`);
  const value = id?.[1] ?? id?.[2] ?? id?.[3] ?? "";
  if (rootIds.test(value)) return `the element #${value}`;
  return rootAttributes.test(`${tag}>`) ? "the mark of a framework" : null;
}

/** Data blocks are no scripts. */
function isProgram(tag: string): boolean {
  const type = /\stype\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
  return type === "" || type === "module" || /(?:java|ecma)script$/.test(type);
}

/** Behind the end tag, or the end of the text without one. */
function findEndTag(html: string, name: string, from: number): number {
  let at = html.indexOf("</", from);
  while (at >= 0) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) {
      const close = html.indexOf(">", at);
      return close < 0 ? html.length : close + 1;
    }
    at = html.indexOf("</", at + 2);
  }
  return html.length;
}

/** Everything but whitespace counts, in any script. */
function countLetters(html: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to && count < enoughLetters; at += 1) if (html.charCodeAt(at) > 32) count += 1;
  return count;
}
