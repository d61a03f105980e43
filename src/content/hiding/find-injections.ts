// How often a page talks to the language model that reads it. What is quoted or explained is no attack; what is hidden is one.
import type { AnyNode } from "domhandler";
import { isText, walk } from "../tree/nodes.ts";
import { injectionHints as hints, injectionPatterns } from "./injection-rules.ts";

/** More of a text is not looked at. */
const longestText = 300_000;
const maxFound = 100;
const maxEncoded = 20;
const longestEncoded = 4000;

const code = new Set(["script", "style", "noscript", "template", "svg"]);
/** Where others' words stand. */
const quoting = new Set([...code, "code", "pre", "blockquote", "q", "kbd", "samp", "textarea"]);
/** What texts about such attacks say, and attacks do not. */
const explaining =
  /prompt[- ]?injection|jailbreak|red[- ]?team|adversarial|\bOWASP\b|LLM security|AI safety|attackers?\b|vulnerabilit/gi;
const leastExplaining = 2;
const openQuote = /["'“”„«»‘’‚「『`]\s{0,2}$/;

export interface PageWords {
  /** What people see. */
  roots: readonly AnyNode[];
  /** What was taken out. */
  hidden: readonly string[];
}

/** How many there are. */
export function countInjections({ roots, hidden }: PageWords): number {
  const secret = hidden.join("\n").slice(0, longestText);
  const hiddenCount = matchesIn(secret, false) + matchesIn(decoded(secret), false);
  const seen = seenText(roots);
  if (!hints.test(seen) && !/[A-Za-z0-9+/]{60}/.test(seen)) return hiddenCount;
  const isExplained = (seen.match(explaining) ?? []).length >= leastExplaining;
  if (isExplained) return hiddenCount;
  return hiddenCount + matchesIn(seen, true) + matchesIn(decoded(seen), false);
}

function seenText(roots: readonly AnyNode[]): string {
  const parts: string[] = [];
  let length = 0;
  for (const root of roots) {
    if (isText(root)) parts.push(root.data);
    if (!("children" in root)) continue;
    walk(root, (node) => {
      if (length > longestText) return "stop";
      if (!isText(node)) return !quoting.has(node.name);
      parts.push(node.data);
      length += node.data.length;
      return true;
    });
  }
  return parts.join("\n").slice(0, longestText);
}

function matchesIn(text: string, mayQuote: boolean): number {
  if (text === "" || !hints.test(text)) return 0;
  let found = 0;
  for (const pattern of injectionPatterns) {
    for (const { index } of text.matchAll(pattern)) {
      if (mayQuote && openQuote.test(text.slice(Math.max(0, index - 12), index))) continue;
      found += 1;
      if (found >= maxFound) return found;
    }
  }
  return found;
}

/** What a text says in base64, in hexadecimal digits, or in letters that look like others. */
function decoded(text: string): string {
  const parts: string[] = [];
  for (const [token] of text.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
    if (parts.length >= maxEncoded) break;
    const cut = token.slice(0, longestEncoded);
    const isHex = /^[\da-fA-F]+$/.test(cut);
    const words = Buffer.from(cut, isHex ? "hex" : "base64").toString("latin1");
    if (/^[\t\n\r -~]+$/.test(words)) parts.push(words);
  }
  const unmasked = text.replace(/[A-Za-z]*[\u0370-\u03ff\u0400-\u04ff][A-Za-z\u0370-\u03ff\u0400-\u04ff]*/g, (word) =>
    /[A-Za-z]/.test(word) ? [...word].map((letter) => lookalikes[letter] ?? letter).join("") : word,
  );
  if (unmasked !== text) parts.push(unmasked);
  return parts.join("\n");
}

const lookalikes: Record<string, string> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "i",
  ј: "j",
  ѕ: "s",
  һ: "h",
  ԁ: "d",
  ո: "n",
  к: "k",
  м: "m",
  т: "t",
  в: "b",
  н: "h",
  г: "r",
  п: "n",
  ο: "o",
  α: "a",
  ε: "e",
  ι: "i",
  ν: "v",
  ρ: "p",
  τ: "t",
  υ: "u",
  κ: "k",
  І: "I",
  А: "A",
  Е: "E",
  О: "O",
  Р: "P",
  С: "C",
  Т: "T",
  М: "M",
  Н: "H",
  К: "K",
  В: "B",
  Х: "X",
};

/** The texts of nodes that were taken out of a page. */
export function textsOf(nodes: Iterable<AnyNode>): string[] {
  return Array.from(nodes, (node) => {
    if (isText(node)) return node.data;
    const parts: string[] = [];
    if ("children" in node) {
      walk(node, (below) => {
        if (isText(below)) parts.push(below.data);
        return isText(below) || !code.has(below.name);
      });
    }
    return parts.join(" ");
  });
}
