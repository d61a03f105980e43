// Discourse forums, as they are sent to browsers: the posts wait in an attribute for the scripts that show them.
import type { Document, Element } from "domhandler";
import { attribute, embeddedMark, findBelow, isElement, isThing, readLooseJson, walk } from "../../html/index.ts";
import { asHtmlText } from "./written-html.ts";

const maxPosts = 500;
const maxLength = 5_000_000;

/** The posts as HTML; null for data without posts. */
export function forumPosts(root: Document): string | null {
  const data = findData(root);
  return data === null ? null : topicHtml(data);
}

/** Also null where the page shows the posts without scripts: they would appear twice. */
function findData(root: Document): string | null {
  let data: string | null = null;
  let isWritten = false;
  walk(root, (node) => {
    if (!isElement(node)) return false;
    isWritten = node.name === "noscript" && holdsPosts(node);
    if (isWritten) return "stop";
    data ??= attribute(node, embeddedMark) ?? null;
    return true;
  });
  return !isWritten && data !== null && (data as string).length <= maxLength ? data : null;
}

function holdsPosts(noscript: Element): boolean {
  return findBelow(noscript, (element) => attribute(element, "itemprop") === "text") !== null;
}

interface Post {
  username?: unknown;
  created_at?: unknown;
  cooked?: unknown;
}

function topicHtml(data: string): string | null {
  const stores = readStore(data);
  if (stores === null) return null;
  for (const [name, value] of Object.entries(stores)) {
    const topic = name.startsWith("topic_") && typeof value === "string" ? readStore(value) : null;
    const posts = (topic?.post_stream as { posts?: unknown } | undefined)?.posts;
    if (!Array.isArray(posts)) continue;
    const title = typeof topic?.title === "string" ? `<h1>${asHtmlText(topic.title)}</h1>` : "";
    return `<div id="main-outlet">${title}${posts.slice(0, maxPosts).map(postHtml).join("")}</div>`;
  }
  return null;
}

/** As the forum itself writes a post for readers without scripts. */
function postHtml(post: Post): string {
  const { username, created_at: created, cooked } = post;
  if (typeof cooked !== "string") return "";
  const author = typeof username === "string" ? `<span class="creator">${asHtmlText(username)}</span>` : "";
  const day = typeof created === "string" ? longDay(created) : null;
  const time = day === null ? "" : `<span class="crawler-post-infos"><time>${day}</time></span>`;
  return (
    `<div class="topic-body crawler-post"><div class="crawler-post-meta">${author} ${time}</div>` +
    `<div class="post" itemprop="text">${cooked}</div></div>`
  );
}

/** Made for the first forum: it takes longer than most pages. */
let dayFormat: Intl.DateTimeFormat | null = null;

function longDay(written: string): string | null {
  const day = Date.parse(written.slice(0, 10));
  dayFormat ??= new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
  return Number.isNaN(day) ? null : dayFormat.format(day);
}

function readStore(text: string): Record<string, unknown> | null {
  const value = readLooseJson(text);
  return isThing(value) ? value : null;
}
