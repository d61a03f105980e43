// Markdown of a page as React elements. Nothing of it becomes HTML, and nothing is loaded from elsewhere: images are
// named, links open in a new tab.
import { marked, type Token, type Tokens } from "marked";
import type { ReactNode } from "react";

export function Markdown({ text }: { text: string }) {
  return <div className="prose">{blocks(marked.lexer(text))}</div>;
}

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Block key={`${index}-${token.type}`} token={token} />);
}

function Block({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "heading": {
      // The page has its own h1; headings of the text begin below it.
      const Heading = (["h2", "h2", "h3", "h4", "h4", "h4"] as const)[(token as Tokens.Heading).depth - 1] ?? "h4";
      return <Heading>{inline(token.tokens)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "text":
      return <>{token.tokens ? inline(token.tokens) : plain((token as Tokens.Text).text)}</>;
    case "code":
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case "list": {
      const list = token as Tokens.List;
      const items = list.items.map((item, index) => <li key={`${index}-${item.raw.length}`}>{blocks(item.tokens)}</li>);
      return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return <p>{token.raw}</p>;
  }
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <div className="table-wrap">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={`${index}-${cell.text}`} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={`${at}-${row.length}`}>
              {row.map((cell, index) => (
                <td key={`${index}-${cell.text}`}>{inline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, index) => <Span key={`${index}-${token.type}`} token={token} />);
}

function Span({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <code>{plain((token as Tokens.Codespan).text)}</code>;
    case "br":
      return <br />;
    case "link":
      return <SafeLink href={(token as Tokens.Link).href}>{inline(token.tokens)}</SafeLink>;
    case "image":
      return <span className="figure">[image: {plain((token as Tokens.Image).text) || "no description"}]</span>;
    case "escape":
      return plain((token as Tokens.Escape).text);
    case "text":
      return (token as Tokens.Text).tokens ? (
        <>{inline((token as Tokens.Text).tokens)}</>
      ) : (
        plain((token as Tokens.Text).text)
      );
    default:
      return token.raw;
  }
}

/** The lexer escapes some characters for HTML, which this is not. */
function plain(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/** A link to the web; any other scheme is shown as text. */
export function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
