// Tells a page whose text only its scripts bring from one that has its text. Looks at the bytes once, in order, and stops as
// soon as there is enough text: most pages cost a few microseconds. No tree is built.

/** Text of so many letters is a page; fewer with a sign of an application around them are not. */
const enoughLetters = 400;
/** A page with scripts and less text than this has nothing yet. */
const almostNothing = 25;
/** Of a page no more than this is looked at: its text stands earlier, or is not there. */
const lookedAtBytes = 1024 * 1024;

/** Elements whose content is no text of the page. */
const unseen = new Set(["script", "style", "noscript", "template", "title", "svg", "textarea", "iframe", "object"]);

/** Elements that frameworks fill. */
const rootIds =
  /^(?:root|app|__next|__nuxt|___gatsby|svelte|sapper|q-app|app-root|react-root|main-app|ember-app|app-container|application|mount|spa)$/i;
const rootTags = /^(?:app-root|my-app|ng-view|app-component|router-outlet|app-main)$/;
const rootAttributes = /\s(?:ng-app|data-ng-app|data-reactroot|data-server-rendered|ng-version|v-cloak|x-data)[\s=>]/i;
const noscriptHints =
  /(?:enable|activate|requires?|needs?|without|turn on|support)[^<]{0,80}javascript|javascript[^<]{0,80}(?:enable|disabled|required|activate|turn)/i;

const tagName = /^[a-z][a-z0-9-]*/i;
const idAttribute = /\sid\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/** The sign by which it is known, in a few words; null for a page that has its text. */
export function looksUnfilled(body: Uint8Array): string | null {
  const html = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, lookedAtBytes)).toString("latin1");
  let letters = 0;
  let hasScript = false;
  let sign: string | null = null;
  let from = 0;
  while (from < html.length) {
    const open = html.indexOf("<", from);
    letters += countLetters(html, from, open < 0 ? html.length : open);
    if (letters >= enoughLetters) return null;
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      const end = html.indexOf("-->", open + 4);
      from = end < 0 ? html.length : end + 3;
      continue;
    }
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const tag = html.slice(open + 1, Math.min(close, open + 1024));
    const name = tagName.exec(tag)?.[0].toLowerCase() ?? "";
    from = close + 1;
    if (unseen.has(name)) {
      const end = findEndTag(html, name, from);
      if (name === "script") hasScript ||= isProgram(tag);
      else if (name === "noscript" && noscriptHints.test(html.slice(from, Math.min(end, from + 4096)))) {
        sign ??= "a note that it needs JavaScript";
      }
      from = end;
    } else if (name !== "") sign ??= rootSign(name, tag);
  }
  if (!hasScript) return null;
  if (sign !== null) return `${letters} letters of text and ${sign}`;
  return letters < almostNothing ? `${letters} letters of text and scripts` : null;
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

/** Behind the end tag; at the end of the text when there is none. */
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

/** Everything that is no space counts: bytes of a word in any script. */
function countLetters(html: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to && count < enoughLetters; at += 1) if (html.charCodeAt(at) > 32) count += 1;
  return count;
}
