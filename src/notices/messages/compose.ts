// One message of one notice, or of those that an entry has collected.
import type { TemplateWord } from "../../contract/index.ts";
import { inOneLine, type Level, type Message, type MessageBlock, type Notice } from "./notice-message.ts";

const longestTitle = 200;
/** In the title of a digest, before the others are only counted. */
const namedInTitle = 1;

export function composeMessage(id: string, notices: readonly Notice[], template: string | undefined): Message {
  const [first] = notices;
  const isDigest = notices.length > 1;
  const blocks = notices.flatMap((notice) => blocksOf(notice, template, isDigest));
  const title = isDigest
    ? `${inOneLine(first?.title ?? "", longestTitle)} and ${notices.length - namedInTitle} more`
    : inOneLine(first?.title ?? "", longestTitle);
  return { id, title, blocks, level: levelOf(notices), link: isDigest ? "" : (first?.link ?? "") };
}

function blocksOf(notice: Notice, template: string | undefined, isDigest: boolean): MessageBlock[] {
  const head = isDigest ? `${inOneLine(notice.title, longestTitle)} (${timeOf(notice)})\n` : "";
  if (template !== undefined) return [{ kind: "text", value: head + fillTemplate(template, notice) }];
  const text: MessageBlock = { kind: "text", value: `${head}${notice.text}`.trim() };
  return notice.change === "" ? [text] : [text, { kind: "code", value: notice.change }];
}

/** Each placeholder is replaced once: what a page says is no template. */
function fillTemplate(template: string, notice: Notice): string {
  const words: Record<TemplateWord, string> = { ...notice, time: timeOf(notice) };
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => words[name as TemplateWord] ?? "").trim();
}

function timeOf({ at }: Notice): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The worst of them. */
function levelOf(notices: readonly Notice[]): Level {
  const levels = notices.map(({ level }) => level);
  if (levels.includes("trouble")) return "trouble";
  return levels.every((level) => level === "recovered") ? "recovered" : "info";
}
