// Markdown of a page as HTML. Nothing of the markdown becomes HTML as it is; links and pictures lead to places of the site.
import { Marked, type Tokens } from "marked";
import { type KnownFiles, resolveLink } from "./guide-links.ts";
import { createSlugs, type GuidePage, readableText, twinOf } from "./guide-page.ts";
import { toHtmlText } from "./html-text.ts";

export interface GuideHeading {
  depth: number;
  text: string;
  anchor: string;
}

interface GuideHtml {
  html: string;
  headings: GuideHeading[];
}

/** What a comment `<!-- NAME -->` of a page is replaced by; empty for the others. */
export type ReplaceComment = (name: string) => string;

export function renderGuide(page: GuidePage, known: KnownFiles, replaceComment: ReplaceComment = () => ""): GuideHtml {
  const headings: GuideHeading[] = [];
  const slugOf = createSlugs();
  const twin = twinOf(page);
  const html = new Marked({
    gfm: true,
    async: false,
    renderer: {
      heading({ depth, tokens }) {
        const text = readableText(tokens);
        const anchor = slugOf(text);
        headings.push({ depth, text, anchor });
        const inner = this.parser.parseInline(tokens);
        const isPlain = depth > 1 && !hasLink(tokens);
        return `<h${depth} id="${toHtmlText(anchor)}">${isPlain ? `<a class="anchor" href="#${toHtmlText(anchor)}">${inner}</a>` : inner}</h${depth}>\n`;
      },
      link({ href, title, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const { url, file } = resolveLink(twin, href, known);
        if (url === null)
          return `<span class="repository" title="In the repository: ${toHtmlText(file)}">${inner}</span>`;
        const rel = /^https?:/i.test(url) ? ' rel="noopener noreferrer"' : "";
        return `<a href="${toHtmlText(url)}"${rel}${title ? ` title="${toHtmlText(title)}"` : ""}>${inner}</a>`;
      },
      image({ href, text }) {
        const { url } = resolveLink(twin, href, known);
        if (url === null || /^https?:/i.test(url)) return `<span class="figure">[picture: ${toHtmlText(text)}]</span>`;
        return `<img src="${toHtmlText(url)}" alt="${toHtmlText(text)}" loading="lazy">`;
      },
      html({ text, block }) {
        const [, name] = /^<!-- ([\w /-]+) -->\s*$/.exec(text) ?? [];
        if (name !== undefined) return replaceComment(name);
        return /^<!--[\s\S]*-->\s*$/.test(text) ? "" : block ? `<p>${toHtmlText(text)}</p>` : toHtmlText(text);
      },
      code({ text, lang }) {
        const name = /^[\w-]+/.exec(lang ?? "")?.[0];
        return `<pre class="code"${name ? ` data-language="${name}"` : ""}><code>${toHtmlText(text)}</code></pre>\n`;
      },
      table(table) {
        const cells = (row: Tokens.TableCell[], name: "td" | "th") =>
          row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join("");
        const rows = table.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table-wrap"><table class="table"><thead><tr>${cells(table.header, "th")}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  }).parse(page.markdown) as string;
  return { html, headings };
}

function hasLink(tokens: readonly { type: string; tokens?: { type: string }[] }[]): boolean {
  return tokens.some(({ type, tokens: inner }) => type === "link" || (inner !== undefined && hasLink(inner)));
}
