// A table with merged cells, as HTML inside of the markdown: rows of pipes cannot express that a cell spans others.
import type { AnyNode, Element } from "domhandler";
import { isElement, isText } from "../../html/index.ts";
import { collapseSpaces } from "./escape.ts";
import type { MarkdownOptions } from "./inline-renderer.ts";
import { formulaOf } from "./math.ts";
import type { TableCell } from "./table.ts";

/** Sheets of data that have a merged title somewhere are long; HTML would double them. */
const maxRows = 500;

export function hasMergedCells(rows: readonly (readonly TableCell[])[]): boolean {
  return rows.length <= maxRows && rows.some((row) => row.some((cell) => cell.columns > 1 || cell.rows > 1));
}

/** A line per row, and no blank one, which would end the HTML. */
export function htmlTableLines(rows: readonly (readonly TableCell[])[], options: MarkdownOptions): string[] {
  const cellHtml = ({ element, isHeader, columns, rows: down }: TableCell) => {
    const name = isHeader ? "th" : "td";
    const spans = `${columns > 1 ? ` colspan="${columns}"` : ""}${down > 1 ? ` rowspan="${down}"` : ""}`;
    return `<${name}${spans}>${insideOf(element, options)}</${name}>`;
  };
  return ["<table>", ...rows.map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`), "</table>"];
}

/** Kept as they are; of all other elements only the content is kept. */
const kept = new Set(["strong", "em", "code", "sup", "sub", "del", "ul", "ol", "li"]);
const meanings: Readonly<Record<string, string>> = { b: "strong", i: "em" };
const blocks = new Set(["p", "div", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "section"]);

function insideOf(cell: Element, { dropped, urls }: MarkdownOptions): string {
  const write = (node: AnyNode): string => {
    if (dropped.has(node)) return "";
    if (isText(node)) return escapeMarkup(collapseSpaces(node.data));
    if (!isElement(node)) return "";
    if (node.name === "br") return "<br>";
    if (node.name === "img") return escapeMarkup(node.attribs.alt ?? "");
    const formula = node.name === "math" ? formulaOf(node) : null;
    if (formula) return `$${escapeMarkup(formula.tex.replace(/\s+/g, " "))}$`;
    const inside = node.children.map(write).join("");
    if (node.name === "a") {
      const url = node.attribs.href === undefined ? null : urls.web(node.attribs.href);
      return url === null || inside === "" ? inside : `<a href="${escapeMarkup(url)}">${inside}</a>`;
    }
    const name = meanings[node.name] ?? node.name;
    if (kept.has(name)) return inside === "" ? "" : `<${name}>${inside}</${name}>`;
    return blocks.has(node.name) ? `<br>${inside}<br>` : inside;
  };
  return cell.children
    .map(write)
    .join("")
    .replace(/(?:\s*<br>\s*)+/g, "<br>")
    .replace(/^(?:<br>|\s)+|(?:<br>|\s)+$/g, "");
}

function escapeMarkup(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
