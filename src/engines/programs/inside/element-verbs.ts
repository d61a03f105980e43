// Verbs that do something with one element, or ask something of it.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Locator } from "playwright-core";
import { at, need, placeOf, VerbFailure, type VerbTarget } from "./verb-target.ts";

const maxFileBytes = 5 * 1024 * 1024;

type ElementVerb = (target: VerbTarget, words: string[]) => Promise<string | null>;

function on(what: string, work: (element: Locator, words: string[]) => Promise<unknown>): ElementVerb {
  return async (target, [where, ...rest]) => {
    await at(target, need(where, what), (element) => work(element, rest));
    return null;
  };
}

export const elementVerbs: Record<string, ElementVerb> = {
  click: on("what to click", (element) => element.click()),
  dblclick: on("what to click twice", (element) => element.dblclick()),
  hover: on("what to point at", (element) => element.hover()),
  focus: on("what to focus", (element) => element.focus()),
  check: on("what to check", (element) => element.check()),
  uncheck: on("what to uncheck", (element) => element.uncheck()),
  scrollintoview: on("what to scroll to", (element) => element.scrollIntoViewIfNeeded()),
  fill: on("where to write", (element, words) => element.fill(words.join(" "))),

  async type(target, words) {
    if (words.length < 2) await target.page.keyboard.type(need(words[0], "what to type"));
    else await at(target, words[0] ?? "", (element) => element.pressSequentially(words.slice(1).join(" ")));
    return null;
  },

  async select(target, [where, ...values]) {
    need(values[0], "which option to choose");
    const chosen = await at(target, need(where, "where to choose"), (element) => element.selectOption(values));
    if (chosen.length === 0) throw new VerbFailure("no option was chosen");
    return null;
  },

  async upload(target, [where, file]) {
    const field = need(where, "which field");
    const sent = await readSent(need(file, "which file"));
    await at(target, field, (element) => element.setInputFiles(sent));
    return null;
  },

  async drag(target, [from, to]) {
    const there = need(to, "where to drag it");
    await at(target, need(from, "what to drag"), (element) => at(target, there, (goal) => element.dragTo(goal)));
    return null;
  },

  async is(target, [what, where]) {
    const questions: Record<string, (element: Locator) => Promise<boolean>> = {
      visible: (element) => element.isVisible(),
      enabled: (element) => element.isEnabled(),
      checked: (element) => element.isChecked(),
    };
    const ask = questions[what ?? ""];
    if (ask === undefined) throw new VerbFailure("is takes visible, enabled or checked, and an element");
    return String(await at(target, need(where, "which element"), ask));
  },

  async get(target, [what, where, name]) {
    const { page } = target;
    switch (what) {
      case "title":
        return page.title();
      case "url":
        return page.url();
      case "text":
        // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
        return at(target, where ?? "body", (element) => element.innerText());
      case "html":
        return where === undefined ? page.content() : at(target, where, (element) => element.innerHTML());
      case "value":
        return at(target, need(where, "which field"), (element) => element.inputValue());
      case "count":
        return String(await placeOf(target).locator(need(where, "what to count")).count());
      case "attr": {
        const attribute = need(name, "which element, then which attribute");
        const value = await at(target, need(where, "which element"), (element) => element.getAttribute(attribute));
        if (value === null) throw new VerbFailure(`the element has no attribute ${attribute}`);
        return value;
      }
      case "box": {
        const box = await at(target, need(where, "which element"), (element) => element.boundingBox());
        if (box === null) throw new VerbFailure("the element is not visible");
        return JSON.stringify(box);
      }
      default:
        throw new VerbFailure("get takes title, text, url, html, value, attr, count or box");
    }
  },
};

/** A file of the session's programs, or one in the words themselves. */
async function readSent(file: string) {
  const [, type = "text/plain", base64, data] = /^data:([^;,]*)(;base64)?,(.*)$/s.exec(file) ?? [];
  if (data !== undefined) {
    const buffer = base64 ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data));
    return { name: "file", mimeType: type || "text/plain", buffer };
  }
  const buffer = await readFile(file).catch(() => {
    throw new VerbFailure(`the session has no file ${file}`);
  });
  if (buffer.length > maxFileBytes) throw new VerbFailure(`the file has more than ${maxFileBytes} bytes`);
  return { name: basename(file), mimeType: "application/octet-stream", buffer };
}
