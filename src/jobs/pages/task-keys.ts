// The keys by which a job knows its pages.
import { bareUrl, sha256, withoutFragment } from "../../base/index.ts";
import type { NewTaskOf } from "../engine/task.ts";

/** As stored: all of one length, however long the URL is. */
export function shortKey(key: string): string {
  return sha256(key).slice(0, 32);
}

/** Of a page that is known by its URL as it is written. */
export function urlKey(url: string): string {
  return shortKey(withoutFragment(bareUrl(url)));
}

export function pageTask(url: string, depth: number): NewTaskOf<"page"> {
  return { key: urlKey(url), url: withoutFragment(bareUrl(url)), depth, kind: "page", step: null };
}

/** Under which the credentials of a pattern lie, for the pages of its origin. */
export function originKey(url: string): string {
  return `origin ${new URL(url).origin}`;
}
